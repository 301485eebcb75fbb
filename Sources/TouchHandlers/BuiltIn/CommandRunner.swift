import Logging
import TouchCore
import TouchSystem
import TouchViews

/// Starts one command again and again, without a shell and without waiting, and ends one that takes too long.
package final class CommandRunner {
  /// The most processes at once. A dragging finger would otherwise start one in each frame.
  package static let mostAtOnce = 8

  typealias Variables = CommandEnvironment.Variables

  private let owner: String
  private let command: Command
  private let timeLimit: Double?
  private let children: ChildProcesses
  private let logger: Logger
  private let output: OutputLog
  private var running = 0
  private var drops = RateLimit(interval: 10)
  private var failures = RateLimit(interval: 10)
  private var overdue = RateLimit(interval: 10)

  /// Names the command's owner in the log, and limits each process's time in seconds; nil for no limit.
  init(owner: String, command: Command, timeLimit: Double?, children: ChildProcesses, logger: Logger) {
    (self.owner, self.command, self.timeLimit, self.children) = (owner, command, timeLimit, children)
    self.logger = logger
    output = OutputLog(owner: owner, logger: logger)
  }

  /// Starts the command, unless too many run already, with other arguments if given. `firstLine` is called
  /// once; without it the output goes to the log, which names the cause.
  func start(
    for cause: @autoclosure () -> String, with environment: @autoclosure () -> Variables,
    arguments: [String]? = nil, at time: Timestamp, firstLine: ((String) -> Void)? = nil
  ) {
    guard running < Self.mostAtOnce else {
      if let held = drops.admit(at: time) {
        let dropped = "not started for \(cause())\(more(held))"
        logger.warning("\(owner): \(running) of \(command) still run; \(dropped)")
      }
      return
    }
    let cause = cause()
    do {
      // A process may outlive the handler's place in the tree, and is then still reported.
      try children.start(
        arguments.map(command.with(arguments:)) ?? command, adding: environment(), timeLimit: timeLimit,
        log: output, firstLine: firstLine, whenOverdue: { self.isOverdue(cause, startedAt: time) },
        whenDone: { self.finished($0, startedAt: time) })
      running += 1
    } catch {
      report("cannot be started: \(command.problem(error))", at: time)
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
      \(owner): \(command) still ran \(timeLimit.plain) s after \(cause), so it is ended\(more(held)); \
      for more time give it a timeout:, in seconds or none
      """)
  }

  private func report(_ failure: String, at time: Timestamp) {
    guard let held = failures.admit(at: time) else { return }
    logger.warning("\(owner): \(command) \(failure)\(more(held))")
  }

  private func more(_ held: Int) -> String { held == 0 ? "" : " (and \(held) times before, not logged)" }
}

/// The description of a command's cause, as variables of its environment.
enum CommandEnvironment {
  typealias Variables = [(name: String, value: String)]

  static func of(_ action: Control.Action, _ touch: Touch, _ control: Control) -> Variables {
    of(touch, touch.phase, control) + [("TOUCHTREE_ACTION", action.rawValue)]
      + (control.controlValue.map { [("TOUCHTREE_VALUE", $0.text)] } ?? [])
      + (control.kind.role == .entry
        ? [("TOUCHTREE_TEXT", control.privateView == nil ? control.shownText ?? "" : "")] : [])
  }

  static func of(_ press: Press, _ responder: Responder) -> Variables {
    [
      ("TOUCHTREE_PHASE", press.phase.rawValue),
      ("TOUCHTREE_PRESS", press.id.description),
      ("TOUCHTREE_KEY", press.key.keyCode.name),
      ("TOUCHTREE_CHARACTERS", press.key.characters),
      ("TOUCHTREE_MODIFIERS", press.key.modifierFlags.names.joined(separator: " ")),
      ("TOUCHTREE_REPEAT", press.repeatCount.description),
      ("TOUCHTREE_VIEW", press.responder?.coordinateView?.id ?? ""),
      ("TOUCHTREE_RESPONDER", responder.id),
      ("TOUCHTREE_TIME_US", press.timestamp.microseconds.description),
    ]
  }

  static func of(_ scan: Scan, _ responder: Responder) -> Variables {
    [
      ("TOUCHTREE_TEXT", scan.text),
      ("TOUCHTREE_VIEW", responder.coordinateView?.id ?? ""),
      ("TOUCHTREE_RESPONDER", responder.id),
      ("TOUCHTREE_TIME_US", scan.timestamp.microseconds.description),
    ]
  }

  static func of(_ gesture: GestureRecognizer, _ event: Event) -> Variables {
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

  static func of(_ pointer: PointerEvent, _ responder: Responder) -> Variables {
    let place = pointer.location(in: responder.coordinateView)
    var variables: Variables = [
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

  static func of(
    _ touch: Touch, _ phase: Touch.Phase, _ responder: Responder
  ) -> Variables {
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
