/// A 2×3 matrix with `CGAffineTransform`'s layout: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
@frozen
public struct AffineTransform: Hashable, Sendable {
  /// The growth of x' with x. `a`, `b`, `c` and `d` have no unit.
  public var a: Double
  /// The growth of y' with x.
  public var b: Double
  /// The growth of x' with y.
  public var c: Double
  /// The growth of y' with y.
  public var d: Double
  /// The addend of x', in units of the space that is mapped to.
  public var tx: Double
  /// The addend of y', in units of the space that is mapped to.
  public var ty: Double

  /// Makes a matrix of its six numbers, in the order of `CGAffineTransform`.
  @inlinable
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    (self.tx, self.ty) = (tx, ty)
  }

  /// Maps every point to itself.
  @inlinable public static var identity: Self { Self(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Moves points to the right and down, in units of the space.
  @inlinable
  public static func translation(x: Double, y: Double) -> Self {
    Self(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// Scales about the origin; negative factors mirror.
  @inlinable
  public static func scale(x: Double, y: Double) -> Self {
    Self(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// Turns about the origin, clockwise as seen, since y grows downwards. Right angles are exact.
  public static func rotation(degrees: Double) -> Self {
    let quarters = (degrees / 90).rounded()
    // The rest is within half a right angle, where a few terms of the series are exact.
    let rest = (degrees - quarters * 90) * .pi / 180
    let (sine, cosine) = (series(rest, from: 1), series(rest, from: 0))
    return switch quarters.truncatingRemainder(dividingBy: 4) {
    case 1, -3: Self(a: -sine, b: cosine, c: -cosine, d: -sine, tx: 0, ty: 0)
    case 2, -2: Self(a: -cosine, b: -sine, c: sine, d: -cosine, tx: 0, ty: 0)
    case 3, -1: Self(a: sine, b: -cosine, c: cosine, d: sine, tx: 0, ty: 0)
    default: Self(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }
  }

  /// The sine (from 1) or the cosine (from 0) of an angle in radians, by its power series. The standard
  /// library has neither, and the core imports nothing.
  private static func series(_ angle: Double, from first: Int) -> Double {
    var sum = 0.0
    // Horner's rule, from the smallest term.
    for power in stride(from: first + 18, through: first + 2, by: -2) {
      sum = (1 + sum) * -(angle * angle) / Double(power * (power - 1))
    }
    return (first == 1 ? angle : 1) * (1 + sum)
  }

  /// Whether the matrix only moves points. Such a matrix is applied by addition alone, so that integers
  /// stay integers.
  @inlinable public var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }

  /// The factor by which areas grow; negative for a matrix that mirrors, zero for one without an inverse.
  @inlinable public var determinant: Double { a * d - b * c }

  /// The matrix that applies `self` first and `next` to its result.
  @inlinable
  public func then(_ next: Self) -> Self {
    if isTranslation && next.isTranslation { return .translation(x: tx + next.tx, y: ty + next.ty) }
    return Self(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b,
      c: next.a * c + next.c * d, d: next.b * c + next.d * d,
      tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
  }

  /// The matrix that undoes this one, or nil if the determinant is zero or not finite.
  @inlinable
  public var inverse: Self? {
    if isTranslation { return tx.isFinite && ty.isFinite ? .translation(x: -tx, y: -ty) : nil }
    let determinant = determinant
    guard determinant.isFinite && determinant != 0 else { return nil }
    let inverse = Self(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    return inverse.isFinite ? inverse : nil
  }

  @inlinable var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// Maps a point of one space to the space that the caller names.
  @inlinable
  public func map<From, To>(_ point: Point<From>, to space: To.Type = To.self) -> Point<To> {
    if isTranslation { return Point(x: point.x + tx, y: point.y + ty) }
    return Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// The smallest axis-aligned rectangle that covers the image of `rect`.
  @inlinable
  public func bounding<From, To>(_ rect: Rect<From>, in space: To.Type = To.self) -> Rect<To> {
    if isTranslation {
      // The same sums as below, without the comparisons.
      let left = rect.minX + tx
      let top = rect.minY + ty
      return Rect(x: left, y: top, width: rect.maxX + tx - left, height: rect.maxY + ty - top)
    }
    let p = map(Point<From>(x: rect.minX, y: rect.minY), to: To.self)
    let q = map(Point<From>(x: rect.maxX, y: rect.minY), to: To.self)
    let r = map(Point<From>(x: rect.minX, y: rect.maxY), to: To.self)
    let s = map(Point<From>(x: rect.maxX, y: rect.maxY), to: To.self)
    let left = min(p.x, q.x, r.x, s.x)
    let top = min(p.y, q.y, r.y, s.y)
    return Rect(x: left, y: top, width: max(p.x, q.x, r.x, s.x) - left, height: max(p.y, q.y, r.y, s.y) - top)
  }
}
