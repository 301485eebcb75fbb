import Glibc
import TouchSystem

/// Watches for what may have happened to a framebuffer: it comes, goes or changes, its permissions change, or a program
/// that has set another mode closes it.
final class FramebufferWatch {
  private let path: String
  private let node: NodeWatch?

  /// - Parameter look: called when something may have happened.
  /// - Throws: `SystemError`.
  init(of path: String, in loop: EventLoop, _ look: @escaping () -> Void) throws(SystemError) {
    self.path = path
    node = NodeWatch()
    // The kernel reports a device at once, udev when its permissions are set. Some containers get no messages of the
    // kernel, and not every board has udev.
    for source in [UdevMonitor.Source.kernel, .udev] {
      guard let monitor = (try? UdevMonitor(source, subsystem: "graphics")) ?? nil else { continue }
      try loop.watch(monitor.descriptor.rawValue) {
        var isChanged = false
        // Lost messages may have been anything.
        let isWhole = monitor.readEvents { _ in isChanged = true }
        if isChanged || !isWhole { look() }
      }
    }
    guard let node else { return }
    try loop.watch(node.descriptor) {
      if node.takeEvents() { look() }
    }
  }

  /// The node is there, and used.
  func followNode() { node?.follow(path) }

  /// The node is missing, or may not be opened yet.
  func awaitNode() { node?.awaitNode(path) }
}

/// Watches one device node for what no device event reports.
private final class NodeWatch {
  private let inotify: Inotify
  private var watch: Int32?

  /// Nil where the kernel gives none.
  init?() {
    guard let inotify = try? Inotify() else { return nil }
    self.inotify = inotify
  }

  /// Readable when something happened.
  var descriptor: Int32 { inotify.descriptor.rawValue }

  /// Watches a node that exists, and nothing else any more: a program closes it, or it is removed. A node that may not be
  /// read cannot be watched.
  func follow(_ path: String) {
    // A node that is removed loses a link, which is an attribute.
    listen(to: path, for: UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_ATTRIB))
  }

  /// Watches the directory of a node that is missing, or may not be opened yet, and nothing else any more.
  func awaitNode(_ path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    listen(
      to: folder.isEmpty ? "/" : folder, for: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB))
  }

  /// Takes what has happened, and returns whether it was anything.
  func takeEvents() -> Bool {
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
