import Testing

@testable import TouchMeasure

/// Figures of numpy and scipy.
@Suite struct UnitStatisticsTests {
  @Test func `mean, deviation, capability and outliers of a series`() throws {
    let series = try #require(UnitStatistics([0.30, 0.32, 0.31, 0.29, 0.33, 0.31, 0.9]))
    #expect(series.count == 7 && series.least == 0.29 && series.most == 0.9)
    #expect(series.mean.isNear(0.394286, within: 1e-6) && series.deviation.isNear(0.223372, within: 1e-6))
    #expect(series.isOutlier(0.9) && !series.isOutlier(0.33))
    #expect(try #require(series.capability(limit: 1, isLeast: false)).isNear(0.903895, within: 1e-5))
    #expect(try #require(series.capability(limit: 0, isLeast: true)).isNear(0.588383, within: 1e-5))
    #expect(
      UnitStatistics([]) == nil && UnitStatistics([1, 1, 1])?.capability(limit: 2, isLeast: false) == nil)
  }

  /// scipy.stats.ttest_ind(b, a, equal_var=False).confidence_interval()
  @Test func `the difference of two series has Welch's confidence interval`() throws {
    let one = try #require(UnitStatistics([1.0, 1.2, 1.1, 0.9, 1.3]))
    let other = try #require(UnitStatistics([1.5, 1.9, 1.4, 1.7, 1.6, 1.8]))
    let (difference, halfWidth) = try #require(one.difference(to: other))
    #expect(difference.isNear(0.55, within: 1e-9) && halfWidth.isNear(0.235495, within: 5e-4), "\(halfWidth)")
    #expect(UnitStatistics([1])?.difference(to: other) == nil)
  }

  @Test(arguments: [
    (1.0, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962),
  ])
  func `Student's quantile is that of the tables`(freedom: Double, quantile: Double) {
    #expect(UnitStatistics.quantile(freedom: freedom).isNear(quantile, within: 4e-3))
  }
}
