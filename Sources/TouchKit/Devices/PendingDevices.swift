import TouchSystem

/// The nodes that udev has not finished with. Where udev's messages do not arrive (in a network namespace),
/// its database is polled. A device that udev never handles is used after a while as it is.
package final class PendingDevices {
  private let loop: EventLoop
  private let body: (String) -> Void
  private var rounds: [String: Int] = [:]
  private var timer: Int?

  private static let milliseconds = 100
  private static let mostRounds = 30

  package init(loop: EventLoop, _ body: @escaping (String) -> Void) { (self.loop, self.body) = (loop, body) }

  deinit { if let timer { loop.cancelTimer(timer) } }

  package var isEmpty: Bool { rounds.isEmpty }

  package func add(_ path: String) {
    guard rounds[path] == nil else { return }
    rounds[path] = Self.mostRounds
    guard timer == nil else { return }
    timer = loop.addTimer(milliseconds: Self.milliseconds, repeats: true) { [weak self] in self?.look() }
  }

  package func remove(_ path: String) {
    rounds[path] = nil
    guard rounds.isEmpty, let timer else { return }
    loop.cancelTimer(timer)
    self.timer = nil
  }

  /// Returns whether a node has waited long enough, ready or not.
  package func isOver(_ path: String) -> Bool { rounds[path] == 0 }

  private func look() {
    for (path, left) in rounds.sorted(by: { $0.key < $1.key }) {
      rounds[path] = left - 1
      body(path)
    }
  }
}
