// The place of a view, and the transforms between its space and that of its superview.

extension View {
  /// The rectangle before the transform, in the superview's bounds space. Without a transform it is UIKit's
  /// `frame`.
  public final var layoutRect: LocalRect {
    get { Rect(origin: layoutOrigin, size: bounds.size) }
    set {
      guard newValue != layoutRect else { return }
      change {
        layoutOrigin = newValue.origin
        storedBounds.size = newValue.size
      }
    }
  }

  /// The view's own coordinate space. Its origin is the scroll offset: the point of that space at the view's
  /// top-left corner. A change of the size grows the view to the right and down of `layoutRect.origin`.
  /// (`UIView.bounds`.)
  public final var bounds: LocalRect {
    get { storedBounds }
    set { if newValue != storedBounds { change { storedBounds = newValue } } }
  }

  /// The transform about the anchor point, after layout. (`UIView.transform`.)
  public final var transform: AffineTransform {
    @inlinable get { storedTransform }
    set { if newValue != storedTransform { change { storedTransform = newValue } } }
  }

  /// The anchor point's place in the superview's bounds space. (`UIView.center`.)
  public final var center: LocalPoint {
    get { layoutOrigin.offset(x: anchorOffset.x, y: anchorOffset.y) }
    set { change { layoutOrigin = newValue.offset(x: -anchorOffset.x, y: -anchorOffset.y) } }
  }

  /// The smallest rectangle around the transformed view, in the superview's bounds space. Setting it sets
  /// `layoutRect`, which is the same for a view without a transform. (`UIView.frame`, which is undefined for
  /// a view with one.)
  public final var frame: LocalRect {
    get { parentFromLocal.bounding(bounds) }
    set { layoutRect = newValue }
  }

  /// The anchor's distance from the top-left corner, in the view's own units.
  private var anchorOffset: (x: Double, y: Double) {
    (storedBounds.size.width * anchorPoint.x, storedBounds.size.height * anchorPoint.y)
  }

  /// The transform from this view's bounds space to its superview's.
  public final var parentFromLocal: AffineTransform {
    let bounds = storedBounds
    guard transform != .identity else {
      return .translation(x: layoutOrigin.x - bounds.origin.x, y: layoutOrigin.y - bounds.origin.y)
    }
    let anchor = anchorOffset
    return AffineTransform.translation(x: -bounds.origin.x - anchor.x, y: -bounds.origin.y - anchor.y)
      .then(transform)
      .then(.translation(x: layoutOrigin.x + anchor.x, y: layoutOrigin.y + anchor.y))
  }

  /// The transform from the superview's bounds space to this view's; nil when it has no inverse.
  final var localFromParent: AffineTransform? {
    if let cachedInverse { return cachedInverse }
    let inverse = parentFromLocal.inverse
    cachedInverse = .some(inverse)
    return inverse
  }

  private func change(_ body: () -> Void) {
    setNeedsDisplay()
    let size = storedBounds.size
    body()
    geometryChanged()
    if storedBounds.size != size, !storedSubviews.isEmpty { setNeedsLayout() }
  }

  final func geometryChanged() {
    cachedInverse = nil
    reachChanged()
    paintedBoundsChanged()
    setNeedsDisplay()
  }
}
