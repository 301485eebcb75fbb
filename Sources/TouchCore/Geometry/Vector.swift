/// A way from one place to another, or a speed, in the coordinate space that its type names.
@frozen
public struct Vector<Space>: Hashable, Sendable {
  /// To the right, in units of the space (a second, for a speed).
  public var x: Double
  /// Downwards, in units of the space (a second, for a speed).
  public var y: Double

  /// In units of the space (a second, for a speed).
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  @inlinable public static var zero: Self { Self(x: 0, y: 0) }

  /// In units of the space.
  @inlinable public var length: Double { (x * x + y * y).squareRoot() }

  /// How far `other` is turned from this vector, clockwise on a screen, from −π to π; zero where one has no length.
  public func angle(to other: Self) -> Double {
    arctangent(y: x * other.y - y * other.x, x: x * other.x + y * other.y)
  }

  /// Both ways, one after the other; or two speeds that add up.
  @inlinable
  public static func + (left: Self, right: Self) -> Self { Self(x: left.x + right.x, y: left.y + right.y) }
}

/// A way or a speed in a view's bounds space.
public typealias LocalVector = Vector<LocalSpace>
/// A way or a speed in window space.
public typealias WindowVector = Vector<WindowSpace>

extension Point {
  /// The way from `start` to this point.
  @inlinable
  public func vector(from start: Self) -> Vector<Space> { Vector(x: x - start.x, y: y - start.y) }
}

extension View {
  /// A way across the window, as it is seen in this view's bounds space: turned and scaled, but not moved. Not a
  /// number where a transform on the way has no inverse.
  public final func convertFromWindow(_ vector: WindowVector) -> LocalVector {
    let end = convertFromWindow(WindowPoint(x: vector.x, y: vector.y))
    return end.vector(from: convertFromWindow(.zero))
  }
}

/// The angle of a vector from the x axis, from −π to π. The standard library has none, and the core imports nothing.
private func arctangent(y: Double, x: Double) -> Double {
  if x < 0 { return (y < 0 ? -Double.pi : Double.pi) - arctangent(y: y, x: -x) }
  let length = (x * x + y * y).squareRoot()
  guard length > 0 else { return 0 }
  // The tangent of an eighth of the angle is at most 0.199, where eleven terms of the series are exact.
  var tangent = y / (length + x)
  for _ in 0..<2 { tangent /= 1 + (1 + tangent * tangent).squareRoot() }
  let square = tangent * tangent
  var sum = 0.0
  for term in stride(from: 21, through: 1, by: -2) { sum = 1 / Double(term) - square * sum }
  return 8 * tangent * sum
}
