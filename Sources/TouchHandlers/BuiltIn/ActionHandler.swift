import Logging
import TouchCore
import TouchSystem
import TouchViews

/// Does what the file says under `actions:` when a control sends something, or a gesture is recognised.
///
/// It comes after the handlers of the same control or gesture. Setting a value sends no action, so actions cannot go in
/// circles.
package final class ActionHandler: ControlHandler {
  /// One step, with the program that it starts.
  package struct Step {
    fileprivate let step: ActionStep
    fileprivate let command: Command?

    /// - Parameters:
    ///   - path: the folders in which programs are searched, as in PATH.
    ///   - trust: whose files programs may be; nil for every user's.
    /// - Throws: when the program of a `run` cannot be used.
    package init(_ step: ActionStep, path: String, trust: FileTrust?) throws(Failure) {
      self.step = step
      if case .run(let words, _, _) = step {
        command = try Command(words: words, path: path, trust: trust)
      } else {
        command = nil
      }
    }

    /// Who else could change the program, where that is worth a warning.
    package var doubt: String? { command?.doubt }
  }

  /// A step that can be done.
  private enum Work {
    case step(ActionStep)
    case run(CommandRunner, arguments: [String], show: String?)
  }

  package let name = "actions"
  /// The steps are the file's own; what of them leaves the program is looked at step by step.
  package var isExternal: Bool { false }
  private let owner: String
  private let ofControl: [Control.Action: [Work]]
  private let ofGesture: [GestureRecognizer.State: [Work]]
  private weak var host: (any HandlerHost)?

  /// - Parameters:
  ///   - owner: the id of the control or the gesture, as the log may have it.
  ///   - host: held weakly.
  package init(
    of owner: String, control: [Control.Action: [Step]] = [:],
    gesture: [GestureRecognizer.State: [Step]] = [:],
    children: ChildProcesses, host: any HandlerHost
  ) {
    self.owner = owner
    self.host = host
    func work(_ step: Step) -> Work {
      guard case .run(let words, let show, let timeLimit) = step.step, let command = step.command else {
        return .step(step.step)
      }
      let runner = CommandRunner(
        owner: "actions of \(owner)", command: command, timeLimit: timeLimit, children: children,
        logger: host.logger)
      return .run(runner, arguments: Array(words.dropFirst()), show: show)
    }
    ofControl = control.mapValues { $0.map(work) }
    ofGesture = gesture.mapValues { $0.map(work) }
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition { .forward }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    // Another control's may come by on its way up the chain.
    guard let work = ofControl[action], control.handlers.contains(where: { $0 === self }) else { return }
    perform(
      work,
      Occasion(
        sender: control.id, control: control, time: event.timestamp,
        cause: "\(action.rawValue) on \(control.disclosed.id)"
      ) { CommandEnvironment.of(action, touch, control) })
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let work = ofGesture[gesture.state] else { return }
    perform(
      work,
      Occasion(
        sender: gesture.view?.id ?? "", control: gesture.view as? Control, time: event.timestamp,
        cause: "\(gesture.state.rawValue) of \(gesture.disclosedID)"
      ) { CommandEnvironment.of(gesture, event) })
  }

  /// Why steps are done.
  private struct Occasion {
    /// The id of the control, or of the gesture's view.
    let sender: String
    /// Whose value `{value}` stands for.
    let control: Control?
    let time: Timestamp
    let cause: String
    let variables: () -> CommandEnvironment.Variables
  }

  private func perform(_ work: [Work], _ occasion: Occasion) {
    for work in work {
      switch work {
      case .step(let step): perform(step, occasion)
      case .run(let runner, let arguments, let show):
        runner.start(
          for: occasion.cause, with: occasion.variables(),
          arguments: arguments.map { filled($0, occasion) }, at: occasion.time,
          firstLine: show.map { view in
            // The configuration may have been reloaded by then.
            { [self] line in
              attempt { (host) throws(PropertyError) in try host.set([ViewSetting(.text, line)], on: view) }
            }
          })
      }
    }
  }

  private func perform(_ step: ActionStep, _ occasion: Occasion) {
    attempt { (host) throws(PropertyError) in
      switch step {
      case .set(let view, let settings):
        try host.set(settings.map { filled($0, occasion) }, on: view)
      case .change(let view, let amount): try host.change(view, by: amount)
      case .toggle(let view, let property): try host.toggle(property, of: view)
      case .page(let pages, let target): try host.show(target, in: pages)
      case .scroll(let view, let target): try host.scroll(view, to: target)
      case .send(let message, let recipient):
        host.send(
          filled(message, isJSON: true, disclosed: recipient == .subscribers, occasion), to: recipient,
          from: occasion.sender)
      case .run: break
      }
    }
  }

  /// The file was checked; what fails all the same depends on what was set since.
  private func attempt(_ body: (any HandlerHost) throws(PropertyError) -> Void) {
    guard let host else { return }
    do throws(PropertyError) {
      try body(host)
    } catch {
      var error = error
      error.view = error.view.map { host.view(id: $0)?.disclosed.id ?? $0 }
      host.logger.warning("actions of \(owner): \(error)")
    }
  }

  // MARK: Values in texts

  /// - Parameter disclosed: whether clients get it, and so nothing of a private view.
  private func filled(
    _ text: String, isJSON: Bool = false, disclosed: Bool = false, _ occasion: Occasion
  ) -> String {
    ActionStep.filled(text, isJSON: isJSON) { placeholder in
      let view = placeholder.view.map { host?.view(id: $0) } ?? occasion.control
      if disclosed, view?.privateView != nil { return nil }
      return placeholder.part == .text ? view?.shownText : (view as? Control)?.value?.text
    }
  }

  private func filled(_ setting: ViewSetting, _ occasion: Occasion) -> ViewSetting {
    if setting == .sentValue {
      return occasion.control?.value.map { ViewSetting(.value, $0.number) } ?? setting
    }
    return setting.property == .text ? setting.map { (text: String) in filled(text, occasion) } : setting
  }
}
