/// A point in the coordinate space that its type names.
@frozen
public struct Point<Space>: Hashable, Sendable {
  /// Distance to the right of the space's origin, in units of the space.
  public var x: Double
  /// Distance below the space's origin, in units of the space.
  public var y: Double

  /// In units of the space.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The space's origin.
  @inlinable public static var zero: Self { Self(x: 0, y: 0) }

  /// A point that is nowhere: what a conversion through a transform without an inverse gives. Every hit
  /// test on it misses.
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

/// A width and a height, in the units of whatever space they are used in.
@frozen
public struct Size: Hashable, Sendable {
  /// To the right; may be negative, as in `CGSize`.
  public var width: Double
  /// Downwards; may be negative.
  public var height: Double

  /// In units of the space that it is used in.
  @inlinable
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  @inlinable public static var zero: Self { Self(width: 0, height: 0) }
}
