/// An axis-aligned rectangle in the coordinate space that its type names.
@frozen
public struct Rect<Space>: Hashable, Sendable {
  /// The corner from which `size` extends.
  public var origin: Point<Space>
  /// The extent. A negative extent reaches back from the origin, as in `CGRect`.
  public var size: Size

  /// Makes a rectangle. Negative extents are kept as they are. (`CGRectStandardize` is not applied.)
  @inlinable
  public init(origin: Point<Space>, size: Size) { (self.origin, self.size) = (origin, size) }

  /// Makes a rectangle, in units of the space. Negative extents are kept as they are.
  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The empty rectangle at the origin. (`CGRectZero`.)
  @inlinable public static var zero: Self { Self(x: 0, y: 0, width: 0, height: 0) }

  /// The left edge, also where the width is negative. (`CGRectGetMinX`, and so on for the other edges and the
  /// middle.)
  @inlinable public var minX: Double { size.width < 0 ? origin.x + size.width : origin.x }
  /// The upper edge, also where the height is negative.
  @inlinable public var minY: Double { size.height < 0 ? origin.y + size.height : origin.y }
  /// The right edge.
  @inlinable public var maxX: Double { size.width < 0 ? origin.x : origin.x + size.width }
  /// The lower edge.
  @inlinable public var maxY: Double { size.height < 0 ? origin.y : origin.y + size.height }
  /// The middle between left and right.
  @inlinable public var midX: Double { origin.x + size.width / 2 }
  /// The middle between top and bottom.
  @inlinable public var midY: Double { origin.y + size.height / 2 }

  /// The width, never negative. (`CGRect.width`.)
  @inlinable public var width: Double { abs(size.width) }
  /// The height, never negative. (`CGRect.height`.)
  @inlinable public var height: Double { abs(size.height) }

  /// Whether the rectangle covers no area: its width or height is zero, or one of its numbers is NaN.
  @inlinable public var isEmpty: Bool { !(minX < maxX && minY < maxY) }

  /// Whether the point lies inside. The minimum edges belong to the rectangle, the maximum edges do not. A
  /// point that is not a number is outside. (`CGRectContainsPoint`.)
  @inlinable
  public func contains(_ point: Point<Space>) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether the two rectangles share any area.
  @inlinable
  public func intersects(_ other: Self) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// The area that both rectangles cover, or an empty rectangle.
  @inlinable
  public func intersection(_ other: Self) -> Self {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right && top < bottom else { return .zero }
    return Self(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that covers both. An empty one adds nothing.
  @inlinable
  public func union(_ other: Self) -> Self {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    return Self(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Returns the rectangle with the same centre and its sides moved inward; negative distances move them
  /// outward. A side that would be shorter than zero is zero. (`CGRect.insetBy(dx:dy:)`, which returns
  /// `CGRectNull` then.)
  ///
  /// - Parameters:
  ///   - dx: for the left and the right side, in units of the space.
  ///   - dy: for the upper and the lower side, in units of the space.
  public func insetBy(dx: Double, dy: Double) -> Self {
    let (width, height) = (max(0, width - 2 * dx), max(0, height - 2 * dy))
    return Self(x: midX - width / 2, y: midY - height / 2, width: width, height: height)
  }

  /// The rectangle grown outward by `margin` on every side, in units of the space.
  @inlinable
  package func outset(by margin: Double) -> Self {
    Self(
      x: minX - margin, y: minY - margin,
      width: maxX - minX + 2 * margin, height: maxY - minY + 2 * margin)
  }

  /// The point of the rectangle nearest to `point`. The maximum edges are outside the rectangle, so the
  /// result stays one representable step short of them; NaN stays NaN.
  @inlinable
  public func clamp(_ point: Point<Space>) -> Point<Space> {
    Point(
      x: point.x < minX ? minX : (point.x >= maxX ? max(minX, maxX.nextDown) : point.x),
      y: point.y < minY ? minY : (point.y >= maxY ? max(minY, maxY.nextDown) : point.y))
  }
}

/// Distances from the four edges of a rectangle, in units of the space in which they are used.
@frozen
public struct Insets: Hashable, Sendable {
  /// The distance at the top edge, in units of the space. `HitBehavior.slop` counts outward; so do the other
  /// three.
  public var top: Double
  /// The distance at the left edge, in units of the space.
  public var left: Double
  /// The distance at the bottom edge, in units of the space.
  public var bottom: Double
  /// The distance at the right edge, in units of the space.
  public var right: Double

  /// Makes insets, in UIKit's order, in units of the space in which they are used. (`UIEdgeInsets`.)
  @inlinable
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// No distance at any edge.
  @inlinable public static var zero: Self { Self(top: 0, left: 0, bottom: 0, right: 0) }
}

extension Rect {
  /// Returns the rectangle moved to the right and down. (`CGRect.offsetBy(dx:dy:)`.)
  ///
  /// - Parameters:
  ///   - dx: to the right, in units of the space.
  ///   - dy: down, in units of the space.
  public func offsetBy(dx: Double, dy: Double) -> Self {
    Self(origin: origin.offset(x: dx, y: dy), size: size)
  }

  /// Returns the rectangle with every side moved inward. A side that would be shorter than zero is zero.
  /// (`CGRect.inset(by:)`.)
  ///
  /// - Parameter insets: in units of the rectangle's space; negative ones move outward.
  public func inset(by insets: Insets) -> Self {
    Self(
      x: minX + insets.left, y: minY + insets.top, width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }

  /// Returns the rectangle with sides moved outward, exactly if at all; negative insets move inward.
  package func outset(by insets: Insets) -> Self {
    guard insets != .zero else { return self }
    return Self(
      x: minX - insets.left, y: minY - insets.top, width: maxX - minX + insets.left + insets.right,
      height: maxY - minY + insets.top + insets.bottom)
  }
}

extension Rect {
  var area: Double { (maxX - minX) * (maxY - minY) }
}
