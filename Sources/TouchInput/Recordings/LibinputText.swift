import TouchCore
import TouchYAML

/// A recording in libinput's format, version 1, read: libinput-record(1), *FILE FORMAT*. Keys that are known neither
/// there nor here are passed over, as the manual asks for.
struct LibinputText {
  private(set) var devices: [Recording.Device] = []
  private(set) var notices: [String] = []
  /// How many devices the file says that it has.
  private var announced: Int?
  private var hasVersion = false
  /// Whether a device's last frame is not whole.
  private var isCut = false

  init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    do throws(YAMLProblem) {
      if let problem = YAMLProblem(encodingOf: bytes) { throw problem }
      try bytes.withUnsafeBufferPointer { bytes throws(YAMLProblem) in
        try readFile(YAMLWalk(bytes), file: file)
      }
    } catch {
      let line = min(error.place, .end(of: bytes)).line
      throw RecordingError(
        file: file, line: line, isCut: isCut || Self.endsEarly(bytes, in: line), message: error.message)
    }
    guard hasVersion, !devices.isEmpty else {
      throw RecordingError(
        .otherFormat, file: file, line: 1,
        message: "this is YAML, but no libinput recording: it has no \(hasVersion ? "devices" : "version")")
    }
  }

  /// Whether a line is the last one, and lacks its end: a whole file ends with the end of a line.
  private static func endsEarly(_ bytes: [UInt8], in line: Int) -> Bool {
    let lineFeed = UInt8(ascii: "\n")
    return bytes.last != lineFeed && bytes.count { $0 == lineFeed } + 1 == line
  }

  private mutating func readFile(_ walk: YAMLWalk, file: String) throws(YAMLProblem) {
    guard try walk.start() else { return }
    try walk.eachKey(of: "the recording") { key throws(YAMLProblem) in
      switch key {
      case "version":
        let version: Int = try walk.number("the version")
        guard version == 1 else {
          throw YAMLProblem(
            place: walk.place, message: "this is version \(version) of libinput's format; 1 can be read")
        }
        hasVersion = true
      case "ndevices": announced = try walk.number("ndevices", in: 0...1000)
      case "devices":
        try walk.eachItem(of: "devices") { () throws(YAMLProblem) in try readDevice(walk, file: file) }
      default: try walk.skip()
      }
    }
    try walk.end()
    guard devices.count >= announced ?? 0 || devices.isEmpty else {
      isCut = true
      throw YAMLProblem(
        place: walk.place,
        message: "there are \(announced ?? 0) devices in the recording, and only \(devices.count) came")
    }
  }

  private mutating func readDevice(_ walk: YAMLWalk, file: String) throws(YAMLProblem) {
    var description = LibinputDescription()
    var state = LibinputState()
    var recorded = RecordedFrames()
    var place = SourceLocation.start
    try walk.eachKey(of: "the device") { key throws(YAMLProblem) in
      if place == .start { place = walk.place }
      switch key {
      case "evdev": try description.read(walk)
      case "touchtree": try state.read(walk)
      case "events":
        try walk.eachItem(of: "events") { () throws(YAMLProblem) in try Self.readGroup(walk, &recorded) }
      default: try walk.skip()
      }
    }
    guard let device = description.device else {
      throw YAMLProblem(place: place, message: "the device lacks its name, id or codes (evdev:)")
    }
    if let cut = recorded.unfinished {
      isCut = true
      throw YAMLProblem(place: walk.place, message: cut)
    }
    devices.append(
      Recording.Device(
        description: device, initialState: state.initialState(of: device.capabilities),
        frames: recorded.frames))
    notices += recorded.notices(file: file)
  }

  /// One entry of `events`. An entry of another kind than `evdev` is what libinput made of it.
  private static func readGroup(
    _ walk: YAMLWalk, _ recorded: inout RecordedFrames
  ) throws(YAMLProblem) {
    var isEmpty = true
    try walk.eachKey(of: "the event") { key throws(YAMLProblem) in
      switch key {
      case "evdev":
        try walk.eachItem(of: "evdev") { () throws(YAMLProblem) in
          isEmpty = false
          try readEvent(walk, &recorded)
        }
      case "touchtree": if try walk.text("touchtree") == LibinputWriter.resync { recorded.markResync() }
      default:
        isEmpty = false
        try walk.skip()
      }
    }
    // No recorder begins what it has no events for.
    if isEmpty { throw YAMLProblem(place: walk.place, message: "the entry of events has none") }
  }

  /// `[seconds, microseconds, type, code, value]`
  private static func readEvent(
    _ walk: YAMLWalk, _ recorded: inout RecordedFrames
  ) throws(YAMLProblem) {
    var event = RawEvent(type: 0, code: 0, value: 0)
    var time = Timestamp.zero
    var count = 0
    try walk.eachItem(of: "the event") { () throws(YAMLProblem) in
      switch count {
      case 0:
        let seconds = try walk.number("the seconds", in: 0...RecordedFrames.latestSecond)
        time.microseconds = seconds * 1_000_000
      case 1: time.microseconds += try walk.number("the microseconds", in: 0...999_999)
      case 2: event.type = try walk.number("the event type", in: 0...RecordedCapabilities.lastType)
      case 3: event.code = try walk.number("the event code", in: 0...RecordedCapabilities.lastCode)
      case 4: event.value = try walk.number("the value")
      default: throw YAMLProblem(place: walk.place, message: "the event has more than five numbers")
      }
      count += 1
    }
    guard count == 5 else {
      throw YAMLProblem(place: walk.place, message: "the event has \(count) numbers, not five")
    }
    recorded.add(event, at: time)
  }
}
