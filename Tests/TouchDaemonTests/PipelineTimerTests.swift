import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchKit
@testable import TouchSystem

/// What a filter holds back comes without another frame, at its own time, and then nothing wakes the loop any
/// more.
@Suite struct PipelineTimerTests {
  private let pipeline: InputPipeline
  private let ends = EndClock()
  private let watcher = PipelineWatcher()

  init() throws {
    let configuration = try Configuration.parse(
      text: "window: {subviews: [{id: a, frame: [0, 0, 100, 100], multiple_touch: true}]}", file: "f.yaml")
    let size = Size(width: 100, height: 100)
    pipeline = InputPipeline(
      ViewTree(configuration, canvasSize: size), geometry: DisplayGeometry(displaySize: size))
    pipeline.dispatcher.observer = ends
  }

  private func debounced(_ id: Int = 1, milliseconds: Int = 20) -> TouchSource {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 99)
    capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 99)
    capabilities.keys = [EventCode.btnTouch]
    return TouchSource(
      device: DeviceID(rawValue: id), kind: .singleTouch, capabilities: capabilities, initial: InitialState(),
      filters: [.debounce(milliseconds: milliseconds)],
      geometry: DisplayGeometry(displaySize: Size(width: 100, height: 100)))
  }

  private func press(_ value: Int32, _ source: TouchSource, at microseconds: Int64) {
    let button = RawEvent(type: EventCode.key, code: EventCode.btnTouch, value: value)
    pipeline.apply(
      InputFrame(time: Timestamp(microseconds: microseconds), events: [button]), from: source)
  }

  /// Of a view that waits for a long press.
  private func longPressed() throws -> InputPipeline {
    let configuration = try Configuration.parse(
      text: "window: {subviews: [{id: a, frame: [0, 0, 9, 9], gestures: [{id: g, kind: long_press}]}]}",
      file: "f.yaml")
    let size = Size(width: 9, height: 9)
    return InputPipeline(
      ViewTree(configuration, canvasSize: size), geometry: DisplayGeometry(displaySize: size))
  }

  @Test func `the loop delivers a lift that was held back`() throws {
    let loop = try EventLoop()
    let timer = PipelineTimer(loop: loop, pipeline: pipeline)
    let source = debounced()
    let start = MonotonicClock.now().microseconds
    press(1, source, at: start)
    press(0, source, at: start)
    try loop.run(endingTurns: { [pipeline, ends] in
      if !ends.times.isEmpty && pipeline.deadline == nil { loop.stop() }
    })
    withExtendedLifetime(timer) {}
    #expect(ends.times == [start + 20_000])
  }

  @Test func `a lift that is due earlier does not wait for the one that was awaited first`() throws {
    let loop = try EventLoop()
    let timer = PipelineTimer(loop: loop, pipeline: pipeline)
    let (patient, quick) = (debounced(1, milliseconds: 20_000), debounced(2, milliseconds: 5))
    let start = MonotonicClock.now().microseconds
    for source in [patient, quick] {
      press(1, source, at: start)
      press(0, source, at: start)
      timer.turnEnds(at: MonotonicClock.now())
    }
    try loop.run(endingTurns: { [ends] in
      if !ends.times.isEmpty { loop.stop() }
    })
    withExtendedLifetime(timer) {}
    #expect(ends.times == [start + 5000], "the other one is still held back")
  }

  @Test func `a change without a frame is shown with its device`() {
    var told: [String] = []
    pipeline.observer = watcher
    watcher.onDeadline = { [pipeline] time, source in
      told.append("\(time.microseconds) \(source?.changes.map(\.kind) ?? []) \(pipeline.changes.count)")
    }
    let source = debounced()
    press(1, source, at: 1_000_000)
    press(0, source, at: 1_050_000)
    #expect(told.isEmpty && source.changes.isEmpty)
    pipeline.advance(to: Timestamp(microseconds: 1_069_999))
    #expect(told.isEmpty)
    pipeline.advance(to: Timestamp(microseconds: 1_200_000))
    #expect(told == ["1070000 [TouchCore.TouchChange.Kind.ended] 1"])
  }

  @Test func `a gesture that decides without a frame is shown, too`() throws {
    let pipeline = try longPressed()
    var told: [Timestamp] = []
    pipeline.observer = watcher
    watcher.onDeadline = { time, source in if source == nil { told.append(time) } }
    let finger = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    pipeline.apply(
      [TouchChange(contact: finger, kind: .began, location: WindowPoint(x: 1, y: 1))],
      at: Timestamp(microseconds: 1_000_000))
    pipeline.advance(to: Timestamp(microseconds: 1_400_000))
    #expect(told.isEmpty)
    pipeline.advance(to: Timestamp(microseconds: 1_600_000))
    #expect(told == [Timestamp(microseconds: 1_500_000)])
  }

  @Test func `a finger that has lifted in time makes no long press, however late that is read`() throws {
    let pipeline = try longPressed()
    pipeline.dispatcher.observer = ends
    pipeline.observer = watcher
    var told = 0
    watcher.onDeadline = { _, _ in told += 1 }
    let clock = ManualClock()
    let loop = try EventLoop(manualClock: clock)
    let timer = PipelineTimer(loop: loop, pipeline: pipeline)
    let start = loop.now
    func finger(_ kind: TouchChange.Kind, after microseconds: Int64) {
      let finger = ContactID(device: DeviceID(rawValue: 1), serial: 1)
      pipeline.apply(
        [TouchChange(contact: finger, kind: kind, location: WindowPoint(x: 1, y: 1))],
        at: start.advanced(byMicroseconds: microseconds))
    }
    let device = try WakeUp()
    try loop.watch(device.descriptor) {
      device.take()
      finger(.ended, after: 100_000)
    }
    finger(.began, after: 0)
    try loop.advance(byNanoseconds: 1)
    // The turn takes longer than a long press, and the finger lifts meanwhile.
    loop.again {
      device.send()
      clock.advance(to: clock.nanoseconds + 600_000_000)
    }
    try loop.advance(byNanoseconds: 1)
    withExtendedLifetime(timer) {}
    #expect(ends.times == [start.microseconds + 100_000] && told == 0)
  }

  @Test func `time stands still for gestures where a device has not been read further`() throws {
    let pipeline = try longPressed()
    pipeline.observer = watcher
    var told = 0
    watcher.onDeadline = { _, _ in told += 1 }
    let clock = ManualClock()
    let loop = try EventLoop(manualClock: clock)
    let timer = PipelineTimer(loop: loop, pipeline: pipeline)
    let start = loop.now
    let finger = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    pipeline.apply(
      [TouchChange(contact: finger, kind: .began, location: WindowPoint(x: 1, y: 1))], at: start)
    pipeline.readUntil = start.advanced(byMicroseconds: 400_000)
    for _ in 0..<4 { try loop.advance(byNanoseconds: 600_000_000) }
    #expect(told == 0)
    pipeline.readUntil = nil
    for _ in 0..<2 { try loop.advance(byNanoseconds: 1_000_000) }
    withExtendedLifetime(timer) {}
    #expect(told == 1)
  }

  @Test func `what waits from its drawing on, as a spinner does, wakes the loop at each step`() throws {
    let loop = try EventLoop(manualClock: ManualClock())
    let timer = PipelineTimer(loop: loop, pipeline: pipeline)
    let stepping = Stepping(id: "s")
    pipeline.dispatcher.window.addSubview(stepping)
    let painting = Painting(of: stepping)
    loop.addHook(painting, at: .paint)
    try loop.advance(byNanoseconds: 3_500_000_000)
    withExtendedLifetime(timer) {}
    #expect(stepping.steps == 3)
  }

  @Test func `a lift is delivered at its own time and not at the next frames`() {
    let source = debounced()
    for (time, value) in [(1_000_000, 1), (1_050_000, 0), (9_000_000, 1), (9_100_000, 0)] as [(Int64, Int32)]
    {
      press(value, source, at: time)
    }
    pipeline.lose(source, at: Timestamp(microseconds: 9_110_000))
    #expect(ends.times == [1_070_000, 9_110_000], "20 ms after the lift; when the device went")
    #expect(pipeline.deadline == nil)
  }

  @Test func `the frames of one device release what another holds back`() {
    let (one, other) = (debounced(1), debounced(2))
    press(1, one, at: 1_000_000)
    press(1, other, at: 1_001_000)
    press(0, other, at: 1_010_000)
    press(0, one, at: 1_015_000)
    #expect(pipeline.deadline == Timestamp(microseconds: 1_030_000))
    press(1, other, at: 1_040_000)
    #expect(ends.times == [1_030_000, 1_035_000])
    pipeline.runOut()
    #expect(ends.times.count == 2 && pipeline.deadline == nil)
  }
}

/// Counts its deadlines.
private final class Stepping: View {
  var steps = 0

  override func deadlinePassed(with event: Event) {
    deadline = nil
    steps += 1
  }
}

/// Paints a view: sets its deadline one second ahead, unless it has one.
private final class Painting: TurnHook {
  var turnPlace: TurnPlace?
  private let view: View

  init(of view: View) { self.view = view }

  func turnEnds(at now: Timestamp) {
    if view.deadline == nil { view.deadline = now.advanced(bySeconds: 1) }
  }
}

/// Notes when touches end, in microseconds.
private final class EndClock: DispatchObserver {
  var times: [Int64] = []

  func observe(_ step: DispatchStep) {
    guard case .touch(let touch, let responder, _, _) = step, touch.phase == .ended, responder.id == "a"
    else { return }
    times.append(touch.timestamp.microseconds)
  }
}
