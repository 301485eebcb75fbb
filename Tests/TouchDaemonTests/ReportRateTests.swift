import Testing
import TouchCore

@testable import TouchDaemon

@Suite struct ReportRateTests {
  private func change(_ kind: ContactChange.Kind) -> ContactChange {
    ContactChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind, position: Point(x: 0, y: 0),
      attributes: ContactAttributes())
  }

  /// `fingers` come down, and `count` frames follow.
  private func rate(fingers: Int, milliseconds: [Double], cause: InputFrame.Cause = .report) -> ReportRate {
    var rate = ReportRate()
    var time = 0.0
    rate.add(InputFrame(), changes: Array(repeating: change(.began), count: fingers))
    for wait in milliseconds {
      time += wait
      rate.add(
        InputFrame(time: Timestamp(microseconds: Int64(time * 1000)), cause: cause), changes: [change(.moved)]
      )
    }
    return rate
  }

  @Test func `the rate is told for each number of fingers`() {
    var rate = rate(fingers: 1, milliseconds: Array(repeating: 7.5, count: 9))
    rate.add(
      InputFrame(time: Timestamp(microseconds: 80_000)), changes: Array(repeating: change(.began), count: 3))
    for frame in 1...9 {
      rate.add(InputFrame(time: Timestamp(microseconds: 80_000 + Int64(frame) * 11_400)), changes: [])
    }
    #expect(rate.summary == "reports every 7.5 ms with 1 finger, every 11.4 ms with 4 fingers")
    #expect(rate.remark == nil)
  }

  @Test func `a finger that rests does not make a panel slow`() {
    let rate = rate(fingers: 1, milliseconds: [8, 8, 8, 8, 5000, 8, 60, 8])
    #expect(rate.milliseconds(fingers: 1) == 8)
  }

  @Test(
    arguments: [(24.9, nil), (30, "33 reports a second"), (40, "25 reports a second")] as [(Double, String?)])
  func `a panel that reports seldom is called slow`(_ milliseconds: Double, _ words: String?) {
    let rate = rate(fingers: 2, milliseconds: Array(repeating: milliseconds, count: 20))
    #expect((rate.remark != nil) == (words != nil))
    if let words { #expect(rate.remark?.contains("\(words) with 2 fingers") == true, "\(rate.remark ?? "")") }
  }

  @Test func `too few frames say nothing, and neither do frames without a finger`() {
    #expect(rate(fingers: 1, milliseconds: [8, 8, 8, 8]).summary == nil)
    #expect(rate(fingers: 0, milliseconds: Array(repeating: 8, count: 50)).summary == nil)
    #expect(rate(fingers: 1, milliseconds: Array(repeating: 8, count: 50), cause: .resync).summary == nil)
    #expect(rate(fingers: 40, milliseconds: Array(repeating: 8, count: 50)).summary == nil)
  }

  @Test func `the time since the frame before is told with each frame`() {
    var rate = ReportRate()
    #expect(rate.add(InputFrame(), changes: []) == nil)
    #expect(rate.add(InputFrame(time: Timestamp(microseconds: 8250)), changes: []) == 8.25)
  }

  @Test func `times and numbers beyond all bounds are taken as they come`() {
    var rate = ReportRate()
    for time in [Int64.max / 2, 0, -1, Int64.max / 2, .max, .min, .max, .max - 1, .max] {
      rate.add(InputFrame(time: Timestamp(microseconds: time)), changes: [change(.ended), change(.began)])
    }
    #expect(rate.fingers == 1)
  }
}
