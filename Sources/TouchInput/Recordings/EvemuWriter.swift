import CEvdev
import TouchCore

/// Writes evemu's text, version 1.3, for a file that describes its device itself.
///
/// What the format has no place for is left out: the device's path, phys, uniq, and its axes' values.
public enum EvemuWriter {
  /// A whole recording.
  public static func text(_ description: DeviceDescription, _ frames: [InputFrame]) -> String {
    var text = header(description)
    for frame in frames { text += lines(frame) }
    return text
  }

  /// The beginning of a recording.
  public static func header(_ description: DeviceDescription) -> String {
    let name = printable(description.name)
    let ids = [description.bus, description.vendor, description.product, description.version]
      .map { hexadecimal($0, digits: 4) }.joined(separator: " ")
    let capabilities = description.capabilities
    var text = "# EVEMU 1.3\n# Input device name: \"\(name)\"\nN: \(name)\nI: \(ids)\n"
    text += mask("P:", capabilities.properties, bytes: 8)
    for (type, codes, bytes) in masks(capabilities) {
      text += mask("B: \(hexadecimal(type, digits: 2))", codes, bytes: bytes)
    }
    for (code, axis) in capabilities.axes.sorted(by: { $0.key < $1.key }) {
      text += "A: \(hexadecimal(code, digits: 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat) "
      text += "\(axis.resolution)\n"
    }
    return text
  }

  /// The lines of one frame, its end included. Times before the clock's zero are written as zero.
  public static func lines(_ frame: InputFrame) -> String {
    var text = frame.cause == .resync ? EvemuText.resyncComment + "\n" : ""
    for event in frame.events { text += line(event, at: frame.time) }
    return text + line(RawEvent(type: EventCode.syn, code: EventCode.synReport, value: 0), at: frame.time)
  }

  private static func line(_ event: RawEvent, at time: Timestamp) -> String {
    let microseconds = max(0, time.microseconds)
    let fraction = padded(String(microseconds % 1_000_000), to: 6)
    let digits = padded(String(event.value.magnitude), to: event.value < 0 ? 3 : 4)
    let value = event.value < 0 ? "-" + digits : digits
    let event =
      "\(hexadecimal(event.type, digits: 4)) \(hexadecimal(event.code, digits: 4)) \(value)\t# \(name(event))"
    return "E: \(microseconds / 1_000_000).\(fraction) \(event)\n"
  }

  /// For people; programs skip it.
  private static func name(_ event: RawEvent) -> String {
    let type = libevdev_event_type_get_name(UInt32(event.type)).map { String(cString: $0) } ?? "?"
    let code =
      libevdev_event_code_get_name(UInt32(event.type), UInt32(event.code)).map { String(cString: $0) } ?? "?"
    if event.type == EventCode.syn { return "------------ \(code) (\(event.value)) ----------" }
    return "\(type) / \(code) \(event.value)"
  }

  /// Every type's codes, and as many bytes as the kernel gives it; type 0 lists the types.
  private static func masks(_ capabilities: DeviceCapabilities) -> [(UInt16, Set<UInt16>, Int)] {
    let codes: [(UInt16, Set<UInt16>, Int)] = [
      (EventCode.key, capabilities.keys, 96), (EventCode.rel, capabilities.relativeAxes, 8),
      (EventCode.abs, Set(capabilities.axes.keys), 8),
    ]
    let types = Set(codes.filter { !$0.1.isEmpty }.map(\.0)).union([EventCode.syn])
    return [(EventCode.syn, types, 8)] + codes
  }

  /// Lines of eight bytes, lowest bit first.
  private static func mask(_ prefix: String, _ codes: Set<UInt16>, bytes: Int) -> String {
    stride(from: 0, to: bytes, by: 8).map { start in
      let line = (start..<start + 8).map { byte in
        let bits = (0..<8).filter { codes.contains(UInt16(byte * 8 + $0)) }.reduce(0) { $0 | 1 << $1 }
        return hexadecimal(UInt16(bits), digits: 2)
      }
      return "\(prefix) \(line.joined(separator: " "))\n"
    }.joined()
  }

  private static func hexadecimal(_ number: UInt16, digits: Int) -> String {
    padded(String(number, radix: 16), to: digits)
  }

  private static func padded(_ text: String, to count: Int) -> String {
    String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// A device can be called anything; a line end in its name would be the end of the line.
  private static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
