/// Touches that slide: from a view with `tracking` slide_over, a finger enters and leaves others. (Not in
/// UIKit.) The touch still belongs to its first view. A view that was entered is left once, and the first
/// view sees the end.
struct TouchSlide {
  /// Whether a touch ever slid. In most trees none does.
  private(set) var isUsed = false

  mutating func start(_ touch: Touch, on view: View) {
    guard view.isSlidOver else { return }
    isUsed = true
    touch.isSliding = true
    touch.slidOver = view
  }

  /// Delivers entered and left, before the touches' own views get the move or the end.
  func follow(_ touches: [Touch], in window: Window, with event: Event) {
    for touch in touches where touch.isSliding && !touch.isTaken {
      switch touch.phase {
      case .moved where touch.delayState == .delivering:
        cross(touch, to: target(of: touch, in: window), with: event)
      case .ended where touch.delayState == .delivering:
        cross(touch, to: target(of: touch, in: window), with: event)
        leave(touch, .ended, with: event)
      case .ended, .cancelled: leave(touch, .cancelled, with: event)
      case .began, .moved, .stationary, .entered, .left: break
      }
    }
  }

  func abandon(_ touches: [Touch], with event: Event) {
    for touch in touches where touch.isSliding && touch.isTaken { leave(touch, .cancelled, with: event) }
  }

  private func target(of touch: Touch, in window: Window) -> View? {
    let point = LocalPoint(x: touch.location.x, y: touch.location.y)
    guard let hit = window.hitView(at: point, with: nil), hit.isSlidOver else { return nil }
    return hit
  }

  private func cross(_ touch: Touch, to view: View?, with event: Event) {
    guard touch.slidOver !== view else { return }
    let old = touch.slidOver
    touch.slidOver = view
    if let old { send(old, touch, .left, .moved, with: event) }
    if let view { send(view, touch, .entered, .moved, with: event) }
  }

  private func leave(_ touch: Touch, _ reason: Touch.Leaving, with event: Event) {
    guard let view = touch.slidOver, view !== touch.view else { return }
    // The touch's own view sees the end, and that the finger is not over it.
    touch.slidOver = nil
    send(view, touch, .left, reason, with: event)
  }

  private func send(
    _ view: View, _ touch: Touch, _ phase: Touch.Phase, _ reason: Touch.Leaving, with event: Event
  ) {
    touch.show(phase)
    let disposition =
      phase == .entered ? view.touchEntered(touch, with: event) : view.touchLeft(touch, reason, with: event)
    if event.isWatched { touch.disclosed = touch.disclosure(in: phase) }
    event.observer?.observe(.touch(touch, responder: view, disposition: disposition, captured: false))
    touch.showActual()
  }
}

extension Touch {
  /// The reason why a view is left.
  public enum Leaving: Sendable {
    /// The finger moved on.
    case moved
    /// The finger was lifted over the view.
    case ended
    /// The touch was cancelled.
    case cancelled
  }
}

extension View {
  /// Whether the view gets entered and left: it or an ancestor has `tracking` slide_over.
  final var isSlidOver: Bool { isSelfOrAncestor { $0.tracking == .slideOver } }
}
