import Logging
import TouchConfig
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchSystem
import TouchViews

/// The tree that is shown with its handlers, and the services that the daemon offers to them.
package final class Host: HandlerHost {
  package let logger: Logger
  package let peers: Peers
  /// The tree that handlers and clients change.
  package private(set) var tree: ViewTree
  package private(set) var handlers = DeclaredHandlers()
  private let loop: EventLoop
  private var watches: [Int: EventLoop.Source] = [:]
  private var lastWatch = 0

  package init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    self.loop = loop
    self.tree = tree
    self.logger = logger
    peers = Peers(loop: loop)
    reportBindings(of: tree)
  }

  /// Logs what a property cannot follow, and no value of a private view.
  private func reportBindings(of tree: ViewTree) {
    tree.bindings.report = { [logger] message, view in
      logger.warning(
        view.privateView == nil ? "\(message)" : "\(view.disclosed.id): a property cannot be what it follows")
    }
  }

  // MARK: The tree and its handlers

  /// Makes the handlers of a tree that is going to be shown. What a plugin sets while it is made is set on that tree's views.
  ///
  /// - Throws: every handler that cannot be made, at its place in the file.
  func makeHandlers(
    of next: ViewTree, from factory: HandlerFactory
  ) throws(ConfigurationError) -> ViewTree.Handlers {
    let shown = tree
    tree = next
    defer { tree = shown }
    return try next.makeHandlers(from: factory, keeping: handlers)
  }

  /// Puts another tree in the place of the one that is shown. What was set on views that both have stays.
  func replaceTree(with next: ViewTree, _ made: ViewTree.Handlers) {
    next.keepSettings(of: tree)
    tree.detachHandlers()
    reportBindings(of: next)
    next.show()
    next.attach(made)
    tree = next
  }

  /// Starts the processes of handlers that are attached, and ends those of the handlers before.
  func begin(_ made: ViewTree.Handlers) {
    let old = handlers
    handlers = made.declared
    handlers.begin(in: peers, replacing: old)
  }

  /// Handlers that nothing else keeps end, and so do processes.
  func endHandlers() {
    tree.detachHandlers()
    handlers = DeclaredHandlers()
    peers.endProcesses(because: "end")
  }

  // MARK: What handlers need

  package var bindings: Bindings { tree.bindings }

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
      if tree.viewsByID[sender]?.privateView == nil { peers.delegate?.broadcast(message, from: sender) }
    case .handler(let name):
      guard !peers.send(to: name, from: sender, message: message) else { return }
      let sender = tree.viewsByID[sender]?.disclosed.id ?? sender
      logger.warning("\(sender): a message to handler \(name) is lost: it is not a process that runs now")
    }
  }
}
