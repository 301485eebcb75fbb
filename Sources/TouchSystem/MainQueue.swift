import CLinux.Loop
import Glibc

/// What waits for the main thread: tasks of the main actor, and what is put into `DispatchQueue.main`. Both are libdispatch's main queue,
/// which a loop of the main thread has to serve.
///
/// libdispatch makes its descriptor readable as soon as something is put into the queue, and not before; so the loop rests while nothing
/// is there.
package struct MainQueue {
  /// Readable from when something is put into the queue until `serve()`. It stays open.
  package let descriptor: Int32

  /// Nil on any other thread than the main one. The queue is then served elsewhere, as in a program whose `main` is asynchronous.
  package init?() {
    guard touchtree_is_main_thread() else { return nil }
    descriptor = _dispatch_get_main_queue_handle_4CF()
  }

  /// Does what is in the queue by now.
  package func serve() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
