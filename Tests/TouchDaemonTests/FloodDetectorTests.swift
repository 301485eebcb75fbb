import Testing

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchKit

@Suite struct FloodDetectorTests {
  /// Plays so many evenly spread frames in a second, and says what is complained of.
  private func second(
    _ number: Int64, frames: Int, of gauge: inout FloodDetector, cause: InputFrame.Cause = .report
  ) -> [FloodDetector.Complaint] {
    (0..<frames).compactMap { index in
      let time = number * 1_000_000 + Int64(index) * 1_000_000 / Int64(frames)
      return gauge.count(InputFrame(time: Timestamp(microseconds: time), cause: cause))
    }
  }

  @Test func `a device that reports as often as the fastest do is not complained of`() {
    var gauge = FloodDetector()
    for number in 0..<5 { #expect(second(Int64(number), frames: 8000, of: &gauge) == []) }
  }

  @Test func `a device that floods is complained of once a minute`() {
    var gauge = FloodDetector()
    var complaints: [Int64: [FloodDetector.Complaint]] = [:]
    for number in 0..<70 as Range<Int64> {
      let said = second(number, frames: 20_000, of: &gauge)
      if !said.isEmpty { complaints[number] = said }
    }
    #expect(complaints == [1: [.flood(20_000)], 61: [.flood(20_000)]])
    #expect(FloodDetector.Complaint.flood(20_000).sentence.contains("20000 frames a second"))
  }

  @Test func `lost events are reported at once, and their flood is not reported again`() {
    var gauge = FloodDetector()
    #expect(second(0, frames: 1, of: &gauge) == [])
    #expect(second(1, frames: 5, of: &gauge, cause: .resync) == [.lost])
    for number in 2..<50 as Range<Int64> { #expect(second(number, frames: 20_000, of: &gauge) == []) }
  }

  @Test func `events that were lost while the device was opened are not reported`() {
    var gauge = FloodDetector()
    #expect(second(0, frames: 1, of: &gauge, cause: .resync) == [])
  }
}
