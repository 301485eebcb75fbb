import TouchCore

/// Keys in a scroll view: what is focused is scrolled to, and where nothing is left to be focused, arrows
/// scroll.
extension ScrollView: FocusScroller {
  /// The space between the focused item and the edge, in units.
  private static let focusMargin = 8.0
  /// The distance that an arrow scrolls, in units: that of a wheel's step.
  private static let arrowStep = 48.0

  /// Scrolls as little as it takes. (`UIScrollView.scrollRectToVisible(_:animated:)`.)
  ///
  /// - Parameter rect: the rectangle in the view's own bounds space.
  public final func revealFocus(_ rect: LocalRect) {
    guard followsFocus else { return }
    let range = range
    let end = LocalPoint(
      x: range.x.nearest(to: Self.revealed(rect.minX, rect.maxX, from: bounds.minX, to: bounds.maxX)),
      y: range.y.nearest(
        to: Self.revealed(rect.minY - coverHeight, rect.maxY, from: bounds.minY, to: bounds.maxY)))
    if end != bounds.origin { jump(to: end) }
  }

  /// Returns the offset along an axis at which a stretch is seen; its beginning, if it is longer.
  private static func revealed(_ low: Double, _ high: Double, from start: Double, to end: Double) -> Double {
    if low - focusMargin < start || high - low > end - start { return low - focusMargin }
    return high + focusMargin > end ? start + high + focusMargin - end : start
  }

  /// - Returns: false at the end, and for pages that do not slide.
  public final func scrollFocus(_ heading: FocusHeading, isPage: Bool) -> Bool {
    guard followsFocus else { return turnFocus(heading) }
    guard isScrollEnabled else { return false }
    let way = isPage ? bounds.size.height * 0.9 : Self.arrowStep
    var end = bounds.origin
    switch heading {
    case .up: end.y -= way
    case .down: end.y += way
    case .left: end.x -= way
    case .right: end.x += way
    case .next, .previous, .none: return false
    }
    let range = range
    end = LocalPoint(x: range.x.nearest(to: end.x), y: range.y.nearest(to: end.y))
    guard end != bounds.origin else { return false }
    jump(to: end)
    return true
  }
}

extension ScrollView {
  /// - Returns: false for a view of which all rows exist.
  public final func showFocus(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool {
    showRow(heading, beyond: view, by: distance)
  }
}
