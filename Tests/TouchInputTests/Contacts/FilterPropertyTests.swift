import DispatchFuzzing
import Testing
import TouchCore
import TouchInput

/// Random frames through random filters, with lifts, bounces, resyncs, palms, slots that do not exist, clocks
/// that stand still and devices that go. Whatever happens, each contact begins once and ends once, moves
/// between, and no filter asks to be woken when nothing is down.
@Suite struct FilterPropertyTests {
  @Test(arguments: [1, 7, 42, UInt64.random(in: 0 ... .max)])
  func `every began has exactly one end`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    for _ in 0..<1500 {
      let problem = playOne(&random)
      #expect(problem == nil, "seed \(seed): \(problem ?? "")")
      if problem != nil { return }
    }
  }

  @Test func `the same frames give the same changes`() {
    var one = RandomSource(seed: 5)
    var other = RandomSource(seed: 5)
    for _ in 0..<200 {
      var first: [TouchChange] = []
      var second: [TouchChange] = []
      _ = playOne(&one) { first.append($0) }
      _ = playOne(&other) { second.append($0) }
      #expect(first == second)
    }
  }

  /// - Returns: what went wrong, or nil.
  private func playOne(_ random: inout RandomSource, told: (TouchChange) -> Void = { _ in }) -> String? {
    let isMultitouch = !random.oneIn(3)
    let filters = randomFilters(&random)
    let source = makeSource(filters, isMultitouch: isMultitouch)
    var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 100, height: 100))
    var ledger = Ledger()
    var time = Timestamp(microseconds: 1_000_000)
    var changes: [TouchChange] = []
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      time.microseconds += [0, 4000, 8000, 30_000, 90_000, -5000][Int.random(in: 0..<6, using: &random)]
      if !random.oneIn(4) { advance(source, to: time, into: &changes) }
      if random.oneIn(25) { source.cancelAll(pointer: pointer, into: &changes) }
      let frame = randomFrame(&random, at: time, isMultitouch: isMultitouch)
      source.apply(frame, pointer: &pointer, into: &changes)
    }
    if random.oneIn(2) {
      // The device goes, and its filters are not asked again.
      source.cancelAll(pointer: pointer, into: &changes)
    } else {
      let lifts = (0..<3).flatMap { [abs(EventCode.absMTSlot, $0), abs(EventCode.absMTTrackingID, -1)] }
      source.apply(
        InputFrame(time: time, events: isMultitouch ? lifts : [button(0)]), pointer: &pointer, into: &changes)
      time.microseconds += 3_600_000_000
      advance(source, to: time, into: &changes)
    }
    for change in changes {
      told(change)
      ledger.note(change)
    }
    if source.deadline != nil { return "\(filters) still waits for \(String(describing: source.deadline))" }
    return ledger.problem.map { "\(filters): \($0)" }
  }

  private func advance(_ source: TouchSource, to time: Timestamp, into changes: inout [TouchChange]) {
    while let due = source.deadline, due <= time { source.advance(to: due, into: &changes) }
  }

  private func makeSource(_ filters: [ContactFilter], isMultitouch: Bool) -> TouchSource {
    var capabilities = DeviceCapabilities()
    for code in [EventCode.absX, EventCode.absY, EventCode.absMTPositionX, EventCode.absMTPositionY] {
      capabilities.axes[code] = AxisRange(minimum: 0, maximum: 99, fuzz: 3)
    }
    capabilities.keys = [EventCode.btnTouch]
    capabilities.slotCount = 3
    return TouchSource(
      device: DeviceID(rawValue: 1), kind: isMultitouch ? .multitouch : .singleTouch,
      capabilities: capabilities, initial: InitialState(), filters: filters,
      geometry: DisplayGeometry(displaySize: Size(width: 100, height: 100)))
  }

  private func randomFilters(_ random: inout RandomSource) -> [ContactFilter] {
    let all: [ContactFilter] = [
      .debounce(milliseconds: .random(in: 1...100, using: &random)),
      .median(samples: [3, 5, 7].randomElement(using: &random) ?? 3),
      .oneEuro(OneEuroSettings(minimumCutoff: .random(in: 0.1...5, using: &random))),
      .hysteresis(margin: random.oneIn(2) ? nil : .random(in: 0...20, using: &random)),
    ]
    return Array(all.shuffled(using: &random).prefix(.random(in: 0...4, using: &random)))
  }

  private func randomFrame(
    _ random: inout RandomSource, at time: Timestamp, isMultitouch: Bool
  ) -> InputFrame {
    var events: [RawEvent] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let place = Int32.random(in: -10...110, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where isMultitouch: events.append(abs(EventCode.absMTSlot, .random(in: -1...3, using: &random)))
      case 1 where isMultitouch, 2 where isMultitouch:
        events.append(abs(EventCode.absMTTrackingID, random.oneIn(2) ? -1 : place + 10))
      case 3 where isMultitouch:
        events.append(abs(EventCode.absMTToolType, random.oneIn(6) ? 2 : 0))
      case 0...3: events.append(button(random.oneIn(2) ? 1 : 0))
      case 4: events.append(abs(isMultitouch ? EventCode.absMTPositionX : EventCode.absX, place))
      default: events.append(abs(isMultitouch ? EventCode.absMTPositionY : EventCode.absY, place))
      }
    }
    return InputFrame(time: time, cause: random.oneIn(10) ? .resync : .report, events: events)
  }

  private func abs(_ code: UInt16, _ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.abs, code: code, value: value)
  }

  private func button(_ value: Int32) -> RawEvent {
    RawEvent(type: EventCode.key, code: EventCode.btnTouch, value: value)
  }
}

/// Keeps account of contacts.
private struct Ledger {
  private var down: Set<ContactID> = []
  private var over: Set<ContactID> = []
  private var found: String?

  mutating func note(_ change: TouchChange) {
    switch change.kind {
    case .began:
      if !down.insert(change.contact).inserted || over.contains(change.contact) { fail(change) }
    case .moved: if !down.contains(change.contact) { fail(change) }
    case .ended, .cancelled:
      if down.remove(change.contact) == nil { fail(change) }
      over.insert(change.contact)
    }
    if !change.location.x.isFinite || !change.location.y.isFinite { fail(change) }
  }

  private mutating func fail(_ change: TouchChange) {
    if found == nil { found = "\(change.kind) of \(change.contact) at \(change.location)" }
  }

  /// What was wrong first, or who never ended.
  var problem: String? { found ?? (down.isEmpty ? nil : "never ended: \(down)") }
}
