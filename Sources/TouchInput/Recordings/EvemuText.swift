import TouchCore

/// The lines of one evemu file, read.
struct EvemuText {
  /// Nil when the file describes no device.
  var description: DeviceDescription?
  private(set) var frames: [InputFrame] = []
  private(set) var notices: [String] = []

  /// A comment of our own, before a frame that tells the difference after an overrun. Other programs skip it.
  static let resyncComment = "# resync"

  init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var device = EvemuDescription()
    var recorded = RecordedFrames()
    var number = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      number += 1
      do throws(EvemuLine.Problem) {
        try Self.take(bytes[start..<end], &device, &recorded)
      } catch {
        throw Self.error(error, isLast: end == bytes.endIndex, in: bytes, file: file, line: number)
      }
      start = min(end + 1, bytes.endIndex)
    }
    description = device.description()
    if description == nil && !device.isEmpty {
      throw RecordingError(
        .malformed, file: file, message: "its description lacks the name (N:), the ids (I:) or the masks (B:)"
      )
    }
    frames = recorded.frames
    note(recorded, file: file)
  }

  private static func take(
    _ bytes: ArraySlice<UInt8>, _ device: inout EvemuDescription, _ recorded: inout RecordedFrames
  ) throws(EvemuLine.Problem) {
    var line = EvemuLine(bytes)
    if line.isBlankOrComment {
      if bytes.elementsEqual(resyncComment.utf8) { recorded.markResync() }
      return
    }
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
    // EV_MAX and KEY_MAX: a kernel cannot report more.
    guard type <= 0x1f else { throw EvemuLine.Problem(message: "there is no event type \(type)") }
    guard code <= 0x2ff else { throw EvemuLine.Problem(message: "there is no event code \(code)") }
    recorded.add(RawEvent(type: type, code: code, value: value), at: Timestamp(microseconds: time))
  }

  private mutating func note(_ recorded: RecordedFrames, file: String) {
    if recorded.unfinishedEvents > 0 {
      notices.append(
        "\(file): the last frame is not whole; its \(recorded.unfinishedEvents) events are left out.")
    }
    if recorded.clockJumps > 0 {
      notices.append(
        "\(file): the clock goes backwards \(recorded.clockJumps) times; those frames follow at once.")
    }
  }

  private static func error(
    _ problem: EvemuLine.Problem, isLast: Bool, in bytes: [UInt8], file: String, line: Int
  ) -> RecordingError {
    if let other = otherFormat(bytes) {
      return RecordingError(.otherFormat, file: file, line: line, message: other)
    }
    // A whole file ends with the end of a line.
    if isLast {
      return RecordingError(
        .cut, file: file, line: line, message: "the file is cut off here: \(problem.message)")
    }
    return RecordingError(.malformed, file: file, line: line, message: problem.message)
  }

  /// What the file is, when its beginning shows that it was never evemu's.
  private static func otherFormat(_ bytes: [UInt8]) -> String? {
    if bytes.prefix(512).contains(0) { return "this is no text, so no evemu recording" }
    for line in bytes.prefix(64 << 10).split(separator: UInt8(ascii: "\n")) {
      var content = EvemuLine(line)
      if content.isBlankOrComment { continue }
      let text = content.text()
      if ["version:", "ndevices:", "libinput:", "system:", "devices:"].contains(where: text.hasPrefix) {
        return "this is a libinput recording, which cannot be read yet; evemu-record makes one that can"
      }
      if let key = content.takeKey(), "NIPBAELS".utf8.contains(key) { return nil }
      return "this is not an evemu recording"
    }
    return nil
  }
}
