import TouchCore

// The parts of controls.
//
// A part that moves is filled at whole pixels, and what a value divides is cut at whole pixels: both are sharp, and no mask is made
// while a finger drags.

extension GraphicsContext {
  /// Fills a rectangle whose shorter sides are round.
  func fillCapsule(_ rect: LocalRect, with paint: Paint) {
    drawing.fill(DrawnShape(rect, cornerRadius: .infinity), without: nil, with: paint)
  }

  /// Fills a disc, or a capsule, at whole pixels.
  func fillMoving(_ rect: LocalRect, with color: Color) { fillMoving(rect, with: .color(color)) }

  func fillMoving(_ rect: LocalRect, with paint: Paint) { drawing.fillMoving(rect, with: paint) }

  /// Fills the part of a capsule between two places along it.
  func fillBar(_ bar: LocalRect, from left: Double, to right: Double, with paint: Paint) {
    let part = LocalRect(x: left, y: bar.minY, width: max(0, right - left), height: bar.maxY - bar.minY)
    if !part.isEmpty { drawing.fill(part, of: DrawnShape(bar, cornerRadius: .infinity), with: paint) }
  }

  /// Fills a part that stands on a bar, two units inside of it.
  ///
  /// - Parameter radius: of the bar's corners.
  func fillPill(_ rect: LocalRect, onBarWith radius: Double, with color: Color) {
    fill(rect.insetBy(dx: 2, dy: 2), cornerRadius: radius - 2, with: color)
  }

  /// Fills the line between two parts that stand beside each other on a bar.
  func fillDivider(at x: Double, on bar: LocalRect, with color: Color) {
    let height = bar.maxY - bar.minY
    fill(
      LocalRect(
        x: x - 0.5, y: bar.minY + (height * 0.3).rounded(), width: 1, height: (height * 0.4).rounded()),
      with: color)
  }

  /// Around all pixels of the display, in the view's space.
  var displayBox: LocalRect { drawing.displayBox }

  /// Along the axes of the view.
  var pixelsPerUnit: Size { drawing.pixelsPerUnit }

  /// Whether the sides of a rectangle run along those of pixels.
  var isUpright: Bool { drawing.isUpright }

  /// Draws a text with its icon and its second line.
  func draw(_ title: Title, in rect: LocalRect) { drawing.draw(title, in: rect) }

  /// Draws an icon.
  ///
  /// - Parameters:
  ///   - rect: a square.
  ///   - room: the part of it that is seen.
  func draw(_ icon: Icon, _ color: Color, in rect: LocalRect, room: LocalRect) {
    drawing.draw(icon, color, in: rect, room: room)
  }

  /// Draws the picture of the view that draws, in its outline.
  func drawPicture(of view: ImageView) { drawing.drawPicture(of: view) }

  /// Draws a text that its rectangle does not cut off.
  func draw(_ text: String, _ style: TextStyle, in rect: LocalRect, _ room: TextRoom) {
    drawing.draw(text, style, in: rect, room)
  }

  /// Draws only what lies in the pixels that are nearest to a rectangle.
  ///
  /// - Parameter isWide: whether in all pixels that it touches.
  func clipped(toPixelsOf rect: LocalRect, isWide: Bool = false, _ body: () -> Void) {
    drawing.clipToPixels(rect, isWide: isWide, body)
  }

  // A path without memory of its own. Nothing else is drawn between its beginning and its end.

  /// (`CGContext.beginPath()`.)
  func beginPath() { drawing.beginPath() }

  func move(to point: LocalPoint) { drawing.move(to: point) }

  func addLine(to point: LocalPoint) { drawing.addLine(to: point) }

  /// Adds a part that is an arc.
  func addArc(_ arc: Arc) { drawing.addArc(arc) }

  func closePath() { drawing.closePath() }

  func fillPath(with paint: Paint) { drawing.drawPath(nil, with: paint) }

  func strokePath(_ style: StrokeStyle, with paint: Paint) { drawing.drawPath(style, with: paint) }

  /// Fills the pixels that are nearest to a rectangle, so that rectangles beside each other meet.
  func fillPixels(_ rect: LocalRect, with color: Color) {
    drawing.fillPixels(rect, isLine: false, with: color)
  }

  /// Fills a horizontal line of the pixels that are nearest to it: as many as for each line of this height, and one at least.
  func fillLine(_ rect: LocalRect, with color: Color) {
    drawing.fillPixels(rect, isLine: true, with: color)
  }
}

extension ValueControl.Colors {
  /// The tint, or in its place its gradient, from the left end of a bar to the right one.
  func tintPaint(along bar: LocalRect) -> Paint { tintGradient.map { .bar($0, bar) } ?? .color(tint) }

  /// The same for the track.
  func trackPaint(along bar: LocalRect) -> Paint { trackGradient.map { .bar($0, bar) } ?? .color(track) }
}

extension ValueControl {
  /// Of a knob, in units.
  private static let knobShadow = Shadow(
    color: Color(red: 0, green: 0, blue: 0, alpha: 0x60), blur: 4, offset: LocalPoint(x: 0, y: 1))
  /// How far beyond the knob the shadow goes, in units.
  private static let knobShadowReach = 6.0

  /// Draws what a finger takes hold of, with a shadow that stays in the control. It has a ring while a finger does.
  ///
  /// - Parameter ring: the colour of the ring.
  final func drawKnob(_ rect: LocalRect, ring: Color, in context: GraphicsContext) {
    let (thumb, pressed) = (colors.thumb, shownStates.pressed)
    if thumb.alpha == 255 {
      // Nothing beyond what is painted again when it moves.
      let room = rect.outset(by: Self.knobShadowReach).intersection(bounds)
      context.drawing.drawShadow(Self.knobShadow, ofMoving: rect, in: room)
    }
    guard pressed > 0 else { return context.fillMoving(rect, with: thumb) }
    let width = max(2, (rect.size.width / 8).rounded())
    context.fillMoving(rect, with: thumb.mixed(with: ring.pressed, pressed))
    context.fillMoving(rect.outset(by: -width), with: thumb)
  }
}
