import Synchronization
import TouchSystem

/// The work that other threads request from the loop's thread. It has the only lock of the product, because
/// the queue is the only thing that two threads share.
final class Mailbox: Sendable {
  private let wakeUp: WakeUp
  private let waiting = Mutex<[@MainActor @Sendable () -> Void]>([])

  init() throws(SystemError) { wakeUp = try WakeUp() }

  /// The descriptor, readable while work waits.
  var descriptor: Int32 { wakeUp.descriptor }

  func put(_ body: @escaping @MainActor @Sendable () -> Void) {
    waiting.withLock { $0.append(body) }
    wakeUp.send()
  }

  /// Returns the waiting work in the order of its arrival. Work added meanwhile waits for a later turn.
  func take() -> [@MainActor @Sendable () -> Void] {
    wakeUp.take()
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
