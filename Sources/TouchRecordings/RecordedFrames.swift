import TouchCore
import TouchInput

/// The collector of recorded events into frames. After SYN_DROPPED a program asks the device, and a recording
/// has no answer: every contact and button that was down counts as lifted, in a `resync` frame.
struct RecordedFrames {
  /// The latest second of a recording, 285 years after its clock began: nanoseconds fit in 64 bits.
  static let latestSecond: Int64 = 9_000_000_000

  private(set) var frames: [InputFrame] = []
  private var pending = InputFrame()
  private var isDropping = false
  private var nextCause = InputFrame.Cause.report
  /// The number of times that the clock went backwards. Frames after that keep the latest time.
  private(set) var clockJumps = 0
  private var lastTime = Timestamp(microseconds: .min)

  private var currentSlot: Int32?
  private var touchedSlots: Set<Int32> = []
  /// The slots that an overrun has emptied here: the recorded lift of their contact may follow.
  private var emptiedSlots: Set<Int32> = []
  private var pressedKeys: Set<UInt16> = []

  private(set) var eventCount = 0

  /// The fault of the recording's end, or nil: recorders write whole frames.
  var unfinished: String? {
    guard !pending.events.isEmpty else { return nil }
    let count = pending.events.count
    return "the last frame has no SYN_REPORT; record again, or remove its "
      + (count == 1 ? "event" : "\(count) events")
  }

  func notices(file: String) -> [String] {
    guard clockJumps > 0 else { return [] }
    return ["\(file): the clock goes backwards \(clockJumps) times; those frames follow at once."]
  }

  /// Marks the next frame as the difference after an overrun.
  mutating func markResync() { nextCause = .resync }

  mutating func add(_ event: RawEvent, at time: Timestamp) {
    eventCount += 1
    if event.type == EventCode.syn && event.code == EventCode.synDropped {
      // Events before the overrun are known; those from it to the end of the frame are not.
      if !pending.events.isEmpty { close(at: time, cause: .resync) }
      isDropping = true
      return
    }
    follow(event)
    let isEnd = event.type == EventCode.syn && event.code == EventCode.synReport
    switch (isDropping, isEnd) {
    case (true, true): liftEverything(at: time)
    case (true, false): break
    case (false, true): close(at: time, cause: nextCause)
    case (false, false): if !isSecondLift(event) { pending.events.append(event) }
    }
  }

  /// Whether a contact lifts that `liftEverything(at:)` has lifted already.
  private mutating func isSecondLift(_ event: RawEvent) -> Bool {
    guard event.type == EventCode.abs, event.code == EventCode.absMTTrackingID else { return false }
    return emptiedSlots.remove(currentSlot ?? 0) != nil && event.value < 0
  }

  private mutating func close(at time: Timestamp, cause: InputFrame.Cause) {
    if time < lastTime { clockJumps += 1 }
    lastTime = max(time, lastTime)
    pending.time = lastTime
    pending.cause = cause
    frames.append(pending)
    pending = InputFrame()
    nextCause = .report
  }

  /// Follows the contacts and buttons held for down, and the slot even while events are dropped.
  private mutating func follow(_ event: RawEvent) {
    switch (event.type, event.code) {
    case (EventCode.abs, EventCode.absMTSlot): currentSlot = event.value
    case (EventCode.abs, EventCode.absMTTrackingID) where !isDropping:
      if event.value < 0 {
        touchedSlots.remove(currentSlot ?? 0)
      } else {
        touchedSlots.insert(currentSlot ?? 0)
      }
    case (EventCode.key, let key) where !isDropping:
      if event.value == 0 { pressedKeys.remove(key) } else { pressedKeys.insert(key) }
    default: break
    }
  }

  private mutating func liftEverything(at time: Timestamp) {
    isDropping = false
    for slot in touchedSlots.sorted() {
      pending.events.append(RawEvent(type: EventCode.abs, code: EventCode.absMTSlot, value: slot))
      pending.events.append(RawEvent(type: EventCode.abs, code: EventCode.absMTTrackingID, value: -1))
    }
    for key in pressedKeys.sorted() {
      pending.events.append(RawEvent(type: EventCode.key, code: key, value: 0))
    }
    if let currentSlot {
      pending.events.append(RawEvent(type: EventCode.abs, code: EventCode.absMTSlot, value: currentSlot))
    }
    emptiedSlots.formUnion(touchedSlots)
    touchedSlots.removeAll()
    pressedKeys.removeAll()
    close(at: time, cause: .resync)
  }
}

struct RecordedCapabilities {
  /// The last type of any kernel. (`EV_MAX`, `KEY_MAX`, `INPUT_PROP_MAX`)
  static let lastType: UInt16 = 0x1f
  static let lastCode: UInt16 = 0x2ff
  static let lastProperty: UInt16 = 0x1f

  var properties: Set<UInt16> = []
  var codes: [UInt16: Set<UInt16>] = [:]
  var axes: [UInt16: AxisRange] = [:]

  static func lastCode(of type: UInt16) -> UInt16 {
    switch type {
    case EventCode.abs: 0x3f
    case EventCode.rel: 0x0f
    default: lastCode
    }
  }

  var capabilities: DeviceCapabilities {
    var capabilities = DeviceCapabilities()
    capabilities.properties = properties
    capabilities.keys = codes[EventCode.key] ?? []
    capabilities.relativeAxes = codes[EventCode.rel] ?? []
    for code in codes[EventCode.abs] ?? [] {
      capabilities.axes[code] = axes[code] ?? AxisRange(minimum: 0, maximum: 0)
    }
    capabilities.otherCodes = codes.filter { $0.key > EventCode.abs && !$0.value.isEmpty }
    capabilities.slotCount = Self.slotCount(capabilities.axes)
    return capabilities
  }

  /// The number of slots, as libevdev counts them, and at most as many as it can follow.
  private static func slotCount(_ axes: [UInt16: AxisRange]) -> Int? {
    guard let slot = axes[EventCode.absMTSlot], axes[EventCode.absMTSlot - 1] == nil else { return nil }
    return max(0, min(256, Int(slot.maximum) + 1))
  }
}
