// Pictures may show a view on its way to where it is. Hit tests, layout and everything that reads a view go by where it is.
// (`CALayer.presentation()` and `model()`.)

/// What is on its way in the pictures of a window, for the module above that knows how views move. The core tells it what is about to
/// change, and when its time has come.
package protocol WindowMotion: AnyObject {
  /// A view is about to change, or has changed.
  ///
  /// - Parameter isShown: whether nothing conceals what it is in.
  func willDraw(_ view: View, isShown: Bool)

  /// `Window.motionDue` has come. It is later than the time from then on, or nil.
  func timePassed(to time: Timestamp)
}

/// What a picture shows differently. Nothing is damaged by it, and no index of hit tests hears of it: whoever calls these takes them back
/// before anything else reads the view.
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
