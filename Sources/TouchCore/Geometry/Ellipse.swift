/// The ellipse that touches the four sides of a rectangle.
public struct Ellipse<Space>: Hashable, Sendable {
  /// The rectangle whose sides touch the ellipse.
  public var rect: Rect<Space>

  /// Makes the ellipse in a rectangle. (`CGPath.init(ellipseIn:transform:)`.)
  public init(in rect: Rect<Space>) { self.rect = rect }

  /// Whether the point lies in the ellipse or on its edge, as far as the edge is in the rectangle.
  /// (`CGPath.contains(_:)`.)
  public func contains(_ point: Point<Space>) -> Bool {
    guard rect.contains(point) else { return false }
    return HitShape.isInUnitCircle(
      (point.x - rect.midX) / (rect.size.width / 2), (point.y - rect.midY) / (rect.size.height / 2))
  }
}

extension Rect {
  /// The ellipse that touches the four sides; a circle in a square.
  public var ellipse: Ellipse<Space> { Ellipse(in: self) }

  /// The middle of the rectangle.
  public var center: Point<Space> { Point(x: midX, y: midY) }
}
