import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchHandlers
import TouchSystem
import TouchViews

/// The services that the daemon offers to handlers.
package final class Host: HandlerHost {
  package let logger: Logger
  package let peers: Peers
  /// The tree that handlers and clients change.
  package var tree: ViewTree {
    didSet { peers.windowSize = tree.window.bounds.size }
  }
  private let loop: EventLoop
  private var watches: [Int: EventLoop.Source] = [:]
  private var lastWatch = 0

  package init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    self.loop = loop
    self.tree = tree
    self.logger = logger
    peers = Peers(loop: loop)
    peers.windowSize = tree.window.bounds.size
  }

  package func view(id: String) -> View? { tree.viewsByID[id] }

  package func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    loop.addTimer(milliseconds: milliseconds, repeats: repeats, as: .later, callback)
  }

  package func cancelTimer(_ timer: Int) {
    loop.cancelTimer(timer)
  }

  package func watch(_ descriptor: Int32, callback: @escaping () -> Void) throws(SystemError) -> Int {
    let source = try loop.watch(descriptor, as: .later, callback)
    lastWatch += 1
    watches[lastWatch] = source
    return lastWatch
  }

  package func unwatch(_ watch: Int) {
    if let source = watches.removeValue(forKey: watch) { loop.unwatch(source) }
  }

  package func resolve(_ path: String) -> String { tree.configuration.resolve(path) }

  package func send(_ message: String, to recipient: ActionStep.Recipient, from sender: String) {
    switch recipient {
    case .subscribers:
      // Clients hear nothing of a private view; `check` warns of such a step.
      if tree.viewsByID[sender]?.privateView == nil { peers.onBroadcast(message, sender) }
    case .handler(let name):
      guard !peers.send(to: name, from: sender, message: message) else { return }
      let sender = tree.viewsByID[sender]?.disclosed.id ?? sender
      logger.warning("\(sender): a message to handler \(name) is lost: it is not a process that runs now")
    }
  }
}

extension ViewTree {
  /// What is attached to the responders of a tree.
  package struct Handlers {
    package let declared: DeclaredHandlers
    fileprivate let ofControls: [ActionHandler]
    fileprivate let ofGestures: [ActionHandler]
  }

  /// Makes the declared handlers, and those of the actions. Nothing is attached, and no process is started.
  ///
  /// - Parameters:
  ///   - factory: loads plugins and finds commands.
  ///   - old: of the configuration before: those that are declared in the same way are kept.
  /// - Throws: every handler that cannot be made, at its place in the file.
  package func makeHandlers(
    from factory: HandlerFactory, keeping old: DeclaredHandlers = DeclaredHandlers()
  ) throws(ConfigurationError) -> Handlers {
    let actions = try makeActions(of: configuration, from: factory)
    do {
      return Handlers(
        declared: try factory.make(configuration.handlers, keeping: old), ofControls: actions.ofControls,
        ofGestures: actions.ofGestures)
    } catch {
      throw .invalid(configuration.diagnostics(of: error.errors))
    }
  }

  /// Attaches the handlers to the responders that name them.
  package func attach(_ handlers: Handlers) {
    for attachment in attachments {
      attachment.responder.handlers = attachment.handlers.compactMap { handlers.declared[$0] }
    }
    for attachment in gestureAttachments {
      attachment.gesture.handlers = attachment.handlers.compactMap { handlers.declared[$0] }
    }
    // The file's own actions come after the handlers: those may still change what is shown.
    for (attachment, handler) in zip(controlActions, handlers.ofControls) {
      attachment.control.handlers.append(handler)
    }
    for (attachment, handler) in zip(gestureActions, handlers.ofGestures) {
      attachment.gesture.handlers.append(handler)
    }
  }

  private func makeActions(
    of configuration: Configuration, from factory: HandlerFactory
  ) throws(ConfigurationError) -> (ofControls: [ActionHandler], ofGestures: [ActionHandler]) {
    var problems: [Diagnostic] = []
    func prepare(_ steps: [Configuration.Step]) -> [ActionHandler.Step] {
      steps.compactMap { step in
        do throws(CommandError) {
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
    guard problems.isEmpty else { throw .invalid(problems.sorted { $0.place < $1.place }) }
    return (controls, gestures)
  }

  /// Takes the handlers off again. Those that nothing else keeps end.
  package func detachHandlers() {
    for attachment in attachments { attachment.responder.handlers = [] }
    for attachment in gestureAttachments { attachment.gesture.handlers = [] }
    for attachment in controlActions { attachment.control.handlers = [] }
    for attachment in gestureActions { attachment.gesture.handlers = [] }
  }
}

extension Configuration {
  /// Looks whether the handlers can be used here, without loading anything.
  ///
  /// - Parameters:
  ///   - pluginFolders: searched for plugins, first to last.
  ///   - warn: called, as root, with who else could change the file or a program that it names.
  /// - Throws: what `run` would refuse: programs and plugins that are missing or that others could change, each at the
  ///   place of its handler; or `FileTrustError` when every user could change the file itself, and this is root.
  package func checkHandlers(pluginFolders: [String], warn: (FileTrustError) -> Void) throws {
    let trust = FileTrust.ofRoot
    try trust?.check(file, warn: warn)
    let errors = HandlerFactory.errors(
      in: handlers, plugins: PluginFolders.locator(for: self, pluginFolders),
      path: ChildProcesses.ownPath, trust: trust, warn: warn)
    let problems = diagnostics(of: errors) + actionProblems(trust: trust, warn: warn)
    if !problems.isEmpty { throw ConfigurationError.invalid(problems) }
  }

  /// The programs of actions that cannot be used here, in the order of the file.
  private func actionProblems(trust: FileTrust?, warn: (FileTrustError) -> Void) -> [Diagnostic] {
    actions.flatMap(\.steps).sorted { $0.place < $1.place }.compactMap { step in
      do throws(CommandError) {
        try ActionHandler.Step(step.step, path: ChildProcesses.ownPath, trust: trust).doubt.map(warn)
        return nil
      } catch {
        return diagnostic(at: step.place, "\(error)")
      }
    }
  }

  fileprivate func diagnostics(of errors: [HandlerError]) -> [Diagnostic] {
    errors.map { diagnostic(at: handlerLocations[$0.handler] ?? .start, "\($0)") }
  }
}

/// Where plugins are looked for by default.
package enum PluginFolders {
  /// The folders that packages and `make install` use, and the one that the program lies in, for a build that is
  /// not installed.
  package static var standard: [String] {
    ["/usr/lib/touchtree", "/usr/local/lib/touchtree"] + (ownFolder.map { [$0] } ?? [])
  }

  /// Whose plugins are loaded: root's, this user's, and those of the owner of the program, who could change that too.
  package static var trustedOwners: Set<UInt32> {
    var owners: Set<UInt32> = [0, geteuid()]
    var status = stat()
    if stat("/proc/self/exe", &status) == 0 { owners.insert(status.st_uid) }
    return owners
  }

  /// Looks for bare names in the configuration's folder and in these.
  package static func locator(for configuration: Configuration, _ folders: [String]) -> PluginLocator {
    PluginLocator(folders: [configuration.folder] + folders, trustedOwners: trustedOwners)
  }

  private static var ownFolder: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    return FilePath(path).removingLastComponent().string
  }
}

extension FileTrust {
  /// Judges the configuration and the commands that root runs; nil for other users, who cannot be had for more than their
  /// own rights. It trusts those whose plugins are loaded, and the user who became root by sudo, who could name any
  /// other file here.
  package static var ofRoot: FileTrust? {
    guard geteuid() == 0 else { return nil }
    var trust = FileTrust(owners: PluginFolders.trustedOwners)
    if let text = getenv("SUDO_UID"), let user = UInt32(String(cString: text)) { trust.owners.insert(user) }
    return trust
  }
}
