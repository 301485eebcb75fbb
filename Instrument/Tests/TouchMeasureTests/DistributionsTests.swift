import Testing

@testable import TouchMeasure

/// Figures of scipy.
@Suite struct DistributionsTests {
  /// scipy.stats.t.sf(t, freedom) * 2
  @Test(arguments: [
    (1.0, 12.7062, 0.0500000186), (1.5, 3.0, 0.1335477543), (3, 3.1824, 0.0500017776),
    (9, 5.0, 0.0007389680), (400, 1.965927, 0.0499983002),
  ])
  func `how likely a difference is by chance is Student's`(freedom: Double, t: Double, chance: Double) {
    let found = Distributions.student(beyond: t, freedom: freedom)
    #expect(found.isNear(chance, within: 1e-9), "\(found)")
  }

  /// scipy.stats.t.ppf(0.975, freedom)
  @Test(arguments: [
    (1.0, 12.706204736), (1.2, 8.648826511), (1.5, 6.016663104), (2, 4.302652730), (3.7, 2.867520707),
    (10, 2.228138852), (1000, 1.962339081),
  ])
  func `Student's quantile is exact between whole degrees of freedom`(freedom: Double, quantile: Double) {
    let found = Distributions.studentQuantile(freedom: freedom)
    #expect(found.isNear(quantile, within: 1e-8), "\(found)")
  }

  /// scipy.stats.f.sf(ratio, above, below)
  @Test(arguments: [
    (2.0, 4.0, 18.0, 0.137703552), (0.5, 4, 9, 0.736989872), (10, 1, 1, 0.194982229),
    (3.3, 2, 30, 0.050652693),
  ])
  func `the chance of a ratio of variances is Fisher's`(
    ratio: Double, above: Double, below: Double, chance: Double
  ) {
    let found = Distributions.fisher(beyond: ratio, above, below)
    #expect(found.isNear(chance, within: 1e-8), "\(found)")
  }

  @Test(arguments: [
    (50, 10, 5.0 as Double?), (90, 10, 9), (99, 10, nil), (99, 100, 99), (99, 99, nil), (90, 9, nil),
    (50, 1, nil), (50, 2, 1), (50, 0, nil),
  ])
  func `a percentile is one of the numbers, and not the largest`(percent: Int, count: Int, value: Double?) {
    #expect((0..<count).map { Double($0 + 1) }.percentile(percent) == value)
    #expect((count >= [Double].fewest(forPercentile: percent)) == (value != nil))
  }
}
