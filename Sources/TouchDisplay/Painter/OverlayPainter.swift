import TouchCore

/// Paints what lies over the tree: the marks on views, the fingers' trails, markers and labels, the pointer.
///
/// From back to front: fills and glows, trails, markers, outlines, labels, pointer. An outline is thus never covered by
/// the marker of the finger that caused it. Where the shape of a fill or an outline covers a pixel wholly and its
/// colour is opaque, the pixel is exactly the mark's colour; a colour with an alpha lets the view show through.
final class OverlayPainter {
  private let marks: MarkPainter
  private let trails: TrailPainter
  private let labels: LabelPainter
  private let brush: Brush
  private let displayFromWindow: AffineTransform
  private var pointer: Target?
  private var marker: MarkerPicture?

  /// - Parameter display: the whole display, in pixels.
  init(
    brush: Brush, texts: TextPainter, notices: PaintNotices, displayFromWindow: AffineTransform,
    display: PixelRect
  ) {
    self.brush = brush
    self.displayFromWindow = displayFromWindow
    marks = MarkPainter(brush: brush, displayFromWindow: displayFromWindow)
    trails = TrailPainter(displayFromWindow: displayFromWindow, display: display)
    labels = LabelPainter(
      brush: brush, texts: texts, notices: notices, displayFromWindow: displayFromWindow)
  }

  /// Draws now what is drawn once and used again and again.
  func prepare(for style: HighlightStyle) {
    if style.touches.showsMarker { prepareMarker(style.touchColor) }
    if style.touches.showsLabel { labels.prepare() }
  }

  func paint(_ overlay: Overlay, clip: PixelRect, on target: Target) {
    let style = overlay.style
    let lights = overlay.lights.lights
    // What contains another view lies behind it.
    for light in lights.reversed() {
      let mark = style.mark(isPath: light.isPath)
      switch mark.shape {
      case .fill: marks.fill(light.view, mark.color, light.level, clip, target)
      case .glow: marks.glow(light.view, mark, light.level, clip, target)
      case .outline, .none: break
      }
    }
    for trail in overlay.trails.trails {
      trails.paint(trail.points, style.touchColor, clip, target)
    }
    if style.touches.showsMarker {
      for marker in overlay.markers { paintMarker(at: marker.location, style.touchColor, clip, target) }
    }
    for light in lights.reversed() {
      let mark = style.mark(isPath: light.isPath)
      guard mark.shape == .outline else { continue }
      marks.outline(light.view, mark.width, mark.color, level: light.level, clip, target)
    }
    for marker in overlay.markers {
      if let label = overlay.label(of: marker) { labels.paint(label, clip, target) }
    }
    if let cursor = overlay.cursor { paintPointer(at: cursor, clip, target) }
  }

  /// Whether a fill leaves nothing to be seen of the tree.
  func hidesTree(_ overlay: Overlay, clip: PixelRect) -> Bool {
    overlay.lights.lights.contains { light in
      let mark = overlay.style.mark(isPath: light.isPath)
      return mark.shape == .fill && light.level == 255 && mark.color.alpha == 255
        && marks.fills(clip, of: light.view)
    }
  }

  private func prepareMarker(_ color: Color) {
    if marker?.color != color { marker = MarkerPicture(color: color, displayFromWindow: displayFromWindow) }
  }

  private func paintMarker(at point: WindowPoint, _ color: Color, _ clip: PixelRect, _ target: Target) {
    prepareMarker(color)
    guard let picture = marker?.picture else { return }
    brush.paint(
      picture, at: displayFromWindow.map(point), clip: clip.intersection(room(Overlay.markerRect(at: point))),
      on: target)
  }

  private func paintPointer(at point: WindowPoint, _ clip: PixelRect, _ target: Target) {
    if pointer == nil { pointer = PointerPicture.make(displayFromWindow: displayFromWindow) }
    guard let pointer else { return }
    brush.paint(
      pointer, at: displayFromWindow.map(point), clip: clip.intersection(room(Overlay.cursorRect(at: point))),
      on: target)
  }

  /// Where something has to stay, because only this is damaged when it goes.
  private func room(_ rect: WindowRect) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: Shape.snap)
  }
}

extension Brush {
  /// Paints a picture that was made for display point (0, 0), moved to a point by whole pixels.
  func paint(_ picture: Target, at place: Point<DisplaySpace>, clip: PixelRect, on target: Target) {
    guard place.isFinite, abs(place.x) < PixelRect.farthest, abs(place.y) < PixelRect.farthest else { return }
    let moved = Target(
      surface: picture.surface, originX: picture.originX + Int(place.x.rounded(.down)),
      originY: picture.originY + Int(place.y.rounded(.down)))
    fillBox(moved.area.intersection(clip), with: .picture(moved, opacity: 255), on: target)
  }
}
