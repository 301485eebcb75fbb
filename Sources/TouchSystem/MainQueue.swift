import CLinux.Loop
import Glibc

/// The queue of the main thread: tasks of the main actor, and the work of `DispatchQueue.main`. Both are
/// libdispatch's main queue, which a loop of the main thread has to serve.
///
/// libdispatch makes its descriptor readable as soon as something is put into the queue, and not before, so
/// the loop rests while the queue is empty.
package struct MainQueue {
  /// The descriptor, readable from the first addition to the queue until `serve()`. It stays open.
  package let descriptor: Int32

  /// Returns nil on any other thread than the main one. The queue is then served elsewhere, as in a program
  /// whose `main` is asynchronous.
  package init?() {
    guard touchtree_is_main_thread() else { return nil }
    descriptor = _dispatch_get_main_queue_handle_4CF()
  }

  /// Does the work that is in the queue by now.
  package func serve() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
