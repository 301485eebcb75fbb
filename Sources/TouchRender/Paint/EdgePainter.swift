import TouchCore
import TouchPixels
import TouchViews

// The lines at the edges of views: borders, and the rings around what is selected or focused.

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
      // The ring stands one width inside the edge, so that it shows on a border of its own colour too.
      fill(outer, ring.color, without: ring.inner(of: view, fraction: 2, matrix), pass)
    }
    if view.focusMark != .none { paintFocus(of: view, matrix, pass) }
  }

  /// The ring around the view, or around the part of it that is focused; twice as wide while that is edited.
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
  /// The area of a view inside a border that is `fraction` times as wide; nil if nothing is left.
  func inner(of view: View, fraction: Double, _ matrix: AffineTransform) -> RoundedRect? {
    let inset = width * fraction
    // A rectangle that is inset beyond its middle would come out on the other side.
    guard 2 * inset < min(view.bounds.size.width, view.bounds.size.height) else { return nil }
    let rect = view.bounds.outset(by: -inset)
    if view.isDecorated {
      return RoundedRect(rect, corners: view.corners.grown(by: -inset), displayFromLocal: matrix)
    }
    let radius = max(0, view.appearance.cornerRadius - inset)
    return RoundedRect(rect, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
  }
}
