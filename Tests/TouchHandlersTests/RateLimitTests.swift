import Testing

@testable import TouchCore
@testable import TouchHandlers

/// Messages that could come with every touch.
@Suite struct RateLimitTests {
  @Test(
    arguments: [
      ([0, 1, 9.9, 10, 20], [0, nil, nil, 2, 0]),
      // A device's clock may go back: what it reports next is a message again.
      ([1000, 1001, 5, 6, 15], [0, nil, 1, nil, 1]),
    ] as [([Double], [Int?])])
  func `a message is written once in its interval, with how many were held back`(
    times: [Double], held: [Int?]
  ) {
    var limit = RateLimit(interval: 10)
    #expect(times.map { limit.admit(at: .zero.advanced(bySeconds: $0)) } == held)
  }
}
