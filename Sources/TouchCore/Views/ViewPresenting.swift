// Pictures may show a view on its way to its place. Hit tests, layout and everything that reads a view use
// its final place. (`CALayer.presentation()` and `model()`.)

/// The animations in the pictures of a window, of a class of the module above. The core reports changes to it
/// before they happen, and calls it at its time.
package protocol WindowMotion: AnyObject {
  /// Called before and after a view changes.
  /// - Parameter isShown: whether nothing conceals the view's superviews.
  func willDraw(_ view: View, isShown: Bool)

  /// Called when a view has changed.
  /// - Parameter rect: the area that changed, in window space.
  func didDraw(_ view: View, in rect: WindowRect)

  /// Called when `Window.motionDue` has come. It is later than the time from then on, or nil.
  func timePassed(to time: Timestamp)
}

/// The properties that a picture shows differently. They cause no damage and no change of a hit index. The
/// caller restores them before anything else reads the view.
extension View {
  /// The top-left corner before the transform, in the superview's bounds space.
  package final func present(origin: LocalPoint) {
    layoutOrigin = origin
    presentationChanged()
  }

  package final func present(bounds: LocalRect) {
    storedBounds = bounds
    presentationChanged()
  }

  package final func present(transform: AffineTransform) {
    storedTransform = transform
    presentationChanged()
  }

  package final func present(alpha: Double) { storedAlpha = alpha }

  package final func present(isConcealed: Bool) {
    self.isConcealed = isConcealed
    paintedBoundsChanged()
  }

  package final func present(clipsToBounds: Bool) {
    storedClipping = clipsToBounds
    paintedBoundsChanged()
  }

  private func presentationChanged() {
    cachedInverse = nil
    paintedBoundsChanged()
  }
}
