import TouchCore
import TouchPixels
import TouchViews

/// What gradients and shadows are painted with: the same for every view that has the same ones.
final class DecorationCache {
  private var ramps = RecentlyUsed<[Gradient.Stop], GradientRamp>(limit: 64)
  /// By their pixels: four megabytes.
  private var masks = RecentlyUsed<ShadowMask.Key, ShadowMask>(limit: 4 << 20)

  func ramp(_ stops: [Gradient.Stop]) -> GradientRamp {
    if let known = ramps.value(for: stops) { return known }
    let made = GradientRamp(stops)
    ramps.insert(made, for: stops, cost: 1)
    return made
  }

  /// Nil for a shadow that is too large to be drawn.
  func mask(_ key: ShadowMask.Key) -> ShadowMask? {
    if let known = masks.value(for: key) { return known }
    guard let made = ShadowMask(key) else { return nil }
    masks.insert(made, for: key, cost: made.pixelCount)
    return made
  }
}

extension TreePainter {
  /// Fills a shape with a gradient.
  ///
  /// - Parameter rect: from one end of the gradient to the other.
  func fill(
    _ shape: RoundedRect, _ gradient: Gradient, over rect: LocalRect, _ matrix: AffineTransform,
    without hole: RoundedRect? = nil, _ pass: Pass
  ) {
    guard pass.opacity > 0,
      let fill = GradientFill(
        gradient, decorations.ramp(gradient.stops), over: rect, displayFromLocal: matrix)
    else { return }
    compositor.fill(
      shape, without: hole, with: .gradient(fill, opacity: pass.opacity), clip: pass.clip, on: pass.target)
  }

  /// Paints what a view throws on what is behind it. Under an opaque background the shadow goes on, so that nothing shines through
  /// the smooth edge between the two; otherwise it ends at the view.
  func paintShadow(of view: View, _ matrix: AffineTransform, _ pass: Pass) {
    guard let shadow = view.shadow else { return }
    let pixel = shadow.color.premultiplied(coverage: pass.opacity)
    // Nothing beyond what is painted again when the view changes.
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

  private func hasOpaqueBackground(_ view: View) -> Bool {
    if let gradient = view.gradient, gradient.stops.allSatisfy({ $0.color.alpha == 255 }) { return true }
    return ControlStyle.background(of: view)?.alpha == 255
  }
}
