import TouchCore
import TouchInput
import TouchSystem
import TouchYAML

/// A parsed recording in libinput's format, version 1 (libinput-record(1)). Unknown keys are ignored.
struct LibinputText {
  private(set) var devices: [Recording.Device] = []
  private(set) var notices: [String] = []
  private var announced: Int?
  private var hasVersion = false
  /// Whether a device's last frame is not whole.
  private var isCut = false

  init(_ bytes: [UInt8], file: String) throws(Failure) {
    do throws(Diagnostic) {
      if let problem = Diagnostic(encodingOf: bytes) { throw problem }
      try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
        try readFile(YAMLWalk(bytes), file: file)
      }
    } catch {
      let line = min(error.place, .end(of: bytes)).line
      throw .recording(file, line: line, isCut: isCut || Self.endsEarly(bytes, in: line), error.message)
    }
    guard hasVersion, !devices.isEmpty else {
      throw .recording(
        file, line: 1,
        "this is YAML, but no libinput recording: it has no \(hasVersion ? "devices" : "version")")
    }
  }

  /// Whether a line is the last one, and lacks its end: a whole file ends with the end of a line.
  private static func endsEarly(_ bytes: [UInt8], in line: Int) -> Bool {
    let lineFeed = UInt8(ascii: "\n")
    return bytes.last != lineFeed && bytes.count { $0 == lineFeed } + 1 == line
  }

  private mutating func readFile(_ walk: YAMLWalk, file: String) throws(Diagnostic) {
    guard try walk.start() else { return }
    try walk.eachKey(of: "the recording") { key throws(Diagnostic) in
      switch key {
      case "version":
        let version: Int = try walk.number("the version")
        guard version == 1 else {
          throw Diagnostic(
            place: walk.place, message: "this is version \(version) of libinput's format; 1 can be read")
        }
        hasVersion = true
      case "ndevices": announced = try walk.number("ndevices", in: 0...1000)
      case "devices":
        try walk.eachItem(of: "devices") { () throws(Diagnostic) in try readDevice(walk, file: file) }
      default: try walk.skip()
      }
    }
    try walk.end()
    guard devices.count >= announced ?? 0 || devices.isEmpty else {
      isCut = true
      throw Diagnostic(
        place: walk.place,
        message: "there are \(announced ?? 0) devices in the recording, and only \(devices.count) came")
    }
  }

  private mutating func readDevice(_ walk: YAMLWalk, file: String) throws(Diagnostic) {
    var description = LibinputDescription()
    var state = LibinputState()
    var recorded = RecordedFrames()
    var place = SourceLocation.start
    try walk.eachKey(of: "the device") { key throws(Diagnostic) in
      if place == .start { place = walk.place }
      switch key {
      case "evdev": try description.read(walk)
      case "touchtree": try state.read(walk)
      case "events":
        try walk.eachItem(of: "events") { () throws(Diagnostic) in try Self.readGroup(walk, &recorded) }
      default: try walk.skip()
      }
    }
    guard let device = description.device else {
      throw Diagnostic(place: place, message: "the device lacks its name, id or codes (evdev:)")
    }
    if let cut = recorded.unfinished {
      isCut = true
      throw Diagnostic(place: walk.place, message: cut)
    }
    devices.append(
      Recording.Device(
        description: device, initialState: state.initialState(of: device.capabilities),
        frames: recorded.frames, clockJumps: recorded.clockJumps))
    notices += recorded.notices(file: file)
  }

  /// Reads one entry of `events`. An entry of another kind than `evdev` is libinput's own event.
  private static func readGroup(
    _ walk: YAMLWalk, _ recorded: inout RecordedFrames
  ) throws(Diagnostic) {
    var isEmpty = true
    try walk.eachKey(of: "the event") { key throws(Diagnostic) in
      switch key {
      case "evdev":
        try walk.eachItem(of: "evdev") { () throws(Diagnostic) in
          isEmpty = false
          try readEvent(walk, &recorded)
        }
      case "touchtree": if try walk.text("touchtree") == Recording.resync { recorded.markResync() }
      default:
        isEmpty = false
        try walk.skip()
      }
    }
    // No recorder begins an entry without events.
    if isEmpty { throw Diagnostic(place: walk.place, message: "the entry of events has none") }
  }

  /// Reads `[seconds, microseconds, type, code, value]`.
  private static func readEvent(
    _ walk: YAMLWalk, _ recorded: inout RecordedFrames
  ) throws(Diagnostic) {
    var event = RawEvent(type: 0, code: 0, value: 0)
    var time = Timestamp.zero
    var count = 0
    try walk.eachItem(of: "the event") { () throws(Diagnostic) in
      switch count {
      case 0:
        let seconds = try walk.number("the seconds", in: 0...RecordedFrames.latestSecond)
        time.microseconds = seconds * 1_000_000
      case 1: time.microseconds += try walk.number("the microseconds", in: 0...999_999)
      case 2: event.type = try walk.number("the event type", in: 0...RecordedCapabilities.lastType)
      case 3: event.code = try walk.number("the event code", in: 0...RecordedCapabilities.lastCode)
      case 4: event.value = try walk.number("the value")
      default: throw Diagnostic(place: walk.place, message: "the event has more than five numbers")
      }
      count += 1
    }
    guard count == 5 else {
      throw Diagnostic(place: walk.place, message: "the event has \(count) numbers, not five")
    }
    recorded.add(event, at: time)
  }
}

/// The collector of a device's description from the `evdev` part of libinput's format.
struct LibinputDescription {
  private var name: String?
  private var ids: [UInt16] = []
  private var recorded = RecordedCapabilities()
  private var hasCodes = false

  var device: DeviceDescription? {
    guard let name, ids.count == 4, hasCodes else { return nil }
    return DeviceDescription(
      name: name, bus: ids[0], vendor: ids[1], product: ids[2], version: ids[3],
      capabilities: recorded.capabilities)
  }

  mutating func read(_ walk: YAMLWalk) throws(Diagnostic) {
    try walk.eachKey(of: "evdev") { key throws(Diagnostic) in
      switch key {
      case "name": name = try walk.text("the name")
      case "id": ids = try Self.numbers(walk, "the id", in: 0...UInt16.max, count: 4...4)
      case "codes": try readCodes(walk)
      case "absinfo": try readAxes(walk)
      case "properties":
        recorded.properties = Set(
          try Self.numbers(walk, "the properties", in: 0...RecordedCapabilities.lastProperty, count: 0...32))
      default: try walk.skip()
      }
    }
  }

  private mutating func readCodes(_ walk: YAMLWalk) throws(Diagnostic) {
    hasCodes = true
    try walk.eachKey(of: "codes") { key throws(Diagnostic) in
      let type = try walk.number(in: key, "the event type", 0...RecordedCapabilities.lastType)
      let last = RecordedCapabilities.lastCode(of: type)
      recorded.codes[type] = Set(
        try Self.numbers(walk, "the codes of event type \(type)", in: 0...last, count: 0...Int(last) + 1))
    }
  }

  /// Reads `code: [minimum, maximum, fuzz, flat, resolution]`.
  private mutating func readAxes(_ walk: YAMLWalk) throws(Diagnostic) {
    try walk.eachKey(of: "absinfo") { key throws(Diagnostic) in
      let code = try walk.number(in: key, "the axis", 0...RecordedCapabilities.lastCode(of: EventCode.abs))
      let numbers = try Self.numbers(walk, "the axis \(code)", in: Int32.min...Int32.max, count: 5...6)
      recorded.axes[code] = AxisRange(
        minimum: numbers[0], maximum: numbers[1], fuzz: numbers[2], flat: numbers[3], resolution: numbers[4])
    }
  }

  static func numbers<Number: FixedWidthInteger>(
    _ walk: YAMLWalk, _ what: String, in range: ClosedRange<Number>, count: ClosedRange<Int>
  ) throws(Diagnostic) -> [Number] {
    var numbers: [Number] = []
    try walk.eachItem(of: what) { () throws(Diagnostic) in
      numbers.append(try walk.number(what, in: range))
      guard numbers.count <= count.upperBound else {
        throw Diagnostic(
          place: walk.place, message: "there are more numbers than \(count.upperBound) in \(what)")
      }
    }
    guard numbers.count >= count.lowerBound else {
      throw Diagnostic(
        place: walk.place,
        message: "there are \(numbers.count) numbers in \(what), not \(count.lowerBound)")
    }
    return numbers
  }
}

/// The state of a device before its first frame, for which libinput's format has no place.
///
/// The kernel does not report unchanged values again: without this state, a finger that goes down where the
/// last one was would go down at 0. It stands under a key of our own, which other readers ignore:
///
/// ```
/// touchtree: {pressed: 0, x: 120, y: 40, slot: 1, slots: [{57: -1, 53: 120, 54: 40}, {57: 7, 53: 9, 54: 8}]}
/// ```
struct LibinputState {
  private var state: InitialState?

  func initialState(of capabilities: DeviceCapabilities) -> InitialState {
    let untouched = InitialState(untouched: capabilities)
    guard var state else { return untouched }
    state.slots = Array((state.slots + untouched.slots).prefix(untouched.slots.count))
    return state
  }

  mutating func read(_ walk: YAMLWalk) throws(Diagnostic) {
    var state = InitialState()
    try walk.eachKey(of: "touchtree") { key throws(Diagnostic) in
      switch key {
      case "pressed": state.isPressed = try walk.number(key, in: 0...1) == 1
      case "x": state.x = try walk.number(key)
      case "y": state.y = try walk.number(key)
      case "slot": state.currentSlot = try walk.number(key)
      case "slots":
        try walk.eachItem(of: key) { () throws(Diagnostic) in
          state.slots.append(try Self.slot(walk))
          guard state.slots.count <= 256 else {
            throw Diagnostic(place: walk.place, message: "there are more than 256 slots")
          }
        }
      default: try walk.skip()
      }
    }
    self.state = state
  }

  private static func slot(_ walk: YAMLWalk) throws(Diagnostic) -> InitialState.Slot {
    var slot = InitialState.Slot()
    try walk.eachKey(of: "the slot") { key throws(Diagnostic) in
      let value: Int32 = try walk.number("the value of axis \(key.prefix(8))")
      switch UInt16(key) {
      case EventCode.absMTTrackingID: slot.trackingID = value
      case EventCode.absMTPositionX: slot.x = value
      case EventCode.absMTPositionY: slot.y = value
      case EventCode.absMTToolType: slot.toolType = value
      case EventCode.absMTPressure: slot.pressure = value
      case EventCode.absMTTouchMajor: slot.touchMajor = value
      case EventCode.absMTTouchMinor: slot.touchMinor = value
      case EventCode.absMTDistance: slot.distance = value
      default: break
      }
    }
    return slot
  }
}
