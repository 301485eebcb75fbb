import TouchCore

/// The lines of one evemu file, read.
struct EvemuText {
  /// Nil when the file describes no device.
  var description: DeviceDescription?
  private(set) var frames: [InputFrame] = []
  private(set) var notices: [String] = []

  init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var device = EvemuDescription()
    var recorded = RecordedFrames()
    var number = 0
    var lineOfLastEvent = 0
    var start = bytes[...].withoutByteOrderMark.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      number += 1
      do throws(EvemuLine.Problem) {
        let events = recorded.eventCount
        try Self.take(bytes[start..<end], &device, &recorded)
        if recorded.eventCount > events { lineOfLastEvent = number }
      } catch {
        // A whole file ends with the end of a line.
        throw RecordingError(file: file, line: number, isCut: end == bytes.endIndex, message: error.message)
      }
      start = min(end + 1, bytes.endIndex)
    }
    description = device.description()
    if description == nil && !device.isEmpty {
      throw RecordingError(
        .malformed, file: file, message: "its description lacks the name (N:), the ids (I:) or the masks (B:)"
      )
    }
    if let unfinished = recorded.unfinished {
      throw RecordingError(file: file, line: lineOfLastEvent, isCut: true, message: unfinished)
    }
    frames = recorded.frames
    notices = recorded.notices(file: file)
  }

  private static func take(
    _ bytes: ArraySlice<UInt8>, _ device: inout EvemuDescription, _ recorded: inout RecordedFrames
  ) throws(EvemuLine.Problem) {
    var line = EvemuLine(bytes)
    if line.isBlankOrComment { return }
    switch line.takeKey() {
    case UInt8(ascii: "E"): try takeEvent(&line, &recorded)
    case let key? where "NIPBALS".utf8.contains(key): try device.take(key, &line)
    default: throw EvemuLine.Problem(message: "this is no line of an evemu recording")
    }
  }

  private static func takeEvent(
    _ line: inout EvemuLine, _ recorded: inout RecordedFrames
  ) throws(EvemuLine.Problem) {
    let time = try line.microseconds("the time")
    let type = try line.hexadecimal("the event type", digits: 4)
    let code = try line.hexadecimal("the event code", digits: 4)
    let value = try line.decimal("the value")
    guard line.isAtEnd() else { throw EvemuLine.Problem(message: "there is more on the line than an event") }
    guard type <= RecordedCapabilities.lastType else {
      throw EvemuLine.Problem(message: "there is no event type \(type)")
    }
    guard code <= RecordedCapabilities.lastCode else {
      throw EvemuLine.Problem(message: "there is no event code \(code)")
    }
    recorded.add(RawEvent(type: type, code: code, value: value), at: Timestamp(microseconds: time))
  }
}
