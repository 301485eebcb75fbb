import TouchCore

/// The coverage of each pixel by a shape, which does not depend on the part that is painted.
package struct Coverage {
  /// One of the shape's own axes, in the shape's units, with the shape's centre as origin.
  private struct Axis {
    var half, radius: Double
    /// The largest change of the coordinate in one pixel: the width of the blur that smooths the edges.
    var step: Double

    var straight: Double { half - radius }

    /// The part of a pixel at a coordinate that lies between the two edges.
    @inline(__always)
    func overlap(_ coordinate: Double) -> Double {
      max(0, min(coordinate + step / 2, half) - max(coordinate - step / 2, -half)) / step
    }
  }

  private let u, v: Axis
  /// The radii of corners that differ, as `RoundedRect` has them, and the smallest one.
  private let radii: SIMD4<Float>?
  private let smallest: Double
  /// The transform from a pixel to the coordinates of its centre on the two axes.
  private let axes: AffineTransform
  private let pixels: PixelRect
  private let isExact: Bool

  /// - Returns: nil for a shape whose transform has no finite inverse.
  package init?(_ shape: RoundedRect) {
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
    radii = shape.radii == .zero ? nil : shape.radii
    smallest = Double(shape.radii.min())
  }

  private func axes(radius: Double) -> (u: Axis, v: Axis) {
    var (u, v) = (u, v)
    (u.radius, v.radius) = (radius, radius)
    return (u, v)
  }

  /// Computes the coverage of the pixels of a row, 0 … 255, one value for each of `range`.
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

  /// Does the same as `cover`, and computes only the pixels at the edges of the shape.
  func coverEdges(_ range: Range<Int>, y: Int, into coverage: UnsafeMutablePointer<UInt8>) {
    let (touched, full) = spans(y: y)
    let (reached, inside) = (touched.clamped(to: range), full.clamped(to: range))
    guard !inside.isEmpty, inside.lowerBound >= reached.lowerBound, inside.upperBound <= reached.upperBound
    else { return cover(range, y: y, into: coverage) }
    func fill(_ columns: Range<Int>, _ value: UInt8) {
      (coverage + (columns.lowerBound - range.lowerBound)).update(repeating: value, count: columns.count)
    }
    func draw(_ columns: Range<Int>) {
      if !columns.isEmpty { cover(columns, y: y, into: coverage + (columns.lowerBound - range.lowerBound)) }
    }
    fill(range.lowerBound..<reached.lowerBound, 0)
    draw(reached.lowerBound..<inside.lowerBound)
    fill(inside, 255)
    draw(inside.upperBound..<reached.upperBound)
    fill(reached.upperBound..<range.upperBound, 0)
  }

  /// Returns the columns that the shape can touch, and those it covers. Between, `cover(_:y:into:)` tells.
  package func spans(y: Int) -> (touched: Range<Int>, full: Range<Int>) {
    guard y >= pixels.minY && y < pixels.maxY else { return (0..<0, 0..<0) }
    let row = pixels.minX..<pixels.maxX
    if isExact { return (row, row) }
    let rowU = RowCoordinate(slope: axes.a, start: axes.c * Double(y) + axes.tx)
    let rowV = RowCoordinate(slope: axes.b, start: axes.d * Double(y) + axes.ty)
    var touched = rowU.within(u.half + u.step / 2).intersection(rowV.within(v.half + v.step / 2))
    // Without corners the shape is a cross of two rectangles; it is convex, so rows have no gaps.
    let (insideU, insideV) = (u.half - u.step / 2, v.half - v.step / 2)
    var full = rowU.within(insideU).intersection(rowV.within(min(v.straight, insideV)))
      .hull(rowU.within(min(u.straight, insideU)).intersection(rowV.within(insideV)))
    if u.radius > 0 {
      // Of corners that differ, the smallest reaches farthest, and the largest leaves the most out.
      let (widestU, widestV) = radii == nil ? (u, v) : axes(radius: smallest)
      if rowV.slope == 0 {
        touched = touched.intersection(
          rowU.within(Self.reach(of: widestU, at: rowV.start, on: widestV, margin: 1)))
        full = full.hull(rowU.within(Self.reach(of: u, at: rowV.start, on: v, margin: -1)))
      } else if rowU.slope == 0 {
        touched = touched.intersection(
          rowV.within(Self.reach(of: widestV, at: rowU.start, on: widestU, margin: 1)))
        full = full.hull(rowV.within(Self.reach(of: v, at: rowU.start, on: u, margin: -1)))
      } else {
        full = full.hull(corners(rowU, rowV))
      }
    }
    return (touched.pixels(outward: true, in: row), full.pixels(outward: false, in: row))
  }

  /// Returns the reach along one axis at a coordinate on the other, `margin` pixels wider; negative for none.
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

  /// Nearly all of the covered part of a turned shape's corners: rectangles that end on the arcs.
  private func corners(_ rowU: RowCoordinate, _ rowV: RowCoordinate) -> Interval {
    var hull = Interval.none
    for point in Self.arc {
      let rectangle = rowU.within(u.straight + u.radius * point.cosine - u.step)
        .intersection(rowV.within(v.straight + v.radius * point.sine - v.step))
      hull = hull.hull(rectangle)
    }
    return hull
  }

  /// The covered part of the pixel at these coordinates; a little below 0 or above 1 far from the edge.
  @inline(__always)
  private func at(_ placeU: Double, _ placeV: Double) -> Double {
    guard let radii else { return at(placeU, placeV, u, v) }
    let corner = placeV < 0 ? (placeU < 0 ? 0 : 1) : (placeU < 0 ? 3 : 2)
    let (u, v) = axes(radius: Double(radii[corner]))
    return at(placeU, placeV, u, v)
  }

  @inline(__always)
  private func at(_ placeU: Double, _ placeV: Double, _ u: Axis, _ v: Axis) -> Double {
    let cornerU = abs(placeU) - u.straight
    let cornerV = abs(placeV) - v.straight
    guard u.radius > 0, cornerU > 0, cornerV > 0 else { return u.overlap(placeU) * v.overlap(placeV) }
    // The distance to the ellipse, to first order: its implicit function over its own slope in pixels.
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

/// A coordinate on one of the shape's axes as a linear function along a row of pixels.
private struct RowCoordinate {
  var slope: Double
  /// The coordinate at the row's pixel 0.
  var start: Double

  func within(_ limit: Double) -> Interval {
    guard limit >= 0 else { return .none }
    // With a smaller slope, the change over a whole display is invisible.
    guard abs(slope) > 1e-12 else { return abs(start) <= limit ? .all : .none }
    let first = (-limit - start) / slope
    let second = (limit - start) / slope
    return Interval(from: min(first, second), to: max(first, second))
  }
}

/// Positions along a row of pixels, both ends in.
private struct Interval {
  var from, to: Double

  static var none: Self { Self(from: .infinity, to: -.infinity) }
  static var all: Self { Self(from: -.infinity, to: .infinity) }

  func intersection(_ other: Self) -> Self {
    let both = Self(from: max(from, other.from), to: min(to, other.to))
    return both.from <= both.to ? both : .none
  }

  func hull(_ other: Self) -> Self { Self(from: min(from, other.from), to: max(to, other.to)) }

  /// The pixels of a row in the interval; outward with the pixels beside it.
  func pixels(outward: Bool, in row: Range<Int>) -> Range<Int> {
    guard from <= to else { return row.lowerBound..<row.lowerBound }
    let first = outward ? from.rounded(.down) : from.rounded(.up)
    let last = outward ? to.rounded(.up) : to.rounded(.down)
    let low = Int(max(Double(row.lowerBound), min(Double(row.upperBound), first)))
    let high = Int(max(Double(row.lowerBound), min(Double(row.upperBound), last + 1)))
    return low..<max(low, high)
  }
}
