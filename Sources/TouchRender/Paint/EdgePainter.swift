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

  /// Paints the ring around the view, or around its focused part. It is twice as wide while that is edited.
  private func paintFocus(of view: View, _ matrix: AffineTransform, _ pass: Pass) {
    guard let item = view.window?.usedFocusSystem?.focusedItem, item.view === view else { return }
    let rect = item.localRect
    let width = min(view.focusMark == .editing ? 6 : 3, min(rect.size.width, rect.size.height) / 2)
    let radius = item.part == nil ? view.appearance.cornerRadius : 0
    guard let outer = RoundedRect(rect, radiusX: radius, radiusY: radius, displayFromLocal: matrix) else {
      return
    }
    let inside = max(0, radius - width)
    let hole = RoundedRect(
      rect.outset(by: -width), radiusX: inside, radiusY: inside, displayFromLocal: matrix)
    fill(outer, view.window?.focusColor ?? focusColor, without: hole, pass)
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
