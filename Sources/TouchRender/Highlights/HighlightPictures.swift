import TouchCore
import TouchPixels
import TouchViews

/// The marker under a finger: a translucent disc with a light ring, and a dark line for white.
struct MarkerPicture {
  let color: Color
  let picture: Target?

  /// The disc's share of the colour's opacity, of 255.
  private static let discPart: UInt32 = 84
  private static let ring = Color(red: 255, green: 255, blue: 255, alpha: 235)
  private static let ringWidth = 2.0
  private static let rim = Color(red: 0, green: 0, blue: 0, alpha: 96)
  private static let rimWidth = 1.0

  /// Draws the marker for a display, once for each colour.
  init(color: Color, displayFromWindow: AffineTransform) {
    self.color = color
    picture = Self.draw(color, displayFromWindow)
  }

  private static func draw(_ color: Color, _ displayFromWindow: AffineTransform) -> Target? {
    // The finger's location is rounded down to a whole pixel, so the marker's centre is that of the pixel.
    var matrix = displayFromWindow
    (matrix.tx, matrix.ty) = (0.5, 0.5)
    func disc(_ radius: Double) -> RoundedRect? {
      let square = LocalRect(x: -radius, y: -radius, width: 2 * radius, height: 2 * radius)
      return RoundedRect(square, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    }
    let radius = Highlights.markerRadius
    guard let rimDisc = disc(radius + rimWidth), let ringDisc = disc(radius),
      let inside = disc(radius - ringWidth), let compositor = try? Compositor(area: rimDisc.pixels),
      let surface = try? Surface(width: rimDisc.pixels.width, height: rimDisc.pixels.height)
    else { return nil }
    let target = Target(surface: surface, originX: rimDisc.pixels.minX, originY: rimDisc.pixels.minY)
    var faint = color
    faint.alpha = UInt8(Color.multiply(UInt32(color.alpha), discPart))
    compositor.fill(inside, with: .color(faint.premultiplied()), clip: target.area, on: target)
    compositor.fill(
      rimDisc, without: ringDisc, with: .color(rim.premultiplied()), clip: target.area, on: target)
    compositor.fill(
      ringDisc, without: inside, with: .color(ring.premultiplied()), clip: target.area, on: target)
    return target
  }
}

/// The pointer: a white arrow with a dark edge and its hot spot at the tip.
enum PointerPicture {
  /// The arrow's outline in window units, its tip first, at the hot spot.
  private static let outline: [(x: Double, y: Double)] = [
    (0, 0), (0, 19), (4.6, 14.9), (7.6, 21.9), (10.8, 20.5), (7.8, 13.7), (13.6, 13.4),
  ]
  private static let edgeWidth = 1.5
  private static let fill = Color(red: 255, green: 255, blue: 255)
  private static let edge = Color(red: 0x14, green: 0x18, blue: 0x1c)
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

  /// Returns a pixel of the arrow, with edges smoothed over the width of one pixel.
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

  /// Returns whether the point lies inside the arrow, by the even-odd rule.
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
