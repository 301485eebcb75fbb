extension View {
  /// A point of this view's bounds space in another view's. Both views must be in one tree; where a transform
  /// on the way has no inverse, the answer is `nowhere`. (`UIView.convert(_:to:)`.)
  public final func convert(_ point: LocalPoint, to view: View) -> LocalPoint {
    if view === self { return point }
    return view.convertFromRoot(convertToRoot(point))
  }

  /// A point of another view's bounds space in this view's. (`UIView.convert(_:from:)`.)
  public final func convert(_ point: LocalPoint, from view: View) -> LocalPoint {
    view.convert(point, to: self)
  }

  /// A point of this view's bounds space in the window's. (`UIView.convert(_:to:)` with nil.)
  public final func convertToWindow(_ point: LocalPoint) -> WindowPoint {
    let root = convertToRoot(point)
    return WindowPoint(x: root.x, y: root.y)
  }

  /// A window point in this view's bounds space, or `nowhere`. (`UIView.convert(_:from:)` with nil.)
  public final func convertFromWindow(_ point: WindowPoint) -> LocalPoint {
    convertFromRoot(LocalPoint(x: point.x, y: point.y))
  }

  /// The matrix from this view's bounds space to the window's.
  public final var windowFromLocal: AffineTransform {
    var matrix = AffineTransform.identity
    var view: View = self
    while let parent = view.superview {
      matrix = matrix.then(view.parentFromLocal)
      view = parent
    }
    return matrix
  }

  /// The smallest rectangle around the view in window space.
  public final var windowFrame: WindowRect { windowFromLocal.bounding(bounds) }

  /// A point of the superview's bounds space in this view's, or `nowhere`.
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

  /// Without recursion, since a chain may be deep, and without the heap, since every moved touch is converted.
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
