import Testing
import TouchCore

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (5, 2, 3), (2, 5, -3), (.max, 0, .max), (.max, -1, .max), (.max, .min, .max), (.min, 1, .min),
      (.min, .max, .min), (.max, .max, 0),
    ] as [(Int64, Int64, Int64)])
  func `a difference that does not fit is the largest that does`(
    _ later: Int64, _ earlier: Int64, _ difference: Int64
  ) {
    let (later, earlier) = (Timestamp(microseconds: later), Timestamp(microseconds: earlier))
    #expect(later.microseconds(since: earlier) == difference)
    #expect(later.seconds(since: earlier) == Double(difference) / 1_000_000)
  }

  @Test(
    arguments: [
      (5, 2, 7), (5, -7, -2), (.max, 1, .max), (.max - 5, .max, .max), (.min, -1, .min), (.min, .min, .min),
      (.max, .min, -1),
    ] as [(Int64, Int64, Int64)])
  func `a moment that does not fit is the last that does`(_ time: Int64, _ distance: Int64, _ moment: Int64) {
    #expect(
      Timestamp(microseconds: time).advanced(byMicroseconds: distance).microseconds == moment)
  }

  @Test(
    arguments: [
      (0.0000014, 1), (1e300, 1_000_000_000_000_000_000), (.infinity, 1_000_000_000_000_000_000), (.nan, 0),
    ]
      as [(Double, Int64)])
  func `a wait without an end can still be added`(_ seconds: Double, _ microseconds: Int64) {
    #expect(Timestamp.zero.advanced(bySeconds: seconds).microseconds == microseconds)
    #expect(Timestamp(microseconds: .max).advanced(bySeconds: seconds).microseconds == .max)
  }
}
