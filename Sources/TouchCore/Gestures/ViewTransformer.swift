/// Moves, scales or turns a view as a pan, a pinch or a rotation goes on, about the middle of the fingers.
/// (In UIKit, targets do it.) Several gestures of one view add up.
package final class ViewTransformer {
  private weak var view: View?
  /// The part of the gesture that the view's transform already has.
  private var done = (translation: LocalVector(x: 0, y: 0), scale: 1.0, angle: 0.0)

  /// The range in which fingers scale a view, as multiples of its size. A view beyond it keeps its scale.
  package static let limits = 0.25...8.0

  /// - Parameter view: the view that follows the gestures; it is held weakly.
  package init(_ view: View) { self.view = view }

  /// Changes the view's transform by the gesture's measurements, if its kind has any.
  package func follow(_ gesture: GestureRecognizer) {
    guard let view, let parent = view.superview else { return }
    if gesture.state == .began { done = (LocalVector(x: 0, y: 0), 1, 0) }
    let middle = gesture.location(in: parent)
    let toMiddle = AffineTransform.translation(x: view.center.x - middle.x, y: view.center.y - middle.y)
    let fromMiddle = AffineTransform.translation(x: middle.x - view.center.x, y: middle.y - view.center.y)
    switch gesture {
    case let pan as PanGestureRecognizer:
      let translation = pan.translation(in: parent)
      view.transform = view.transform.then(
        .translation(x: translation.x - done.translation.x, y: translation.y - done.translation.y))
      done.translation = translation
    case let pinch as PinchGestureRecognizer where pinch.scale != done.scale:
      let factor = allowed(pinch.scale / done.scale, of: abs(view.transform.determinant).squareRoot())
      view.transform = view.transform.then(toMiddle).then(.scale(x: factor, y: factor)).then(fromMiddle)
      done.scale = pinch.scale
    case let turn as RotationGestureRecognizer where turn.rotation != done.angle:
      let degrees = (turn.rotation - done.angle) * 180 / .pi
      view.transform = view.transform.then(toMiddle).then(.rotation(degrees: degrees)).then(fromMiddle)
      done.angle = turn.rotation
    default: break
    }
  }

  private func allowed(_ factor: Double, of scale: Double) -> Double {
    guard scale > 0 else { return 1 }
    let (least, most) = (min(Self.limits.lowerBound, scale), max(Self.limits.upperBound, scale))
    return max(least, min(most, scale * factor)) / scale
  }
}
