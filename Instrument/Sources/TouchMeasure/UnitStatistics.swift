import Glibc

/// The statistics of one figure of many panels, with its outliers.
package struct UnitStatistics: Sendable {
  package let count: Int
  package let mean: Double
  /// The standard deviation of single panels, from a sample.
  package let deviation: Double
  package let least: Double
  package let most: Double
  private let median: Double
  /// The median distance from the median.
  private let usual: Double

  /// Fails without figures.
  package init?(_ figures: [Double]) {
    let sorted = figures.filter(\.isFinite).sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    count = sorted.count
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    self.mean = mean
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    deviation = sorted.count > 1 ? (squares / Double(sorted.count - 1)).squareRoot() : 0
    (self.least, self.most) = (least, most)
    let median = Self.median(sorted)
    self.median = median
    usual = Self.median(sorted.map { abs($0 - median) }.sorted())
  }

  private static func median(_ sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Returns how many times three standard deviations fit between the mean and the
  /// limit; nil for too few panels, or equal ones.
  ///
  /// At 1.33, one panel of 30 000 is beyond the limit. (ISO 22514-2, Cpk of a limit on one side.)
  package func capability(limit: Double, isLeast: Bool) -> Double? {
    guard count >= 3, deviation > 0 else { return nil }
    return (isLeast ? mean - limit : limit - mean) / (3 * deviation)
  }

  /// Returns whether a figure is unlike the others: its modified z-score is beyond 3.5. Single wild
  /// figures do not hide that. (Iglewicz and Hoaglin.)
  package func isOutlier(_ figure: Double) -> Bool {
    guard count >= 5 else { return false }
    // If more than half of them are equal, the standard deviation replaces the median distance.
    let spread = usual > 0 ? 1.4826 * usual : deviation
    return spread > 0 && abs(figure - median) > 3.5 * spread
  }

  /// Returns the difference of the mean of others from this one, with half the width of its 95 % confidence
  /// interval. (Welch's t-test.) It is nil for fewer than two panels on a side.
  package func difference(to other: UnitStatistics) -> (difference: Double, halfWidth: Double)? {
    guard count > 1, other.count > 1 else { return nil }
    let (one, two) = (
      deviation * deviation / Double(count), other.deviation * other.deviation / Double(other.count)
    )
    let variance = one + two
    guard variance > 0 else { return (other.mean - mean, 0) }
    let freedom =
      variance * variance / (one * one / Double(count - 1) + two * two / Double(other.count - 1))
    return (other.mean - mean, Self.quantile(freedom: freedom) * variance.squareRoot())
  }

  /// Returns the probability that two equal series differ by so
  /// much; nil for fewer than two panels on a side.
  ///
  /// It is Welch's t-test on both sides. If all figures in each series are
  /// equal, it is the exact test that counts the orders.
  package func chance(against other: UnitStatistics) -> Double? {
    guard count > 1, other.count > 1 else { return nil }
    let (one, two) = (
      deviation * deviation / Double(count), other.deviation * other.deviation / Double(other.count)
    )
    guard one + two > 0 else {
      guard other.mean != mean else { return 1 }
      let orders = (1...count).reduce(1.0) { $0 * Double(other.count + $1) / Double($1) }
      return min(1, 2 / orders)
    }
    let freedom =
      (one + two) * (one + two) / (one * one / Double(count - 1) + two * two / Double(other.count - 1))
    return Self.chance(of: abs(other.mean - mean) / (one + two).squareRoot(), freedom: freedom)
  }

  /// Returns the probability that Student's t is farther from zero than this.
  ///
  /// With t = √freedom · tan θ its density is cos θ to the power of
  /// freedom - 1, whose integrals Simpson's rule sums up.
  static func chance(of t: Double, freedom: Double) -> Double {
    let end = Double.pi / 2
    func integral(from start: Double) -> Double {
      let steps = 1000
      let width = (end - start) / Double(steps)
      return (0...steps).reduce(0) { sum, step in
        let weight = step == 0 || step == steps ? 1.0 : step.isMultiple(of: 2) ? 2 : 4
        return sum + weight * pow(max(0, cos(start + Double(step) * width)), freedom - 1)
      } * width / 3
    }
    return integral(from: atan(t / freedom.squareRoot())) / integral(from: 0)
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

  /// Returns the 97.5 % quantile of Student's t. (Abramowitz and
  /// Stegun, 26.7.5; the first ones from their table.)
  static func quantile(freedom: Double) -> Double {
    let table = [12.706, 4.303, 3.182, 2.776]
    guard freedom >= 5 else {
      let index = min(max(freedom, 1), 4)
      let low = Int(index)
      let share = index - Double(low)
      let next = low < 4 ? table[low] : 2.571
      return table[low - 1] + (next - table[low - 1]) * share
    }
    let z = 1.959964
    let (third, fifth) = (z * z * z, z * z * z * z * z)
    return z + (third + z) / (4 * freedom) + (5 * fifth + 16 * third + 3 * z) / (96 * freedom * freedom)
      + (3 * fifth * z * z + 19 * fifth + 17 * third - 15 * z) / (384 * freedom * freedom * freedom)
  }
}
