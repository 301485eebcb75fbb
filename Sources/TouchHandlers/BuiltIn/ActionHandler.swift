import Logging
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// Does what the file says under `actions:` when a control sends something, or a gesture is recognised.
///
/// It comes after the handlers of the same control or gesture. Setting a value sends no action, but a text field that begins or ends
/// editing does, so steps may begin steps, and those the first ones again: `RunningSteps` ends that. What waits ends when the page goes
/// that its view is on, and with the handler, and so with the view and the file.
package final class ActionHandler: ControlHandler {
  /// One step, with the programs that it starts.
  package struct Step {
    fileprivate indirect enum Kind {
      case step(ActionStep)
      case run(Command, arguments: [Formula], show: String?, timeLimit: Double?)
      case either(that: Formula, then: [Step], otherwise: [Step])
      case after(seconds: Double, [Step], timer: Int)
    }

    fileprivate let kind: Kind
    /// Who else could change one of its programs, where that is worth a warning.
    package let doubt: String?

    /// - Parameters:
    ///   - path: the folders in which programs are searched, as in PATH.
    ///   - trust: whose files programs may be; nil for every user's.
    /// - Throws: when the program of a `run` cannot be used.
    package init(_ step: ActionStep, path: String, trust: FileTrust?) throws(Failure) {
      func prepared(_ steps: [ActionStep]) throws(Failure) -> [Step] {
        var made: [Step] = []
        for step in steps { made.append(try Step(step, path: path, trust: trust)) }
        return made
      }
      switch step {
      case .run(let words, let show, let timeLimit):
        let command = try Command(words: words.map(\.source), path: path, trust: trust)
        kind = .run(command, arguments: Array(words.dropFirst()), show: show, timeLimit: timeLimit)
        doubt = command.doubt
      case .either(let that, let then, let otherwise):
        let (then, otherwise) = (try prepared(then), try prepared(otherwise))
        kind = .either(that: that, then: then, otherwise: otherwise)
        doubt = (then + otherwise).lazy.compactMap(\.doubt).first
      case .after(let seconds, let steps, let timer):
        let steps = try prepared(steps)
        kind = .after(seconds: seconds, steps, timer: timer)
        doubt = steps.lazy.compactMap(\.doubt).first
      case .set, .setValue, .toggle, .change, .page, .scroll, .send, .animate:
        kind = .step(step)
        doubt = nil
      }
    }
  }

  /// A step that can be done.
  private indirect enum Work {
    case step(ActionStep)
    case run(CommandRunner, arguments: [Formula], show: String?)
    case either(that: Formula, then: [Work], otherwise: [Work])
    case after(milliseconds: Int, [Work], timer: Int)
  }

  package let name = "actions"
  /// The steps are the file's own; what of them leaves the program is looked at step by step.
  package var isExternal: Bool { false }
  private let owner: String
  private let ofControl: [Control.Action: [Work]]
  private let ofGesture: [GestureRecognizer.State: [Work]]
  private let ofKey: [KeyCommand: [Work]]
  private let ofScan: [Work]?
  private let ofIdle: [Int: [Work]]
  private weak var host: (any HandlerHost)?
  private let running: RunningSteps
  /// The steps that wait: the timers of the host, by those of the steps.
  private var waiting: [Int: Int] = [:]
  private var computation: Computation

  /// - Parameters:
  ///   - owner: the id of the control or the gesture, as the log may have it.
  ///   - host: held weakly.
  package init(
    of owner: String, control: [Control.Action: [Step]] = [:],
    gesture: [GestureRecognizer.State: [Step]] = [:], keys: [KeyCommand: [Step]] = [:], scan: [Step]? = nil,
    idle: [Int: [Step]] = [:], children: ChildProcesses, host: any HandlerHost
  ) {
    self.owner = owner
    self.host = host
    running = host.runningSteps
    computation = Computation(locale: host.bindings.locale)
    func work(_ step: Step) -> Work {
      switch step.kind {
      case .step(let step): return .step(step)
      case .run(let command, let arguments, let show, let timeLimit):
        let runner = CommandRunner(
          owner: "actions of \(owner)", command: command, timeLimit: timeLimit, children: children,
          logger: host.logger)
        return .run(runner, arguments: arguments, show: show)
      case .either(let that, let then, let otherwise):
        return .either(that: that, then: then.map(work), otherwise: otherwise.map(work))
      case .after(let seconds, let steps, let timer):
        return .after(milliseconds: max(1, Int(seconds * 1000)), steps.map(work), timer: timer)
      }
    }
    ofControl = control.mapValues { $0.map(work) }
    ofGesture = gesture.mapValues { $0.map(work) }
    ofKey = keys.mapValues { $0.map(work) }
    ofScan = scan.map { $0.map(work) }
    ofIdle = idle.mapValues { $0.map(work) }
  }

  deinit {
    for timer in waiting.values { host?.cancelTimer(timer) }
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition { .forward }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    // Another control's may come by on its way up the chain.
    guard let work = ofControl[action], control.handlers.contains(where: { $0 === self }) else { return }
    begin(
      work,
      Occasion(
        sender: control.id, view: control, time: event.timestamp,
        cause: "\(action.rawValue) on \(control.disclosed.id)"
      ) { CommandEnvironment.of(action, touch, control) })
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let work = ofGesture[gesture.state] else { return }
    begin(
      work,
      Occasion(
        sender: gesture.view?.id ?? "", view: gesture.view, time: event.timestamp,
        cause: "\(gesture.state.rawValue) of \(gesture.disclosedID)"
      ) { CommandEnvironment.of(gesture, event) })
  }

  /// A key that has steps goes no further, and does them when it goes down.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    let command = KeyCommand(
      press.key.keyCode, modifierFlags: press.key.modifierFlags.subtracting(.alphaShift))
    guard let work = ofKey[command] else { return .forward }
    if press.phase == .began {
      begin(
        work,
        Occasion(
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
      Occasion(
        sender: responder.id, view: responder as? View, text: scan.text, time: scan.timestamp,
        cause: "a scanner's text"
      ) { [("TOUCHTREE_TEXT", scan.text)] })
    return .handled
  }

  /// Does the steps of a stage of `idle:`.
  package func performIdle(_ stage: Int, in window: Window, at time: Timestamp) {
    guard let work = ofIdle[stage] else { return }
    begin(work, Occasion(sender: owner, view: window, time: time, cause: "a stage of idle") { [] })
  }

  /// Why steps are done.
  private struct Occasion {
    /// The id of the control, or of the gesture's view.
    let sender: String
    /// Whose actions they are: the control, or the gesture's view.
    let view: View?
    /// Whose value `{value}` stands for.
    var control: Control? { view?.control }
    /// What `{text}` stands for, where that is no control's.
    var text: String?
    let time: Timestamp
    let cause: String
    let variables: () -> CommandEnvironment.Variables
  }

  private func begin(_ work: [Work], _ occasion: Occasion) {
    let path = running.run(occasion.cause) { perform(work, occasion) }
    guard let path else { return }
    host?.logger.warning(
      "actions of \(owner): steps begin each other without end, and stop after \(RunningSteps.limit) times: \(RunningSteps.circle(in: path))"
    )
  }

  private func perform(_ work: [Work], _ occasion: Occasion) {
    for work in work where !running.isStopped {
      switch work {
      case .step(let step): perform(step, occasion)
      case .run(let runner, let arguments, let show):
        runner.start(
          for: occasion.cause, with: occasion.variables(),
          arguments: arguments.map { plain($0, occasion) }, at: occasion.time,
          firstLine: show.map { view in
            // The configuration may have been reloaded by then.
            { [self] line in
              attempt(ActionStep.set(view: view, []), occasion) { (host) throws(PropertyError) in
                try host.set([ViewSetting(.text, line)], on: view)
              }
            }
          })
      case .either(let that, let then, let otherwise):
        perform(value(of: that, occasion) == .flag(true) ? then : otherwise, occasion)
      case .after(let milliseconds, let steps, let timer):
        if let old = waiting[timer] { host?.cancelTimer(old) }
        let (pages, path) = (ShownPage.all(around: occasion.view), running.path)
        waiting[timer] = host?.addTimer(milliseconds: milliseconds, repeats: false) { [weak self] in
          guard let self else { return }
          waiting[timer] = nil
          guard pages.allSatisfy(\.isStillShown) else { return }
          // What they begin is begun by what began them: a circle may go by way of a timer.
          running.resume(path) { self.perform(steps, occasion) }
        }
      }
    }
  }

  private func perform(_ step: ActionStep, _ occasion: Occasion) {
    attempt(step, occasion) { (host) throws(PropertyError) in
      switch step {
      case .set(let view, var settings, let computed):
        if !computed.isEmpty, let kind = host.view(id: view)?.kind {
          let reading = reading(occasion, for: computed.lazy.flatMap(\.content.formulas))
          prepare(host.bindings.locale)
          for setting in computed {
            settings.append(
              try host.opened(setting.setting(for: kind, in: &computation, reading), on: view))
          }
        }
        try host.set(settings, on: view)
      case .setValue(let name, let content): try host.setValues([value(of: content, named: name, occasion)])
      case .change(let view, let amount): try host.change(view, by: amount)
      case .toggle(let view, let property): try host.toggle(property, of: view)
      case .page(let pages, let target, let transition): try host.show(target, in: pages, by: transition)
      case .scroll(let view, let target): try host.scroll(view, to: target)
      case .send(let message, let recipient):
        let reading = reading(occasion, for: message.formulas, isDisclosed: recipient == .subscribers)
        prepare(.english)
        host.send(
          message.message(in: &computation, reading, escaped: JSONText.escaped), to: recipient,
          from: occasion.sender)
      case .animate(let timing, let steps):
        let changes = {
          for step in steps where !self.running.isStopped { self.perform(step, occasion) }
          // What follows what is set moves with it.
          host.bindings.settle()
        }
        if let window = occasion.view?.window { window.animate(timing, changes) } else { changes() }
      case .run, .either, .after: break
      }
    }
  }

  /// The file was checked; what fails all the same depends on what was set since.
  private func attempt(
    _ step: ActionStep, _ occasion: Occasion, _ body: (any HandlerHost) throws(PropertyError) -> Void
  ) {
    guard let host else { return }
    do throws(PropertyError) {
      try body(host)
    } catch {
      let around = privateView(of: step, occasion, host)
      host.logger.warning("actions of \(owner): \(around.map(error.masked) ?? error.description)")
    }
  }

  /// The private view of which it would tell what a step could not set: one around what it is done for, around what it sets, or around what
  /// it reads; nil for none.
  private func privateView(of step: ActionStep, _ occasion: Occasion, _ host: any HandlerHost) -> View? {
    if let around = occasion.view?.privateView { return around }
    return step.views.lazy.compactMap { host.view(id: $0)?.privateView }.first
  }

  // MARK: Expressions

  /// The clock is read for each step, and a program gets numbers as programs write them. It comes after `reading`, which may begin other
  /// steps of this handler.
  private func prepare(_ locale: Locale) {
    computation.locale = locale
    computation.time = host?.bindings.clock()
  }

  private func value(of formula: Formula, _ occasion: Occasion) -> PropertyValue {
    let reading = reading(occasion, for: [formula])
    prepare(host?.bindings.locale ?? .english)
    return computation.value(of: formula, asText: false, reading)
  }

  private func value(
    of content: BoundSetting.Content, named name: String, _ occasion: Occasion
  ) -> PropertyValue.Entry {
    switch content {
    case .constant(let value): PropertyValue.Entry(key: name, value: value)
    case .formula(let formula): PropertyValue.Entry(key: name, value: value(of: formula, occasion))
    case .list: PropertyValue.Entry(key: name, value: .null)
    }
  }

  private func plain(_ formula: Formula, _ occasion: Occasion) -> String {
    let reading = reading(occasion, for: [formula])
    prepare(.english)
    guard case .text(let text) = computation.value(of: formula, asText: true, reading) else { return "" }
    return text
  }

  /// - Parameters:
  ///   - formulas: what reads. What they read of views follows what has been set before.
  ///   - isDisclosed: whether clients get it, and so nothing of a private view.
  private func reading(
    _ occasion: Occasion, for formulas: some Sequence<Formula>, isDisclosed: Bool = false
  ) -> Reading {
    let readsViews = formulas.contains { formula in
      formula.references.contains { if case .property = $0 { true } else { false } }
    }
    if readsViews { host?.bindings.settle() }
    return Reading(
      host: host, control: occasion.control, text: occasion.text, isDisclosed: isDisclosed)
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

    func value(of reference: Int, in formula: Formula) -> PropertyValue {
      switch formula.references[reference] {
      case .value(let name): host?.bindings.values.value(name) ?? .null
      case .string(let key): host?.bindings.values.translation(key) ?? .null
      case .property(let id, let path): view(id)?.expressionValue(of: path) ?? .null
      case .sent(.value): disclosed(control)?.expressionValue(of: ViewProperty.value.name) ?? .null
      case .sent(.text) where text != nil: .text(text ?? "")
      case .sent(.text): disclosed(control)?.expressionValue(of: ViewProperty.text.name) ?? .null
      case .sent(.row): disclosed(control)?.doneRowAction.map { .number(Double($0.row)) } ?? .null
      case .sent(.rowAction): disclosed(control)?.doneRowAction.map { .text($0.action) } ?? .null
      case .row(let field): host?.bindings.value(of: field) ?? .null
      case .now: .null
      }
    }

    func shown(_ reference: Int, in formula: Formula) -> String? {
      switch formula.references[reference] {
      case .property(let id, ViewProperty.value.name): view(id)?.controlValue?.text
      case .sent(.value): disclosed(control)?.controlValue?.text
      default: nil
      }
    }
  }
}

/// A page around a view that was shown when steps began to wait.
private struct ShownPage {
  private weak var pages: PagesView?
  /// How often another page had come by then.
  private let turns: Int

  /// Those around a view, from the innermost one. A page that was gone already does not count: it cannot go once more.
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

/// A text between the quotes of JSON. (RFC 8259, 7.)
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
