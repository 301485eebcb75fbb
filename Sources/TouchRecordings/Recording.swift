import TouchCore
import TouchInput
import TouchSystem

/// A recorded session of one device or several, in evemu's text, in libinput's or in that of hid-tools.
package struct Recording: Sendable {
  package struct Device: Sendable {
    /// The description in the recording; without a node.
    package var description: DeviceDescription
    /// The state of the device before the first frame. Without one in the recording, nothing is down.
    package var initialState: InitialState
    /// The frames in order of time. The times are the recording's own; their zero is up to its recorder.
    package var frames: [InputFrame]
    /// The number of times that the recorder's clock went back. Frames after that keep the latest time.
    package var clockJumps = 0
  }

  /// A line of the file that the recorder wrote for itself, and other readers ignore as a comment.
  ///
  /// ```
  /// # touchtree test: 1.250000 grid 0.1,0.1
  /// ```
  package struct Mark: Hashable, Sendable {
    /// The time on the clock of the frames.
    package var time: Timestamp
    /// The text after the time.
    package var text: String

    package init(time: Timestamp, text: String) { (self.time, self.text) = (time, text) }

    package static let head = "# touchtree test: "
  }

  /// The value of the key `touchtree` of a frame that reports the difference after an overrun.
  package static let resync = "resync"

  package var file: String
  /// The devices in the file's order; never empty, at least one with frames if needed.
  package var devices: [Device]
  /// The repairs made while reading, as sentences with the file's name.
  package var notices: [String]
  package var marks: [Mark] = []

  /// Reads a file, and for evemu's text without a description the `.desc` file next to it, which may be
  /// enough. It throws the fault, with its line and file.
  package init(path: String, needsFrames: Bool = true) throws(Failure) {
    try self.init(bytes: RecordingFile.read(path), path: path, needsFrames: needsFrames)
  }

  /// Reads a file's bytes, and evemu's description beside it, or throws the fault, its line and file.
  package init(bytes: [UInt8], path: String, needsFrames: Bool = true) throws(Failure) {
    try self.init(bytes: bytes, file: path, needsFrames: needsFrames) { () throws(Failure) in
      try EvemuPair.descriptionBeside(path)
    }
  }

  /// Reads a self-describing recording with a name for messages.
  package init(text: String, file: String) throws(Failure) {
    try self.init(bytes: Array(text.utf8), file: file) { () throws(Failure) in nil }
  }

  /// Reads a recording of any format; `descriptionBeside` is asked for evemu's text without one.
  package init(
    bytes: [UInt8], file: String, needsFrames: Bool = true,
    descriptionBeside: () throws(Failure) -> DeviceDescription?
  ) throws(Failure) {
    self.file = file
    switch try RecordingFormat(of: bytes, file: file) {
    case .libinput:
      let text = try LibinputText(bytes, file: file)
      (devices, notices) = (text.devices, text.notices)
    case .hid:
      let text = try HIDText(bytes, file: file)
      (devices, notices) = (text.devices, text.notices)
    case .evemu:
      var text = try EvemuText(bytes, file: file)
      if text.description == nil { text.description = try descriptionBeside() }
      guard let description = text.description else {
        throw Self.lacking(
          "it does not say what device it is of (no N:, I: and B: lines), and there is no .desc file next to it",
          bytes, file)
      }
      devices = [Device(text, description)]
      notices = text.notices
    }
    marks = Mark.all(in: bytes)
    // A panel that was to be left alone reports nothing: a recording of a test shows that by its marks.
    guard needsFrames, marks.isEmpty, !devices.contains(where: { !$0.frames.isEmpty }) else { return }
    let advice = file.hasSuffix(".desc") ? "; give the .events file next to it" : ""
    throw Self.lacking("it has no whole frame of events\(advice)", bytes, file)
  }

  private static func lacking(_ what: String, _ bytes: [UInt8], _ file: String) -> Failure {
    let lineFeed = UInt8(ascii: "\n")
    guard bytes.last != lineFeed else { return .recording(file, what) }
    return .recording(file, line: bytes.count { $0 == lineFeed } + 1, isCut: true, what)
  }
}

extension Recording.Device {
  fileprivate init(_ text: EvemuText, _ description: DeviceDescription) {
    self.init(
      description: description, initialState: InitialState(untouched: description.capabilities),
      frames: text.frames, clockJumps: text.clockJumps)
  }
}

extension Recording.Mark {
  /// Most recordings have none, and millions of lines.
  fileprivate static func all(in bytes: [UInt8]) -> [Self] {
    let lineFeed = UInt8(ascii: "\n")
    var marks: [Self] = []
    var isAtStart = true
    for index in bytes.indices {
      if isAtStart, bytes[index] == UInt8(ascii: "#"),
        let mark = Self(bytes[index...].prefix { $0 != lineFeed })
      {
        marks.append(mark)
      }
      isAtStart = bytes[index] == lineFeed
    }
    return marks
  }

  /// Returns nil for a line that is not a mark.
  fileprivate init?(_ line: ArraySlice<UInt8>) {
    guard line.starts(with: Self.head.utf8) else { return nil }
    let words = line.dropFirst(Self.head.utf8.count).split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard words.count == 2, let seconds = Double(String(decoding: words[0], as: UTF8.self)), seconds >= 0,
      seconds <= Double(RecordedFrames.latestSecond)
    else { return nil }
    time = Timestamp.zero.advanced(bySeconds: seconds)
    text = String(decoding: words[1], as: UTF8.self)
  }
}

extension InitialState {
  init(untouched capabilities: DeviceCapabilities) {
    self.init(slots: Array(repeating: Slot(), count: capabilities.slotCount ?? 0))
  }
}

enum RecordingFormat {
  /// A letter and a colon begin every line: <https://www.freedesktop.org/wiki/Evemu/>.
  case evemu
  case libinput
  /// The text of hid-tools: hid-recorder(1).
  case hid

  init(of bytes: [UInt8], file: String) throws(Failure) {
    if bytes.isEmpty { throw .recording(file, "the file is empty; record again") }
    if bytes.prefix(512).contains(0) {
      throw .recording(file, line: 1, "this is not a text file, and so no recording")
    }
    var number = 0
    for line in bytes.prefix(64 << 10).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      var content = EvemuLine(number == 1 ? line.withoutByteOrderMark : line)
      if content.isBlankOrComment { continue }
      let text = content.text()
      if let key = content.takeKey(), EvemuLine.keys.contains(key) || HIDText.begins(with: key) {
        self = HIDText.begins(with: key) ? .hid : .evemu
        return
      }
      guard Self.beginsYAML(text) else {
        throw .recording(file, line: number, "this is not a recording of evemu, libinput or hid-tools")
      }
      self = .libinput
      return
    }
    // A file of comments alone: the reader of evemu's text reports the missing parts.
    self = .evemu
  }

  /// Whether a line with content can be the first one of libinput's format.
  private static func beginsYAML(_ line: String) -> Bool {
    if line.hasPrefix("---") || line.hasPrefix("%YAML") || line.hasPrefix("{") { return true }
    let keys = ["version", "ndevices", "libinput", "system", "devices", "touchtree"]
    return keys.contains { key in
      line.hasPrefix(key + ":") || line.hasPrefix("\"\(key)\":") || line.hasPrefix("'\(key)':")
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without the mark with which some editors begin a UTF-8 file.
  var withoutByteOrderMark: Self { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self }
}
