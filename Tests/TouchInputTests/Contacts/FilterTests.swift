import Testing
import TouchCore
import TouchInput

/// A panel whose units are pixels, with filters: positions in, positions out.
@Suite struct FilterTests {
  private static let geometry = DisplayGeometry(displaySize: Size(width: 1000, height: 500))

  private final class Panel {
    let source: TouchSource
    var pointer = Pointer(bounds: FilterTests.geometry.canvasBounds)
    private var time = Timestamp.zero

    init(_ filters: [ContactFilter], fuzz: Int32 = 0, isMultitouch: Bool = true) {
      var capabilities = DeviceCapabilities()
      let axes =
        isMultitouch
        ? (EventCode.absMTPositionX, EventCode.absMTPositionY) : (EventCode.absX, EventCode.absY)
      capabilities.axes[axes.0] = AxisRange(minimum: 0, maximum: 999, fuzz: fuzz)
      capabilities.axes[axes.1] = AxisRange(minimum: 0, maximum: 499, fuzz: fuzz)
      capabilities.keys = [EventCode.btnTouch]
      capabilities.slotCount = isMultitouch ? 2 : nil
      source = TouchSource(
        device: DeviceID(rawValue: 1), kind: isMultitouch ? .multitouch : .singleTouch,
        capabilities: capabilities, initial: InitialState(), filters: filters,
        geometry: FilterTests.geometry)
    }

    /// Plays frames of `CODE=VALUE`, each at its millisecond, and tells what came of them and when.
    ///
    /// - Parameter end: until when the time goes on after the last frame.
    func play(_ frames: [(Int64, String)], until end: Int64 = 0) -> [String] {
      var told: [String] = []
      for (milliseconds, events) in frames {
        told += advance(to: milliseconds)
        time = Timestamp(microseconds: milliseconds * 1000)
        var changes: [TouchChange] = []
        let frame = InputFrame(time: time, events: events.split(separator: " ").map(Self.event))
        source.apply(frame, pointer: &pointer, into: &changes)
        told += changes.map { "\(milliseconds) \(Self.text($0))" }
      }
      return told + advance(to: end)
    }

    private func advance(to milliseconds: Int64) -> [String] {
      var told: [String] = []
      while let due = source.deadline, due.microseconds <= milliseconds * 1000 {
        var changes: [TouchChange] = []
        source.advance(to: due, into: &changes)
        told += changes.map { "\(due.microseconds / 1000) \(Self.text($0))" }
      }
      return told
    }

    func lose() -> [String] {
      var changes: [TouchChange] = []
      source.cancelAll(pointer: pointer, into: &changes)
      return changes.map(Self.text)
    }

    private static func text(_ change: TouchChange) -> String {
      "\(change.kind) \(change.contact.serial) \(number(change.location.x)),\(number(change.location.y))"
    }

    private static func number(_ value: Double) -> String {
      Int(exactly: value).map { "\($0)" } ?? "\((value * 100).rounded() / 100)"
    }

    private static func event(_ text: Substring) -> RawEvent {
      let parts = text.split(separator: "=")
      let codes = [
        "slot": EventCode.absMTSlot, "id": EventCode.absMTTrackingID, "x": EventCode.absMTPositionX,
        "y": EventCode.absMTPositionY, "X": EventCode.absX, "Y": EventCode.absY,
        "pressure": EventCode.absMTPressure,
      ]
      let value = Int32(parts[1]) ?? 0
      guard let code = codes[String(parts[0])] else {
        return RawEvent(type: EventCode.key, code: EventCode.btnTouch, value: value)
      }
      return RawEvent(type: EventCode.abs, code: code, value: value)
    }
  }

  // MARK: Hysteresis

  @Test func `a contact rests until it has moved by more than the margin`() {
    let panel = Panel([.hysteresis(margin: 4)])
    #expect(
      panel.play([
        (0, "id=1 x=100 y=100"), (8, "x=104"), (16, "x=96 y=103"), (24, "x=105"), (32, "x=120"),
        (40, "x=117"), (48, "id=-1"),
      ]) == ["0 began 1 100,100", "24 moved 1 101,100", "32 moved 1 116,100", "48 ended 1 116,100"])
  }

  @Test func `the margin is the axis' fuzz unless it is given`() {
    let panel = Panel([.hysteresis(margin: nil)], fuzz: 10)
    #expect(
      panel.play([(0, "id=1 x=100 y=100"), (8, "x=110"), (16, "x=111")]) == [
        "0 began 1 100,100", "16 moved 1 101,100",
      ])
  }

  @Test func `a change of pressure is reported even if the contact rests`() {
    let panel = Panel([.hysteresis(margin: 4)])
    #expect(
      panel.play([(0, "id=1 x=100 y=100 pressure=1"), (8, "x=101 pressure=2")]) == [
        "0 began 1 100,100", "8 moved 1 100,100",
      ])
  }

  // MARK: Median

  @Test func `one wild position is not seen`() {
    let panel = Panel([.median(samples: 3)])
    #expect(
      panel.play([
        (0, "id=1 x=100 y=100"), (8, "x=110"), (16, "x=900 y=7"), (24, "x=120 y=100"), (32, "x=130"),
      ]) == [
        "0 began 1 100,100", "16 moved 1 110,100", "24 moved 1 120,100", "32 moved 1 130,100",
      ])
  }

  @Test func `a contact that rests is shown where it is`() {
    let panel = Panel([.median(samples: 5)])
    #expect(
      panel.play([(0, "id=1 x=100 y=100"), (8, "x=110"), (16, "x=120")], until: 1000) == [
        "0 began 1 100,100", "66 moved 1 120,100",
      ])
    #expect(panel.source.deadline == nil)
  }

  @Test func `an end is where the contact was last shown`() {
    let panel = Panel([.median(samples: 3)])
    #expect(
      panel.play([(0, "id=1 x=100 y=100"), (8, "x=110"), (16, "x=900"), (20, "id=-1")]) == [
        "0 began 1 100,100", "16 moved 1 110,100", "20 ended 1 110,100",
      ])
  }

  // MARK: One-euro

  @Test func `a slow contact is smoothed and a fast one is followed`() {
    let trailing = { (step: Int) -> Double in
      let panel = Panel([.oneEuro(OneEuroSettings())])
      let frames = (0...40).map { (Int64($0 * 10), "\($0 == 0 ? "id=1 y=9 " : "")x=\($0 * step)") }
      let last = panel.play(frames).last?.split(separator: " ").last?.split(separator: ",").first ?? ""
      return Double(40 * step) - (Double(last) ?? 0)
    }
    #expect((1.0...12).contains(trailing(1)), "\(trailing(1))")
    #expect((1.0...12).contains(trailing(20)), "fast, and hardly further behind: \(trailing(20))")
  }

  @Test func `jitter at rest is smoothed away`() {
    let panel = Panel([.oneEuro(OneEuroSettings())])
    let jitter = (1...100).map { (Int64($0 * 10), "x=\($0 % 2 == 0 ? 503 : 497)") }
    let told = panel.play([(0, "id=1 x=500 y=100")] + jitter)
    let places = told.compactMap { Double($0.split(separator: " ")[3].split(separator: ",")[0]) }
    #expect(places.allSatisfy { abs($0 - 500) < 1 }, "\(told)")
  }

  @Test func `a smoothed contact comes to rest exactly where it is`() {
    let panel = Panel([.oneEuro(OneEuroSettings())])
    let told = panel.play([(0, "id=1 x=100 y=100"), (8, "x=140 y=90")], until: 10_000)
    #expect(told.last?.hasSuffix("moved 1 140,90") == true, "\(told)")
    #expect(panel.source.deadline == nil, "nothing wakes the loop for it any more")
  }

  // MARK: Debounce

  @Test func `a lift that is shorter is bridged`() {
    let panel = Panel([.debounce(milliseconds: 20)], isMultitouch: false)
    #expect(
      panel.play(
        [
          (0, "touch=1 X=100 Y=100"), (3, "touch=0"), (5, "touch=1 X=102"), (40, "X=300"), (50, "touch=0"),
          (69, "touch=1 X=900"), (80, "touch=0"),
        ], until: 200) == [
          "0 began 1 100,100", "5 moved 1 102,100", "40 moved 1 300,100", "69 moved 1 900,100",
          "100 ended 1 900,100",
        ])
  }

  @Test func `a lift that is long enough is delivered without another frame`() {
    let panel = Panel([.debounce(milliseconds: 20)], isMultitouch: false)
    #expect(
      panel.play(
        [(0, "touch=1 X=100 Y=100"), (50, "touch=0"), (70, "touch=1 X=101"), (71, "touch=0")], until: 100)
        == ["0 began 1 100,100", "70 ended 1 100,100", "70 began 2 101,100", "91 ended 2 101,100"])
    #expect(panel.source.deadline == nil)
  }

  @Test func `on a multitouch device a contact far away is another`() {
    let panel = Panel([.debounce(milliseconds: 20)])
    #expect(
      panel.play(
        [(0, "id=1 x=100 y=100"), (5, "id=-1"), (8, "slot=1 id=2 x=600"), (9, "slot=0 id=3 x=104")],
        until: 100) == [
          "0 began 1 100,100", "8 began 2 600,0", "9 moved 1 104,100",
        ])
  }

  @Test func `a contact that took the old ones place in one frame goes on as it`() {
    let panel = Panel([.debounce(milliseconds: 20)])
    #expect(
      panel.play([(0, "id=1 x=100 y=100"), (5, "id=-1 id=2 x=110"), (60, "id=-1")], until: 100) == [
        "0 began 1 100,100", "5 moved 1 110,100", "80 ended 1 110,100",
      ])
  }

  @Test func `after a clock that went back the lift that is due first comes first`() {
    let panel = Panel([.debounce(milliseconds: 20)])
    let frames: [(Int64, String)] = [
      (100, "id=1 x=100 y=100 slot=1 id=2 x=600 y=300"), (110, "slot=0 id=-1"), (10, "slot=1 id=-1"),
    ]
    #expect(
      panel.play(frames, until: 129) == ["100 began 1 100,100", "100 began 2 600,300", "30 ended 2 600,300"])
    #expect(panel.source.deadline == Timestamp(microseconds: 130_000))
    #expect(panel.play([], until: 130) == ["130 ended 1 100,100"])
    #expect(panel.source.deadline == nil)
  }

  @Test func `a device that goes ends what has lifted and cancels what is down`() {
    let panel = Panel([.median(samples: 3), .debounce(milliseconds: 20)])
    _ = panel.play([(0, "id=1 x=100 y=100 slot=1 id=2 x=600 y=300"), (50, "id=-1")])
    #expect(panel.lose() == ["cancelled 1 100,100", "ended 2 600,300"])
    #expect(panel.lose() == [])
    #expect(panel.source.deadline == nil)
  }

  // MARK: Together

  @Test func `a debounce comes first wherever it stands`() {
    let frames: [(Int64, String)] = [
      (0, "touch=1 X=100 Y=100"), (3, "touch=0"), (5, "touch=1 X=900"), (13, "X=101"), (21, "X=102"),
      (40, "touch=0"),
    ]
    let bounce = ContactFilter.debounce(milliseconds: 20)
    let first = Panel([bounce, .median(samples: 3)], isMultitouch: false).play(frames, until: 100)
    let last = Panel([.median(samples: 3), bounce], isMultitouch: false).play(frames, until: 100)
    #expect(first == last)
    #expect(first == ["0 began 1 100,100", "13 moved 1 101,100", "21 moved 1 102,100", "60 ended 1 102,100"])
  }

  @Test func `filters act in the order of the list`() {
    // The spike goes before the margin is measured, or the margin is measured from the spike.
    let frames: [(Int64, String)] = [
      (0, "id=1 x=100 y=100"), (8, "x=500"), (16, "x=103"), (24, "x=103"),
    ]
    let margin = ContactFilter.hysteresis(margin: 10)
    let median = ContactFilter.median(samples: 3)
    #expect(Panel([median, margin]).play(frames, until: 500) == ["0 began 1 100,100"])
    #expect(
      Panel([margin, median]).play(frames, until: 500) == ["0 began 1 100,100", "16 moved 1 113,100"])
  }

  @Test(arguments: [
    (ContactFilter.debounce(milliseconds: 20), "every lift comes 20 ms late"),
    (.median(samples: 3), "moves come 1 frame late"),
    (.median(samples: 5), "moves come 2 frames late"),
    (
      .oneEuro(OneEuroSettings()),
      "slow moves trail by up to 159 ms, fast ones by 1/126 of the range"
    ),
    (.hysteresis(margin: nil), "moves trail by the axis' fuzz"),
    (.hysteresis(margin: 2.5), "moves trail by 2.5 of the device's units"),
  ])
  func `each filter reports its delay`(filter: ContactFilter, delay: String) {
    #expect(filter.delay == delay)
  }
}
