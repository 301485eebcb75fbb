extension View {
  /// Returns the view with an id: this one, or the first one in it, from front to back; nil for none.
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
  /// Moves a subview in front of the others; its touches go on. A view that is no subview of this one stays
  /// where it is. (`UIView.bringSubviewToFront(_:)`.)
  public final func bringSubviewToFront(_ subview: View) {
    if subview.superview === self { addSubview(subview) }
  }

  /// Moves a subview behind the others; its touches go on. A view that is no subview of this one stays where
  /// it is. (`UIView.sendSubviewToBack(_:)`.)
  public final func sendSubviewToBack(_ subview: View) {
    if subview.superview === self { insertSubview(subview, at: 0) }
  }

  /// Inserts a view right in front of one of this view's subviews; in front of all if the other is none.
  /// (`UIView.insertSubview(_:aboveSubview:)`.)
  public final func insertSubview(_ view: View, aboveSubview sibling: View) {
    insertSubview(view, nextTo: sibling, isAbove: true)
  }

  /// Inserts a view right behind one of this view's subviews; in front of all if the other is none.
  /// (`UIView.insertSubview(_:belowSubview:)`.)
  public final func insertSubview(_ view: View, belowSubview sibling: View) {
    insertSubview(view, nextTo: sibling, isAbove: false)
  }

  private func insertSubview(_ view: View, nextTo sibling: View, isAbove: Bool) {
    guard view !== sibling else { return }
    // The view's own place does not count, because it is removed first.
    let others = subviews.filter { $0 !== view }
    let place = others.firstIndex { $0 === sibling }.map { isAbove ? $0 + 1 : $0 }
    insertSubview(view, at: place ?? others.count)
  }
}

extension Window {
  /// The controller whose view fills the window. Setting it removes the present views, and loads the
  /// controller's view, which `viewDidLoad()` finds in the window and as large.
  /// (`UIWindow.rootViewController`.)
  public final var rootViewController: ViewController? {
    get { subviews.first?.viewController }
    set {
      for view in subviews.reversed() { view.removeFromSuperview() }
      guard let controller = newValue else { return }
      let view = controller.viewIfLoaded ?? controller.loadView()
      view.isArranged = true
      view.frame = LocalRect(origin: .zero, size: bounds.size)
      // It appears when it is loaded, and what it has loaded with it.
      view.isOnOtherPage = true
      addSubview(view)
      if !controller.isViewLoaded { controller.own(view) }
      view.isOnOtherPage = false
      let controllers = view.shownControllers
      controllers.begin(true, animated: false)
      controllers.end()
    }
  }
}
