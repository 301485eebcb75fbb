import TouchCore
import TouchPixels
import TouchViews

/// Paints the highlights, from back to front: fills and glows, trails, markers, outlines, labels, pointer. So
/// a finger's marker never covers the outline that it causes. A pixel covered completely by an opaque fill or
/// outline has exactly the mark's colour.
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
    (self.compositor, self.displayFromWindow) = (compositor, displayFromWindow)
    marks = MarkPainter(compositor: compositor, displayFromWindow: displayFromWindow)
    trails = TrailPainter(displayFromWindow: displayFromWindow, display: display)
    labels = LabelPainter(
      compositor: compositor, texts: texts, notices: notices, displayFromWindow: displayFromWindow)
  }

  /// Draws the pictures that all touches reuse.
  func prepare(for style: HighlightStyle) {
    if style.touches.showsMarker { prepareMarker(style.touchColor) }
    if style.touches.showsLabel { labels.prepare() }
  }

  /// - Parameter hiding: the mark that `fillThatHides` found.
  func paint(_ highlights: Highlights, hiding: Int?, clip: PixelRect, on target: Target) {
    let style = highlights.style
    let viewHighlights = highlights.views.highlights
    // A view that contains another one lies behind it.
    for index in viewHighlights.indices.reversed() {
      let highlight = viewHighlights[index]
      let mark = style.mark(isPath: highlight.isPath)
      if index == hiding {
        // Its shape is known to cover the clip.
        compositor.fillBox(clip, with: .color(mark.color.premultiplied()), on: target)
        continue
      }
      switch mark.shape {
      case .fill: marks.fill(highlight.view, mark.color, highlight.level, clip, target)
      case .glow: marks.glow(highlight.view, mark, highlight.level, clip, target)
      case .outline, .none: break
      }
    }
    for trail in highlights.trails.trails { trails.paint(trail.points, style.touchColor, clip, target) }
    if style.touches.showsMarker {
      for marker in highlights.markers { paintMarker(at: marker.location, style.touchColor, clip, target) }
    }
    for highlight in viewHighlights.reversed() {
      let mark = style.mark(isPath: highlight.isPath)
      guard mark.shape == .outline else { continue }
      marks.outline(highlight.view, mark.width, mark.color, level: highlight.level, clip, target)
    }
    for marker in highlights.markers {
      if let label = highlights.label(of: marker) { labels.paint(label, clip, target) }
    }
    if let cursor = highlights.cursor { paintPointer(at: cursor, clip, target) }
  }

  /// Returns the index of a mark whose opaque fill covers all of the clip, and so hides the tree.
  func fillThatHides(_ clip: PixelRect, _ highlights: Highlights) -> Int? {
    highlights.views.highlights.firstIndex { highlight in
      let mark = highlights.style.mark(isPath: highlight.isPath)
      guard case .fill = mark.shape, highlight.level == 255, mark.color.alpha == 255 else { return false }
      return marks.fills(clip, of: highlight.view)
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

  /// Returns the pixels of a highlight's damage. Pixels painted outside them would not be erased.
  private func room(_ rect: WindowRect) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: RoundedRect.snap)
  }
}

extension Compositor {
  /// Paints a picture, drawn for display point (0, 0), at another point, moved by whole pixels.
  func paint(_ picture: Target, at place: Point<DisplaySpace>, clip: PixelRect, on target: Target) {
    guard place.isFinite, abs(place.x) < PixelRect.farthest, abs(place.y) < PixelRect.farthest else { return }
    let moved = Target(
      surface: picture.surface, originX: picture.originX + Int(place.x.rounded(.down)),
      originY: picture.originY + Int(place.y.rounded(.down)))
    fillBox(moved.area.intersection(clip), with: .picture(moved, opacity: 255), on: target)
  }
}

/// Paints the marks on views: outlines, fills and glows, along the view's own edges.
struct MarkPainter {
  private let compositor: Compositor
  private let displayFromWindow: AffineTransform

  /// The opacities of a glow on the view itself and at its edge, of 255.
  private static let glowInside: UInt32 = 46
  private static let glowEdge = 150.0
  /// The width of a glow's line along the edge, as a part of the mark's width.
  private static let glowLine = 0.5
  /// The most steps of a glow. More make no visible difference.
  private static let mostSteps = 24

  init(compositor: Compositor, displayFromWindow: AffineTransform) {
    (self.compositor, self.displayFromWindow) = (compositor, displayFromWindow)
  }

  func fill(_ view: View, _ color: Color, _ level: UInt8, _ clip: PixelRect, _ target: Target) {
    guard let shape = Edges(view, displayFromWindow)?.shape(outset: 0) else { return }
    compositor.fill(shape, with: source(color, UInt32(level)), clip: clip, on: target)
  }

  func fills(_ clip: PixelRect, of view: View) -> Bool {
    guard view.cornerRadius <= 0 else { return false }
    let displayFromLocal = view.windowFromLocal.then(displayFromWindow)
    return RoundedRect(view.boundsInSight, displayFromLocal: displayFromLocal)?.covers(clip) ?? false
  }

  /// Paints an outline inside the bounds. It has the style's width in the window at any scale of the view.
  func outline(
    _ view: View, _ width: Double, _ color: Color, level: UInt8, _ clip: PixelRect, _ target: Target
  ) {
    guard width > 0, let edges = Edges(view, displayFromWindow), let shape = edges.shape(outset: 0)
    else { return }
    compositor.fill(
      shape, without: edges.shape(outset: -width), with: source(color, UInt32(level)), clip: clip, on: target)
  }

  /// Paints a glow: light that fades outward, a line along the edge, and a faint fill.
  func glow(
    _ view: View, _ mark: HighlightStyle.Mark, _ level: UInt8, _ clip: PixelRect, _ target: Target
  ) {
    guard let edges = Edges(view, displayFromWindow), let shape = edges.shape(outset: 0) else { return }
    let level = UInt32(level)
    compositor.fill(
      shape, with: source(mark.color, Color.multiply(level, Self.glowInside)), clip: clip, on: target)
    let lineWidth = mark.width * Self.glowLine
    guard lineWidth > 0 else { return }
    compositor.fill(
      shape, without: edges.shape(outset: -lineWidth), with: source(mark.color, level), clip: clip, on: target
    )
    let pixels = mark.reach * abs(displayFromWindow.determinant).squareRoot()
    let steps = max(1, min(Self.mostSteps, Int(saturating: min(pixels, 1000) / 1.5)))
    var inner = shape
    for step in 1...steps {
      guard let outer = edges.shape(outset: mark.reach * Double(step) / Double(steps)) else { return }
      let dark = (Double(step) - 0.5) / Double(steps)
      let light = UInt32(Self.glowEdge * (1 - dark) * (1 - dark))
      compositor.fill(
        outer, without: inner, with: source(mark.color, Color.multiply(level, light)), clip: clip, on: target)
      inner = outer
    }
  }

  private func source(_ color: Color, _ level: UInt32) -> PaintSource {
    .color(color.premultiplied(coverage: level))
  }

  /// A view's bounds, moved outward or inward by distances in the window.
  private struct Edges {
    private let bounds: LocalRect
    private let radius: Double
    private let displayFromLocal: AffineTransform
    /// The local units in a window unit, on the x axis and the y axis.
    private let scaleX: Double
    private let scaleY: Double

    init?(_ view: View, _ displayFromWindow: AffineTransform) {
      let windowFromLocal = view.windowFromLocal
      guard let inverse = windowFromLocal.inverse else { return nil }
      bounds = view.boundsInSight
      radius = view.appearance.cornerRadius
      displayFromLocal = windowFromLocal.then(displayFromWindow)
      scaleX = (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
      scaleY = (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    }

    func shape(outset: Double) -> RoundedRect? {
      let (x, y) = (outset * scaleX, outset * scaleY)
      let rect = LocalRect(
        x: bounds.minX - x, y: bounds.minY - y, width: max(0, bounds.maxX - bounds.minX + 2 * x),
        height: max(0, bounds.maxY - bounds.minY + 2 * y))
      // With a radius above half the view's size, the corners would grow faster than the sides.
      let radius = min(self.radius, (bounds.maxX - bounds.minX) / 2, (bounds.maxY - bounds.minY) / 2)
      let base = outset > 0 ? max(0, radius) : self.radius
      return RoundedRect(
        rect, radiusX: max(0, base + x), radiusY: max(0, base + y), displayFromLocal: displayFromLocal)
    }
  }
}
