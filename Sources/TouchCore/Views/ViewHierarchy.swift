// Adding and removing views, and converting between their spaces.

extension View {
  /// The view that contains this one; nil for a window and for a view outside a tree. The superview keeps the
  /// view, not the other way round. (`UIView.superview`.)
  public internal(set) final var superview: View? {
    get { unretainedSuperview?.takeUnretainedValue() }
    set { unretainedSuperview = newValue.map { .passUnretained($0) } }
  }
  /// The subviews in the order in which they are drawn and hit, back to front: by `HitBehavior.z`, then as
  /// they were added.
  public final var layeredSubviews: [View] { raisedSubviews == 0 ? subviews : sortedSubviews() }

  /// The window at the top of the view's tree, or nil.
  public final var window: Window? {
    var view: View = self
    while let parent = view.superview { view = parent }
    return view as? Window
  }

  /// Adds a view in front of the others. It is removed from its former superview first. The view itself and
  /// its ancestors are refused silently, since the tree would have no end.
  public final func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

  /// Inserts a view at an index of the back-to-front order; an index beyond an end means that end.
  public final func insertSubview(_ view: View, at index: Int) {
    guard !isDescendant(of: view) else { return }
    let window = window
    let keepsWindow = view.superview != nil && view.window === window
    view.willMove(toSuperview: self)
    view.leaveSuperview(keepingWindow: keepsWindow)
    view.superview = self
    view.viewController?.viewMoved()
    let index = min(max(index, 0), subviews.count)
    storedSubviews.insert(view, at: index)
    subviewAdded(view, at: index)
    paintedBoundsChanged()
    if subviews.count == 1 { groupChanged() }
    didAddSubview(view)
    if view.isArranged || view.needsLayout || unretainedController != nil { setNeedsLayout() }
    view.setNeedsDisplay()
    if !keepsWindow, window != nil {
      let controllers = view.shownControllers
      controllers.begin(true, animated: false)
      view.windowChanged()
      controllers.end()
    }
    view.didMoveToSuperview()
  }

  /// Removes the view from its superview, and cancels the touches on it and on anything in it. Hiding or
  /// disabling it does not end them. (`UIView.removeFromSuperview()`.)
  public final func removeFromSuperview() {
    guard superview != nil else { return }
    willMove(toSuperview: nil)
    leaveSuperview(keepingWindow: false)
    didMoveToSuperview()
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

  private func leaveSuperview(keepingWindow: Bool) {
    // A first responder that is removed from the window may change the tree.
    if superview != nil, !keepingWindow { window?.dismissFirstResponder(in: self) }
    guard superview != nil else { return }
    let window = keepingWindow ? nil : window
    let controllers = window == nil ? [] : shownControllers
    controllers.begin(false, animated: false)
    guard let parent = superview else { return }
    setNeedsDisplay()
    parent.willRemoveSubview(self)
    parent.storedSubviews.removeAll { $0 === self }
    parent.subviewRemoved(self)
    parent.paintedBoundsChanged()
    if parent.subviews.isEmpty { parent.groupChanged() }
    superview = nil
    viewController?.viewMoved()
    if isArranged { parent.setNeedsLayout() }
    guard let window else { return }
    window.subtreeLeft(self)
    windowChanged()
    controllers.end()
  }

  /// Calls `didMoveToWindow()` for the view and all in it, without recursion, also if views move.
  private func windowChanged() {
    var waiting = [(view: self, superview: superview)]
    while let (view, superview) = waiting.popLast() {
      guard view.superview === superview else { continue }
      view.didMoveToWindow()
      for subview in view.subviews.reversed() { waiting.append((subview, view)) }
    }
  }
}

extension View {
  /// Converts a point of this view's bounds space to another view's. Both views must be in one tree. If a
  /// transform on the way has no inverse, the result is `nowhere`. (`UIView.convert(_:to:)`.)
  public final func convert(_ point: LocalPoint, to view: View) -> LocalPoint {
    if view === self { return point }
    return view.convertFromRoot(convertToRoot(point))
  }

  /// Converts a point of another view's bounds space to this view's. (`UIView.convert(_:from:)`.)
  public final func convert(_ point: LocalPoint, from view: View) -> LocalPoint {
    view.convert(point, to: self)
  }

  /// Returns the smallest rectangle in another view's bounds space around a rectangle of this view's. Both
  /// views must be in one tree. If a transform on the way has no inverse, the result is at `nowhere`.
  /// (`UIView.convert(_:to:)`.)
  public final func convert(_ rect: LocalRect, to view: View) -> LocalRect {
    if view === self { return rect }
    guard let inverse = view.windowFromLocal.inverse else { return LocalRect(origin: .nowhere, size: .zero) }
    return windowFromLocal.then(inverse).bounding(rect)
  }

  /// Returns the smallest rectangle in this view's bounds space around a rectangle of another view's.
  /// (`UIView.convert(_:from:)`.)
  public final func convert(_ rect: LocalRect, from view: View) -> LocalRect { view.convert(rect, to: self) }

  /// Converts a point of this view's bounds space to window space. (`UIView.convert(_:to:)` with nil.)
  public final func convertToWindow(_ point: LocalPoint) -> WindowPoint {
    let root = convertToRoot(point)
    return WindowPoint(x: root.x, y: root.y)
  }

  /// Converts a window point to this view's bounds space, or returns `nowhere`. (`UIView.convert(_:from:)`
  /// with nil.)
  public final func convertFromWindow(_ point: WindowPoint) -> LocalPoint {
    convertFromRoot(LocalPoint(x: point.x, y: point.y))
  }

  /// Converts a distance or speed in window space to this view's bounds space: turned and scaled, but not
  /// moved. The result is NaN if a transform on the way has no inverse.
  public final func convertFromWindow(_ vector: WindowVector) -> LocalVector {
    let end = convertFromWindow(WindowPoint(x: vector.x, y: vector.y))
    return end.vector(from: convertFromWindow(.zero))
  }

  /// Converts a distance or speed in this view's bounds space to window space: turned and scaled, but not
  /// moved.
  public final func convertToWindow(_ vector: LocalVector) -> WindowVector {
    let matrix = windowFromLocal
    return WindowVector(
      x: matrix.a * vector.x + matrix.c * vector.y, y: matrix.b * vector.x + matrix.d * vector.y)
  }

  /// The transform from this view's bounds space to window space.
  public final var windowFromLocal: AffineTransform {
    guard var ancestor = unretainedSuperview else { return .identity }
    var matrix = parentFromLocal
    while let next = ancestor._withUnsafeGuaranteedRef({ $0.unretainedSuperview }) {
      matrix = matrix.then(ancestor._withUnsafeGuaranteedRef { $0.parentFromLocal })
      ancestor = next
    }
    return matrix
  }

  /// Whether this view, or one that contains it, passes a test that changes nothing.
  @inlinable @inline(__always)
  package final func isSelfOrAncestor(where passes: (View) -> Bool) -> Bool {
    var view = Unmanaged.passUnretained(self)
    while !view._withUnsafeGuaranteedRef(passes) {
      guard let next = view._withUnsafeGuaranteedRef({ $0.unretainedSuperview }) else { return false }
      view = next
    }
    return true
  }

  /// The smallest rectangle around the view in window space.
  public final var windowFrame: WindowRect { windowFromLocal.bounding(bounds) }

  /// Converts a point of the superview's bounds space to this view's, or returns `nowhere`.
  public final func convertFromSuperview(_ point: LocalPoint) -> LocalPoint {
    localFromParent?.map(point) ?? .nowhere
  }

  private func convertToRoot(_ point: LocalPoint) -> LocalPoint {
    var point = point
    var view: View = self
    while let parent = view.superview {
      point = view.parentFromLocal.map(point)
      view = parent
    }
    return point
  }

  /// Converts without recursion and without the heap, since every moved touch is converted.
  private func convertFromRoot(_ point: LocalPoint) -> LocalPoint {
    var depth = 0
    var view: View = self
    while let parent = view.superview {
      depth += 1
      view = parent
    }
    return withUnsafeTemporaryAllocation(of: Unmanaged<View>.self, capacity: depth) { path in
      var view: View = self
      for step in 0..<depth {
        path.initializeElement(at: step, to: .passUnretained(view))
        view = view.superview ?? view
      }
      // The way down is the way up, reversed.
      var point = point
      for step in (0..<depth).reversed() {
        point = path[step].takeUnretainedValue().convertFromSuperview(point)
      }
      return point
    }
  }
}
