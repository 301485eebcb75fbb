import TouchCore

/// How much of each pixel a shape covers.
///
/// The answer depends on the shape and the pixel alone, never on what part of the display is being painted, so
/// painting a part gives the pixels that painting the whole gives.
package struct Coverage {
  /// One of the shape's own two axes, with the shape's middle as origin, in the shape's own units.
  private struct Axis {
    /// Half the shape's size.
    var half: Double
    /// The corners' radius.
    var radius: Double
    /// How far the coordinate goes in one pixel, at most: the width of the blur that smooths the edges.
    var step: Double

    /// Up to where there are no corners.
    var straight: Double { half - radius }

    /// The part of a pixel at a coordinate that lies between the two edges.
    @inline(__always)
    func overlap(_ coordinate: Double) -> Double {
      max(0, min(coordinate + step / 2, half) - max(coordinate - step / 2, -half)) / step
    }
  }

  private let u: Axis
  private let v: Axis
  /// From a pixel to the coordinates of its centre on the two axes.
  private let axes: AffineTransform
  private let pixels: PixelRect
  private let isExact: Bool

  /// - Returns: nil for a shape whose transform has no inverse that can be computed with.
  package init?(_ shape: Shape) {
    guard let inverse = shape.displayFromLocal.inverse else { return nil }
    let rect = shape.rect
    let halfWidth = (rect.maxX - rect.minX) / 2
    let halfHeight = (rect.maxY - rect.minY) / 2
    u = Axis(half: halfWidth, radius: shape.radiusX, step: Self.length(inverse.a, inverse.c))
    v = Axis(half: halfHeight, radius: shape.radiusY, step: Self.length(inverse.b, inverse.d))
    // A pixel's centre is half a pixel from its corner, on both axes.
    axes = AffineTransform.translation(x: 0.5, y: 0.5).then(inverse).then(
      .translation(x: -(rect.minX + halfWidth), y: -(rect.minY + halfHeight)))
    pixels = shape.pixels
    isExact = shape.isExact
  }

  /// How much of each pixel of a row is covered, 0 … 255.
  ///
  /// - Parameter coverage: takes one value for each pixel of `range`.
  package func cover(_ range: Range<Int>, y: Int, into coverage: UnsafeMutablePointer<UInt8>) {
    let reached = y >= pixels.minY && y < pixels.maxY ? range.clamped(to: pixels.minX..<pixels.maxX) : 0..<0
    if reached != range { coverage.update(repeating: 0, count: range.count) }
    guard !reached.isEmpty else { return }
    let part = coverage + (reached.lowerBound - range.lowerBound)
    if isExact { return part.update(repeating: 255, count: reached.count) }
    let startU = axes.c * Double(y) + axes.tx
    let startV = axes.d * Double(y) + axes.ty
    for x in reached {
      let covered = at(axes.a * Double(x) + startU, axes.b * Double(x) + startV)
      part[x - reached.lowerBound] = UInt8(255 * max(0, min(1, covered)) + 0.5)
    }
  }

  /// The part of the row's pixels that can be touched, and the part that is wholly covered, as x ranges. What
  /// lies between them has to be asked for pixel by pixel.
  package func spans(y: Int) -> (touched: Range<Int>, full: Range<Int>) {
    guard y >= pixels.minY && y < pixels.maxY else { return (0..<0, 0..<0) }
    let row = pixels.minX..<pixels.maxX
    if isExact { return (row, row) }
    let lineU = Line(slope: axes.a, start: axes.c * Double(y) + axes.tx)
    let lineV = Line(slope: axes.b, start: axes.d * Double(y) + axes.ty)
    var touched = lineU.within(u.half + u.step / 2).intersection(lineV.within(v.half + v.step / 2))
    // Without its corners the shape is a cross of two rectangles. Everything here lies in one convex shape, so
    // what lies between two covered pixels of a row is covered too.
    let (insideU, insideV) = (u.half - u.step / 2, v.half - v.step / 2)
    var full = lineU.within(insideU).intersection(lineV.within(min(v.straight, insideV)))
      .hull(lineU.within(min(u.straight, insideU)).intersection(lineV.within(insideV)))
    if u.radius > 0 {
      if lineV.slope == 0 {
        touched = touched.intersection(lineU.within(Self.reach(of: u, at: lineV.start, on: v, margin: 1)))
        full = full.hull(lineU.within(Self.reach(of: u, at: lineV.start, on: v, margin: -1)))
      } else if lineU.slope == 0 {
        touched = touched.intersection(lineV.within(Self.reach(of: v, at: lineU.start, on: u, margin: 1)))
        full = full.hull(lineV.within(Self.reach(of: v, at: lineU.start, on: u, margin: -1)))
      } else {
        full = full.hull(corners(lineU, lineV))
      }
    }
    return (touched.pixels(outward: true, in: row), full.pixels(outward: false, in: row))
  }

  /// How far the shape reaches along one axis at a place on the other one, if it were `margin` pixels larger;
  /// below zero where it does not reach that place.
  private static func reach(of along: Axis, at place: Double, on across: Axis, margin: Double) -> Double {
    let height = abs(place) - across.straight
    guard height > 0 else { return along.half + margin * along.step }
    let radius = along.radius + margin * along.step
    let part = height / (across.radius + margin * across.step)
    guard radius > 0, part >= 0, part < 1 else { return -1 }
    return along.straight + radius * (1 - part * part).squareRoot()
  }

  /// Points on a quarter of a circle.
  private static let arc: [(cosine: Double, sine: Double)] = [(0.923, 0.382), (0.707, 0.707), (0.382, 0.923)]

  /// What is covered of a turned shape's corners, but for a little: the rectangles that end on the corners' arcs.
  private func corners(_ lineU: Line, _ lineV: Line) -> Interval {
    var hull = Interval.none
    for point in Self.arc {
      let rectangle = lineU.within(u.straight + u.radius * point.cosine - u.step)
        .intersection(lineV.within(v.straight + v.radius * point.sine - v.step))
      hull = hull.hull(rectangle)
    }
    return hull
  }

  /// The part of the pixel at a place on the two axes; a little below 0 or above 1 far from the edge.
  @inline(__always)
  private func at(_ placeU: Double, _ placeV: Double) -> Double {
    let cornerU = abs(placeU) - u.straight
    let cornerV = abs(placeV) - v.straight
    guard u.radius > 0, cornerU > 0, cornerV > 0 else { return u.overlap(placeU) * v.overlap(placeV) }
    // Distance to the ellipse, to first order: its implicit function over its own slope in pixels.
    let partU = cornerU / u.radius
    let partV = cornerV / v.radius
    let radius = (partU * partU + partV * partV).squareRoot()
    let slopeU = partU / (radius * u.radius) * (placeU < 0 ? -1 : 1)
    let slopeV = partV / (radius * v.radius) * (placeV < 0 ? -1 : 1)
    let slope = Self.length(slopeU * axes.a + slopeV * axes.b, slopeU * axes.c + slopeV * axes.d)
    return (1 - radius) / slope + 0.5
  }

  @inline(__always)
  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
