package enum PanelPlace: Sendable {
  case segment(PanelPoint, PanelPoint)
  case circle(PanelPoint, radius: Double)
  case cross(PanelPoint)
}

package struct JudgedFigure: Sendable {
  package var measure: Measure
  /// The value in the measure's unit; nil if it could not be measured.
  package var value: Double?
  /// The standard error of the value, in the same unit; nil for a value that is measured and not estimated.
  package var error: Double?
  /// The part of the value that the device's units may add, in the same unit.
  package var grain = 0.0
  /// The least and largest possible value in the same unit; nil if that is the value.
  package var least: Double?
  package var most: Double?
  /// The distance in millimetres by which one unit of the figure moves a point at the panel's edge.
  package var reach: Double?
  /// The limit in the measure's unit; nil if the profile has none.
  package var limit: Double?
  package var tolerance = 0.0
  /// The result; nil without a limit.
  package var result: Conformity?
  /// The reason of a figure that is undecided or not measured: a sentence without its end.
  package var reason: String?
  package var place: PanelPlace?

  /// The standard errors on each side of an estimate's 95 % interval. (GUM, 6.2.1: k = 2.)
  package static let coverage = 2.0

  /// Half of the interval of an estimate, in the measure's unit; nil for a value that is no estimate.
  package var uncertainty: Double? { error.map { Self.coverage * $0 } }

  /// The interval that holds the true value, in the measure's unit; nil without a value.
  package var interval: ClosedRange<Double>? {
    guard let value else { return nil }
    guard let uncertainty else {
      return max(0, min(value, least ?? value) - grain)...max(value, most ?? value)
    }
    return max(0, value - uncertainty)...(value + uncertainty)
  }

  /// The score: 1 if it conforms, 0 from the tolerance beyond the limit; nil if undecided.
  package var score: Double? {
    guard let limit, let interval, result == .conforms || result == .doesNotConform else { return nil }
    let nearest = measure.isLeast ? interval.upperBound : interval.lowerBound
    return Limit.score(nearest, limit: limit, tolerance: tolerance, isLeast: measure.isLeast)
  }

  mutating func decide(by limit: Double, tolerance: Double) {
    (self.limit, self.tolerance) = (limit, tolerance)
    guard let interval else {
      result = .notMeasured
      return
    }
    // A millionth allows for the rounding of binary sums.
    let (least, most) = (interval.lowerBound, interval.upperBound)
    let isWithin = measure.isLeast ? least >= limit - 1e-6 : most <= limit + 1e-6
    let isBeyond = measure.isLeast ? most < limit - 1e-6 : least > limit + 1e-6
    result = isWithin ? .conforms : isBeyond ? .doesNotConform : .undecided
  }
}
