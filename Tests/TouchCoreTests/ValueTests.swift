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

@Suite struct RectTests {
  private let rect = LocalRect(x: 10, y: 20, width: 100, height: 40)

  @Test func `sides move inward by insetBy, and what has no size left stays in its middle`() {
    #expect(rect.insetBy(dx: 5, dy: -10) == LocalRect(x: 15, y: 10, width: 90, height: 60))
    #expect(rect.insetBy(dx: 60, dy: 5) == LocalRect(x: 60, y: 25, width: 0, height: 30))
    #expect(rect.insetBy(dx: 60, dy: 60).isEmpty)
    #expect(rect.offsetBy(dx: -10, dy: 5) == LocalRect(x: 0, y: 25, width: 100, height: 40))
    #expect(
      rect.inset(by: Insets(top: 1, left: 2, bottom: 3, right: 4))
        == LocalRect(x: 12, y: 21, width: 94, height: 36))
    #expect(rect.inset(by: Insets(top: 30, left: 0, bottom: 30, right: 0)).height == 0)
  }

  @Test func `width and height are never negative`() {
    let back = LocalRect(x: 10, y: 20, width: -100, height: -40)
    #expect(back.width == 100 && back.height == 40 && back.minX == -90)
    #expect(back.insetBy(dx: 0, dy: 0) == LocalRect(x: -90, y: -20, width: 100, height: 40))
  }
}
