import SystemPackage
import TouchCore
import TouchInput
import TouchSystem

struct EvemuText {
  var description: DeviceDescription?
  private(set) var frames: [InputFrame] = []
  private(set) var notices: [String] = []
  private(set) var clockJumps = 0

  init(_ bytes: [UInt8], file: String) throws(Failure) {
    var device = EvemuDescription()
    var recorded = RecordedFrames()
    var number = 0
    var lineOfLastEvent = 0
    var start = bytes[...].withoutByteOrderMark.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      number += 1
      do throws(Failure) {
        let events = recorded.eventCount
        try Self.take(bytes[start..<end], &device, &recorded)
        if recorded.eventCount > events { lineOfLastEvent = number }
      } catch {
        // A whole file ends with the end of a line.
        throw .recording(file, line: number, isCut: end == bytes.endIndex, error.message)
      }
      start = min(end + 1, bytes.endIndex)
    }
    description = device.description()
    if description == nil && !device.isEmpty {
      throw .recording(file, "its description lacks the name (N:), the ids (I:) or the masks (B:)")
    }
    if let unfinished = recorded.unfinished {
      throw .recording(file, line: lineOfLastEvent, isCut: true, unfinished)
    }
    frames = recorded.frames
    clockJumps = recorded.clockJumps
    notices = recorded.notices(file: file)
  }

  private static func take(
    _ bytes: ArraySlice<UInt8>, _ device: inout EvemuDescription, _ recorded: inout RecordedFrames
  ) throws(Failure) {
    var line = EvemuLine(bytes)
    if line.isBlankOrComment { return }
    switch line.takeKey() {
    case UInt8(ascii: "E"): try takeEvent(&line, &recorded)
    case let key? where "NIPBALS".utf8.contains(key): try device.take(key, &line)
    default: throw Failure("this is not a line of an evemu recording")
    }
  }

  private static func takeEvent(
    _ line: inout EvemuLine, _ recorded: inout RecordedFrames
  ) throws(Failure) {
    let time = try line.microseconds("the time")
    let type = try line.hexadecimal("the event type", digits: 4)
    let code = try line.hexadecimal("the event code", digits: 4)
    let value = try line.decimal("the value")
    guard line.isAtEnd() else { throw Failure("there is more on the line than an event") }
    guard type <= RecordedCapabilities.lastType else { throw Failure("there is no event type \(type)") }
    guard code <= RecordedCapabilities.lastCode else { throw Failure("there is no event code \(code)") }
    recorded.add(RawEvent(type: type, code: code, value: value), at: Timestamp(microseconds: time))
  }
}

/// The collector of a device's description from the N, I, P, B and A lines of evemu's text.
struct EvemuDescription {
  private var name: String?
  private var ids: [UInt16] = []
  private var recorded = RecordedCapabilities()
  /// The number of a type's bits so far: its lines follow each other, eight bytes each.
  private var bits: [UInt16: UInt16] = [:]

  var isEmpty: Bool { name == nil && ids.isEmpty && bits.isEmpty && recorded.axes.isEmpty }

  private static let propertyBits: UInt16 = 0xffff

  mutating func take(_ key: UInt8, _ line: inout EvemuLine) throws(Failure) {
    switch key {
    case UInt8(ascii: "N"):
      guard name == nil else { throw Failure("a second device begins here: N:") }
      name = line.text()
    case UInt8(ascii: "I"):
      ids = []
      for what in ["the bus", "the vendor", "the product", "the version"] {
        ids.append(try line.hexadecimal(what, digits: 4))
      }
    case UInt8(ascii: "P"):
      recorded.properties.formUnion(
        try bits(of: Self.propertyBits, upTo: RecordedCapabilities.lastProperty, in: &line))
    case UInt8(ascii: "B"):
      let type = try line.hexadecimal("the event type", digits: 2)
      guard type <= RecordedCapabilities.lastType else { throw Failure("there is no event type \(type)") }
      recorded.codes[type, default: []].formUnion(
        try bits(of: type, upTo: RecordedCapabilities.lastCode(of: type), in: &line))
    case UInt8(ascii: "A"): try takeAxis(&line)
    default:
      // L and S list the lights and switches that are on.
      break
    }
  }

  private mutating func bits(
    of type: UInt16, upTo last: UInt16, in line: inout EvemuLine
  ) throws(Failure) -> [UInt16] {
    var found: [UInt16] = []
    var base = bits[type, default: 0]
    while !line.isAtEnd() {
      let byte = try line.hexadecimal("a byte of the mask", digits: 2)
      found += (0..<8).filter { byte >> $0 & 1 == 1 }.map { base + $0 }
      // No type has more codes than keys, 0x300.
      guard base < 0x1000 else { throw Failure("the mask is longer than any the kernel has") }
      base += 8
    }
    bits[type] = base
    if let code = found.last, code > last {
      throw Failure("the mask has bit \(code); the last one that the kernel has is \(last)")
    }
    return found
  }

  private mutating func takeAxis(_ line: inout EvemuLine) throws(Failure) {
    let code = try line.hexadecimal("the axis", digits: 2)
    guard code < 0x40 else { throw Failure("there is no axis \(code); the last one is 3f") }
    var axis = AxisRange(
      minimum: try line.decimal("the minimum"), maximum: try line.decimal("the maximum"),
      fuzz: try line.decimal("the fuzz"), flat: try line.decimal("the flat"))
    // Before evemu 1.2 there was no resolution.
    if !line.isAtEnd() { axis.resolution = try line.decimal("the resolution") }
    recorded.axes[code] = axis
  }

  /// Returns the device, or nil when its name, its ids or its masks are missing.
  func description() -> DeviceDescription? {
    guard let name, ids.count == 4, bits.keys.contains(where: { $0 != Self.propertyBits }) else { return nil }
    return DeviceDescription(
      name: name, bus: ids[0], vendor: ids[1], product: ids[2], version: ids[3],
      capabilities: recorded.capabilities)
  }
}

/// Old evemu recordings are pairs: an `.events` file and its description in `.desc`, up to a dot.
enum EvemuPair {
  /// Looks for "A.B.desc", then "A.desc", in the folder of "A.B.events".
  static func descriptionBeside(_ path: String) throws(Failure) -> DeviceDescription? {
    for candidate in descriptionPaths(for: path) {
      do throws(Failure) {
        return try EvemuText(RecordingFile.read(candidate), file: candidate).description
      } catch {
        guard error.status == .noSuchFile else { throw error }
      }
    }
    return nil
  }

  static func descriptionPaths(for path: String) -> [String] {
    let path = FilePath(path)
    guard var name = path.lastComponent?.string[...] else { return [] }
    var candidates: [String] = []
    while let dot = name.lastIndex(of: "."), dot > name.startIndex {
      name = name[..<dot]
      let candidate = path.removingLastComponent().appending("\(name).desc")
      if candidate != path { candidates.append(candidate.string) }
    }
    return candidates
  }
}
