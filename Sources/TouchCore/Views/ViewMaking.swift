extension View {
  /// Makes a view with a frame. (`UIView.init(frame:)`.)
  ///
  /// - Parameters:
  ///   - id: what traces, messages and `view(id:)` call it, unique in its tree; empty for a view that needs no name.
  ///   - frame: where the view lies in its superview's bounds space.
  public convenience init(id: String = "", frame: LocalRect) {
    self.init(id: id, layoutRect: frame)
  }

  /// The view with this id: this one, or the first that is found in it, from front to back; nil if there is none.
  /// (`UIView.viewWithTag(_:)`.)
  public final func view(id: String) -> View? {
    var waiting = [self]
    while let view = waiting.popLast() {
      if view.id == id { return view }
      waiting += view.subviews
    }
    return nil
  }
}

extension View {
  /// Puts a subview in front of the others; its touches go on. What is no subview of this view stays where it is.
  /// (`UIView.bringSubviewToFront(_:)`.)
  public final func bringSubviewToFront(_ subview: View) {
    if subview.superview === self { addSubview(subview) }
  }

  /// Puts a subview behind the others; its touches go on. What is no subview of this view stays where it is.
  /// (`UIView.sendSubviewToBack(_:)`.)
  public final func sendSubviewToBack(_ subview: View) {
    if subview.superview === self { insertSubview(subview, at: 0) }
  }
}

extension Window {
  /// The controller whose view fills the window: setting it removes the views that are there, and loads that of the controller.
  /// (`UIWindow.rootViewController`.)
  public final var rootViewController: ViewController? {
    get { subviews.first?.viewController }
    set {
      for view in subviews.reversed() { view.removeFromSuperview() }
      guard let view = newValue?.loadViewIfNeeded() else { return }
      view.isArranged = true
      addSubview(view)
    }
  }
}
