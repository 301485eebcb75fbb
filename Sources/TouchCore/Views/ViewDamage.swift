// What has to be drawn again. How a view is painted is not the core's; when it has to be is, because the view knows when it moves.

extension View {
  /// Marks everything that the view and its subviews paint as to be drawn again. (`UIView.setNeedsDisplay()`.)
  ///
  /// Of what cannot be seen, since an ancestor is hidden or on another page, nothing has to be drawn.
  public final func setNeedsDisplay() {
    addDamage { paintedRect(in: $0) }
  }

  /// Marks a part of the view as to be drawn again. (`UIView.setNeedsDisplay(_:)`.)
  ///
  /// - Parameter rect: in the view's own bounds space.
  public final func setNeedsDisplay(_ rect: LocalRect) {
    if !isConcealed { addDamage { $0.bounding(rect) } }
  }

  /// Adds damage to the window, and tells the views around this one that watch their content. Of what is in a concealed view
  /// nothing is drawn; whether the view itself is concealed does not count.
  ///
  /// - Parameter painted: what has changed, by the matrix from the view's own space.
  private func addDamage(_ painted: (AffineTransform) -> WindowRect) {
    var (view, isShown, isWatched) = (self, true, false)
    while let parent = view.superview {
      if parent.isConcealed { isShown = false }
      if parent.watchesContent { isWatched = true }
      view = parent
    }
    if isWatched { tellWatching(painted) }
    guard let window = view as? Window else { return }
    window.motion?.willDraw(self, isShown: isShown)
    if isShown { window.damage.add(painted(windowFromLocal)) }
  }

  /// The view is about to change in a way that does not mark it as to be drawn again before the change, as a new place does.
  package final func willChange() {
    window?.motion?.willDraw(self, isShown: true)
  }

  private func tellWatching(_ painted: (AffineTransform) -> WindowRect) {
    var (view, matrix) = (self, parentFromLocal)
    while let parent = view.superview {
      if parent.watchesContent {
        let rect = painted(matrix)
        parent.contentNeedsDisplay(
          in: LocalRect(x: rect.minX, y: rect.minY, width: rect.size.width, height: rect.size.height))
      }
      matrix = matrix.then(parent.parentFromLocal)
      view = parent
    }
  }

  /// What the view and the subviews that reach beyond it can paint, in window space.
  public final var paintedWindowRect: WindowRect { paintedRect(in: windowFromLocal) }

  /// - Parameters:
  ///   - matrix: from the view's own space to that of the result.
  ///   - evenHidden: whether the view counts although it is hidden; what is hidden in it does not.
  private func paintedRect(in matrix: AffineTransform, evenHidden: Bool = false) -> WindowRect {
    var rect = WindowRect.zero
    collectPainted(into: &rect, matrix: matrix, evenHidden: evenHidden)
    return rect
  }

  private func collectPainted(into rect: inout WindowRect, matrix: AffineTransform, evenHidden: Bool = false)
  {
    guard evenHidden || !isConcealed else { return }
    let own: WindowRect = matrix.bounding(ownPaintedRect)
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

  /// The view was hidden or shown, or its page was.
  final func concealmentChanged() {
    let conceals = refusals[.hidden] || refusals[.otherPage]
    guard conceals != isConcealed else { return }
    isConcealed = conceals
    reachChanged()
    paintedBoundsChanged()
    // A hidden view paints nothing, so look at what it painted, or is about to paint, as if it were shown.
    addDamage { paintedRect(in: $0, evenHidden: true) }
    if conceals { window?.dismissFirstResponder(in: self) }
  }
}
