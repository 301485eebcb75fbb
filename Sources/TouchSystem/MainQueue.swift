import CLinux.Loop
import Glibc

/// The queue of the main thread, libdispatch's: tasks of the main actor, and `DispatchQueue.main`. Its
/// descriptor becomes readable when something is put in, so the loop rests while it is empty.
package struct MainQueue {
  /// The descriptor, readable from the first addition to the queue until `serve()`. It stays open.
  package let descriptor: Int32

  /// Returns nil on any other thread than the main one, whose queue is then served elsewhere.
  package init?() {
    guard touchtree_is_main_thread() else { return nil }
    descriptor = _dispatch_get_main_queue_handle_4CF()
  }

  package func serve() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
