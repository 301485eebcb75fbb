/// A coordinate that grows evenly along a row of pixels.
package struct Line {
  /// In one pixel.
  package var slope: Double
  /// In the row's pixel 0.
  package var start: Double

  /// Where the coordinate lies in -limit … limit.
  package func within(_ limit: Double) -> Interval {
    guard limit >= 0 else { return .none }
    // Slower than this, a whole display changes it by less than can be seen.
    guard abs(slope) > 1e-12 else { return abs(start) <= limit ? .all : .none }
    let first = (-limit - start) / slope
    let second = (limit - start) / slope
    return Interval(from: min(first, second), to: max(first, second))
  }
}

/// Positions along a row of pixels, both ends in.
package struct Interval {
  package var from: Double
  package var to: Double

  package static var none: Self { Self(from: .infinity, to: -.infinity) }
  package static var all: Self { Self(from: -.infinity, to: .infinity) }

  package func intersection(_ other: Self) -> Self {
    let both = Self(from: max(from, other.from), to: min(to, other.to))
    return both.from <= both.to ? both : .none
  }

  /// The smallest interval that holds both.
  package func hull(_ other: Self) -> Self {
    Self(from: min(from, other.from), to: max(to, other.to))
  }

  /// The pixels of a row in the interval.
  ///
  /// - Parameter outward: whether a pixel next to the interval counts as well.
  package func pixels(outward: Bool, in row: Range<Int>) -> Range<Int> {
    guard from <= to else { return row.lowerBound..<row.lowerBound }
    let first = outward ? from.rounded(.down) : from.rounded(.up)
    let last = outward ? to.rounded(.up) : to.rounded(.down)
    let low = Int(max(Double(row.lowerBound), min(Double(row.upperBound), first)))
    let high = Int(max(Double(row.lowerBound), min(Double(row.upperBound), last + 1)))
    return low..<max(low, high)
  }
}
