import TouchCore
import TouchViews

/// A rectangle with rounded corners under any affine transform.
package struct RoundedRect: Hashable {
  package let rect: LocalRect
  /// The corners' radii along the rectangle's sides, in local units; both are zero if the corners are square.
  package let radiusX: Double
  package let radiusY: Double
  /// The radii of differing corners, clockwise from the top left, else zero. The largest is in `radiusX`.
  package let radii: SIMD4<Float>
  package let displayFromLocal: AffineTransform

  package let pixels: PixelRect
  /// Whether the shape covers exactly `pixels`: each of them completely, and no others.
  package let isExact: Bool

  /// The distance in pixels within which an edge counts as on a boundary, unseen in 8 bits.
  package static let snap = 1.0 / 512

  /// - Parameters:
  ///   - rect: in local units.
  ///   - radiusX: the corners' radius along x, in local units; more than half the size counts as half.
  ///   - radiusY: the same along y.
  ///   - displayFromLocal: the transform from local units to physical pixels.
  /// - Returns: nil for a shape that covers nothing: an empty rectangle, a number that is not finite, or a
  ///   transform without an inverse.
  package init?(
    _ rect: LocalRect, radiusX: Double = 0, radiusY: Double = 0, displayFromLocal: AffineTransform
  ) {
    self.init(rect, radiusX: radiusX, radiusY: radiusY, radii: .zero, displayFromLocal: displayFromLocal)
  }

  /// Makes a shape of a rectangle and corners in local units, at most half of its shorter side, under a
  /// transform to pixels; nil as above.
  package init?(_ rect: LocalRect, corners: Corners, displayFromLocal: AffineTransform) {
    let largest = corners.largest
    guard !corners.isUniform else {
      self.init(rect, radiusX: largest, radiusY: largest, displayFromLocal: displayFromLocal)
      return
    }
    let most = min(rect.maxX - rect.minX, rect.maxY - rect.minY) / 2
    let radii = SIMD4(
      Float(corners.topLeft), Float(corners.topRight), Float(corners.bottomRight), Float(corners.bottomLeft)
    ).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: Float(max(0, most))))
    let radius = Double(radii.max())
    self.init(rect, radiusX: radius, radiusY: radius, radii: radii, displayFromLocal: displayFromLocal)
  }

  private init?(
    _ rect: LocalRect, radiusX: Double, radiusY: Double, radii: SIMD4<Float>,
    displayFromLocal: AffineTransform
  ) {
    let determinant = displayFromLocal.determinant
    guard !rect.isEmpty, determinant != 0, determinant.isFinite else { return nil }
    let bounding: Rect<DisplaySpace> = displayFromLocal.bounding(rect)
    guard bounding.minX.isFinite, bounding.maxX.isFinite, bounding.minY.isFinite, bounding.maxY.isFinite
    else { return nil }
    pixels = PixelRect(covering: bounding, sliver: Self.snap)
    guard !pixels.isEmpty else { return nil }
    let isRound = radiusX > 0 && radiusY > 0
    self.radiusX = isRound ? min(radiusX, (rect.maxX - rect.minX) / 2) : 0
    self.radiusY = isRound ? min(radiusY, (rect.maxY - rect.minY) / 2) : 0
    self.radii = radii
    self.rect = rect
    self.displayFromLocal = displayFromLocal
    let matrix = displayFromLocal
    let isUpright = matrix.b == 0 && matrix.c == 0 || matrix.a == 0 && matrix.d == 0
    isExact =
      isUpright && !isRound && Self.isNear(bounding.minX, pixels.minX)
      && Self.isNear(bounding.minY, pixels.minY) && Self.isNear(bounding.maxX, pixels.maxX)
      && Self.isNear(bounding.maxY, pixels.maxY)
  }

  /// Returns the same shape moved by whole pixels.
  package func moved(x: Int, y: Int) -> RoundedRect? {
    RoundedRect(
      rect, radiusX: radiusX, radiusY: radiusY, radii: radii,
      displayFromLocal: displayFromLocal.then(.translation(x: Double(x), y: Double(y))))
  }

  /// The pixels that are covered completely, between the corners; empty for a turned shape.
  package var inside: PixelRect {
    if isExact { return pixels }
    let matrix = displayFromLocal
    guard matrix.b == 0 && matrix.c == 0 || matrix.a == 0 && matrix.d == 0 else { return .empty }
    let box: Rect<DisplaySpace> = matrix.bounding(rect)
    let radius = abs(matrix.d * radiusY) + abs(matrix.b * radiusX)
    func whole(_ edge: Double) -> Int { Int(max(-PixelRect.farthest, min(PixelRect.farthest, edge))) }
    return PixelRect(
      minX: whole((box.minX - Self.snap).rounded(.up)),
      minY: whole((box.minY + radius - Self.snap).rounded(.up)),
      maxX: whole((box.maxX + Self.snap).rounded(.down)),
      maxY: whole((box.maxY - radius + Self.snap).rounded(.down)))
  }

  /// Whether its coverage is the same after whole pixels: sums of 1/1024 are not rounded.
  package var movesExactly: Bool {
    let matrix = displayFromLocal
    func isExact(_ number: Double) -> Bool {
      abs(number) < 0x1p20 && (number * 1024).rounded() == number * 1024
    }
    return matrix.isTranslation && isExact(matrix.tx) && isExact(matrix.ty) && isExact(rect.minX)
      && isExact(rect.minY)
  }

  package func covers(_ area: PixelRect) -> Bool { isExact && pixels.contains(area) }

  package func hash(into hasher: inout Hasher) {
    // The other properties follow from these. One number is hashed faster than eleven.
    var mixed: UInt64 = 0
    func mix(_ number: Double) {
      // Zero is added because -0 is the same number.
      mixed = (mixed ^ (number + 0).bitPattern) &* 0x9e37_79b9_7f4a_7c15
      mixed ^= mixed >> 32
    }
    mix(rect.origin.x)
    mix(rect.origin.y)
    mix(rect.size.width)
    mix(rect.size.height)
    mix(radiusX)
    mix(displayFromLocal.a)
    mix(displayFromLocal.b)
    mix(displayFromLocal.c)
    mix(displayFromLocal.d)
    mix(displayFromLocal.tx)
    mix(displayFromLocal.ty)
    hasher.combine(mixed)
  }

  private static func isNear(_ edge: Double, _ pixel: Int) -> Bool { abs(edge - Double(pixel)) <= snap }
}
