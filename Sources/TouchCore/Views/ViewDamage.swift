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

  /// - Parameter evenHidden: whether the view counts although it is hidden; what is hidden in it does not.
  private func collectPainted(into rect: inout WindowRect, matrix: AffineTransform, evenHidden: Bool = false)
  {
    guard evenHidden || !isHidden else { return }
    let own: WindowRect = matrix.bounding(bounds)
    // What has no place on any display is not painted, and must not swallow the place of what is.
    if own.origin.isFinite, own.size.width.isFinite, own.size.height.isFinite { rect = rect.union(own) }
    guard !clipsToBounds else { return }
    for subview in subviews {
      subview.collectPainted(into: &rect, matrix: subview.parentFromLocal.then(matrix))
    }
  }

  /// The view got its first subview or lost its last one. What is seen through is blended as a whole once there is
  /// something in it, and that rounds differently.
  final func groupChanged() {
    if alpha < 1 || refusals[.disabled] { setNeedsDisplay() }
  }

  final func appearanceChanged(_ changed: Bool) {
    if changed { setNeedsDisplay() }
  }

  final func visibilityChanged() {
    guard let window else { return }
    // A hidden view paints nothing, so look at what it painted, or is about to paint, as if it were shown.
    var rect = WindowRect.zero
    collectPainted(into: &rect, matrix: windowFromLocal, evenHidden: true)
    window.damage.add(rect)
  }
}
