import Logging
import TouchConfig
import TouchCore
import TouchHandlers
import TouchSystem

/// What handlers may ask of the daemon.
package final class Host: HandlerHost {
  package let logger: Logger
  private let loop: EventLoop
  private let tree: ViewTree

  package init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    self.loop = loop
    self.tree = tree
    self.logger = logger
  }

  package func view(id: String) -> View? { tree.viewsByID[id] }

  package func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    loop.addTimer(milliseconds: milliseconds, repeats: repeats, callback)
  }

  package func cancelTimer(_ timer: Int) {
    loop.cancelTimer(timer)
  }
}
