import CLinux.Loop
import Glibc
import TouchSystem

/// Hears what becomes of one device node that no device event tells: its permissions, and who closes it. (inotify(7))
package final class NodeWatch {
  private let inotify: OwnedDescriptor
  private var watch: Int32 = -1
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// Nil where the kernel gives none.
  package init?() {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    inotify = OwnedDescriptor(descriptor)
  }

  /// Readable when something happened.
  package var descriptor: Int32 { inotify.rawValue }

  /// Listens to a node that is there, and to nothing else any more: somebody closes it, or it goes. One that may not be
  /// read is not heard of.
  package func follow(_ path: String) {
    // A node that is removed loses a link, which is an attribute.
    listen(to: path, for: UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_ATTRIB))
  }

  /// Listens to the directory of a node that is not there, or may not be opened yet, and to nothing else any more.
  package func awaitNode(_ path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    listen(
      to: folder.isEmpty ? "/" : folder, for: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB))
  }

  /// Takes what has happened, and tells whether it was anything.
  package func takeEvents() -> Bool {
    var found = false
    while read(descriptor, &buffer, buffer.count) > 0 { found = true }
    return found
  }

  private func listen(to path: String, for events: UInt32) {
    let old = watch
    watch = inotify_add_watch(descriptor, path, events)
    if old >= 0 && old != watch { inotify_rm_watch(descriptor, old) }
  }
}
