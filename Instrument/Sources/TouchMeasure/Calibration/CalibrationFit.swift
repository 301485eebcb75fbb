import TouchCore

/// The affine calibration that brings touches nearest to their targets, by least squares for each axis.
package struct CalibrationFit: Hashable, Sendable {
  /// A touched place, as the device reports it, and its target. Both are on the panel, from 0 to 1.
  package struct Sample: Hashable, Sendable {
    /// The reported place, before any calibration.
    package var touched: Point<NormalizedSpace>
    package var target: Point<NormalizedSpace>

    /// Pairs a reported place with the middle of the cross, both from 0 to 1 over the panel.
    package init(touched: Point<NormalizedSpace>, target: Point<NormalizedSpace>) {
      (self.touched, self.target) = (touched, target)
    }
  }

  /// The matrix from reported positions to real ones. It has an inverse.
  package let matrix: AffineTransform
  /// The index of the sample that was left out, since all others fit well without it.
  package private(set) var outlier: Int?

  /// Returns nil when the touches lie on a line, or nearly: the other direction is then unknown.
  package init?(_ samples: [Sample]) {
    guard samples.count >= 3 else { return nil }
    let count = Double(samples.count)
    let middle = samples.reduce(into: (x: 0.0, y: 0.0)) {
      $0.x += $1.touched.x / count
      $0.y += $1.touched.y / count
    }
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0
    // The targets' sums against x, y and 1, for each axis of the target.
    var toX = (x: 0.0, y: 0.0, one: 0.0)
    var toY = (x: 0.0, y: 0.0, one: 0.0)
    for sample in samples {
      let x = sample.touched.x - middle.x
      let y = sample.touched.y - middle.y
      xx += x * x
      xy += x * y
      yy += y * y
      toX = (toX.x + x * sample.target.x, toX.y + y * sample.target.x, toX.one + sample.target.x)
      toY = (toY.x + x * sample.target.y, toY.y + y * sample.target.y, toY.one + sample.target.y)
    }
    let determinant = xx * yy - xy * xy
    // A spread of a hundredth of the panel in the narrowest direction is too little.
    guard determinant > 0.0001 * (xx + yy) * count else { return nil }
    let a = (toX.x * yy - toX.y * xy) / determinant
    let c = (toX.y * xx - toX.x * xy) / determinant
    let b = (toY.x * yy - toY.y * xy) / determinant
    let d = (toY.y * xx - toY.x * xy) / determinant
    matrix = AffineTransform(
      a: a, b: b, c: c, d: d, tx: toX.one / count - a * middle.x - c * middle.y,
      ty: toY.one / count - b * middle.x - d * middle.y)
    guard matrix.inverse != nil else { return nil }
  }

  /// Fits as `init(_:)` does, without the one sample that spoils the others in pixels.
  fileprivate static func rejectingOutlier(_ samples: [Sample], size: Size) -> Self? {
    // The error of a careful finger: 7 pixels of 1280×800.
    let limit = 0.005 * size.diagonal
    let whole = Self(samples)
    if let whole, whole.error(of: samples, size: size) <= limit { return whole }
    var best: (index: Int, error: Double, fit: Self)?
    var secondError = Double.infinity
    for index in samples.indices {
      var others = samples
      others.remove(at: index)
      guard let fit = Self(others) else { continue }
      let error = fit.error(of: others, size: size)
      if error < best?.error ?? .infinity {
        secondError = best?.error ?? .infinity
        best = (index, error, fit)
      } else {
        secondError = min(secondError, error)
      }
    }
    // Only if the outlier is clear.
    guard var best, best.error <= limit, best.error * 3 <= secondError else { return whole }
    best.fit.outlier = best.index
    return best.fit
  }

  /// Returns the distance of a touch from its target after the calibration, in pixels.
  package func distance(of sample: Sample, size: Size) -> Double {
    Self.distance(from: matrix.map(sample.touched), to: sample.target, size: size)
  }

  /// Returns the root of the mean square of the samples' distances, in pixels.
  func error(of samples: [Sample], size: Size) -> Double {
    let squares = samples.reduce(0.0) { sum, sample in
      let distance = distance(of: sample, size: size)
      return sum + distance * distance
    }
    return (squares / Double(max(1, samples.count))).squareRoot()
  }

  static func distance(
    from: Point<NormalizedSpace>, to: Point<NormalizedSpace>, size: Size
  ) -> Double {
    Size(width: (to.x - from.x) * size.width, height: (to.y - from.y) * size.height).diagonal
  }
}

extension Size {
  var diagonal: Double { (width * width + height * height).squareRoot() }
}

/// The result of five touches and a check point.
package struct CalibrationResult: Sendable {
  package enum Rejection: Hashable, Sendable {
    case line
    /// No calibration brings the touches near their targets; the error in pixels.
    case scattered(Double)
    /// The check point is too far off with the calibration; its distance in pixels.
    case checkIsOff(Double)
    /// The check point is farther off with the calibration than without one; the distances in pixels.
    case worseThanNone(with: Double, without: Double)
  }

  /// The calibration; nil when the touches lie on a line.
  package let fit: CalibrationFit?
  /// The distances of the touches from their targets after the calibration, in pixels; the outlier's too.
  package let distances: [Double]
  /// The root of the mean square of the distances without the outlier's, in pixels.
  package let error: Double
  /// The distance of the check point with the calibration, in pixels.
  package let checkWith: Double
  /// The distance of the check point without the calibration, in pixels.
  package let checkWithout: Double
  /// The reason why the calibration must not be used; nil if it may.
  package let rejection: Rejection?

  /// Fits the touches, and checks by another one, in pixels of the panel's size.
  package init(_ samples: [CalibrationFit.Sample], check: CalibrationFit.Sample, size: Size) {
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
    rejection =
      fit == nil ? .line : Self.rejection(error: error, with: with, without: without, diagonal: size.diagonal)
  }

  private static func rejection(
    error: Double, with: Double, without: Double, diagonal: Double
  ) -> Rejection? {
    if error > 0.03 * diagonal { return .scattered(error) }
    // Half a pixel is rounding.
    if with > without + 0.5 { return .worseThanNone(with: with, without: without) }
    if with > 0.05 * diagonal { return .checkIsOff(with) }
    return nil
  }
}
