import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// Performs the steps under `actions:` when a control sends an action or a gesture is recognised, after their
/// handlers. Steps may begin others, when a text field begins or ends editing, until `RunningSteps` ends
/// them. Waiting steps end when the page of their view is left, and with the handler, its view and the file.
package final class ActionHandler: ControlHandler {
  package struct Step {
    fileprivate indirect enum Kind {
      case step(ActionStep)
      /// A program that a rehearsal does not start.
      case skipped
      case run(Program, arguments: [Formula], show: String?)
      case either(that: Formula, then: [Step], otherwise: [Step])
      case after(seconds: Double, [Step], timer: Int)
    }

    /// The program of a `run`, which belongs to one handler.
    fileprivate final class Program {
      let command: Command
      let timeLimit: Double?
      var runner: CommandRunner?

      init(_ command: Command, timeLimit: Double?) { (self.command, self.timeLimit) = (command, timeLimit) }
    }

    fileprivate let kind: Kind
    /// A warning about another user who could change a program of the step; nil if there is none.
    package let warning: String?

    /// Prepares a step; it throws if the program of a `run` is not in the folders of `path` or not to be
    /// trusted. Without a path it starts none.
    package init(_ step: ActionStep, path: String?, trust: FileTrust?) throws(Failure) {
      func prepared(_ steps: [ActionStep]) throws(Failure) -> [Step] {
        var made: [Step] = []
        for step in steps { made.append(try Step(step, path: path, trust: trust)) }
        return made
      }
      switch step {
      case .run(let words, let show, let timeLimit):
        guard let path else {
          (kind, warning) = (.skipped, nil)
          return
        }
        let command = try Command(words: words.map(\.source), path: path, trust: trust)
        kind = .run(
          Program(command, timeLimit: timeLimit), arguments: Array(words.dropFirst()), show: show)
        warning = command.warning
      case .either(let that, let then, let otherwise):
        let (then, otherwise) = (try prepared(then), try prepared(otherwise))
        kind = .either(that: that, then: then, otherwise: otherwise)
        warning = (then + otherwise).lazy.compactMap(\.warning).first
      case .after(let seconds, let steps, let timer):
        let steps = try prepared(steps)
        kind = .after(seconds: seconds, steps, timer: timer)
        warning = steps.lazy.compactMap(\.warning).first
      case .set, .setValue, .toggle, .change, .page, .scroll, .send, .animate:
        kind = .step(step)
        warning = nil
      }
    }
  }

  package let name = "actions"
  /// Always false: the steps are the file's own. Those that leave the program are checked one by one.
  package var isExternal: Bool { false }
  private let owner: String
  private let ofControl: [Control.Action: [Step]]
  private let ofGesture: [GestureRecognizer.State: [Step]]
  private let ofKey: [KeyCommand: [Step]]
  private let ofScan: [Step]?
  private let ofIdle: [Int: [Step]]
  private let children: ChildProcesses
  private weak var host: (any HandlerHost)?
  private let running: RunningSteps
  private var waiting: [Int: Int] = [:]
  private var computation: Computation

  /// - Parameters:
  /// - owner: the id of the control or the gesture, for the log.
  ///   - host: the host, held weakly.
  package init(
    of owner: String, control: [Control.Action: [Step]] = [:],
    gesture: [GestureRecognizer.State: [Step]] = [:], keys: [KeyCommand: [Step]] = [:], scan: [Step]? = nil,
    idle: [Int: [Step]] = [:], children: ChildProcesses, host: any HandlerHost
  ) {
    (self.owner, self.children, self.host) = (owner, children, host)
    running = host.runningSteps
    computation = Computation(locale: host.bindings.locale)
    (ofControl, ofGesture, ofKey, ofScan, ofIdle) = (control, gesture, keys, scan, idle)
  }

  deinit { for timer in waiting.values { host?.cancelTimer(timer) } }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition { .forward }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    // Another control's action may pass on its way up the chain.
    guard let work = ofControl[action], control.handlers.contains(where: { $0 === self }) else { return }
    begin(
      work,
      Trigger(
        sender: control.id, view: control, time: event.timestamp,
        cause: "\(action.rawValue) on \(control.disclosed.id)"
      ) { CommandEnvironment.of(action, touch, control) })
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let work = ofGesture[gesture.state] else { return }
    begin(
      work,
      Trigger(
        sender: gesture.view?.id ?? "", view: gesture.view, time: event.timestamp,
        cause: "\(gesture.state.rawValue) of \(gesture.disclosedID)"
      ) { CommandEnvironment.of(gesture, event) })
  }

  /// Performs the steps of a key when it goes down. The key goes no further.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    let command = KeyCommand(
      press.key.keyCode, modifierFlags: press.key.modifierFlags.subtracting(.alphaShift))
    guard let work = ofKey[command] else { return .forward }
    if press.phase == .began {
      begin(
        work,
        Trigger(
          sender: responder.id, view: responder as? View, time: press.timestamp,
          cause: "the key \(command.name)"
        ) { [("TOUCHTREE_KEY", command.name)] })
    }
    return .handled
  }

  package func handle(_ scan: Scan, for responder: Responder) -> Disposition {
    guard let ofScan else { return .forward }
    begin(
      ofScan,
      Trigger(
        sender: responder.id, view: responder as? View, text: scan.text, time: scan.timestamp,
        cause: "a scanner's text"
      ) { [("TOUCHTREE_TEXT", scan.text)] })
    return .handled
  }

  package func performIdle(_ stage: Int, in window: Window, at time: Timestamp) {
    guard let work = ofIdle[stage] else { return }
    begin(work, Trigger(sender: owner, view: window, time: time, cause: "a stage of idle") { [] })
  }

  private struct Trigger {
    let sender: String
    let view: View?
    var control: Control? { view?.control }
    /// The text of `{text}`, if it is not a control's.
    var text: String?
    let time: Timestamp
    let cause: String
    let variables: () -> CommandEnvironment.Variables
  }

  private func begin(_ work: [Step], _ trigger: Trigger) {
    let path = running.run(trigger.cause) { perform(work, trigger) }
    guard let path else { return }
    host?.logger.warning(
      "actions of \(owner): steps begin each other without end, and stop after \(RunningSteps.limit) times: \(RunningSteps.circle(in: path))"
    )
  }

  private func perform(_ work: [Step], _ trigger: Trigger) {
    for step in work where !running.isStopped {
      switch step.kind {
      case .step(let step): perform(step, trigger)
      case .skipped: break
      case .run(let program, let arguments, let show):
        runner(of: program)?.start(
          for: trigger.cause, with: trigger.variables(),
          arguments: arguments.map { plain($0, trigger) }, at: trigger.time,
          firstLine: show.map { view in
            // The configuration may have been reloaded by then.
            { [self] line in
              attempt(ActionStep.set(view: view, []), trigger) { (host) throws(PropertyError) in
                try host.set([ViewSetting(.text, line)], on: view)
              }
            }
          })
      case .either(let that, let then, let otherwise):
        perform(value(of: that, trigger) == .flag(true) ? then : otherwise, trigger)
      case .after(let seconds, let steps, let timer):
        if let old = waiting[timer] { host?.cancelTimer(old) }
        let (pages, path) = (ShownPage.all(around: trigger.view), running.path)
        let wait = max(1, Int(seconds * 1000))
        waiting[timer] = host?.addTimer(milliseconds: wait, repeats: false) { [weak self] in
          guard let self else { return }
          waiting[timer] = nil
          guard pages.allSatisfy(\.isStillShown) else { return }
          // The path goes on, since a circle may lead through a timer.
          running.resume(path) { self.perform(steps, trigger) }
        }
      }
    }
  }

  private func runner(of program: Step.Program) -> CommandRunner? {
    guard program.runner == nil, let host else { return program.runner }
    program.runner = CommandRunner(
      owner: "actions of \(owner)", command: program.command, timeLimit: program.timeLimit,
      children: children, logger: host.logger)
    return program.runner
  }

  private func perform(_ step: ActionStep, _ trigger: Trigger) {
    attempt(step, trigger) { (host) throws(PropertyError) in
      switch step {
      case .set(let view, var settings, let computed):
        if !computed.isEmpty, let kind = host.view(id: view)?.kind {
          let reading = reading(trigger, for: computed.lazy.flatMap(\.content.formulas))
          prepare(host.bindings.locale)
          for setting in computed {
            settings.append(try host.opened(setting.setting(for: kind, in: &computation, reading), on: view))
          }
        }
        try host.set(settings, on: view)
      case .setValue(let name, let content): try host.setValues([value(of: content, named: name, trigger)])
      case .change(let view, let amount): try host.change(view, by: amount)
      case .toggle(let view, let property): try host.toggle(property, of: view)
      case .page(let pages, let target, let transition): try host.show(target, in: pages, by: transition)
      case .scroll(let view, let target): try host.scroll(view, to: target)
      case .send(let message, let recipient):
        let reading = reading(trigger, for: message.formulas, isDisclosed: recipient == .subscribers)
        prepare(.english)
        host.send(
          message.message(in: &computation, reading, escaped: JSONText.escaped), to: recipient,
          from: trigger.sender)
      case .animate(let timing, let steps):
        let changes = {
          for step in steps where !self.running.isStopped { self.perform(step, trigger) }
          // Properties that follow the changes move with them.
          host.bindings.settle()
        }
        if let window = trigger.view?.window { window.animate(timing, changes) } else { changes() }
      case .run, .either, .after: break
      }
    }
  }

  /// Performs a step of the checked file, and logs failures, which come from later changes.
  private func attempt(
    _ step: ActionStep, _ trigger: Trigger, _ body: (any HandlerHost) throws(PropertyError) -> Void
  ) {
    guard let host else { return }
    do throws(PropertyError) {
      try body(host)
    } catch {
      let around = privateView(of: step, trigger, host)
      host.logger.warning("actions of \(owner): \(around.map(error.masked) ?? error.description)")
    }
  }

  /// Returns a private view that a step's failure could disclose; nil if there is none. It is around the
  /// control or the gesture's view, around the step's target, or around a view that the step reads.
  private func privateView(of step: ActionStep, _ trigger: Trigger, _ host: any HandlerHost) -> View? {
    if let around = trigger.view?.privateView { return around }
    return step.views.lazy.compactMap { host.view(id: $0)?.privateView }.first
  }

  // MARK: Expressions

  /// Prepares a computation with the present time and a locale, after `reading`, which may begin other steps.
  private func prepare(_ locale: Locale) {
    computation.locale = locale
    computation.time = host?.bindings.clock()
  }

  private func value(of formula: Formula, _ trigger: Trigger) -> PropertyValue {
    let reading = reading(trigger, for: [formula])
    prepare(host?.bindings.locale ?? .english)
    return computation.value(of: formula, asText: false, reading)
  }

  private func value(
    of content: BoundSetting.Content, named name: String, _ trigger: Trigger
  ) -> PropertyValue.Entry {
    switch content {
    case .constant(let value): PropertyValue.Entry(key: name, value: value)
    case .formula(let formula): PropertyValue.Entry(key: name, value: value(of: formula, trigger))
    case .list: PropertyValue.Entry(key: name, value: .null)
    }
  }

  private func plain(_ formula: Formula, _ trigger: Trigger) -> String {
    let reading = reading(trigger, for: [formula])
    prepare(.english)
    guard case .text(let text) = computation.value(of: formula, asText: true, reading) else { return "" }
    return text
  }

  /// - Parameters:
  ///   - formulas: the formulas that read. Properties of views that they read follow earlier changes first.
  ///   - isDisclosed: whether clients get the result, which must then contain nothing of a private view.
  private func reading(
    _ trigger: Trigger, for formulas: some Sequence<Formula>, isDisclosed: Bool = false
  ) -> Reading {
    let readsViews = formulas.contains { formula in
      formula.references.contains {
        switch $0 {
        case .property, .parameter: true
        case .value(let name): host?.bindings.binding(ofValue: name) != nil
        case .sent, .string, .now, .row: false
        }
      }
    }
    if readsViews { host?.bindings.settle() }
    return Reading(host: host, control: trigger.control, text: trigger.text, isDisclosed: isDisclosed)
  }

  private struct Reading: ReferenceReading {
    let host: (any HandlerHost)?
    let control: Control?
    let text: String?
    let isDisclosed: Bool
    var ordinal = 0

    private func view(_ id: String) -> View? { disclosed(host?.view(id: id)) }

    private func disclosed<Shown: View>(_ view: Shown?) -> Shown? {
      isDisclosed && view?.privateView != nil ? nil : view
    }

    private func read(_ path: String, of view: View?) -> PropertyValue {
      view.map { ReadProperty(path, of: $0.kind).value(of: $0) } ?? .null
    }

    func value(of reference: Int, in formula: Formula) -> PropertyValue {
      switch formula.references[reference] {
      case .value(let name): host?.bindings.values.value(name) ?? .null
      case .string(let key): host?.bindings.values.translation(key) ?? .null
      case .property(let id, let path): read(path, of: view(id))
      case .sent(.value): read(ViewProperty.value.name, of: disclosed(control))
      case .sent(.text) where text != nil: .text(text ?? "")
      case .sent(.text): read(ViewProperty.text.name, of: disclosed(control))
      case .sent(.row): disclosed(control)?.doneRowAction.map { .number(Double($0.row)) } ?? .null
      case .sent(.rowAction): disclosed(control)?.doneRowAction.map { .text($0.action) } ?? .null
      case .parameter(let name):
        host?.bindings.value(ofParameter: name, isDisclosed: isDisclosed) ?? .null
      case .row(let field): host?.bindings.value(of: field) ?? .null
      case .now: .null
      }
    }

    func shown(_ reference: Int, in formula: Formula) -> String? {
      switch formula.references[reference] {
      case .property(let id, ViewProperty.value.name): view(id)?.control?.controlValue?.text
      case .sent(.value): disclosed(control)?.control?.controlValue?.text
      default: nil
      }
    }
  }
}

/// A page around a view at the time when its steps began to wait.
private struct ShownPage {
  private weak var pages: PagesView?
  private let turns: Int

  /// Returns the shown pages around a view, from the innermost one. Others cannot be left.
  static func all(around view: View?) -> [ShownPage] {
    var (found, next): ([ShownPage], View?) = ([], view)
    while let current = next {
      if let pages = current.enclosingPages, pages.page === current {
        found.append(ShownPage(pages: pages, turns: pages.turns))
      }
      next = current.superview
    }
    return found
  }

  var isStillShown: Bool { pages?.turns == turns }
}

/// The escaping of a text between the quotes of JSON. (RFC 8259, 7.)
private enum JSONText {
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\0"..<" ":
        escaped += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
