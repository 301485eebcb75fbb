import Glibc
import SystemPackage
import TouchSystem

/// Watches for what may have happened to a framebuffer: it comes, goes or changes, its permissions change, or a program
/// that has set another mode closes it.
final class FramebufferWatch {
  private let path: String
  private let node: NodeWatch?

  /// - Parameters:
  ///   - report: called with a sentence about each way of noticing that fails; the others are used.
  ///   - look: called when something may have happened.
  init(
    of path: String, in loop: EventLoop, report: @escaping (String) -> Void, look: @escaping () -> Void
  ) {
    self.path = path
    // The kernel reports a device at once, udev when its permissions are set. Some containers get no messages of the
    // kernel, and not every board has udev.
    for source in [UdevMonitor.Source.kernel, .udev] {
      do {
        guard let monitor = try UdevMonitor(source, subsystem: "graphics") else { continue }
        try loop.watch(monitor.descriptor.rawValue) {
          var isChanged = false
          // Lost messages may have been anything.
          let isWhole = monitor.readEvents { _ in isChanged = true }
          if isChanged || !isWhole { look() }
        }
      } catch {
        report(UdevMonitor.complaint(of: source, error))
      }
    }
    do {
      let node = try NodeWatch(report)
      try loop.watch(node.descriptor) {
        if node.takeEvents() { look() }
      }
      self.node = node
    } catch {
      node = nil
      report(NodeWatch.complaint(error))
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
    do throws(Errno) {
      watch = try inotify.add(path, mask: events)
    } catch {
      watch = nil
      // A node that may not be read, or is gone, is followed by its directory.
      if error != .permissionDenied, error != .noSuchFileOrDirectory { report(Self.complaint(error)) }
    }
    if let old, old != watch { inotify.remove(old) }
  }
}
