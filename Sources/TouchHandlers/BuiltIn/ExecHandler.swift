import Logging
import TouchCore
import TouchSystem
import TouchViews

/// Starts a command for touches of its responder, one process for each touch, without waiting for it.
///
/// If it is so configured, a control's action or a pointer starts the command too. A
/// process that takes too long is ended. The command is a list of words and never goes
/// through a shell. Its environment describes the event:
///
/// - Touches: `TOUCHTREE_VIEW`, `TOUCHTREE_RESPONDER`, `TOUCHTREE_PHASE`,
///   `TOUCHTREE_TOUCH`, `TOUCHTREE_X` and `_Y` (the responder's own space),
///   `TOUCHTREE_WINDOW_X` and `_Y`, `TOUCHTREE_TAPS`, `TOUCHTREE_TIME_US`.
/// - Gestures, in place of phase, touch and taps: `TOUCHTREE_GESTURE` (its id),
///   `TOUCHTREE_KIND`, `TOUCHTREE_STATE`, and the measures of that kind among
///   `TOUCHTREE_TRANSLATION_X` and `_Y`, `TOUCHTREE_VELOCITY_X` and `_Y`, `TOUCHTREE_SCALE`,
///   `TOUCHTREE_ANGLE` (in radians) and `TOUCHTREE_DIRECTION`.
/// - Pointers, in their place: `TOUCHTREE_POINTER` (entered, moved, left, wheel, pressed, released,
///   cancelled), `TOUCHTREE_BUTTON`, and for a wheel `TOUCHTREE_WHEEL_X` and `_Y`.
/// - Controls' actions, in addition: `TOUCHTREE_ACTION`, and the
///   control's `TOUCHTREE_VALUE` or `TOUCHTREE_TEXT`.
/// - Keys: `TOUCHTREE_PHASE`, `TOUCHTREE_PRESS`, `TOUCHTREE_KEY`, `TOUCHTREE_CHARACTERS`,
///   `TOUCHTREE_MODIFIERS` and `TOUCHTREE_REPEAT`.
/// - Scans: `TOUCHTREE_TEXT`.
package final class ExecHandler: ControlHandler {
  package let name: String
  package let captures: Bool
  private let triggers: Set<HandlerTrigger>
  private let runner: CommandRunner
  /// The touch whose press a control in the view has sent. Its end is not another press.
  private var pressedTouch = 0

  /// - Parameter timeLimit: the time for each process, in seconds; nil for no limit.
  package init(
    name: String, triggers: Set<HandlerTrigger>, command: Command, timeLimit: Double?,
    captures: Bool = false, children: ChildProcesses, logger: Logger
  ) {
    (self.name, self.captures, self.triggers) = (name, captures, triggers)
    runner = CommandRunner(
      owner: "handler \(name)", command: command, timeLimit: timeLimit, children: children, logger: logger)
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    guard let trigger = HandlerTrigger(phase) else { return .forward }
    let isAny = triggers.contains(trigger)
    // A control defines its press by itself.
    let isPress = phase == .ended && triggers.contains(.pressed) && (responder as? View)?.control == nil
    for touch in touches
    where isAny || isPress && touch.id != pressedTouch && Self.isInside(touch, responder, event) {
      runner.start(
        for: "\(phase.rawValue) of touch \(touch.id) on \(touch.view?.disclosed.id ?? "none")",
        with: CommandEnvironment.of(touch, phase, responder), at: event.timestamp)
    }
    return .forward
  }

  private static func isInside(_ touch: Touch, _ responder: Responder, _ event: Event) -> Bool {
    guard let view = responder.coordinateView else { return true }
    return view.point(inside: touch.location(in: view), with: event)
  }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    let isPress = action == .touchUpInside && triggers.contains(.pressed)
    guard isPress || triggers.contains(HandlerTrigger(action)) else { return }
    if isPress { pressedTouch = touch.id }
    runner.start(
      for: "\(action.rawValue) on \(control.disclosed.id)",
      with: CommandEnvironment.of(action, touch, control),
      at: event.timestamp)
  }

  /// Handles a gesture: its states are the phases began, moved, ended and cancelled.
  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let trigger = HandlerTrigger(gesture.state), triggers.contains(trigger) else { return }
    runner.start(
      for: "\(gesture.state.rawValue) of \(gesture.disclosedID)", with: CommandEnvironment.of(gesture, event),
      at: event.timestamp)
  }

  /// Handles a pointer. Wheels and buttons are passed on to the next responder, as touches are.
  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    let trigger = HandlerTrigger(pointer.kind)
    guard triggers.contains(trigger) else { return .forward }
    runner.start(
      for: "\(trigger.rawValue) on \(pointer.view.disclosed.id)",
      with: CommandEnvironment.of(pointer, responder),
      at: pointer.timestamp)
    return .forward
  }

  /// Forwards a key, because a command starts too late to keep it. The log does not name the key.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    guard let trigger = HandlerTrigger(press.phase), triggers.contains(trigger) else { return .forward }
    runner.start(
      for: "\(trigger.rawValue) on \(press.responder?.coordinateView?.disclosed.id ?? responder.id)",
      with: CommandEnvironment.of(press, responder), at: event.timestamp)
    return .forward
  }

  /// Consumes a scan if the command waits for scans.
  package func handle(_ scan: Scan, for responder: Responder) -> Disposition {
    guard triggers.contains(.scanned) else { return .forward }
    runner.start(
      for: "scanned at \(responder.coordinateView?.disclosed.id ?? responder.id)",
      with: CommandEnvironment.of(scan, responder), at: scan.timestamp)
    return .handled
  }
}
