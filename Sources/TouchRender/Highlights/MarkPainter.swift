import TouchCore
import TouchPixels

/// Paints the marks on views: outlines, fills and glows, along the view's own edges.
struct MarkPainter {
  private let compositor: Compositor
  private let displayFromWindow: AffineTransform

  /// Of the mark's opacity, of 255: what a glow leaves on the view itself, and its light at the edge.
  private static let glowInside: UInt32 = 46
  private static let glowEdge = 150.0
  /// A glow's line along the edge, of the mark's width.
  private static let glowLine = 0.5
  /// More steps than this from light to dark cannot be told apart.
  private static let mostSteps = 24

  init(compositor: Compositor, displayFromWindow: AffineTransform) {
    self.compositor = compositor
    self.displayFromWindow = displayFromWindow
  }

  func fill(_ view: View, _ color: Color, _ level: UInt8, _ clip: PixelRect, _ target: Target) {
    guard let shape = Edges(view, displayFromWindow)?.shape(outset: 0) else { return }
    compositor.fill(shape, with: source(color, UInt32(level)), clip: clip, on: target)
  }

  /// Whether a fill of the view covers all of these pixels, wholly.
  func fills(_ clip: PixelRect, of view: View) -> Bool {
    Edges(view, displayFromWindow)?.shape(outset: 0)?.covers(clip) ?? false
  }

  /// Inside the bounds, as wide in the window as the style says, whatever the view's own scale.
  func outline(
    _ view: View, _ width: Double, _ color: Color, level: UInt8, _ clip: PixelRect, _ target: Target
  ) {
    guard width > 0, let edges = Edges(view, displayFromWindow), let shape = edges.shape(outset: 0)
    else { return }
    compositor.fill(
      shape, without: edges.shape(outset: -width), with: source(color, UInt32(level)), clip: clip, on: target)
  }

  /// Light that falls off outward, a line along the edge, and a little on the view.
  func glow(
    _ view: View, _ mark: HighlightStyle.Mark, _ level: UInt8, _ clip: PixelRect, _ target: Target
  ) {
    guard let edges = Edges(view, displayFromWindow), let shape = edges.shape(outset: 0) else { return }
    let level = UInt32(level)
    compositor.fill(
      shape, with: source(mark.color, Color.multiply(level, Self.glowInside)), clip: clip, on: target)
    let line = mark.width * Self.glowLine
    guard line > 0 else { return }
    compositor.fill(
      shape, without: edges.shape(outset: -line), with: source(mark.color, level), clip: clip, on: target)
    let pixels = mark.reach * abs(displayFromWindow.determinant).squareRoot()
    let steps = max(1, min(Self.mostSteps, Int(min(pixels, 1000) / 1.5)))
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
    /// Local units to a window unit, on both axes.
    private let scaleX: Double
    private let scaleY: Double

    init?(_ view: View, _ displayFromWindow: AffineTransform) {
      let windowFromLocal = view.windowFromLocal
      guard let inverse = windowFromLocal.inverse else { return nil }
      bounds = view.bounds
      radius = view.appearance.cornerRadius
      displayFromLocal = windowFromLocal.then(displayFromWindow)
      scaleX = (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
      scaleY = (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    }

    func shape(outset: Double) -> Shape? {
      let (x, y) = (outset * scaleX, outset * scaleY)
      let rect = LocalRect(
        x: bounds.minX - x, y: bounds.minY - y, width: max(0, bounds.maxX - bounds.minX + 2 * x),
        height: max(0, bounds.maxY - bounds.minY + 2 * y))
      // More than half of the view's size would make corners grow out of step with the sides.
      let radius = min(self.radius, (bounds.maxX - bounds.minX) / 2, (bounds.maxY - bounds.minY) / 2)
      let base = outset > 0 ? max(0, radius) : self.radius
      return Shape(
        rect, radiusX: max(0, base + x), radiusY: max(0, base + y), displayFromLocal: displayFromLocal)
    }
  }
}
