import TouchCore

/// The affine calibration that brings touches as near to their targets as one can: least squares, each axis by itself.
public struct CalibrationFit: Hashable, Sendable {
  /// A place that was touched, as the device reports it, and where it really is. Both on the panel, from 0 to 1.
  public struct Sample: Hashable, Sendable {
    /// Where the device says it was touched, before any calibration.
    public var touched: Point<NormalizedSpace>
    /// Where the middle of the cross is.
    public var target: Point<NormalizedSpace>

    /// Both from 0 to 1 over the panel.
    public init(touched: Point<NormalizedSpace>, target: Point<NormalizedSpace>) {
      self.touched = touched
      self.target = target
    }
  }

  /// From what the device reports to where that is. It has an inverse.
  public let matrix: AffineTransform
  /// The sample that was left out, since all the others fit well without it.
  public private(set) var outlier: Int?

  /// Nil when the touches lie on a line, or nearly: nothing can be said of the other direction then.
  public init?(_ samples: [Sample]) {
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
    // A spread of a hundredth of the panel in the narrowest direction is too little to build on.
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

  /// As `init(_:)`, but one sample that spoils the others is left out.
  ///
  /// - Parameter size: the panel's size in pixels, by which errors are measured.
  public static func rejectingOutlier(_ samples: [Sample], size: Size) -> Self? {
    // What a finger is off that means well: 7 pixels of 1280×800.
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
    // Only where it is clear which one it is.
    guard var best, best.error <= limit, best.error * 3 <= secondError else { return whole }
    best.fit.outlier = best.index
    return best.fit
  }

  /// How far from its target a touch is after the calibration, in pixels.
  public func distance(of sample: Sample, size: Size) -> Double {
    Self.distance(from: matrix.map(sample.touched), to: sample.target, size: size)
  }

  /// The samples' distances, the root of their mean square, in pixels.
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
