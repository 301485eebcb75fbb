// How views come into a tree, and leave it.

extension View {
  /// The window at the top of the view's tree, or nil.
  public final var window: Window? {
    var view: View = self
    while let parent = view.superview { view = parent }
    return view as? Window
  }

  /// Puts a view in front of the others. A view that has a superview leaves it first; the view itself and
  /// its ancestors are refused silently, since the tree would have no end.
  public final func addSubview(_ view: View) {
    insertSubview(view, at: subviews.count)
  }

  /// Puts a view at a place in the back-to-front order; places beyond the ends mean the ends.
  public final func insertSubview(_ view: View, at index: Int) {
    guard !isDescendant(of: view) else { return }
    let keepsWindow = view.superview != nil && view.window === window
    view.leaveSuperview(keepingTouches: keepsWindow)
    view.superview = self
    let index = min(max(index, 0), subviews.count)
    storedSubviews.insert(view, at: index)
    subviewAdded(view, at: index)
    if subviews.count == 1 { groupChanged() }
    view.setNeedsDisplay()
  }

  /// Takes the view out of its superview. Touches on it and on anything in it are cancelled.
  /// Hiding or disabling it does not end them. (`UIView.removeFromSuperview()`.)
  public final func removeFromSuperview() {
    leaveSuperview(keepingTouches: false)
  }

  /// Whether `view` is this view or one of its ancestors. (`UIView.isDescendant(of:)`.)
  public final func isDescendant(of view: View) -> Bool {
    var ancestor: View? = self
    while let current = ancestor {
      if current === view { return true }
      ancestor = current.superview
    }
    return false
  }

  private func leaveSuperview(keepingTouches: Bool) {
    guard let parent = superview else { return }
    setNeedsDisplay()
    let window = keepingTouches ? nil : window
    parent.storedSubviews.removeAll { $0 === self }
    parent.subviewRemoved(self)
    if parent.subviews.isEmpty { parent.groupChanged() }
    superview = nil
    window?.subtreeLeft(self)
  }
}
