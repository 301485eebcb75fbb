import Testing
import TouchMeasure

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// Senseless devices, recordings and marks: every one of them is judged, by figures that are numbers.
@Suite struct JudgeFuzzTests {
  private struct Dice {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }

    mutating func number(_ end: Int) -> Int { Int(next()) % end }

    /// Small, just outside a range, or as far as it goes.
    mutating func value() -> Int32 {
      switch number(8) {
      case 0: Int32.max
      case 1: Int32.min
      case 2: -1
      default: Int32(number(5000))
      }
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
  }

  private static let codes: [UInt16] = [0x00, 0x01, 0x18, 0x2f, 0x30, 0x35, 0x36, 0x39, 0x3a, 0x3b]

  private func measurement(_ dice: inout Dice) -> PanelMeasurement {
    var capabilities = DeviceCapabilities()
    let kind = dice.pick([DeviceKind.multitouch, .singleTouch])
    capabilities.slotCount = dice.pick([nil, 0, 1, 10])
    for code in Self.codes where dice.number(4) > 0 {
      capabilities.axes[code] = AxisRange(
        minimum: dice.value(), maximum: dice.value(), resolution: Int32(dice.pick([0, 0, 1, 20, 100_000])))
    }
    var time: Int64 = 0
    let frames = (0..<dice.number(120)).map { _ in
      time += dice.pick([0, 1, 8000, 8000, 8000, 700_000, -20_000])
      let events = (0..<dice.number(8)).map { _ in
        RawEvent(
          type: dice.pick([EventCode.abs, EventCode.abs, EventCode.abs, EventCode.key, EventCode.syn]),
          code: dice.pick(Self.codes + [EventCode.btnTouch]), value: dice.value())
      }
      return InputFrame(
        time: Timestamp(microseconds: time), cause: dice.number(30) == 0 ? .resync : .report, events: events)
    }
    let words =
      PanelTest.allCases.map(\.rawValue) + [
        "again", "skip", "end", "delay -1", "size 0x0", "plan x,grid", "", " ",
      ]
    let arguments = ["", " 0.5,0.5", " 9,9", " nan,1", " left", " drumroll", " 3", " 9223372036854775807"]
    let marks = (0..<dice.number(20)).map { _ in
      Recording.Mark(
        time: Timestamp(microseconds: Int64(dice.number(2_000_000)) - 1000),
        text: dice.pick(words) + dice.pick(arguments))
    }
    return PanelMeasurement(
      DeviceDescription(name: "x", capabilities: capabilities), as: kind,
      initial: InitialState(untouched: capabilities), frames: frames,
      marks: TestMarks(marks, end: Timestamp(microseconds: time)),
      size: dice.pick([nil, Size(width: 1, height: 1), Size(width: 10_000, height: 1)]))
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `senseless input is judged`(seed: UInt64) {
    var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let measurement = measurement(&dice)
    for tests in [nil, PanelTest.allCases] {
      let judgement = PanelJudgement(of: measurement, by: .strict, only: tests)
      for figure in judgement.results.flatMap(\.figures) {
        #expect(figure.value?.isFinite ?? true, "\(figure)")
        #expect((0...1).contains(figure.score ?? 0))
      }
    }
  }
}
