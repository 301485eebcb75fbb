import Glibc
import TouchSystem

/// Watches one device node for what no device event reports: its permissions change, or a program closes it.
package final class NodeWatch {
  private let inotify: Inotify
  private var watch: Int32?

  /// Nil where the kernel gives none.
  package init?() {
    guard let inotify = try? Inotify() else { return nil }
    self.inotify = inotify
  }

  /// Readable when something happened.
  package var descriptor: Int32 { inotify.descriptor.rawValue }

  /// Watches a node that exists, and nothing else any more: a program closes it, or it is removed. A node that may not be
  /// read cannot be watched.
  package func follow(_ path: String) {
    // A node that is removed loses a link, which is an attribute.
    listen(to: path, for: UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_ATTRIB))
  }

  /// Watches the directory of a node that is missing, or may not be opened yet, and nothing else any more.
  package func awaitNode(_ path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    listen(
      to: folder.isEmpty ? "/" : folder, for: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB))
  }

  /// Takes what has happened, and returns whether it was anything.
  package func takeEvents() -> Bool {
    var found = false
    while let events = try? inotify.read(), !events.isEmpty { found = true }
    return found
  }

  private func listen(to path: String, for events: UInt32) {
    let old = watch
    watch = try? inotify.add(path, mask: events)
    if let old, old != watch { inotify.remove(old) }
  }
}

/// Receives which framebuffers come, go and change. The kernel reports a device at once, udev when its permissions are set.
final class FramebufferEvents {
  private let monitor: UdevMonitor

  /// Nil where nothing is reported: some containers get no messages of the kernel, and not every board has udev.
  init?(_ source: UdevMonitor.Source) {
    guard let monitor = (try? UdevMonitor(source, subsystem: "graphics")) ?? nil else { return nil }
    self.monitor = monitor
  }

  /// Readable when something happened. It stays the owner's: do not close it.
  var descriptor: Int32 { monitor.descriptor.rawValue }

  /// Takes what has happened, and returns whether it was anything. Lost messages may have been anything.
  func take() -> Bool {
    var found = false
    let isWhole = monitor.readEvents { _ in found = true }
    return found || !isWhole
  }
}
