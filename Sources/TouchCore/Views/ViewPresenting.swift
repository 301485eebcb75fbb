// Pictures may show a view on its way; everything else uses its final place. (`CALayer.presentation()`)

/// The animations of a window's pictures, called before changes and at its time.
package protocol WindowMotion: AnyObject {
  /// Called before and after a view changes that its superviews may conceal.
  func willDraw(_ view: View, isShown: Bool)

  /// Called when a view has changed in a rectangle of window space.
  func didDraw(_ view: View, in rect: WindowRect)

  /// Called when `Window.motionDue` has come. It is later than the time from then on, or nil.
  func timePassed(to time: Timestamp)
}

/// The properties that a picture shows differently, without damage, and restored before other reads.
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
