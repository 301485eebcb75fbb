extension View {
  /// Marks everything that the view and its subviews paint as to be drawn again. (`UIView.setNeedsDisplay()`.)
  public final func setNeedsDisplay() {
    guard let window else { return }
    window.damage.add(paintedWindowRect)
  }

  /// What the view and the subviews that reach beyond it can paint, in window space.
  public final var paintedWindowRect: WindowRect {
    var rect = WindowRect.zero
    collectPainted(into: &rect, matrix: windowFromLocal)
    return rect
  }

  private func collectPainted(into rect: inout WindowRect, matrix: AffineTransform) {
    guard !isHidden else { return }
    rect = rect.union(matrix.bounding(bounds))
    guard !clipsToBounds else { return }
    for subview in subviews {
      subview.collectPainted(into: &rect, matrix: subview.parentFromLocal.then(matrix))
    }
  }

  final func appearanceChanged(_ changed: Bool) {
    if changed { setNeedsDisplay() }
  }

  final func visibilityChanged() {
    guard let window else { return }
    // A hidden view paints nothing, so look at what it painted, or is about to paint, as if it were shown.
    let superview = superview
    window.damage.add(superview?.paintedWindowRect ?? window.windowFrame)
    setNeedsDisplay()
    window.damage.add(windowFrame)
  }
}
