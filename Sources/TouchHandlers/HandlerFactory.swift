import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

package struct HandlerFactory {
  private let plugins: PluginLocator
  private let children: ChildProcesses
  private let host: any HandlerHost
  private let trust: FileTrust?
  private let isRehearsal: Bool

  /// - Parameters:
  ///   - plugins: the locator of shared objects.
  ///   - children: starts the commands of `exec` handlers, and outlives this factory and its handlers.
  ///   - host: the host that the handlers act on. They hold it weakly.
  ///   - trust: the users whose files the programs of commands may be; nil for every user.
  ///   - isRehearsal: whether actions alone are made, without their programs: nothing outside the panel is
  ///     started.
  package init(
    plugins: PluginLocator, children: ChildProcesses, host: any HandlerHost, trust: FileTrust? = nil,
    isRehearsal: Bool = false
  ) {
    (self.plugins, self.children, self.host, self.trust) = (plugins, children, host, trust)
    self.isRehearsal = isRehearsal
  }

  /// Checks the declarations without loading anything, and returns every error in their order: missing
  /// programs and plugins, untrusted ones, and files that are no plugins. `path` has the folders of PATH.
  package static func errors(
    in specifications: [HandlerSettings], plugins: PluginLocator, path: String, trust: FileTrust?,
    warn: (String) -> Void = { _ in }
  ) -> [(handler: String, failure: Failure)] {
    specifications.compactMap { specification in
      do throws(Failure) {
        switch specification.kind {
        case .exec(_, let command, _), .process(let command, _, _, _):
          try Command(words: command, path: path, trust: trust).warning.map(warn)
        case .plugin(let path, _, _): try plugins.examine(path)
        }
        return nil
      } catch {
        return (specification.name, Self.failure(of: specification.name, error))
      }
    }
  }

  /// Returns the handlers, with `log`, which needs no declaration. Their processes are not started. If one
  /// handler cannot be made, the others are taken down again.
  /// - Parameter old: the handlers of another configuration, of
  ///   which those with the same declaration are kept.
  /// - Throws: every error, in the order of the declarations.
  package func make(
    _ specifications: [HandlerSettings], keeping old: DeclaredHandlers = DeclaredHandlers()
  ) throws(HandlerErrors) -> DeclaredHandlers {
    var handlers = DeclaredHandlers()
    handlers.handlers["log"] = old["log"] ?? TouchLogHandler(name: "log", logger: host.logger)
    var failures: [(handler: String, failure: Failure)] = []
    for specification in specifications where !isRehearsal {
      do throws(Failure) {
        if let kept = old.handler(declaredAs: specification) {
          handlers.add(kept, as: specification)
        } else {
          handlers.add(try make(specification), as: specification)
        }
      } catch {
        failures.append((specification.name, Self.failure(of: specification.name, error)))
      }
    }
    guard failures.isEmpty else { throw HandlerErrors(failures: failures) }
    return handlers
  }

  /// Prepares a step of actions, and finds its program if it has one.
  package func makeStep(_ step: ActionStep) throws(Failure) -> ActionHandler.Step {
    let step = try ActionHandler.Step(step, path: isRehearsal ? nil : children.path, trust: trust)
    if let warning = step.warning { host.logger.warning("\(warning)") }
    return step
  }

  /// Returns the handler for the steps under `actions:` of the control or gesture with the id `owner`.
  package func makeActions(
    of owner: String, control: [Control.Action: [ActionHandler.Step]] = [:],
    gesture: [GestureRecognizer.State: [ActionHandler.Step]] = [:],
    keys: [KeyCommand: [ActionHandler.Step]] = [:], scan: [ActionHandler.Step]? = nil,
    idle: [Int: [ActionHandler.Step]] = [:]
  ) -> ActionHandler {
    ActionHandler(
      of: owner, control: control, gesture: gesture, keys: keys, scan: scan, idle: idle, children: children,
      host: host)
  }

  private func make(_ specification: HandlerSettings) throws(Failure) -> any Handler {
    let (name, captures) = (specification.name, specification.captures)
    switch specification.kind {
    case .exec(let triggers, let command, let timeLimit):
      return ExecHandler(
        name: name, triggers: triggers, command: try self.command(command, of: name), timeLimit: timeLimit,
        captures: captures, children: children, logger: host.logger)
    case .process(let command, let wants, let configJSON, let forwards):
      return ProcessHandler(
        name: name, command: try self.command(command, of: name), wants: wants, configJSON: configJSON,
        forwards: forwards, captures: captures, children: children, host: host)
    case .plugin(let path, let configJSON, let budget):
      return try PluginHandler(
        name: name, file: plugins.locate(path), configJSON: configJSON, budget: budget, captures: captures,
        host: host)
    }
  }

  private static func failure(of handler: String, _ failure: Failure) -> Failure {
    Failure(failure.status, "handler \(handler): \(failure)")
  }
}

extension HandlerFactory {
  private func command(_ words: [String], of name: String) throws(Failure) -> Command {
    let command = try Command(words: words, path: children.path, trust: trust)
    if let warning = command.warning { host.logger.warning("handler \(name): \(warning)") }
    return command
  }
}

/// The handlers of a configuration. They live as long as this value, even those that no responder names.
package struct DeclaredHandlers {
  private struct Declared {
    let settings: HandlerSettings
    let handler: any Handler
  }

  fileprivate var handlers: [String: any Handler] = [:]
  private var declared: [Declared] = []

  package init() {}

  package subscript(name: String) -> (any Handler)? { handlers[name] }

  fileprivate func handler(declaredAs settings: HandlerSettings) -> (any Handler)? {
    let handler = declared.first { $0.settings == settings }?.handler
    return (handler as? PluginHandler)?.isOff ?? false ? nil : handler
  }

  package var plugins: [PluginHandler] { declared.compactMap { $0.handler as? PluginHandler } }

  fileprivate mutating func add(_ handler: any Handler, as settings: HandlerSettings) {
    declared.append(Declared(settings: settings, handler: handler))
    handlers[settings.name] = handler
  }

  private var processes: [ProcessHandler] { declared.compactMap { $0.handler as? ProcessHandler } }

  /// Starts the processes and ends those of the handlers before, except for processes that are kept. One that
  /// replaces another of its name starts when that one has ended.
  package func begin(in peers: Peers, replacing old: DeclaredHandlers = DeclaredHandlers()) {
    let processes = processes
    let leaving = old.processes.filter { process in !processes.contains { $0 === process } }
    peers.processes = processes
    for process in leaving {
      let next = processes.first { $0.name == process.name }
      process.leave(because: "reload") { next?.start() }
    }
    for process in processes where !leaving.contains(where: { $0.name == process.name }) { process.start() }
  }
}

package struct HandlerErrors: Error, CustomStringConvertible {
  /// The handlers that cannot be made, at least one, with the reasons.
  package let failures: [(handler: String, failure: Failure)]

  package var description: String { failures.map(\.failure.message).joined(separator: "\n") }
}
