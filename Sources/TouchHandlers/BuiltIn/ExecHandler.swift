import Logging
import TouchCore
import TouchSystem
import TouchViews

/// Starts a command when touches come to its responder, one process for each touch, and waits for none; and, where it is
/// to, when a control sends an action or a pointer comes. One that takes too long is ended.
///
/// The command is a list of words and never goes through a shell. What happened stands in its environment:
/// `TOUCHTREE_VIEW`, `TOUCHTREE_RESPONDER`, `TOUCHTREE_PHASE`, `TOUCHTREE_TOUCH`, `TOUCHTREE_X` and `_Y` (the
/// responder's own space), `TOUCHTREE_WINDOW_X` and `_Y`, `TOUCHTREE_TAPS`, `TOUCHTREE_TIME_US`. For a gesture, in
/// place of phase, touch and taps: `TOUCHTREE_GESTURE` (its id), `TOUCHTREE_KIND`, `TOUCHTREE_STATE`, and what that
/// kind measures of `TOUCHTREE_TRANSLATION_X` and `_Y`, `TOUCHTREE_VELOCITY_X` and `_Y`, `TOUCHTREE_SCALE`,
/// `TOUCHTREE_ANGLE` (in radians) and `TOUCHTREE_DIRECTION`. For a pointer in their place: `TOUCHTREE_POINTER`
/// (entered, moved, left, wheel, pressed, released, cancelled), `TOUCHTREE_BUTTON`, and for a wheel
/// `TOUCHTREE_WHEEL_X` and `_Y`. For what a control sends, also `TOUCHTREE_ACTION`, and `TOUCHTREE_VALUE` where it has one, or
/// `TOUCHTREE_TEXT`. For a key: `TOUCHTREE_PHASE`, `TOUCHTREE_PRESS`, `TOUCHTREE_KEY`, `TOUCHTREE_CHARACTERS`, `TOUCHTREE_MODIFIERS` and
/// `TOUCHTREE_REPEAT`. For what a scanner has read: `TOUCHTREE_TEXT`.
package final class ExecHandler: ControlHandler {
  package let name: String
  private let occasions: Set<HandlerTrigger>
  private let runner: CommandRunner
  /// The touch whose press a control in the view has sent, so that its end is not another one.
  private var pressedTouch = 0

  /// - Parameter timeLimit: in seconds, for each process; nil for none.
  package init(
    name: String, occasions: Set<HandlerTrigger>, command: Command, timeLimit: Double?,
    children: ChildProcesses,
    logger: Logger
  ) {
    self.name = name
    self.occasions = occasions
    runner = CommandRunner(
      owner: "handler \(name)", command: command, timeLimit: timeLimit, children: children, logger: logger)
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    guard let occasion = HandlerTrigger(phase) else { return .forward }
    let isAny = occasions.contains(occasion)
    // A control says by itself what a press is.
    let isPress = phase == .ended && occasions.contains(.pressed) && !(responder is Control)
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
    let isPress = action == .touchUpInside && occasions.contains(.pressed)
    guard isPress || occasions.contains(HandlerTrigger(action)) else { return }
    if isPress { pressedTouch = touch.id }
    runner.start(
      for: "\(action.rawValue) on \(control.disclosed.id)",
      with: CommandEnvironment.of(action, touch, control),
      at: event.timestamp)
  }

  /// A gesture's began, changed, ended and cancelled are the phases of the same name; changed is moved.
  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let occasion = HandlerTrigger(gesture.state), occasions.contains(occasion) else { return }
    runner.start(
      for: "\(gesture.state.rawValue) of \(gesture.disclosedID)", with: CommandEnvironment.of(gesture, event),
      at: event.timestamp)
  }

  /// A wheel and buttons are passed on to the next responder, as touches are.
  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    let occasion = HandlerTrigger(pointer.kind)
    guard occasions.contains(occasion) else { return .forward }
    runner.start(
      for: "\(occasion.rawValue) on \(pointer.view.disclosed.id)",
      with: CommandEnvironment.of(pointer, responder),
      at: pointer.timestamp)
    return .forward
  }

  /// A command starts too late to keep a key from others. What was pressed is for the command, and not for the log.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    guard let occasion = HandlerTrigger(press.phase), occasions.contains(occasion) else { return .forward }
    runner.start(
      for: "\(occasion.rawValue) on \(press.responder?.coordinateView?.disclosed.id ?? responder.id)",
      with: CommandEnvironment.of(press, responder), at: event.timestamp)
    return .forward
  }

  /// A command that waits for what scanners read is who gets it.
  package func handle(_ scan: Scan, for responder: Responder) -> Disposition {
    guard occasions.contains(.scanned) else { return .forward }
    runner.start(
      for: "scanned at \(responder.coordinateView?.disclosed.id ?? responder.id)",
      with: CommandEnvironment.of(scan, responder), at: scan.timestamp)
    return .handled
  }
}
