import TouchCore
import TouchPixels

/// The pointer: a white arrow with a dark edge, whose hot spot is its tip.
enum PointerPicture {
  /// The arrow's outline in window units, its tip first, at the hot spot.
  private static let outline: [(x: Double, y: Double)] = [
    (0, 0), (0, 19), (4.6, 14.9), (7.6, 21.9), (10.8, 20.5), (7.8, 13.7), (13.6, 13.4),
  ]
  private static let edgeWidth = 1.5
  private static let fill = Color(red: 255, green: 255, blue: 255)
  private static let edge = Color(red: 0x14, green: 0x18, blue: 0x1c)
  /// Draws the arrow for a display, once: as large and as turned as the canvas is.
  ///
  /// - Returns: the picture for a hot spot in display pixel (0, 0); nil when it cannot be drawn.
  static func make(displayFromWindow: AffineTransform) -> Target? {
    var matrix = displayFromWindow
    (matrix.tx, matrix.ty) = (0, 0)
    guard let inverse = matrix.inverse else { return nil }
    let size = Highlights.cursorSize
    let extent: Rect<DisplaySpace> = matrix.bounding(
      WindowRect(x: -1, y: -1, width: size.width + 1, height: size.height + 1))
    let area = PixelRect(covering: extent, sliver: 0)
    guard let surface = try? Surface(width: area.width, height: area.height) else { return nil }
    for y in 0..<area.height {
      for x in 0..<area.width {
        surface.pixels[y * area.width + x] = pixel(x + area.minX, y + area.minY, windowFromDisplay: inverse)
      }
    }
    return Target(surface: surface, originX: area.minX, originY: area.minY)
  }

  /// A pixel, its edges smoothed over the width of one pixel.
  private static func pixel(_ x: Int, _ y: Int, windowFromDisplay: AffineTransform) -> UInt32 {
    let center = Point<DisplaySpace>(x: Double(x) + 0.5, y: Double(y) + 0.5)
    let point: WindowPoint = windowFromDisplay.map(center)
    let pixelWidth = abs(windowFromDisplay.determinant).squareRoot()
    let depth = distanceToEdge(point) * (contains(point) ? 1 : -1)
    func part(deeperThan limit: Double) -> UInt32 {
      UInt32(255 * max(0, min(1, (depth - limit) / pixelWidth + 0.5)) + 0.5)
    }
    return over(
      fill.premultiplied(coverage: part(deeperThan: edgeWidth)),
      edge.premultiplied(coverage: part(deeperThan: 0)))
  }

  /// Whether the point lies inside the arrow, by the even-odd rule.
  private static func contains(_ point: WindowPoint) -> Bool {
    var inside = false
    var previous = outline[outline.count - 1]
    for corner in outline {
      if (corner.y > point.y) != (previous.y > point.y) {
        let x = corner.x + (point.y - corner.y) / (previous.y - corner.y) * (previous.x - corner.x)
        if point.x < x { inside.toggle() }
      }
      previous = corner
    }
    return inside
  }

  private static func distanceToEdge(_ point: WindowPoint) -> Double {
    var nearest = Double.infinity
    var previous = outline[outline.count - 1]
    for corner in outline {
      let (dx, dy) = (corner.x - previous.x, corner.y - previous.y)
      let along = ((point.x - previous.x) * dx + (point.y - previous.y) * dy) / (dx * dx + dy * dy)
      let part = max(0, min(1, along))
      nearest = min(
        nearest, point.distance(to: WindowPoint(x: previous.x + part * dx, y: previous.y + part * dy)))
      previous = corner
    }
    return nearest
  }
}
