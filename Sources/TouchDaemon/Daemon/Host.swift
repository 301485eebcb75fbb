import Logging
import TouchConfig
import TouchCore
import TouchHandlers

/// What handlers may ask of the daemon.
final class Host: HandlerHost {
  let logger: Logger
  private let loop: EventLoop
  private let tree: ViewTree

  init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    self.loop = loop
    self.tree = tree
    self.logger = logger
  }

  func view(id: String) -> View? { tree.viewsByID[id] }

  func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    loop.addTimer(milliseconds: milliseconds, repeats: repeats, callback)
  }

  func cancelTimer(_ timer: Int) {
    loop.cancelTimer(timer)
  }
}
