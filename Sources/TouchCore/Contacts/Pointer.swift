/// Where relative mice point. All of them move the one pointer, which never leaves the window.
public struct Pointer: Sendable {
  /// The area that the pointer stays in, in window space.
  public var bounds: WindowRect { didSet { location = Self.clamp(location, to: bounds) } }
  /// In window space, always inside the bounds.
  public private(set) var location: WindowPoint

  /// Starts in the middle of the bounds.
  public init(bounds: WindowRect) {
    self.bounds = bounds
    location = Self.clamp(WindowPoint(x: bounds.midX.rounded(), y: bounds.midY.rounded()), to: bounds)
  }

  /// Moves by a mouse's own counts, one count to a window unit.
  mutating func move(x: Int32, y: Int32) {
    location = Self.clamp(
      WindowPoint(x: location.x + Double(x), y: location.y + Double(y)), to: bounds)
  }

  /// Stops on the last whole unit, so that the way back starts from a whole one.
  private static func clamp(_ point: WindowPoint, to bounds: WindowRect) -> WindowPoint {
    WindowPoint(
      x: min(max(point.x, bounds.minX), max(bounds.minX, bounds.maxX - 1)),
      y: min(max(point.y, bounds.minY), max(bounds.minY, bounds.maxY - 1)))
  }
}
