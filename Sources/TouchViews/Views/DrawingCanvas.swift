import TouchCore

/// The painting that a graphics context needs of the painting module. Coordinates are the drawing view's.
package protocol DrawingCanvas: AnyObject {
  // MARK: Shapes

  /// Fills a shape, or the part of it outside a hole.
  func fill(_ shape: DrawnShape, without hole: DrawnShape?, with paint: Paint)
  /// Fills a capsule at whole pixels, so that a moving one has one mask.
  func fillMoving(_ rect: LocalRect, with paint: Paint)
  /// Fills the part of a horizontal bar that lies in a rectangle as high as the bar. The cuts are at whole
  /// pixels.
  func fill(_ part: LocalRect, of bar: DrawnShape, with paint: Paint)
  /// Fills the pixels nearest to a rectangle.
  /// - Parameter isLine: whether it is at least one pixel high, and equally high at every place.
  func fillPixels(_ rect: LocalRect, isLine: Bool, with color: Color)
  /// Paints the shadow of an opaque capsule that `fillMoving` fills.
  /// - Parameter room: the rectangle that the shadow does not exceed.
  func drawShadow(_ shadow: Shadow, ofMoving rect: LocalRect, in room: LocalRect)

  // MARK: Paths

  /// Begins a path. Nothing else may be drawn until the path is.
  func beginPath()
  func move(to point: LocalPoint)
  func addLine(to point: LocalPoint)
  func addArc(_ arc: Arc)
  func addPath(_ path: Path)
  func closePath()
  /// Draws the path.
  /// - Parameter style: the style of the line; nil to fill the path.
  func drawPath(_ style: StrokeStyle?, with paint: Paint)

  // MARK: Texts and pictures

  func draw(_ text: String, _ style: TextStyle, in rect: LocalRect, _ room: TextRoom)
  func draw(_ title: Title, in rect: LocalRect)
  /// - Parameter rect: the square of the icon.
  /// - Parameter room: the visible part of the square.
  func draw(_ icon: Icon, _ color: Color, in rect: LocalRect, room: LocalRect)
  func draw(_ image: Image, _ mode: ImageView.Mode, in rect: LocalRect)
  func drawPicture(of view: ImageView)

  /// Returns the QR code of a text; nil for a text without one.
  func code(of text: String) -> CodeModules?

  // MARK: State

  func transform(by transform: AffineTransform, _ body: () -> Void)
  func clip(to shape: DrawnShape, _ body: () -> Void)
  /// Clips to the pixels nearest to a rectangle, or to all pixels that it touches.
  func clipToPixels(_ rect: LocalRect, isWide: Bool, _ body: () -> Void)
  func fade(to alpha: Double, _ body: () -> Void)

  // MARK: The display

  /// The bounding box of the painted pixels.
  var clipBox: LocalRect { get }
  /// The bounding box of the display's pixels.
  var displayBox: LocalRect { get }
  /// The number of pixels in a unit, along the axes of the view.
  var pixelsPerUnit: Size { get }
  /// Whether the sides of a rectangle are parallel to those of pixels.
  var isUpright: Bool { get }
}

/// A rectangle with round corners, which are as large as possible for an ellipse.
package struct DrawnShape {
  package var rect: LocalRect
  /// The radii along x and y, in units of the view. More than half of a side counts as half.
  package var radius: Size

  package init(_ rect: LocalRect, radius: Size = .zero) { (self.rect, self.radius) = (rect, radius) }

  /// - Parameter cornerRadius: the radius. More than half of the shorter side counts as half.
  init(_ rect: LocalRect, cornerRadius: Double) {
    let radius = max(0, min(cornerRadius, min(rect.width, rect.height) / 2))
    self.init(rect, radius: Size(width: radius, height: radius))
  }

  init(_ ellipse: Ellipse<LocalSpace>) {
    let rect = ellipse.rect
    self.init(rect, radius: Size(width: rect.width / 2, height: rect.height / 2))
  }

  /// Returns the shape inside a line of this width along the edges; nil if nothing is left.
  func inside(_ width: Double) -> DrawnShape? {
    let inner = rect.outset(by: -width)
    guard inner.size.width > 0, inner.size.height > 0 else { return nil }
    return DrawnShape(
      inner, radius: Size(width: max(0, radius.width - width), height: max(0, radius.height - width)))
  }
}

/// The colour of a fill, or its gradient with the extent.
package enum Paint {
  case color(Color)
  /// A gradient from one end of a rectangle to the other, by its kind and angle.
  case gradient(Gradient, over: LocalRect)
  /// A gradient from the left end of a bar to the right one, without regard to its kind and angle.
  case bar(Gradient, LocalRect)
  /// A gradient around a centre, between two angles in degrees clockwise from twelve o'clock.
  case ring(Gradient, LocalPoint, from: Double, to: Double)
}

package struct TextRoom {
  /// The space between the edges and the text, for a style without its own.
  package var padding = Insets.zero
  /// The rectangle that the letters must not exceed above and below; nil for none.
  package var limits: LocalRect?
  /// Whether the text is cut off at the edges of its rectangle.
  package var isCut = false
  /// Whether a notice may name the parts of the text that cannot be painted.
  package var isReported = true

  package init() {}
}
