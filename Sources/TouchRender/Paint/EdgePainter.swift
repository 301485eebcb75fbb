import TouchCore
import TouchPixels
import TouchViews

// The lines at the edges of views: borders, and the rings of selection and focus.

extension TreePainter {
  func paintEdges(
    of view: View, _ shape: RoundedRect, _ border: Appearance.Border?, _ matrix: AffineTransform, _ pass: Pass
  ) {
    if let border {
      let hole = border.inner(of: view, fraction: 1, matrix)
      if border == view.border, let gradient = view.isDecorated ? view.borderGradient : nil {
        fill(shape, without: hole, .gradient(gradient, over: view.bounds), matrix, pass)
      } else {
        fill(shape, border.color, without: hole, pass)
      }
    }
    if let ring = view.selectionRing, let outer = ring.inner(of: view, fraction: 1, matrix) {
      // The ring stands one width inside the edge, so that it is also visible on a border of its own colour.
      fill(outer, ring.color, without: ring.inner(of: view, fraction: 2, matrix), pass)
    }
    if view.focusMark != .none { paintFocus(of: view, matrix, pass) }
  }

  /// Paints the ring around the shape of the view, outside of it, or inside its focused part. It fades
  /// outwards, and is wider while the view is edited. What covers the whole window has none.
  private func paintFocus(of view: View, _ matrix: AffineTransform, _ pass: Pass) {
    guard let window = view.window, let item = window.usedFocusSystem?.focusedItem, item.view === view else {
      return
    }
    let isPart = item.part != nil
    let shape = isPart ? DrawnShape(item.localRect, radius: Self.partRadius) : view.focusShape
    let frame: WindowRect = view.windowFromLocal.bounding(shape.rect)
    if frame.size.width >= window.bounds.size.width, frame.size.height >= window.bounds.size.height { return }
    let width = view.focusMark == .editing ? 5.0 : 3
    let gap = isPart ? -width - 1 : 2
    let color = window.focusColor ?? focusColor
    func outline(_ outset: Double) -> RoundedRect? {
      let rect = shape.rect.outset(by: outset)
      guard rect.size.width > 0, rect.size.height > 0 else { return nil }
      return RoundedRect(
        rect, radiusX: max(0, shape.radius.width + outset), radiusY: max(0, shape.radius.height + outset),
        displayFromLocal: matrix)
    }
    guard let ring = outline(gap + width) else { return }
    fill(ring, color, without: outline(gap), pass)
    if !isPart, let halo = outline(View.focusReach) { fill(halo, color.withAlpha(0.3), without: ring, pass) }
  }

  private static let partRadius = Size(width: 8, height: 8)
}

extension View {
  /// The shape that a ring of focus follows: that of a control's visible part, or else the view's corners.
  fileprivate var focusShape: DrawnShape {
    if let control = self as? Switch {
      let half = control.trackRect.size.height / 2
      return DrawnShape(control.trackRect, radius: Size(width: half, height: half))
    }
    let radius = max(4, min(cornerRadius, min(bounds.size.width, bounds.size.height) / 2))
    return DrawnShape(bounds, radius: Size(width: radius, height: radius))
  }
}

extension Appearance.Border {
  /// Returns the area inside a border that is `fraction` times as wide; nil if nothing is left.
  func inner(of view: View, fraction: Double, _ matrix: AffineTransform) -> RoundedRect? {
    let inset = width * fraction
    // An inset beyond the middle would turn the rectangle inside out.
    guard 2 * inset < min(view.bounds.size.width, view.bounds.size.height) else { return nil }
    let rect = view.bounds.outset(by: -inset)
    if view.isDecorated {
      return RoundedRect(rect, corners: view.corners.grown(by: -inset), displayFromLocal: matrix)
    }
    let radius = max(0, view.appearance.cornerRadius - inset)
    return RoundedRect(rect, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
  }
}
