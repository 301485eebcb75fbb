import CLinux.Loop
import Glibc

/// Hears when somebody closes a device node. (inotify(7))
final class NodeWatch {
  private let inotify: OwnedDescriptor
  private var watch: Int32 = -1
  private var buffer = [UInt8](repeating: 0, count: 1024)

  /// Nil where the kernel gives none.
  init?() {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    inotify = OwnedDescriptor(descriptor)
  }

  /// Readable when something happened.
  var descriptor: Int32 { inotify.rawValue }

  /// Listens to this node, and to no other any more. One that may not be read is not heard of.
  func follow(_ path: String) {
    let old = watch
    watch = inotify_add_watch(descriptor, path, UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE))
    if old >= 0 && old != watch { inotify_rm_watch(descriptor, old) }
  }

  /// Takes what has happened, and tells whether it was anything.
  func takeEvents() -> Bool {
    var found = false
    while read(descriptor, &buffer, buffer.count) > 0 { found = true }
    return found
  }
}
