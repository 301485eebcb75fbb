import CLinux.Loop
import Glibc

/// Wakes a loop from another thread. (eventfd(2))
package final class WakeUp: Sendable {
  private let owner: OwnedDescriptor

  package init() throws(SystemError) {
    owner = OwnedDescriptor(try checked("eventfd") { eventfd(0, touchtree_efd_flags) })
  }

  /// The descriptor, readable from `send` until `take`.
  package var descriptor: Int32 { owner.rawValue }

  /// Makes the descriptor readable, from any thread.
  package func send() {
    var one: UInt64 = 1
    // It can only fail once it is readable 2⁶⁴ times over.
    _ = write(owner.rawValue, &one, MemoryLayout<UInt64>.size)
  }

  package func take() {
    var count: UInt64 = 0
    _ = read(owner.rawValue, &count, MemoryLayout<UInt64>.size)
  }
}
