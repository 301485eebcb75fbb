import Glibc
import SystemPackage
import TouchSystem

/// Watches for a framebuffer's changes: presence, permissions, and programs that close it in another mode.
final class FramebufferWatch {
  private let path: String
  private let node: NodeWatch?

  /// - Parameters:
  ///   - report: called with a sentence about each source of events that fails; the others are used.
  ///   - look: called when something may have changed.
  init(
    of path: String, in loop: EventLoop, report: @escaping (String) -> Void, look: @escaping () -> Void
  ) {
    self.path = path
    UdevMonitor.followDisplays("graphics", in: loop, report: report) { _ in look() }
    do {
      let node = try NodeWatch(report)
      try loop.watch(node.descriptor) { if node.takeEvents() { look() } }
      self.node = node
    } catch {
      node = nil
      report(NodeWatch.complaint(error))
    }
  }

  func followNode() { node?.follow(path) }

  /// Waits for a node that is missing or may not be opened yet.
  func awaitNode() { node?.awaitNode(path) }
}

/// Watches one device node for changes that no device event reports.
private final class NodeWatch {
  private let inotify: Inotify
  private let report: (String) -> Void
  private var watch: Int32?

  init(_ report: @escaping (String) -> Void) throws(Errno) {
    inotify = try Inotify()
    self.report = report
  }

  static func complaint(_ cause: any Error) -> String {
    "a program that changes the mode is not noticed: \(cause); raise fs.inotify.max_user_instances and "
      + "max_user_watches (sysctl), or restart touchtree after such a program"
  }

  var descriptor: Int32 { inotify.descriptor.rawValue }

  /// Watches only an existing node, which a program may close or which may be removed.
  func follow(_ path: String) {
    // Removing a node removes a link, which is an attribute.
    listen(to: path, for: UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_ATTRIB))
  }

  /// Watches only the directory of a node that is missing or may not be opened yet.
  func awaitNode(_ path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    listen(
      to: folder.isEmpty ? "/" : folder, for: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB))
  }

  func takeEvents() -> Bool {
    var found = false
    while let events = try? inotify.read(), !events.isEmpty { found = true }
    return found
  }

  private func listen(to path: String, for events: UInt32) {
    let old = watch
    do throws(Errno) {
      watch = try inotify.add(path, mask: events)
    } catch {
      watch = nil
      // The directory stands in for a node that is unreadable or gone.
      if error != .permissionDenied, error != .noSuchFileOrDirectory { report(Self.complaint(error)) }
    }
    if let old, old != watch { inotify.remove(old) }
  }
}
