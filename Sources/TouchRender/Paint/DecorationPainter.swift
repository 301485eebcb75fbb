import TouchCore
import TouchPixels
import TouchViews

/// The ramps and masks of gradients and shadows. Views with equal ones share them.
final class DecorationCache {
  private var ramps = RecentlyUsed<[Gradient.Stop], GradientRamp>(limit: 64)
  /// The masks, limited by their pixels to four megabytes.
  private var masks = RecentlyUsed<ShadowMask.Key, ShadowMask>(limit: 4 << 20)

  private var fills: [GradientFill] = []

  private func spareFill() -> GradientFill {
    for index in fills.indices where isKnownUniquelyReferenced(&fills[index]) { return fills[index] }
    let made = GradientFill()
    fills.append(made)
    return made
  }

  /// Returns a gradient from one end of a rectangle to the other; nil for an area of zero.
  func fill(_ gradient: Gradient, over rect: LocalRect, _ displayFromLocal: AffineTransform) -> GradientFill?
  {
    let fill = spareFill()
    return fill.set(gradient, ramp(gradient.stops), over: rect, displayFromLocal: displayFromLocal)
      ? fill : nil
  }

  /// Returns a gradient along an arc. Angles are in degrees clockwise from twelve o'clock.
  func fill(
    _ gradient: Gradient, around center: LocalPoint, from start: Double, to end: Double,
    _ displayFromLocal: AffineTransform
  ) -> GradientFill? {
    let fill = spareFill()
    return fill.set(
      ramp(gradient.stops), around: center, from: start, to: end, displayFromLocal: displayFromLocal)
      ? fill : nil
  }

  private func ramp(_ stops: [Gradient.Stop]) -> GradientRamp {
    if let known = ramps.value(for: stops) { return known }
    let made = GradientRamp(stops)
    ramps.insert(made, for: stops, cost: 1)
    return made
  }

  /// Returns the mask of a shadow; nil if it is too large to be drawn.
  func mask(_ key: ShadowMask.Key) -> ShadowMask? {
    if let known = masks.value(for: key) { return known }
    guard let made = ShadowMask(key) else { return nil }
    masks.insert(made, for: key, cost: made.pixelCount)
    return made
  }
}

extension TreePainter {
  func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, _ paint: Paint, _ matrix: AffineTransform,
    _ pass: Pass
  ) {
    if case .color(let color) = paint { return fill(shape, color, without: hole, pass) }
    if let source = source(paint, matrix, pass) { fill(shape, without: hole, with: source, pass) }
  }

  /// Returns the source of pixels for a paint; nil for a gradient without an area.
  func source(_ paint: Paint, _ matrix: AffineTransform, _ pass: Pass) -> PaintSource? {
    let fill: GradientFill?
    switch paint {
    case .color(let color): return .color(color.premultiplied(coverage: pass.opacity))
    case .gradient(let gradient, let rect): fill = decorations.fill(gradient, over: rect, matrix)
    case .bar(var gradient, let rect):
      (gradient.kind, gradient.angle) = (.linear, 90)
      fill = decorations.fill(gradient, over: rect, matrix)
    case .ring(let gradient, let center, let start, let end):
      fill = decorations.fill(gradient, around: center, from: start, to: end, matrix)
    }
    return fill.map { .gradient($0, opacity: pass.opacity) }
  }

  /// Paints a view's shadow. Under an opaque background it continues, so that no edge shines through.
  func paintShadow(of view: View, _ matrix: AffineTransform, _ pass: Pass) {
    guard let shadow = view.shadow else { return }
    let pixel = shadow.color.premultiplied(coverage: pass.opacity)
    // The shadow does not exceed the area that is painted again when the view changes.
    let room: Rect<DisplaySpace> = matrix.bounding(view.bounds.outset(by: shadow.outset))
    let clip = pass.clip.intersection(PixelRect(covering: room, sliver: RoundedRect.snap))
    guard pixel >> 24 > 0, !clip.isEmpty else { return }
    let (bounds, corners) = (view.bounds, view.corners)
    let isOpaque = pass.opacity == 255 && hasOpaqueBackground(view)
    let hidden =
      isOpaque ? RoundedRect(bounds, corners: corners, displayFromLocal: matrix)?.inside ?? .empty : .empty
    guard !hidden.contains(clip),
      let place = ShadowMask.place(
        bounds.outset(by: shadow.spread).offsetBy(dx: shadow.offset.x, dy: shadow.offset.y),
        corners.grown(by: shadow.spread), blur: shadow.blur, cutOut: isOpaque ? nil : (bounds, corners),
        displayFromLocal: matrix),
      let mask = decorations.mask(place.key)
    else { return }
    mask.paint(place, with: pixel, hidden: hidden, clip: clip, on: pass.target)
  }

  /// Paints the shadow of a control's round part, at whole pixels like the part.
  func paintShadow(
    _ shadow: Shadow, ofKnob rect: LocalRect, _ matrix: AffineTransform, _ pass: Pass
  ) {
    let pixels = PixelRect(covering: matrix.bounding(rect), sliver: RoundedRect.snap)
    let box: Rect<DisplaySpace> = matrix.bounding(rect)
    var matrix = matrix
    (matrix.tx, matrix.ty) = (
      matrix.tx + Double(pixels.minX) - box.minX, matrix.ty + Double(pixels.minY) - box.minY
    )
    guard
      let place = ShadowMask.place(
        rect.offsetBy(dx: shadow.offset.x, dy: shadow.offset.y),
        Corners(min(rect.size.width, rect.size.height) / 2), blur: shadow.blur, cutOut: nil,
        displayFromLocal: matrix),
      let mask = decorations.mask(place.key)
    else { return }
    mask.paint(
      place, with: shadow.color.premultiplied(coverage: pass.opacity), hidden: .empty, clip: pass.clip,
      on: pass.target)
  }

  private func hasOpaqueBackground(_ view: View) -> Bool {
    if let gradient = view.gradient, gradient.stops.allSatisfy({ $0.color.alpha == 255 }) { return true }
    return view.shownBackground?.alpha == 255
  }
}
