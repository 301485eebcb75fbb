import TouchCore
import TouchPixels

/// The marker under a finger: a translucent disc in the highlight's colour with a light ring, and a dark line around
/// that so that it shows on white too.
struct MarkerPicture {
  let color: Color
  /// For a finger at display point (0, 0); nil when it cannot be drawn.
  let picture: Target?

  /// The disc's share of the colour's opacity, of 255.
  private static let discPart: UInt32 = 84
  private static let ring = Color(red: 255, green: 255, blue: 255, alpha: 235)
  private static let ringWidth = 2.0
  private static let rim = Color(red: 0, green: 0, blue: 0, alpha: 96)
  private static let rimWidth = 1.0

  /// Draws the marker for a display, once a colour.
  init(color: Color, displayFromWindow: AffineTransform) {
    self.color = color
    picture = Self.draw(color, displayFromWindow)
  }

  private static func draw(_ color: Color, _ displayFromWindow: AffineTransform) -> Target? {
    // The finger's place is taken down to a whole pixel, so the marker's middle is that of the pixel.
    var matrix = displayFromWindow
    (matrix.tx, matrix.ty) = (0.5, 0.5)
    func disc(_ radius: Double) -> Shape? {
      let square = LocalRect(x: -radius, y: -radius, width: 2 * radius, height: 2 * radius)
      return Shape(square, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    }
    let radius = Highlights.markerRadius
    guard
      let rimDisc = disc(radius + rimWidth), let ringDisc = disc(radius),
      let inside = disc(radius - ringWidth),
      let compositor = try? Compositor(area: rimDisc.pixels),
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
