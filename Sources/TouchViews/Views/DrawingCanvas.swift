import TouchCore

/// The parts of painting that a graphics context needs, done by the module that paints. Coordinates are those of the view that draws.
package protocol DrawingCanvas: AnyObject {
  // MARK: Shapes

  /// Fills a shape, or the part of it outside of a hole.
  func fill(_ shape: DrawnShape, without hole: DrawnShape?, with paint: Paint)
  /// Fills a capsule at whole pixels: one that moves has one mask.
  func fillMoving(_ rect: LocalRect, with paint: Paint)
  /// Fills the part of a horizontal bar that lies in a rectangle as high as the bar. The cuts are at whole pixels.
  func fill(_ part: LocalRect, of bar: DrawnShape, with paint: Paint)
  /// Fills the pixels that are nearest to a rectangle.
  ///
  /// - Parameter isLine: whether it has at least one pixel down, and as many wherever it lies.
  func fillPixels(_ rect: LocalRect, isLine: Bool, with color: Color)
  /// Paints the shadow of a capsule that is filled by `fillMoving`, and of nothing that is not opaque.
  ///
  /// - Parameter room: what the shadow must not leave.
  func drawShadow(_ shadow: Shadow, ofMoving rect: LocalRect, in room: LocalRect)

  // MARK: Paths

  /// Begins a path. Nothing but a path is drawn until it is.
  func beginPath()
  func move(to point: LocalPoint)
  func addLine(to point: LocalPoint)
  func addArc(_ arc: Arc)
  func addPath(_ path: Path)
  func closePath()
  /// Draws the path.
  ///
  /// - Parameter style: nil for filled.
  func drawPath(_ style: StrokeStyle?, with paint: Paint)

  // MARK: Texts and pictures

  func draw(_ text: String, _ style: TextStyle, in rect: LocalRect, _ room: TextRoom)
  func draw(_ title: Title, in rect: LocalRect)
  /// - Parameters:
  ///   - rect: a square.
  ///   - room: the part of it that is seen.
  func draw(_ icon: Icon, _ color: Color, in rect: LocalRect, room: LocalRect)
  func draw(_ image: Image, _ mode: ImageView.Mode, in rect: LocalRect)
  /// Draws the picture of the view that draws, in its outline.
  func drawPicture(of view: ImageView)

  // MARK: State

  func transform(by transform: AffineTransform, _ body: () -> Void)
  func clip(to shape: DrawnShape, _ body: () -> Void)
  /// Clips to the pixels that are nearest to a rectangle, or to all pixels that it touches.
  func clipToPixels(_ rect: LocalRect, isWide: Bool, _ body: () -> Void)
  func fade(to alpha: Double, _ body: () -> Void)

  // MARK: The display

  /// Around the pixels that are painted.
  var clipBox: LocalRect { get }
  /// Around all pixels of the display.
  var displayBox: LocalRect { get }
  /// Along the axes of the view.
  var pixelsPerUnit: Size { get }
  /// Whether the sides of a rectangle run along those of pixels.
  var isUpright: Bool { get }
}

/// A rectangle with round corners; those of an ellipse are as large as they can be.
package struct DrawnShape {
  package var rect: LocalRect
  /// The radius along x and y, in units of the view. More than half of a side counts as half.
  package var radius: Size

  package init(_ rect: LocalRect, radius: Size = .zero) { (self.rect, self.radius) = (rect, radius) }

  /// - Parameter cornerRadius: more than half of the shorter side counts as half.
  init(_ rect: LocalRect, cornerRadius: Double) {
    let radius = max(0, min(cornerRadius, min(rect.width, rect.height) / 2))
    self.init(rect, radius: Size(width: radius, height: radius))
  }

  init(_ ellipse: Ellipse<LocalSpace>) {
    let rect = ellipse.rect
    self.init(rect, radius: Size(width: rect.width / 2, height: rect.height / 2))
  }

  /// The shape inside of a line of this width along the edges; nil if nothing is left.
  func inside(_ width: Double) -> DrawnShape? {
    let inner = rect.outset(by: -width)
    guard inner.size.width > 0, inner.size.height > 0 else { return nil }
    return DrawnShape(
      inner, radius: Size(width: max(0, radius.width - width), height: max(0, radius.height - width)))
  }
}

/// What something is filled with: a colour, or a gradient and its extent.
package enum Paint {
  case color(Color)
  /// From one end of a rectangle to the other, by the gradient's kind and angle.
  case gradient(Gradient, over: LocalRect)
  /// From the left end of a bar to the right one, whatever the gradient's kind and angle are.
  case bar(Gradient, LocalRect)
  /// Around a centre, from one angle to another in degrees clockwise from twelve o'clock.
  case ring(Gradient, LocalPoint, from: Double, to: Double)
}

/// The room for a text.
package struct TextRoom {
  /// The space between the edges and the text, where its style has none.
  package var padding = Insets.zero
  /// What the letters must not leave above and below; nil where they may.
  package var limits: LocalRect?
  /// Whether the text is cut off at the edges of its rectangle.
  package var isCut = false
  /// Whether a notice may tell which part of the text cannot be painted.
  package var isReported = true

  package init() {}
}
