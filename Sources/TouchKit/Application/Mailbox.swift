import Synchronization
import TouchSystem

/// What other threads want done on the loop's: the one place where the product has a lock, because the queue is the one thing that
/// two threads have.
final class Mailbox: Sendable {
  private let wakeUp: WakeUp
  private let waiting = Mutex<[@MainActor @Sendable () -> Void]>([])

  init() throws(SystemError) {
    wakeUp = try WakeUp()
  }

  /// Readable while something waits.
  var descriptor: Int32 { wakeUp.descriptor }

  func put(_ body: @escaping @MainActor @Sendable () -> Void) {
    waiting.withLock { $0.append(body) }
    wakeUp.send()
  }

  /// In the order in which they came. What they put here themselves waits for a later turn.
  func take() -> [@MainActor @Sendable () -> Void] {
    wakeUp.take()
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
