/// The statistics of one figure of many panels, with its outliers.
package struct UnitStatistics: Sendable {
  package let count: Int
  package let mean: Double
  /// The standard deviation of single panels, from a sample; nil for one panel, which has none.
  package let deviation: Double?
  package let least, most: Double
  private let median, usual: Double

  /// Fails without figures.
  package init?(_ figures: [Double]) {
    let sorted = figures.filter(\.isFinite).sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    count = sorted.count
    // The sum of equal figures would be rounded.
    let mean = least == most ? least : sorted.reduce(0, +) / Double(sorted.count)
    self.mean = mean
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    deviation = sorted.count > 1 ? (squares / Double(sorted.count - 1)).squareRoot() : nil
    (self.least, self.most) = (least, most)
    let median = Self.median(sorted)
    self.median = median
    usual = Self.median(sorted.map { abs($0 - median) }.sorted())
  }

  private static func median(_ sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Returns how many times three deviations fit between mean and limit; nil for too few or equal panels. At
  /// 1.33, one panel of 30 000 is beyond. (ISO 22514-2, Cpk on one side)
  package func capability(limit: Double, isLeast: Bool) -> Double? {
    guard count >= 3, let deviation, deviation > 0 else { return nil }
    return (isLeast ? mean - limit : limit - mean) / (3 * deviation)
  }

  /// Returns whether a figure's modified z-score is beyond 3.5. (Iglewicz and Hoaglin)
  package func isOutlier(_ figure: Double) -> Bool {
    guard count >= 5 else { return false }
    // If more than half of them are equal, the standard deviation replaces the median distance.
    let spread = usual > 0 ? 1.4826 * usual : deviation ?? 0
    return spread > 0 && abs(figure - median) > 3.5 * spread
  }

  /// The square of the mean's standard error; nil for one panel.
  private var varianceOfMean: Double? { deviation.map { $0 * $0 / Double(count) } }

  /// Returns the difference of means with half its 95 % interval; nil for one panel on a side. (Welch)
  package func difference(to other: UnitStatistics) -> (difference: Double, halfWidth: Double)? {
    guard let one = varianceOfMean, let two = other.varianceOfMean else { return nil }
    let variance = one + two
    guard variance > 0 else { return (other.mean - mean, 0) }
    let freedom = variance * variance / (one * one / Double(count - 1) + two * two / Double(other.count - 1))
    return (other.mean - mean, Distributions.studentQuantile(freedom: freedom) * variance.squareRoot())
  }

  /// Returns the probability that equal series differ by so much, by Welch's t-test on both sides, or exactly
  /// by orders for series of equal figures; nil for one panel on a side.
  package func chance(against other: UnitStatistics) -> Double? {
    guard let one = varianceOfMean, let two = other.varianceOfMean else { return nil }
    guard one + two > 0 else {
      guard other.mean != mean else { return 1 }
      let orders = (1...count).reduce(1.0) { $0 * Double(other.count + $1) / Double($1) }
      return min(1, 2 / orders)
    }
    let freedom =
      (one + two) * (one + two) / (one * one / Double(count - 1) + two * two / Double(other.count - 1))
    return Distributions.student(beyond: abs(other.mean - mean) / (one + two).squareRoot(), freedom: freedom)
  }

  /// Returns which of some differences are certain at 95 % for all of them together. (Holm's method.)
  package static func certain(_ chances: [Double]) -> [Bool] {
    var isCertain = Array(repeating: false, count: chances.count)
    for (rank, index) in chances.indices.sorted(by: { chances[$0] < chances[$1] }).enumerated() {
      guard chances[index] <= 0.05 / Double(chances.count - rank) else { break }
      isCertain[index] = true
    }
    return isCertain
  }
}
