import TouchCore

/// A rectangle with rounded corners under any affine transform, as pixels see it: how much of each pixel it covers.
///
/// The answer depends on the shape and the pixel alone, never on what part of the display is being painted, so
/// painting a part gives the pixels that painting the whole gives.
struct Shape {
  /// Half the size, in the shape's own units.
  private let halfWidth: Double
  private let halfHeight: Double
  /// The corners' radii along the shape's own axes.
  private let radiusX: Double
  private let radiusY: Double
  /// From a pixel's centre to the shape's own axes, with the shape's centre as origin: u and v.
  private let axes: AffineTransform
  /// How far u and v go in one pixel, at most: the width of the blur that smooths the edges.
  private let stepU: Double
  private let stepV: Double

  /// The pixels that the shape can touch.
  let pixels: PixelRect
  /// Whether the shape is exactly `pixels`: every one covered wholly, no other touched.
  let isExact: Bool

  /// An edge that is this near to a pixel's border lies on it. The error is below what 8 bits can show.
  private static let snap = 1.0 / 512

  /// - Parameters:
  ///   - rect: in local units.
  ///   - radiusX: the corners' radius along x, in local units; more than half the size counts as half.
  ///   - radiusY: the same along y.
  ///   - displayFromLocal: from local units to physical pixels.
  /// - Returns: nil for a shape that covers nothing: an empty rectangle, a number that is none, or a transform
  ///   that flattens everything.
  init?(_ rect: LocalRect, radiusX: Double = 0, radiusY: Double = 0, displayFromLocal: AffineTransform) {
    guard !rect.isEmpty, let inverse = displayFromLocal.inverse else { return nil }
    halfWidth = (rect.maxX - rect.minX) / 2
    halfHeight = (rect.maxY - rect.minY) / 2
    guard halfWidth.isFinite, halfHeight.isFinite else { return nil }
    let isRound = radiusX > 0 && radiusY > 0
    self.radiusX = isRound ? min(radiusX, halfWidth) : 0
    self.radiusY = isRound ? min(radiusY, halfHeight) : 0
    // A pixel's centre is half a pixel from its corner, on both axes.
    axes = AffineTransform.translation(x: 0.5, y: 0.5).then(inverse).then(
      .translation(x: -(rect.minX + halfWidth), y: -(rect.minY + halfHeight)))
    stepU = Self.length(inverse.a, inverse.c)
    stepV = Self.length(inverse.b, inverse.d)
    let bounding: Rect<DisplaySpace> = displayFromLocal.bounding(rect)
    pixels = PixelRect(covering: bounding, sliver: Self.snap)
    guard !pixels.isEmpty else { return nil }
    let isUpright =
      displayFromLocal.b == 0 && displayFromLocal.c == 0 || displayFromLocal.a == 0 && displayFromLocal.d == 0
    isExact =
      isUpright && !isRound && Self.isNear(bounding.minX, pixels.minX)
      && Self.isNear(bounding.minY, pixels.minY)
      && Self.isNear(bounding.maxX, pixels.maxX) && Self.isNear(bounding.maxY, pixels.maxY)
  }

  /// How much of the pixel is covered, 0 … 255.
  func coverage(x: Int, y: Int) -> UInt32 {
    guard pixels.contains(x: x, y: y) else { return 0 }
    if isExact { return 255 }
    let (px, py) = (Double(x), Double(y))
    let u = axes.a * px + axes.c * py + axes.tx
    let v = axes.b * px + axes.d * py + axes.ty
    return UInt32(255 * max(0, min(1, coverage(u: u, v: v))) + 0.5)
  }

  /// The part of the row's pixels that can be touched, and the part that is wholly covered, as x ranges.
  func spans(y: Int) -> (touched: Range<Int>, full: Range<Int>) {
    guard y >= pixels.minY && y < pixels.maxY else { return (0..<0, 0..<0) }
    let row = pixels.minX..<pixels.maxX
    if isExact { return (row, row) }
    let u = Line(slope: axes.a, start: axes.c * Double(y) + axes.tx)
    let v = Line(slope: axes.b, start: axes.d * Double(y) + axes.ty)
    let touched = u.within(halfWidth + stepU / 2).intersection(v.within(halfHeight + stepV / 2))
    // Between the corners the shape is full up to its edges. Both parts lie in one convex shape, so what lies
    // between them does too.
    let wide = u.within(halfWidth - stepU / 2).intersection(v.within(halfHeight - max(radiusY, stepV / 2)))
    let tall = u.within(halfWidth - max(radiusX, stepU / 2)).intersection(v.within(halfHeight - stepV / 2))
    return (touched.pixels(outward: true, in: row), wide.hull(tall).pixels(outward: false, in: row))
  }

  private func coverage(u: Double, v: Double) -> Double {
    let cornerU = abs(u) - (halfWidth - radiusX)
    let cornerV = abs(v) - (halfHeight - radiusY)
    guard radiusX > 0, cornerU > 0, cornerV > 0 else {
      return Self.overlap(u, halfWidth, stepU) * Self.overlap(v, halfHeight, stepV)
    }
    // Distance to the ellipse, to first order: its implicit function over its own slope in pixels.
    let nu = cornerU / radiusX
    let nv = cornerV / radiusY
    let radius = (nu * nu + nv * nv).squareRoot()
    let slopeU = nu / (radius * radiusX) * (u < 0 ? -1 : 1)
    let slopeV = nv / (radius * radiusY) * (v < 0 ? -1 : 1)
    let slope = Self.length(slopeU * axes.a + slopeV * axes.b, slopeU * axes.c + slopeV * axes.d)
    return (1 - radius) / slope + 0.5
  }

  /// The part of a window of width `step` around `position` that lies in -half … half.
  private static func overlap(_ position: Double, _ half: Double, _ step: Double) -> Double {
    max(0, min(position + step / 2, half) - max(position - step / 2, -half)) / step
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  private static func isNear(_ edge: Double, _ pixel: Int) -> Bool { abs(edge - Double(pixel)) <= snap }
}

/// A coordinate that grows evenly along a row of pixels.
private struct Line {
  var slope: Double
  var start: Double

  /// Where the coordinate lies in -limit … limit.
  func within(_ limit: Double) -> Interval {
    guard limit >= 0 else { return .none }
    // Slower than this, a whole display changes it by less than can be seen.
    guard abs(slope) > 1e-12 else { return abs(start) <= limit ? .all : .none }
    let first = (-limit - start) / slope
    let second = (limit - start) / slope
    return Interval(from: min(first, second), to: max(first, second))
  }
}

/// Positions along a row of pixels, both ends in.
private struct Interval {
  var from: Double
  var to: Double

  static var none: Self { Self(from: .infinity, to: -.infinity) }
  static var all: Self { Self(from: -.infinity, to: .infinity) }

  func intersection(_ other: Self) -> Self {
    let both = Self(from: max(from, other.from), to: min(to, other.to))
    return both.from <= both.to ? both : .none
  }

  func hull(_ other: Self) -> Self {
    Self(from: min(from, other.from), to: max(to, other.to))
  }

  /// The pixels of a row in the interval.
  ///
  /// - Parameter outward: whether a pixel next to the interval counts as well.
  func pixels(outward: Bool, in row: Range<Int>) -> Range<Int> {
    guard from <= to else { return row.lowerBound..<row.lowerBound }
    let first = outward ? from.rounded(.down) : from.rounded(.up)
    let last = outward ? to.rounded(.up) : to.rounded(.down)
    let low = Int(max(Double(row.lowerBound), min(Double(row.upperBound), first)))
    let high = Int(max(Double(row.lowerBound), min(Double(row.upperBound), last + 1)))
    return low..<max(low, high)
  }
}
