import Glibc
import TouchCore
import TouchInput
import TouchRecordings
import TouchSystem

/// Writes recordings in libinput's format, version 1, as its tools want them. The state of a device before
/// the first frame, and the mark of frames after an overrun, stand under keys named `touchtree`, which they
/// ignore.
package struct LibinputWriter {
  /// The oldest libinput that its recordings' verifier accepts; `git` names this program, which recorded.
  private static let formatVersion = "1.10.0"

  private let start: Timestamp
  private var lastFrame: Timestamp

  /// - Parameter start: the beginning of the recording's time, on the clock of the frames.
  package init(start: Timestamp) { (self.start, lastFrame) = (start, start) }

  /// Returns the beginning of a file of some devices, with this program and its system.
  package static func header(devices: Int, recorder: String, system: SystemDescription) -> String {
    """
    # \(recorder) record
    version: 1
    ndevices: \(devices)
    libinput: # the version is that of the format; libinput did not record this
      version: \(formatVersion.inYAMLQuotes)
      git: \(recorder.inYAMLQuotes)
    system:
      os: \(system.os.inYAMLQuotes)
      kernel: \(system.kernel.inYAMLQuotes)
      dmi: \(system.dmi.inYAMLQuotes)
    devices:

    """
  }

  /// Returns the beginning of a device; its frames follow.
  /// - Parameters:
  ///   - udev: udev's properties of the device.
  ///   - hid: the report descriptor of a HID device, which shows others its possible reports; else empty.
  package static func header(
    _ device: DeviceDescription, _ state: InitialState, udev: UdevProperties, hid: [UInt8] = []
  ) -> String {
    let capabilities = device.capabilities
    let ids = [device.bus, device.vendor, device.product, device.version].map { String($0) }
    var text = """
      - node: \(device.path.inYAMLQuotes)
        evdev:
          name: \(device.name.inYAMLQuotes)
          id: [\(ids.joined(separator: ", "))]
          codes:

      """
    for (type, codes) in Self.codes(capabilities) {
      let numbers = codes.sorted().map { String($0) }.joined(separator: ", ")
      text += "      \(type): [\(numbers)] # \(EventName.type(type) ?? "?")\n"
    }
    if !capabilities.axes.isEmpty { text += "    absinfo:\n" }
    for (code, axis) in capabilities.axes.sorted(by: { $0.key < $1.key }) {
      text +=
        "      \(code): [\(axis.minimum), \(axis.maximum), \(axis.fuzz), \(axis.flat), \(axis.resolution)]"
      text += " # \(EventName.code(code, of: EventCode.abs) ?? "?")\n"
    }
    let properties = capabilities.properties.sorted().map { String($0) }.joined(separator: ", ")
    text += "    properties: [\(properties)]\n"
    if !hid.isEmpty { text += "  hid: [\n\(lines(of: hid))  ]\n" }
    text += "  udev:\n    properties: # \(origin(udev.origin))\n"
    for property in udev.entries { text += "    - \(plain(property))\n" }
    return text + "  touchtree: \(Self.text(state))\n  events:\n"
  }

  package mutating func append(_ frame: InputFrame, to bytes: inout [UInt8]) {
    let microseconds = max(0, frame.time.microseconds(since: start))
    let time =
      "    - [\(padded(microseconds / 1_000_000, to: 3)), \(padded(microseconds % 1_000_000, to: 6)), "
    let key = frame.cause == .resync ? "  - touchtree: \(Recording.resync)\n    evdev:\n" : "  - evdev:\n"
    bytes.append(contentsOf: key.utf8)
    for event in frame.events {
      let name = EventName.code(event.code, of: event.type) ?? "?"
      bytes.append(contentsOf: time.utf8)
      append(event, "\(EventName.type(event.type) ?? "?") / \(name) \(event.value)", to: &bytes)
    }
    let wait = frame.time.microseconds(since: lastFrame) / 1000
    lastFrame = frame.time
    bytes.append(contentsOf: time.utf8)
    append(
      RawEvent(type: EventCode.syn, code: EventCode.synReport, value: 0),
      "------------ SYN_REPORT (0) ---------- \(wait < 0 ? "" : "+")\(wait)ms", to: &bytes)
  }

  /// Appends a mark, at the left edge as all comments that other readers ignore.
  package func append(_ mark: Recording.Mark, to bytes: inout [UInt8]) {
    let microseconds = max(0, mark.time.microseconds(since: start))
    let digits = String(microseconds % 1_000_000)
    let fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    let time = "\(microseconds / 1_000_000).\(fraction)"
    bytes.append(contentsOf: "\(Recording.Mark.head)\(time) \(mark.text.onOneLine)\n".utf8)
  }

  private func append(_ event: RawEvent, _ comment: String, to bytes: inout [UInt8]) {
    let numbers =
      "\(padded(Int64(event.type), to: 3)), \(padded(Int64(event.code), to: 3)), "
      + padded(Int64(event.value), to: 7)
    bytes.append(contentsOf: "\(numbers)] # \(comment)\n".utf8)
  }

  private func padded(_ number: Int64, to count: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, count - digits.utf8.count)) + digits
  }

  /// Returns every type that the device has, and its codes. EV_SYN lists the types, as in the kernel.
  private static func codes(_ capabilities: DeviceCapabilities) -> [(UInt16, Set<UInt16>)] {
    let codes =
      [
        (EventCode.key, capabilities.keys), (EventCode.rel, capabilities.relativeAxes),
        (EventCode.abs, Set(capabilities.axes.keys)),
      ].filter { !$0.1.isEmpty }
      + capabilities.otherCodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return [(EventCode.syn, Set([EventCode.syn] + codes.map(\.0)))] + codes
  }

  /// Returns bytes in hexadecimal, sixteen a line, with commas between them.
  private static func lines(of bytes: [UInt8]) -> String {
    var lines = ""
    for (index, byte) in bytes.enumerated() {
      if index % 16 == 0 { lines += "    " }
      lines += "0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
      if index + 1 < bytes.count { lines += "," }
      lines += index % 16 == 15 || index + 1 == bytes.count ? "\n" : " "
    }
    return lines
  }

  private static func text(_ state: InitialState) -> String {
    var fields = ["pressed: \(state.isPressed ? 1 : 0)", "x: \(state.x)", "y: \(state.y)"]
    if !state.slots.isEmpty {
      fields.append("slot: \(state.currentSlot)")
      fields.append("slots: [" + state.slots.map(text).joined(separator: ", ") + "]")
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func text(_ slot: InitialState.Slot) -> String {
    let values: [(UInt16, Int32?)] = [
      (EventCode.absMTTrackingID, slot.trackingID), (EventCode.absMTPositionX, slot.x),
      (EventCode.absMTPositionY, slot.y), (EventCode.absMTToolType, slot.toolType),
      (EventCode.absMTPressure, slot.pressure), (EventCode.absMTTouchMajor, slot.touchMajor),
      (EventCode.absMTTouchMinor, slot.touchMinor), (EventCode.absMTDistance, slot.distance),
    ]
    let fields = values.compactMap { code, value in value.map { "\(code): \($0)" } }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func origin(_ origin: UdevProperties.Origin) -> String {
    switch origin {
    case .database: "from udev's database"
    case .capabilities: "from the device's capabilities: udev does not run, or does not know it"
    }
  }

  /// Returns a text as libinput writes it, or in double quotes if YAML would change it. (1.2.2, 7.3.3)
  private static func plain(_ text: String) -> String {
    let isPlain =
      text.utf8.allSatisfy { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_=.,:+-/ ".utf8.contains(byte)
        }
      } && !text.contains(": ") && text.last != ":" && text.last != " "
    return isPlain ? text : text.inYAMLQuotes
  }
}

extension DeviceDescription {
  /// Returns the report descriptor of a HID device; empty for others. (`Documentation/hid/hidintro.rst`)
  func reportDescriptor(in sysfs: String = "/sys") -> [UInt8] {
    guard let number else { return [] }
    // The node's device is the input device, whose own device is the one that its driver drives.
    let path = "\(sysfs)/dev/char/\(number.major):\(number.minor)/device/device/report_descriptor"
    // HID_MAX_DESCRIPTOR_SIZE
    return (try? FileContents.read(path, upTo: 4096)) ?? []
  }
}

package struct SystemDescription: Hashable, Sendable {
  /// The distribution and its version: `debian:12`. (`os-release(5)`.)
  package var os: String
  /// The kernel's release. (`uname(2)`.)
  package var kernel: String
  /// The board's identity; "unknown" without DMI.
  package var dmi: String

  package init(os: String, kernel: String, dmi: String) {
    (self.os, self.kernel, self.dmi) = (os, kernel, dmi)
  }

  package static var current: SystemDescription {
    SystemDescription(
      os: os(in: firstLines(of: "/etc/os-release") ?? firstLines(of: "/usr/lib/os-release") ?? []),
      kernel: kernelRelease, dmi: firstLines(of: "/sys/class/dmi/id/modalias")?.first ?? "unknown")
  }

  private static var kernelRelease: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "unknown" }
    return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  static func os(in lines: [String]) -> String {
    func value(_ key: String) -> String {
      guard let line = lines.first(where: { $0.hasPrefix(key + "=") }) else { return "unknown" }
      return String(line.dropFirst(key.count + 1).filter { $0 != "\"" && $0 != "'" })
    }
    return "\(value("ID")):\(value("VERSION_ID"))"
  }

  private static func firstLines(of path: String) -> [String]? {
    guard let bytes = try? RecordingFile.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
