import TouchConfig
import TouchHandlers
import TouchInput
import TouchSystem
import TouchViews

extension ViewTree {
  package struct Handlers {
    package let declared: DeclaredHandlers
    fileprivate let ofControls, ofGestures, ofKeys: [ActionHandler]
    /// The handler of the stages of `idle:`, which belongs to no responder.
    let ofIdle: ActionHandler
  }

  /// Makes the declared handlers, and those of the actions, without attaching them or starting processes.
  /// - Parameters:
  ///   - factory: loads plugins and finds commands.
  ///   - old: the handlers of the previous configuration, of which those with the same declaration are kept.
  /// - Throws: every handler that cannot be made, at its place in the file.
  package func makeHandlers(
    from factory: HandlerFactory, keeping old: DeclaredHandlers = DeclaredHandlers()
  ) throws(ConfigurationError) -> Handlers {
    try configuration.checkSensors()
    let actions = try makeActions(of: configuration, from: factory)
    do {
      return Handlers(
        declared: try factory.make(configuration.handlers, keeping: old), ofControls: actions.ofControls,
        ofGestures: actions.ofGestures, ofKeys: actions.ofKeys, ofIdle: actions.ofIdle)
    } catch {
      throw .invalid(configuration.diagnostics(of: error.failures))
    }
  }

  /// Returns the new handlers, but the old ones on views that stay: steps may wait in them.
  package func keeping(_ old: Handlers, of tree: ViewTree, in new: Handlers) -> Handlers {
    Handlers(
      declared: new.declared,
      ofControls: Self.keeping(
        zip(tree.controlActions.map { ($0.control, $0.steps) }, old.ofControls),
        in: zip(controlActions.map { ($0.control, $0.steps) }, new.ofControls)),
      ofGestures: Self.keeping(
        zip(tree.gestureActions.map { ($0.gesture, $0.steps) }, old.ofGestures),
        in: zip(gestureActions.map { ($0.gesture, $0.steps) }, new.ofGestures)),
      ofKeys: new.ofKeys, ofIdle: new.ofIdle)
  }

  private typealias Actions<Owner, Trigger: Hashable> =
    Zip2Sequence<[(Owner, [Trigger: [Configuration.Step]])], [ActionHandler]>

  private static func keeping<Owner: AnyObject, Trigger: Hashable>(
    _ old: Actions<Owner, Trigger>, in new: Actions<Owner, Trigger>
  ) -> [ActionHandler] {
    let known = Dictionary(old.map { action, handler in (ObjectIdentifier(action.0), (action.1, handler)) }) {
      $1
    }
    return new.map { action, handler in
      guard let (steps, kept) = known[ObjectIdentifier(action.0)],
        steps.mapValues({ $0.map(\.step) }) == action.1.mapValues({ $0.map(\.step) })
      else { return handler }
      return kept
    }
  }

  package func attach(_ handlers: Handlers) {
    for attachment in attachments {
      attachment.responder.handlers = attachment.handlers.compactMap { handlers.declared[$0] }
    }
    for attachment in gestureAttachments {
      attachment.gesture.handlers = attachment.handlers.compactMap { handlers.declared[$0] }
    }
    // The file's own actions come after the handlers, which may still change what is shown.
    for (attachment, handler) in zip(controlActions, handlers.ofControls) {
      attachment.control.handlers.append(handler)
    }
    for (attachment, handler) in zip(gestureActions, handlers.ofGestures) {
      attachment.gesture.handlers.append(handler)
    }
    for (attachment, handler) in zip(keyActions, handlers.ofKeys) {
      attachment.responder.handlers.append(handler)
    }
  }

  private func makeActions(
    of configuration: Configuration, from factory: HandlerFactory
  ) throws(ConfigurationError) -> (
    ofControls: [ActionHandler], ofGestures: [ActionHandler], ofKeys: [ActionHandler], ofIdle: ActionHandler
  ) {
    var problems: [Diagnostic] = []
    func prepare(_ steps: [Configuration.Step]) -> [ActionHandler.Step] {
      steps.compactMap { step in
        do throws(Failure) {
          return try factory.makeStep(step.step)
        } catch {
          problems.append(configuration.diagnostic(at: step.place, "\(error)"))
          return nil
        }
      }
    }
    let controls = controlActions.map { control, steps in
      factory.makeActions(of: control.disclosed.id, control: steps.mapValues(prepare))
    }
    let gestures = gestureActions.map { gesture, steps in
      factory.makeActions(of: gesture.disclosedID, gesture: steps.mapValues(prepare))
    }
    let keys = keyActions.map { actions in
      factory.makeActions(
        of: actions.responder.id, keys: actions.steps.mapValues(prepare), scan: actions.scan.map(prepare))
    }
    let idle = factory.makeActions(of: "idle", idle: idleActions.mapValues(prepare))
    guard problems.isEmpty else { throw .invalid(problems.sorted { $0.place < $1.place }) }
    return (controls, gestures, keys, idle)
  }

  /// Detaches the handlers. Those that nothing else keeps end.
  package func detachHandlers() {
    for attachment in attachments { attachment.responder.handlers = [] }
    for attachment in gestureAttachments { attachment.gesture.handlers = [] }
    for attachment in controlActions { attachment.control.handlers = [] }
    for attachment in gestureActions { attachment.gesture.handlers = [] }
    for attachment in keyActions { attachment.responder.handlers = [] }
  }
}

extension Configuration {
  /// Checks whether the kernel has the events that values follow.
  /// - Throws: those that it does not have, at their places in the file.
  fileprivate func checkSensors() throws(ConfigurationError) {
    let problems = values.compactMap { value -> Diagnostic? in
      guard let source = value.source, !source.isChannel, EventName.number(of: source.event) == nil else {
        return nil
      }
      let meant = Suggestion.nearest(to: source.event, among: EventName.sensors)
      return diagnostic(
        at: sensorLocations[value.name] ?? .start,
        "the kernel has no event \"\(source.event)\"; "
          + (meant.map { "did you mean \"\($0)\"?" } ?? "give one of input-event-codes.h, such as ABS_MISC"))
    }
    if !problems.isEmpty { throw .invalid(problems) }
  }

  /// Checks whether the handlers and sensors can be used here, without loading anything.
  /// - Parameter pluginFolders: the folders in which plugins are searched, first to last.
  /// - Parameter warn: called for root with warnings about other users who could change the file or a
  ///   program that it names.
  /// - Throws: the errors for which `run` would refuse: programs and plugins that are missing or that
  ///   others could change, each at the place of its handler; or `Failure` for root if every user could
  ///   change the file itself.
  package func checkHandlers(pluginFolders: [String], warn: (String) -> Void) throws {
    try checkSensors()
    let trust = FileTrust.ofRoot
    try trust?.check(file, warn: warn)
    let errors = HandlerFactory.errors(
      in: handlers, plugins: PluginFolders.locator(for: self, pluginFolders),
      path: ChildProcesses.ownPath, trust: trust, warn: warn)
    let problems = diagnostics(of: errors) + actionProblems(trust: trust, warn: warn)
    if !problems.isEmpty { throw ConfigurationError.invalid(problems) }
  }

  /// Returns the programs of actions that cannot be used here, in the order of the file.
  private func actionProblems(trust: FileTrust?, warn: (String) -> Void) -> [Diagnostic] {
    actions.flatMap(\.steps).sorted { $0.place < $1.place }.compactMap { step in
      do throws(Failure) {
        try ActionHandler.Step(step.step, path: ChildProcesses.ownPath, trust: trust).warning.map(warn)
        return nil
      } catch {
        return diagnostic(at: step.place, "\(error)")
      }
    }
  }

  fileprivate func diagnostics(of failures: [(handler: String, failure: Failure)]) -> [Diagnostic] {
    failures.map { diagnostic(at: handlerLocations[$0.handler] ?? .start, $0.failure.message) }
  }
}
