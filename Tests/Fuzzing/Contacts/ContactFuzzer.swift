import TouchCore
import TouchInput

/// Plays sequences of frames that no device should send to a tracker, and checks the contacts that come of
/// them. A seed names a sequence for ever.
public struct ContactFuzzer {
  private var state: UInt64
  private var changes: [TouchChange] = []
  private var frame = InputFrame()

  public init(seed: UInt64) {
    state = seed
  }

  /// What was wrong with the contacts of one sequence, or nil, and how many there were.
  public static func run(seed: UInt64) -> (fault: String?, contacts: Int) {
    var fuzzer = ContactFuzzer(seed: seed)
    return fuzzer.run()
  }

  private static let geometry = DisplayGeometry(displaySize: Size(width: 800, height: 480))

  private mutating func run() -> (fault: String?, contacts: Int) {
    let source = makeSource()
    var pointer = Pointer(bounds: Self.geometry.canvasBounds)
    var checker = LifeChecker()
    for _ in 0..<number(24) + 1 {
      makeFrame()
      changes.removeAll(keepingCapacity: true)
      if number(40) == 0 {
        source.cancelAll(pointer: pointer, into: &changes)
      } else {
        source.apply(frame, pointer: &pointer, into: &changes)
      }
      checker.check(changes)
      if number(16) == 0 { _ = source.takeNotices() }
    }
    changes.removeAll(keepingCapacity: true)
    source.cancelAll(pointer: pointer, into: &changes)
    checker.check(changes)
    checker.checkEnd()
    return (checker.fault, checker.begun)
  }

  // MARK: Devices

  private mutating func makeSource() -> TouchSource {
    var capabilities = DeviceCapabilities()
    for code in [
      EventCode.absX, EventCode.absY, EventCode.absMTPositionX, EventCode.absMTPositionY,
    ] {
      capabilities.axes[code] = AxisRange(minimum: value(), maximum: value())
    }
    if number(2) == 0 { capabilities.axes[EventCode.absPressure] = AxisRange(minimum: 0, maximum: 255) }
    if number(4) != 0 { capabilities.keys = [number(2) == 0 ? EventCode.btnTouch : EventCode.btnLeft] }
    let kinds: [DeviceKind] = [
      .multitouch, .multitouch, .multitouch, .singleTouch, .absolutePointer, .relativePointer,
    ]
    if number(2) == 0 { capabilities.slotCount = number(12) }
    var initial = InitialState(currentSlot: Int32(number(14)) - 1, isPressed: number(4) == 0)
    for _ in 0..<number(12) {
      initial.slots.append(
        InitialState.Slot(
          trackingID: Int32(number(3)) - 1, x: value(), y: value(), toolType: number(4) == 0 ? 2 : nil,
          touchMajor: number(2) == 0 ? 0 : nil, distance: number(4) == 0 ? 3 : nil))
    }
    return TouchSource(
      device: DeviceID(rawValue: 1), kind: kinds[number(kinds.count)], capabilities: capabilities,
      initial: initial, geometry: Self.geometry)
  }

  // MARK: Frames

  private mutating func makeFrame() {
    frame.cause = number(12) == 0 ? .resync : .report
    frame.events.removeAll(keepingCapacity: true)
    for _ in 0..<number(10) { frame.events.append(makeEvent()) }
    // Now and then more than any hand has.
    if number(200) == 0 { for _ in 0..<300 { frame.events.append(makeEvent()) } }
  }

  private mutating func makeEvent() -> RawEvent {
    switch number(16) {
    case 0, 1: abs(EventCode.absMTSlot, small(14) - 2)
    case 2, 3, 4: abs(EventCode.absMTTrackingID, number(3) == 0 ? -1 : small(5))
    case 5, 6: abs(EventCode.absMTPositionX, value())
    case 7: abs(EventCode.absMTPositionY, value())
    case 8: RawEvent(type: EventCode.syn, code: EventCode.synMTReport, value: 0)
    case 9: abs(EventCode.absMTToolType, small(4))
    case 10: abs(number(2) == 0 ? EventCode.absMTTouchMajor : EventCode.absMTDistance, small(2))
    case 11: abs(number(2) == 0 ? EventCode.absX : EventCode.absY, value())
    case 12: abs(EventCode.absPressure, small(3) - 1)
    case 13:
      RawEvent(
        type: EventCode.key, code: number(2) == 0 ? EventCode.btnTouch : EventCode.btnLeft, value: small(3))
    case 14: RawEvent(type: EventCode.rel, code: UInt16(number(3)), value: value())
    default: RawEvent(type: UInt16(number(32)), code: UInt16(number(0x300)), value: value())
    }
  }

  private func abs(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }

  // MARK: Chance

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// From 0 up to a number, without it.
  private mutating func number(_ end: Int) -> Int { Int(next() >> 33) % end }
  private mutating func small(_ end: Int) -> Int32 { Int32(number(end)) }

  /// Mostly a place on a screen, now and then the end of the world.
  private mutating func value() -> Int32 {
    switch number(16) {
    case 0: .max
    case 1: .min
    case 2: 0
    case 3: -1
    case 4: Int32(truncatingIfNeeded: next())
    default: small(800)
    }
  }
}
