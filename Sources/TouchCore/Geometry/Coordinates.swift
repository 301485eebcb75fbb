/// The bounds space of one view: `bounds.origin` is its top-left corner, y grows downwards.
/// The same numbers mean different places in different views; `View.convert` goes between them.
public enum LocalSpace {}

/// The window's own bounds space, the canvas in which the whole tree is laid out.
public enum WindowSpace {}

/// A device's own axis units, as the kernel reports them.
package enum DeviceSpace {}

/// A device's axis range mapped to 0 … 1 on both axes, before and after calibration.
public enum NormalizedSpace {}

/// Physical pixels of the display, top-left first.
package enum DisplaySpace {}

/// A point in a view's bounds space.
public typealias LocalPoint = Point<LocalSpace>
/// A point in window space, in canvas units.
public typealias WindowPoint = Point<WindowSpace>
/// A rectangle in a view's bounds space.
public typealias LocalRect = Rect<LocalSpace>
/// A rectangle in window space, in canvas units.
public typealias WindowRect = Rect<WindowSpace>

/// A point in the coordinate space that its type names.
@frozen
public struct Point<Space>: Hashable, Sendable {
  /// The distance to the right of the space's origin, in units of the space.
  public var x: Double
  /// The distance below the space's origin, in units of the space.
  public var y: Double

  /// Makes a point, in units of the space.
  @inlinable
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The origin of the space.
  @inlinable public static var zero: Self { Self(x: 0, y: 0) }

  /// The result of a conversion through a transform without an inverse. Both coordinates are NaN, and every
  /// hit test on it misses.
  @inlinable public static var nowhere: Self { Self(x: .nan, y: .nan) }

  /// Whether both coordinates are numbers and neither is infinite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }

  /// The straight distance to `other`, in units of the space.
  @inlinable
  public func distance(to other: Self) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A width and a height, in the units of the space that they are used in.
@frozen
public struct Size: Hashable, Sendable {
  /// The extent to the right, in units of the space; may be negative, as in `CGSize`.
  public var width: Double
  /// The extent downwards, in units of the space; may be negative.
  public var height: Double

  /// Makes a size, in units of the space in which it is used.
  @inlinable
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  /// No extent.
  @inlinable public static var zero: Self { Self(width: 0, height: 0) }
}

/// A distance with a direction, or a speed, in the coordinate space that its type names.
@frozen
public struct Vector<Space>: Hashable, Sendable {
  /// The distance to the right, in units of the space; for a speed, in units a second.
  public var x: Double
  /// The distance downwards, in units of the space; for a speed, in units a second.
  public var y: Double

  /// Makes a vector, in units of the space; for a speed, in units a second.
  @inlinable
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// No distance, or no speed.
  @inlinable public static var zero: Self { Self(x: 0, y: 0) }

  /// The length of the vector, in units of the space.
  @inlinable public var length: Double { (x * x + y * y).squareRoot() }

  /// Returns the angle from this vector to `other`, clockwise on a screen, from −π to π; zero if one has no
  /// length.
  public func angle(to other: Self) -> Double {
    arctangent(y: x * other.y - y * other.x, x: x * other.x + y * other.y)
  }

  /// The sum of two distances or two speeds.
  @inlinable
  public static func + (left: Self, right: Self) -> Self { Self(x: left.x + right.x, y: left.y + right.y) }

  /// The difference of two distances or two speeds.
  @inlinable
  public static func - (left: Self, right: Self) -> Self { Self(x: left.x - right.x, y: left.y - right.y) }

  /// Whether both coordinates are numbers and neither is infinite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
}

/// A distance or a speed in a view's bounds space.
public typealias LocalVector = Vector<LocalSpace>
/// A distance or a speed in window space.
public typealias WindowVector = Vector<WindowSpace>

extension Point {
  /// The distance from `start` to this point.
  @inlinable
  public func vector(from start: Self) -> Vector<Space> { Vector(x: x - start.x, y: y - start.y) }
}

/// The angle of a vector from the x axis, from −π to π; the core imports nothing.
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

extension Int {
  /// Makes the whole part of a number that a program may choose freely, up to ±2⁵³, so that whole numbers can
  /// be added; NaN becomes 0.
  package init(saturating number: Double) {
    self = number.isNaN ? 0 : Int(Swift.max(-0x1p53, Swift.min(0x1p53, number)))
  }
}

extension Range<Int> {
  /// Returns the first index at which a condition does not hold, found by halves, of one that holds for all
  /// indices before it; the end where it holds for all.
  @inlinable
  package func partition(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Point {
  /// Returns the point moved to the right and down, in units of the space.
  package func offset(x: Double, y: Double) -> Self { Self(x: self.x + x, y: self.y + y) }
}
