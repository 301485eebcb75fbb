import TouchCore

/// What five touches and a check say of a panel.
public struct CalibrationResult: Sendable {
  /// Why there is no calibration that is of use.
  public enum Rejection: Hashable, Sendable {
    /// The touches lie on a line.
    case line
    /// No calibration brings the touches near their targets; in pixels.
    case scattered(Double)
    /// The check point is too far off with the calibration; in pixels.
    case checkIsOff(Double)
    /// The check point is farther off with the calibration than without one; in pixels.
    case worseThanNone(with: Double, without: Double)
  }

  /// Nil when the touches lie on a line.
  public let fit: CalibrationFit?
  /// How far from their targets the touches are after the calibration, in pixels; the outlier's too.
  public let distances: [Double]
  /// The root of the mean square of those that count, in pixels.
  public let error: Double
  /// How far off the check point is with the calibration, and without one, in pixels.
  public let checkWith: Double
  /// As `checkWith`, had the device been left as it was.
  public let checkWithout: Double
  /// Why the calibration must not be used; nil when it may.
  public let refusal: Rejection?

  /// - Parameters:
  ///   - samples: the touches that the calibration is made from.
  ///   - check: one that it is not made from.
  ///   - size: the panel's size in pixels.
  public init(_ samples: [CalibrationFit.Sample], check: CalibrationFit.Sample, size: Size) {
    let fit = CalibrationFit.rejectingOutlier(samples, size: size)
    let counted = samples.enumerated().filter { $0.offset != fit?.outlier }.map(\.element)
    let error = fit?.error(of: counted, size: size) ?? .infinity
    let with = fit?.distance(of: check, size: size) ?? .infinity
    let without = CalibrationFit.distance(from: check.touched, to: check.target, size: size)
    self.fit = fit
    self.error = error
    distances = samples.map { fit?.distance(of: $0, size: size) ?? .infinity }
    checkWith = with
    checkWithout = without
    refusal =
      fit == nil
      ? .line : Self.refusal(error: error, with: with, without: without, diagonal: size.diagonal)
  }

  private static func refusal(
    error: Double, with: Double, without: Double, diagonal: Double
  ) -> Rejection? {
    if error > 0.03 * diagonal { return .scattered(error) }
    // Half a pixel is rounding.
    if with > without + 0.5 { return .worseThanNone(with: with, without: without) }
    if with > 0.05 * diagonal { return .checkIsOff(with) }
    return nil
  }
}
