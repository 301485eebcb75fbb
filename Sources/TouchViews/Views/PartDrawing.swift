import TouchCore

// The parts of controls.
//
// A part that moves is filled at whole pixels, and what a value divides is cut at whole pixels: both are
// sharp, and no mask is made while a finger drags.

extension GraphicsContext {
  /// Fills a rectangle whose shorter sides are round.
  func fillCapsule(_ rect: LocalRect, with paint: Paint) {
    canvas.fill(DrawnShape(rect, cornerRadius: .infinity), without: nil, with: paint)
  }

  /// Fills a disc, or a capsule, at whole pixels.
  func fillMoving(_ rect: LocalRect, with color: Color) { canvas.fillMoving(rect, with: .color(color)) }

  /// Fills the part of a capsule between two places along it.
  func fillBar(_ bar: LocalRect, from left: Double, to right: Double, with paint: Paint) {
    let part = LocalRect(x: left, y: bar.minY, width: max(0, right - left), height: bar.maxY - bar.minY)
    if !part.isEmpty { canvas.fill(part, of: DrawnShape(bar, cornerRadius: .infinity), with: paint) }
  }

  /// Fills a part that stands on a bar, two units inside of it.
  /// - Parameter radius: the radius of the bar's corners.
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
}

extension ValueControl.Colors {
  /// The tint, or in its place its gradient, from the left end of a bar to the right one.
  func tintPaint(along bar: LocalRect) -> Paint { tintGradient.map { .bar($0, bar) } ?? .color(tint) }

  /// The same for the track.
  func trackPaint(along bar: LocalRect) -> Paint { trackGradient.map { .bar($0, bar) } ?? .color(track) }
}

extension ValueControl {
  /// The shadow of a knob, in units.
  private static let knobShadow = Shadow(
    color: Color(red: 0, green: 0, blue: 0, alpha: 0x60), blur: 4, offset: LocalPoint(x: 0, y: 1))
  /// The reach of the shadow beyond the knob, in units.
  private static let knobShadowReach = 6.0

  /// Draws what a finger takes hold of, with a shadow that stays in the control. It has a ring while a finger
  /// does.
  /// - Parameter ring: the colour of the ring.
  final func drawKnob(_ rect: LocalRect, ring: Color, in context: GraphicsContext) {
    let (thumb, pressed) = (colors.thumb, shownStates.pressed)
    if thumb.alpha == 255 {
      // The shadow does not exceed the area that is painted again when the knob moves.
      let room = rect.outset(by: Self.knobShadowReach).intersection(bounds)
      context.canvas.drawShadow(Self.knobShadow, ofMoving: rect, in: room)
    }
    guard pressed > 0 else { return context.fillMoving(rect, with: thumb) }
    let width = max(2, (rect.size.width / 8).rounded())
    context.fillMoving(rect, with: thumb.mixed(with: ring.pressed, pressed))
    context.fillMoving(rect.outset(by: -width), with: thumb)
  }
}
