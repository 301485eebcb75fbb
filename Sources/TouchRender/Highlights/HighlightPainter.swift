import TouchCore
import TouchPixels

/// Paints what lies over the tree: the marks on views, the fingers' trails, markers and labels, the pointer.
///
/// From back to front: fills and glows, trails, markers, outlines, labels, pointer. An outline is thus never covered by
/// the marker of the finger that caused it. Where the shape of a fill or an outline covers a pixel wholly and its
/// colour is opaque, the pixel is exactly the mark's colour; a colour with an alpha lets the view show through.
final class HighlightPainter {
  private let marks: MarkPainter
  private let trails: TrailPainter
  private let labels: LabelPainter
  private let compositor: Compositor
  private let displayFromWindow: AffineTransform
  private var pointer: Target?
  private var marker: MarkerPicture?

  /// - Parameter display: the whole display, in pixels.
  init(
    compositor: Compositor, texts: TextPainter, notices: PaintNoticeLog, displayFromWindow: AffineTransform,
    display: PixelRect
  ) {
    self.compositor = compositor
    self.displayFromWindow = displayFromWindow
    marks = MarkPainter(compositor: compositor, displayFromWindow: displayFromWindow)
    trails = TrailPainter(displayFromWindow: displayFromWindow, display: display)
    labels = LabelPainter(
      compositor: compositor, texts: texts, notices: notices, displayFromWindow: displayFromWindow)
  }

  /// Draws now what is drawn once and used again and again.
  func prepare(for style: HighlightStyle) {
    if style.touches.showsMarker { prepareMarker(style.touchColor) }
    if style.touches.showsLabel { labels.prepare() }
  }

  func paint(_ highlights: Highlights, clip: PixelRect, on target: Target) {
    let style = highlights.style
    let lights = highlights.lights.lights
    // What contains another view lies behind it.
    for light in lights.reversed() {
      let mark = style.mark(isPath: light.isPath)
      switch mark.shape {
      case .fill: marks.fill(light.view, mark.color, light.level, clip, target)
      case .glow: marks.glow(light.view, mark, light.level, clip, target)
      case .outline, .none: break
      }
    }
    for trail in highlights.trails.trails {
      trails.paint(trail.points, style.touchColor, clip, target)
    }
    if style.touches.showsMarker {
      for marker in highlights.markers { paintMarker(at: marker.location, style.touchColor, clip, target) }
    }
    for light in lights.reversed() {
      let mark = style.mark(isPath: light.isPath)
      guard mark.shape == .outline else { continue }
      marks.outline(light.view, mark.width, mark.color, level: light.level, clip, target)
    }
    for marker in highlights.markers {
      if let label = highlights.label(of: marker) { labels.paint(label, clip, target) }
    }
    if let cursor = highlights.cursor { paintPointer(at: cursor, clip, target) }
  }

  /// Whether a fill leaves nothing to be seen of the tree.
  func hidesTree(_ highlights: Highlights, clip: PixelRect) -> Bool {
    highlights.lights.lights.contains { light in
      let mark = highlights.style.mark(isPath: light.isPath)
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
    compositor.paint(
      picture, at: displayFromWindow.map(point),
      clip: clip.intersection(room(Highlights.markerRect(at: point))),
      on: target)
  }

  private func paintPointer(at point: WindowPoint, _ clip: PixelRect, _ target: Target) {
    if pointer == nil { pointer = PointerPicture.make(displayFromWindow: displayFromWindow) }
    guard let pointer else { return }
    compositor.paint(
      pointer, at: displayFromWindow.map(point),
      clip: clip.intersection(room(Highlights.cursorRect(at: point))),
      on: target)
  }

  /// Where something has to stay, because only this is damaged when it goes.
  private func room(_ rect: WindowRect) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: Shape.snap)
  }
}

extension Compositor {
  /// Paints a picture that was made for display point (0, 0), moved to a point by whole pixels.
  func paint(_ picture: Target, at place: Point<DisplaySpace>, clip: PixelRect, on target: Target) {
    guard place.isFinite, abs(place.x) < PixelRect.farthest, abs(place.y) < PixelRect.farthest else { return }
    let moved = Target(
      surface: picture.surface, originX: picture.originX + Int(place.x.rounded(.down)),
      originY: picture.originY + Int(place.y.rounded(.down)))
    fillBox(moved.area.intersection(clip), with: .picture(moved, opacity: 255), on: target)
  }
}
