import TouchCore

/// Paints what lies over the tree: the hit views' highlight, the fingers' markers, the pointer.
///
/// From back to front: filled highlights, markers, outlines, pointer. An outline is thus never covered by the
/// marker of the finger that caused it. Where the shape of a fill or an outline covers a pixel wholly and its colour
/// is opaque, the pixel is exactly `HighlightStyle.color`; a colour with an alpha lets the view show through.
final class OverlayPainter {
  private let brush: Brush
  private let displayFromWindow: AffineTransform
  private var pointer: Target?
  private var marker: MarkerPicture?

  init(brush: Brush, displayFromWindow: AffineTransform) {
    self.brush = brush
    self.displayFromWindow = displayFromWindow
  }

  func paint(_ overlay: Overlay, clip: PixelRect, on target: Target) {
    let style = overlay.style
    if style.shape == .fill {
      for view in overlay.views { fill(view, style, clip, target) }
    }
    for item in overlay.outlines { outline(item.view, style.width, item.color, clip, target) }
    for marker in overlay.markers { paintMarker(at: marker, style.color, clip, target) }
    if style.shape == .outline {
      for view in overlay.views { outline(view, style.width, style.color, clip, target) }
    }
    if let cursor = overlay.cursor { paintPointer(at: cursor, clip, target) }
  }

  private func fill(_ view: View, _ style: HighlightStyle, _ clip: PixelRect, _ target: Target) {
    let radius = view.appearance.cornerRadius
    let matrix = view.windowFromLocal.then(displayFromWindow)
    guard let shape = Shape(view.bounds, radiusX: radius, radiusY: radius, displayFromLocal: matrix) else {
      return
    }
    brush.fill(shape, with: .color(style.color.premultiplied()), clip: clip, on: target)
  }

  /// Inside the bounds, as wide in the window as the style says, whatever the view's own scale.
  private func outline(
    _ view: View, _ width: Double, _ color: Color, _ clip: PixelRect, _ target: Target
  ) {
    let windowFromLocal = view.windowFromLocal
    guard width > 0, let inverse = windowFromLocal.inverse else { return }
    let matrix = windowFromLocal.then(displayFromWindow)
    let radius = view.appearance.cornerRadius
    guard let shape = Shape(view.bounds, radiusX: radius, radiusY: radius, displayFromLocal: matrix) else {
      return
    }
    let insetX = width * (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
    let insetY = width * (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    let bounds = view.bounds
    let inside = LocalRect(
      x: bounds.minX + insetX, y: bounds.minY + insetY,
      width: max(0, bounds.maxX - bounds.minX - 2 * insetX),
      height: max(0, bounds.maxY - bounds.minY - 2 * insetY))
    let hole = Shape(
      inside, radiusX: max(0, radius - insetX), radiusY: max(0, radius - insetY), displayFromLocal: matrix)
    brush.fill(shape, without: hole, with: .color(color.premultiplied()), clip: clip, on: target)
  }

  private func paintMarker(at point: WindowPoint, _ color: Color, _ clip: PixelRect, _ target: Target) {
    if marker?.color != color { marker = MarkerPicture(color: color, displayFromWindow: displayFromWindow) }
    guard let picture = marker?.picture else { return }
    paint(picture, at: point, within: Overlay.markerRect(at: point), clip, target)
  }

  private func paintPointer(at point: WindowPoint, _ clip: PixelRect, _ target: Target) {
    if pointer == nil { pointer = PointerPicture.make(displayFromWindow: displayFromWindow) }
    guard let pointer else { return }
    paint(pointer, at: point, within: Overlay.cursorRect(at: point), clip, target)
  }

  /// Paints a picture that was made for display point (0, 0), moved to a point by whole pixels.
  ///
  /// - Parameter rect: where it has to stay, because only this is damaged when it goes.
  private func paint(
    _ picture: Target, at point: WindowPoint, within rect: WindowRect, _ clip: PixelRect, _ target: Target
  ) {
    let place: Point<DisplaySpace> = displayFromWindow.map(point)
    guard place.isFinite, abs(place.x) < PixelRect.farthest, abs(place.y) < PixelRect.farthest else { return }
    let moved = Target(
      surface: picture.surface, originX: picture.originX + Int(place.x.rounded(.down)),
      originY: picture.originY + Int(place.y.rounded(.down)))
    let room = PixelRect(covering: displayFromWindow.bounding(rect), sliver: Shape.snap)
    let box = moved.area.intersection(clip).intersection(room)
    brush.fillBox(box, with: .picture(moved, opacity: 255), on: target)
  }
}
