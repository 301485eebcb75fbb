import Logging
import TouchCore
import TouchSystem

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
/// `TOUCHTREE_WHEEL_X` and `_Y`.
package final class ExecHandler: Handler {
  /// More processes than this at once are not started: a finger that drags would start one with every frame.
  package static let mostAtOnce = 8

  package let name: String
  private let occasions: Set<HandlerTrigger>
  private let command: Command
  private let timeLimit: Double?
  private let children: ChildProcesses
  private let logger: Logger
  private var running = 0
  private var drops = RateLimit(interval: 10)
  private var failures = RateLimit(interval: 10)
  private var overdue = RateLimit(interval: 10)

  /// - Parameter timeLimit: in seconds, for each process; nil for none.
  package init(
    name: String, occasions: Set<HandlerTrigger>, command: Command, timeLimit: Double?,
    children: ChildProcesses,
    logger: Logger
  ) {
    self.name = name
    self.occasions = occasions
    self.command = command
    self.timeLimit = timeLimit
    self.children = children
    self.logger = logger
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    guard let occasion = HandlerTrigger(phase) else { return .forward }
    let isAny = occasions.contains(occasion)
    // A control says by itself what a press is.
    let isPress = phase == .ended && occasions.contains(.pressed) && !(responder is Control)
    for touch in touches where isAny || isPress && Self.isInside(touch, responder, event) {
      start(
        for: "\(phase.rawValue) of touch \(touch.id) on \(touch.view?.id ?? "none")",
        with: Self.variables(touch, phase, responder), at: event.timestamp)
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
    start(
      for: "\(action.rawValue) on \(control.id)",
      with: Self.variables(touch, touch.phase, control) + [("TOUCHTREE_ACTION", action.rawValue)],
      at: event.timestamp)
  }

  /// A gesture's began, changed, ended and cancelled are the phases of the same name; changed is moved.
  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let occasion = HandlerTrigger(gesture.state), occasions.contains(occasion) else { return }
    start(
      for: "\(gesture.state.rawValue) of \(gesture.id)", with: Self.variables(gesture, event),
      at: event.timestamp)
  }

  /// A wheel and buttons are passed on to the next responder, as touches are.
  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    let occasion = HandlerTrigger(pointer.kind)
    guard occasions.contains(occasion) else { return .forward }
    start(
      for: "\(occasion.rawValue) on \(pointer.view.id)", with: Self.variables(pointer, responder),
      at: pointer.timestamp)
    return .forward
  }

  private func start(
    for cause: @autoclosure () -> String, with environment: @autoclosure () -> Environment, at time: Timestamp
  ) {
    guard running < Self.mostAtOnce else {
      if let held = drops.admit(at: time) {
        let dropped = "not started for \(cause())\(more(held))"
        logger.warning("handler \(name): \(running) of \(command) still run; \(dropped)")
      }
      return
    }
    let cause = cause()
    do {
      // A process may outlive the handler's place in the tree, and is still reported.
      try children.start(
        command, adding: environment(), timeLimit: timeLimit,
        whenOverdue: { self.isOverdue(cause, startedAt: time) },
        whenDone: { self.finished($0, startedAt: time) })
      running += 1
    } catch {
      report("cannot be started: \(command.problem ?? error.description)", at: time)
    }
  }

  private func finished(_ exit: ChildProcesses.Exit, startedAt time: Timestamp) {
    running -= 1
    switch exit {
    case .status(0), .ended: break
    case .status(let status): report("exited with status \(status)", at: time)
    case .signal(let signal): report("was ended by signal \(signal)", at: time)
    }
  }

  private func isOverdue(_ cause: String, startedAt time: Timestamp) {
    guard let timeLimit, let held = overdue.admit(at: time) else { return }
    logger.warning(
      """
      handler \(name): \(command) still ran \(timeLimit.plain) s after \(cause), so it is ended\(more(held)); \
      for more time give the handler a timeout:, in seconds or none
      """)
  }

  private func report(_ failure: String, at time: Timestamp) {
    guard let held = failures.admit(at: time) else { return }
    logger.warning("handler \(name): \(command) \(failure)\(more(held))")
  }

  private func more(_ held: Int) -> String {
    held == 0 ? "" : " (and \(held) times before, not logged)"
  }

  private typealias Environment = [(name: String, value: String)]

  private static func variables(_ gesture: GestureRecognizer, _ event: Event) -> Environment {
    let place = gesture.location(in: gesture.view)
    let values = gesture.values
    let measured: [(name: String, value: Double?)] = [
      ("TOUCHTREE_TRANSLATION_X", values.translation?.x), ("TOUCHTREE_TRANSLATION_Y", values.translation?.y),
      ("TOUCHTREE_VELOCITY_X", values.velocity?.x), ("TOUCHTREE_VELOCITY_Y", values.velocity?.y),
      ("TOUCHTREE_SCALE", values.scale), ("TOUCHTREE_ANGLE", values.angle),
    ]
    return [
      ("TOUCHTREE_GESTURE", gesture.id),
      ("TOUCHTREE_KIND", gesture.kind),
      ("TOUCHTREE_STATE", gesture.state.rawValue),
      ("TOUCHTREE_VIEW", gesture.view?.id ?? ""),
      ("TOUCHTREE_X", place.x.plain),
      ("TOUCHTREE_Y", place.y.plain),
      ("TOUCHTREE_WINDOW_X", gesture.windowLocation.x.plain),
      ("TOUCHTREE_WINDOW_Y", gesture.windowLocation.y.plain),
      ("TOUCHTREE_TIME_US", event.timestamp.microseconds.description),
      ("TOUCHTREE_DIRECTION", values.direction?.rawValue ?? ""),
    ] + measured.compactMap { name, value in value.map { (name, $0.plain) } }
  }

  private static func variables(_ pointer: PointerEvent, _ responder: Responder) -> Environment {
    let place = pointer.location(in: responder.coordinateView)
    var variables: Environment = [
      ("TOUCHTREE_POINTER", String(HandlerTrigger(pointer.kind).rawValue.dropFirst("pointer_".count))),
      ("TOUCHTREE_BUTTON", pointer.kind.button?.rawValue ?? ""),
      ("TOUCHTREE_VIEW", pointer.view.id),
      ("TOUCHTREE_RESPONDER", responder.id),
      ("TOUCHTREE_X", place.x.plain),
      ("TOUCHTREE_Y", place.y.plain),
      ("TOUCHTREE_WINDOW_X", pointer.location.x.plain),
      ("TOUCHTREE_WINDOW_Y", pointer.location.y.plain),
      ("TOUCHTREE_TIME_US", pointer.timestamp.microseconds.description),
    ]
    if case .wheel(let x, let y) = pointer.kind {
      variables += [("TOUCHTREE_WHEEL_X", x.plain), ("TOUCHTREE_WHEEL_Y", y.plain)]
    }
    return variables
  }

  private static func variables(
    _ touch: Touch, _ phase: Touch.Phase, _ responder: Responder
  ) -> Environment {
    let place = touch.location(in: responder.coordinateView)
    return [
      ("TOUCHTREE_VIEW", touch.view?.id ?? ""),
      ("TOUCHTREE_RESPONDER", responder.id),
      ("TOUCHTREE_PHASE", phase.rawValue),
      ("TOUCHTREE_TOUCH", touch.id.description),
      ("TOUCHTREE_X", place.x.plain),
      ("TOUCHTREE_Y", place.y.plain),
      ("TOUCHTREE_WINDOW_X", touch.location.x.plain),
      ("TOUCHTREE_WINDOW_Y", touch.location.y.plain),
      ("TOUCHTREE_TAPS", touch.tapCount.description),
      ("TOUCHTREE_TIME_US", touch.timestamp.microseconds.description),
    ]
  }
}
