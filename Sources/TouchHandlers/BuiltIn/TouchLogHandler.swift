import Logging
import TouchCore
import TouchSystem
import TouchViews

/// Writes every phase and action to the log: the event, the touch, the responder, the place
/// in the responder's own space, and the hit view.
///
///     began 1 ok (12, 3) view ok
///     began 1 window (212, 103) view ok
///     touchDown 1 ok (12, 3) view ok
///
/// A gesture has its kind, id and state, its view, and the place in that view's space:
///
///     pan drag began photo (40, 12)
///
/// Events in a private view are not logged, even if the file gives that view this handler.
package final class TouchLogHandler: ControlHandler {
  package let name: String
  private let logger: Logger

  /// - Parameter logger: gets one line for each touch, action, gesture and pointer event.
  package init(name: String, logger: Logger) { (self.name, self.logger) = (name, logger) }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    for touch in touches {
      switch touch.disclosure(in: phase) {
      case .all: log(phase.rawValue, touch, responder)
      case .end: touch.showingEnd { log(Touch.Phase.cancelled.rawValue, touch, responder) }
      case .nothing: break
      }
    }
    return .forward
  }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if control.privateView == nil { log(action.rawValue, touch, control) }
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard !gesture.isPrivate else { return }
    let place = gesture.location(in: gesture.view)
    logger.info(
      """
      \(gesture.kind) \(gesture.id) \(gesture.state.rawValue) \(gesture.view?.id ?? "none") \
      (\(place.x.short), \(place.y.short))
      """)
  }

  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    guard pointer.view.privateView == nil else { return .forward }
    let what: String
    switch pointer.kind {
    // A log of every position of a mouse is useless.
    case .moved: return .forward
    case .entered: what = "pointer entered"
    case .left: what = "pointer left"
    case .wheel(let x, let y): what = "wheel (\(x.plain), \(y.plain))"
    case .pressed(let button): what = "\(button) pressed"
    case .released(let button): what = "\(button) released"
    case .cancelled(let button): what = "\(button) cancelled"
    }
    let place = pointer.location(in: responder.coordinateView)
    logger.info("\(what) \(responder.id) (\(place.x.short), \(place.y.short)) view \(pointer.view.id)")
    return .forward
  }

  /// Logs a key without the characters, or the number of them, typed into a text field.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    let isTyped = press.responder is any KeyInput
    guard press.phase != .changed, !isTyped, press.responder?.coordinateView?.privateView == nil else {
      return .forward
    }
    logger.info("key \(press.key.keyCode.name) \(press.phase.rawValue) \(responder.id)")
    return .forward
  }

  private func log(_ what: String, _ touch: Touch, _ responder: Responder) {
    // The text is only made if the level is logged.
    logger.info("\(Self.line(what, touch, responder))")
  }

  private static func line(_ what: String, _ touch: Touch, _ responder: Responder) -> String {
    let place = touch.location(in: responder.coordinateView)
    return "\(what) \(touch.id) \(responder.id) (\(place.x.short), \(place.y.short))"
      + " view \(touch.view?.id ?? "none")"
  }
}
