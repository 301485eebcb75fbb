import CLinux.Loop
import Glibc

/// The signals that ask the daemon to end. They are caught and not only read between turns, because a plugin may hang:
/// the loop that does not come to them in time is ended by them, with the console restored and a line in the log that
/// names the plugin. There is one in a process at a time.
package final class EndSignals {
  private let owner: OwnedDescriptor

  /// - Parameter logHead: what a line on standard error begins with.
  package init(_ numbers: [Int32], logHead: String) throws(LoopError) {
    owner = OwnedDescriptor(
      try checked("eventfd") { touchtree_ends_catch(numbers, UInt32(numbers.count), logHead) })
  }

  deinit {
    touchtree_ends_release()
  }

  /// Readable when such a signal came.
  package var descriptor: Int32 { owner.rawValue }

  /// Takes note of a signal that came: from here on the end may take as long as it needs, and a plugin a second for each
  /// call.
  package func take() {
    _ = touchtree_ends_take()
  }
}
