import Testing

@testable import TouchMeasure

/// Figures of numpy and scipy.
@Suite struct UnitStatisticsTests {
  @Test func `mean, deviation, capability and outliers of a series`() throws {
    let series = try #require(UnitStatistics([0.30, 0.32, 0.31, 0.29, 0.33, 0.31, 0.9]))
    #expect(series.count == 7 && series.least == 0.29 && series.most == 0.9)
    #expect(series.mean.isNear(0.394286, within: 1e-6))
    #expect(try #require(series.deviation).isNear(0.223372, within: 1e-6))
    #expect(series.isOutlier(0.9) && !series.isOutlier(0.33))
    #expect(try #require(series.capability(limit: 1, isLeast: false)).isNear(0.903895, within: 1e-5))
    #expect(try #require(series.capability(limit: 0, isLeast: true)).isNear(0.588383, within: 1e-5))
    #expect(
      UnitStatistics([]) == nil && UnitStatistics([1, 1, 1])?.capability(limit: 2, isLeast: false) == nil)
  }

  /// The sum of three times 0.1 is not 0.3.
  @Test func `equal figures have no capability, and one figure has no deviation`() throws {
    let equal = try #require(UnitStatistics(Array(repeating: 0.1, count: 7)))
    #expect(equal.mean == 0.1 && equal.deviation == 0)
    #expect(equal.capability(limit: 0.5, isLeast: false) == nil)
    #expect(try #require(UnitStatistics([0.4])).deviation == nil)
  }

  /// scipy.stats.ttest_ind(b, a, equal_var=False).confidence_interval()
  @Test func `the difference of two series has Welch's confidence interval`() throws {
    let one = try #require(UnitStatistics([1.0, 1.2, 1.1, 0.9, 1.3]))
    let other = try #require(UnitStatistics([1.5, 1.9, 1.4, 1.7, 1.6, 1.8]))
    let (difference, halfWidth) = try #require(one.difference(to: other))
    #expect(
      difference.isNear(0.55, within: 1e-9) && halfWidth.isNear(0.2354953, within: 1e-6), "\(halfWidth)")
    #expect(UnitStatistics([1])?.difference(to: other) == nil)
    // Of 1.00125 degrees of freedom.
    let wide = try #require(UnitStatistics([1.0, 1.4]))
    let rough = try #require(UnitStatistics([0.2, 0.21])?.difference(to: wide))
    #expect(rough.halfWidth.isNear(2.5345477, within: 1e-6), "\(rough)")
  }

  /// Holm: 0.05 / 4, 0.05 / 3, and so on, until one is beyond.
  @Test func `of many figures few differ by chance`() throws {
    #expect(UnitStatistics.certain([0.04, 0.011, 0.2, 0.016]) == [false, true, false, true])
    #expect(UnitStatistics.certain([0.04]) == [true] && UnitStatistics.certain([]) == [])
    // Forty figures of two firmwares that are alike.
    var dice = ModelDice(seed: 11)
    var wrong = 0
    for _ in 0..<40 {
      let chances = try (0..<40).map { _ in
        let series = try (0..<2).map { _ in
          try #require(UnitStatistics((0..<6).map { _ in dice.normal(1) }))
        }
        return try #require(series[0].chance(against: series[1]))
      }
      if UnitStatistics.certain(chances).contains(true) { wrong += 1 }
    }
    #expect(wrong <= 6, "\(wrong) of 40")
  }

  @Test func `figures that are all alike differ as surely as there are many of them`() throws {
    func alike(_ figure: Double, _ count: Int) throws -> UnitStatistics {
      try #require(UnitStatistics(Array(repeating: figure, count: count)))
    }
    #expect(try #require(try alike(0, 2).chance(against: try alike(1, 2))).isNear(1.0 / 3, within: 1e-9))
    #expect(try #require(try alike(0, 10).chance(against: try alike(1, 10))) < 1e-4)
    #expect(try alike(3, 4).chance(against: try alike(3, 4)) == 1)
  }
}
