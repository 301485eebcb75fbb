import Glibc

/// The distributions of test statistics, for any degrees of freedom from 1 on.
package enum Distributions {
  /// Returns the probability that Student's t is farther from zero than this. (Abramowitz and Stegun,
  /// 26.7.1.)
  package static func student(beyond t: Double, freedom: Double) -> Double {
    beta(freedom / (freedom + t * t), freedom / 2, 0.5)
  }

  /// Returns the 97.5 % quantile of Student's t, the half width of a 95 % interval in standard errors.
  package static func studentQuantile(freedom: Double) -> Double {
    // The quantiles of an endless series and of one degree.
    var (low, high) = (1.95, 12.71)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if student(beyond: middle, freedom: max(1, freedom)) > 0.05 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the probability that Fisher's F is larger than this. (Abramowitz and Stegun, 26.6.2.)
  package static func fisher(beyond ratio: Double, _ above: Double, _ below: Double) -> Double {
    beta(below / (below + above * ratio), below / 2, above / 2)
  }

  /// Returns the regularized incomplete beta function I of x, by its continued fraction. (DLMF 8.17.22.)
  private static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast on this side of the mean.
    guard x <= (a + 1) / (a + b + 2) else { return 1 - beta(1 - x, b, a) }
    let front = exp(lgamma(a + b).0 - lgamma(a).0 - lgamma(b).0 + a * log(x) + b * log1p(-x)) / a
    // Lentz's method keeps each quotient of the fraction away from zero.
    func kept(_ number: Double) -> Double { abs(number) < 1e-300 ? 1e-300 : number }
    var (numerator, denominator) = (1.0, 1 / kept(1 - (a + b) * x / (a + 1)))
    var fraction = denominator
    for step in 1...1000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      var change = 1.0
      for coefficient in [even, odd] {
        denominator = 1 / kept(1 + coefficient * denominator)
        numerator = kept(1 + coefficient / numerator)
        change = numerator * denominator
        fraction *= change
      }
      if abs(change - 1) < 1e-15 { break }
    }
    return front * fraction
  }
}

extension [Double] {
  /// Returns a percentile, 1 to 99, by nearest rank; nil for too few numbers: 99 needs 100.
  package func percentile(_ percent: Int) -> Double? {
    let rank = (count * percent + 99) / 100
    return rank < count ? self[rank - 1] : nil
  }

  package static func fewest(forPercentile percent: Int) -> Int { (199 - percent) / (100 - percent) }
}
