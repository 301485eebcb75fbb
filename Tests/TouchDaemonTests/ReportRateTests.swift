import Testing
import TouchInspection

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput

@Suite struct ReportRateTests {
  private static let axes = (x: AxisRange(minimum: 0, maximum: 4095), y: AxisRange(minimum: 0, maximum: 4095))

  private func change(_ kind: ContactChange.Kind, _ finger: Int = 0, x: Double = 0) -> ContactChange {
    ContactChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: finger), kind: kind,
      position: Point(x: x, y: 0), attributes: ContactAttributes())
  }

  private func frame(_ milliseconds: Double, _ cause: InputFrame.Cause = .report) -> InputFrame {
    InputFrame(time: Timestamp(microseconds: Int64(milliseconds * 1000)), cause: cause)
  }

  /// Fingers come down, and all of them move in each of the frames that follow.
  private func rate(fingers: Int, milliseconds: [Double], cause: InputFrame.Cause = .report) -> ReportRate {
    var rate = ReportRate(Self.axes)
    var time = 0.0
    rate.add(InputFrame(), changes: (0..<fingers).map { change(.began, $0) })
    for (index, wait) in milliseconds.enumerated() {
      time += wait
      rate.add(
        frame(time, cause), changes: (0..<fingers).map { change(.moved, $0, x: Double(index + 1) * 20) })
    }
    return rate
  }

  @Test func `the rate is reported for each number of fingers`() {
    var rate = rate(fingers: 1, milliseconds: Array(repeating: 7.5, count: 9))
    rate.add(frame(80), changes: (1...3).map { change(.began, $0) })
    for step in 1...9 {
      rate.add(
        frame(80 + Double(step) * 11.4), changes: (0...3).map { change(.moved, $0, x: Double(step) * 40) })
    }
    #expect(rate.summary == "reports every 7.5 ms with 1 finger, every 11.4 ms with 4 fingers")
    #expect(rate.warning == nil)
  }

  @Test func `a finger that rests does not make a panel slow`() {
    let rate = rate(fingers: 1, milliseconds: [8, 8, 8, 8, 5000, 8, 60, 8])
    #expect(rate.milliseconds(fingers: 1) == 8)
  }

  @Test func `two fingers that rest and tremble say nothing of a panel, and count for the one that moves`() {
    var rate = ReportRate(Self.axes)
    rate.add(frame(0), changes: [change(.began, 0), change(.began, 1)])
    // The panel scans every 7 ms, and the kernel passes on what changed: mostly nothing.
    for step in 1...40 {
      rate.add(frame(Double(step) * 31), changes: [change(.moved, step % 2, x: Double(step % 3))])
    }
    #expect(rate.summary == nil && rate.warning == nil)
    rate.add(frame(1300), changes: [change(.began, 2)])
    for step in 1...20 {
      var changes = [change(.moved, 2, x: Double(step) * 20)]
      if step % 4 == 0 { changes.append(change(.moved, 0, x: Double(step % 3))) }
      rate.add(frame(1300 + Double(step) * 7), changes: changes)
    }
    #expect(rate.summary == "reports every 7 ms with 3 fingers")
  }

  @Test func `a panel that reports one finger a frame is as fast as it reports each`() {
    var rate = ReportRate(Self.axes)
    rate.add(frame(0), changes: (0..<4).map { change(.began, $0) })
    for step in 1...80 {
      rate.add(frame(Double(step) * 2), changes: [change(.moved, step % 4, x: Double(step) * 10)])
    }
    #expect(rate.summary == "reports every 8 ms with 4 fingers")
  }

  @Test(
    arguments: [(24.9, nil), (30, "33 reports a second"), (40, "25 reports a second")] as [(Double, String?)])
  func `a panel that reports seldom is called slow`(_ milliseconds: Double, _ words: String?) {
    let rate = rate(fingers: 2, milliseconds: Array(repeating: milliseconds, count: 20))
    #expect((rate.warning != nil) == (words != nil))
    if let words {
      #expect(rate.warning?.contains("\(words) with 2 fingers") == true, "\(rate.warning ?? "")")
    }
  }

  @Test func `too few reports say nothing, and neither do frames without a finger`() {
    #expect(rate(fingers: 1, milliseconds: [8, 8, 8, 8]).summary == nil)
    #expect(rate(fingers: 0, milliseconds: Array(repeating: 8, count: 50)).summary == nil)
    #expect(rate(fingers: 1, milliseconds: Array(repeating: 8, count: 50), cause: .resync).summary == nil)
    #expect(rate(fingers: 40, milliseconds: Array(repeating: 8, count: 50)).summary == nil)
  }

  @Test func `each frame shows the time since the previous one`() {
    var rate = ReportRate(Self.axes)
    #expect(rate.add(InputFrame(), changes: []) == nil)
    #expect(rate.add(frame(8.25), changes: []) == 8.25)
  }

  @Test func `times and numbers beyond all bounds are taken as they come`() {
    var rate = ReportRate(Self.axes)
    for time in [Int64.max / 2, 0, -1, Int64.max / 2, .max, .min, .max, .max - 1, .max] {
      rate.add(
        InputFrame(time: Timestamp(microseconds: time)),
        changes: [change(.ended), change(.began), change(.moved, x: 1e300)])
    }
    #expect(rate.fingers == 1)
  }
}
