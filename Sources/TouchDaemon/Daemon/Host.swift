import Logging
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
