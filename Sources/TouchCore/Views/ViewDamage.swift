// The area to draw again. The core does not paint, but knows when a view moves.

extension View {
  /// The opacity: 0 is invisible, 1 is opaque. At 0.01 and below, as a 32-bit float, the view cannot be hit.
  public final var alpha: Double {
    @inlinable get { storedAlpha }
    set {
      guard newValue != storedAlpha else { return }
      willChange()
      storedAlpha = newValue
      // UIKit keeps alpha as a 32-bit float on the layer: 0.01 is out, the next float above it is in.
      refusals[.transparent] = !(Float(newValue) > 0.01)
      reachChanged()
      setNeedsDisplay()
    }
  }
  /// Whether drawing stops at the bounds. Hit testing uses it only if a `hitBehavior` lets subviews be hit
  /// outside. (`UIView.clipsToBounds`.)
  public final var clipsToBounds: Bool {
    @inlinable get { storedClipping }
    set {
      // The part that is about to be cut off has to disappear, too.
      if newValue { setNeedsDisplay() }
      guard newValue != storedClipping else { return }
      storedClipping = newValue
      reachChanged()
      paintedBoundsChanged()
      setNeedsDisplay()
    }
  }

  /// Requests a drawing of everything that the view and its subviews paint. (`UIView.setNeedsDisplay()`.)
  ///
  /// A view that cannot be seen, because an ancestor is hidden or on another page, causes no drawing.
  public final func setNeedsDisplay() { addDamage { paintedRect(in: $0) } }

  /// Requests a drawing of a part of the view. (`UIView.setNeedsDisplay(_:)`.)
  ///
  /// - Parameter rect: in the view's own bounds space.
  public final func setNeedsDisplay(_ rect: LocalRect) {
    changes &+= 1
    if !isConcealed { addDamage { $0.bounding(rect) } }
  }

  /// Adds damage to the window, and reports it to views around that watch their content: the changed area by
  /// the matrix from the view's space. Views in a concealed one cause none.
  private func addDamage(_ painted: (AffineTransform) -> WindowRect) {
    changes &+= 1
    var (view, isShown, isWatched) = (self, true, false)
    while let parent = view.superview {
      if parent.isConcealed { isShown = false }
      if parent.watchesContent { isWatched = true }
      view = parent
    }
    if isWatched { notifyWatchers(painted) }
    guard let window = view as? Window else { return }
    guard isShown || window.motion != nil else { return }
    window.motion?.willDraw(self, isShown: isShown)
    let rect = painted(windowFromLocal)
    if isShown { window.damage.add(rect) }
    window.motion?.didDraw(self, in: rect)
  }

  /// Called before a change that does not mark its area as damaged first, as a new place does.
  package final func willChange() { window?.motion?.willDraw(self, isShown: true) }

  private func notifyWatchers(_ painted: (AffineTransform) -> WindowRect) {
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

  /// The area that the view and the subviews beyond its bounds can paint, in window space.
  public final var paintedWindowRect: WindowRect { paintedRect(in: windowFromLocal) }

  /// - Parameter evenHidden: whether the view counts even if it is hidden; hidden views in it do not.
  private func paintedRect(in matrix: AffineTransform, evenHidden: Bool = false) -> WindowRect {
    var rect = WindowRect.zero
    collectPainted(into: &rect, matrix: matrix, evenHidden: evenHidden)
    return rect
  }

  private func collectPainted(into rect: inout WindowRect, matrix: AffineTransform, evenHidden: Bool = false)
  {
    guard evenHidden || !isConcealed else { return }
    let own: WindowRect = matrix.bounding(ownPaintedRect)
    // A view without a finite place is not painted, and must not hide the place of others.
    if own.origin.isFinite, own.size.width.isFinite, own.size.height.isFinite { rect = rect.union(own) }
    guard !clipsToBounds else { return }
    for subview in subviews {
      subview.collectPainted(into: &rect, matrix: subview.parentFromLocal.then(matrix))
    }
  }

  /// Damages the view at its first or after its last subview: a translucent group is blended otherwise.
  final func groupChanged() { if alpha < 1 || refusals[.disabled] { setNeedsDisplay() } }

  /// Damages the view when it or its page was hidden or shown.
  final func concealmentChanged() {
    let conceals = refusals[.hidden] || refusals[.otherPage]
    guard conceals != isConcealed else { return }
    isConcealed = conceals
    reachChanged()
    paintedBoundsChanged()
    // A hidden view paints nothing, so its area counts as if it were shown.
    addDamage { paintedRect(in: $0, evenHidden: true) }
    if conceals { window?.dismissFirstResponder(in: self) }
  }
}
