import Glibc
import SystemPackage
import TouchSystem

/// Watches the input directory for nodes, without udev. The kernel removes it with its last node; only then
/// is its parent watched, which is busy and would wake an idle program.
package final class DeviceWatcher {
  package enum Change: Hashable, Sendable {
    case appeared(path: String)
    /// The owner, group or mode changed, as for new nodes, and just before one is removed.
    case changed(path: String)
    case removed(path: String)
    /// Changes were lost. Look at the whole directory.
    case overflowed
  }

  private enum Place { case directory, parent }

  private let directory: DeviceDirectory
  private let inotify: Inotify
  private var watch: Int32 = -1
  private var place = Place.parent

  /// Starts watching `directory`, which need not exist; its parent must.
  /// - Throws: `noSuchFile`, `notPermitted`, or `failed` (too many watches).
  package init(directory: DeviceDirectory = DeviceDirectory()) throws(DeviceError) {
    self.directory = directory
    do throws(Errno) {
      inotify = try Inotify()
    } catch {
      throw DeviceError(watching: directory.path, cause: error)
    }
    try attach()
  }

  /// The descriptor, readable when something changed. The watcher owns it: do not close it.
  package var descriptor: FileDescriptor { inotify.descriptor }

  /// Hands out all changes since the last call, in order, and never waits.
  package func readChanges(_ body: (Change) -> Void) throws(DeviceError) {
    while true {
      let events = try readEvents()
      if events.isEmpty { return }
      for event in events { try handle(event, body) }
    }
  }

  private func readEvents() throws(DeviceError) -> [Inotify.Event] {
    do throws(Errno) {
      return try inotify.read()
    } catch {
      throw DeviceError(.failed, path: directory.path, cause: error, detail: "its changes cannot be read")
    }
  }

  private func handle(_ event: Inotify.Event, _ body: (Change) -> Void) throws(DeviceError) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return body(.overflowed) }
    // The event belongs to an abandoned watch.
    guard event.watch == watch else { return }
    switch place {
    case .parent: if event.name == name { try reattach(body) }
    case .directory:
      if event.mask & UInt32(IN_IGNORED) != 0 { return try reattach(body) }
      guard DeviceDirectory.number(ofNode: event.name) != nil else { return }
      let path = "\(directory.path)/\(event.name)"
      if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { body(.appeared(path: path)) }
      if event.mask & UInt32(IN_ATTRIB) != 0 { body(.changed(path: path)) }
      if event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 { body(.removed(path: path)) }
    }
  }

  /// Watches another place after the directory was made or removed. Its nodes may be older than the watch.
  private func reattach(_ body: (Change) -> Void) throws(DeviceError) {
    try attach()
    guard place == .directory else { return }
    for path in (try? directory.nodes()) ?? [] { body(.appeared(path: path)) }
  }

  private func attach() throws(DeviceError) {
    if try attachToDirectory() { return }
    let old = watch
    guard let parentWatch = try addWatch(parent, mask: UInt32(IN_CREATE | IN_MOVED_TO)) else {
      throw DeviceError(.noSuchFile, path: parent)
    }
    (watch, place) = (parentWatch, .parent)
    if old >= 0 && old != watch { inotify.remove(old) }
    // The directory may have been made between the two.
    _ = try attachToDirectory()
  }

  private func attachToDirectory() throws(DeviceError) -> Bool {
    let mask = IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    guard let new = try addWatch(directory.path, mask: UInt32(mask)) else { return false }
    let old = watch
    (watch, place) = (new, .directory)
    if old >= 0 && old != new { inotify.remove(old) }
    return true
  }

  /// Watches a directory; nil when it does not exist.
  private func addWatch(_ path: String, mask: UInt32) throws(DeviceError) -> Int32? {
    do throws(Errno) {
      return try inotify.add(path, mask: mask | UInt32(IN_ONLYDIR))
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw DeviceError(watching: path, cause: error)
    }
  }

  private var parent: String {
    let parent = FilePath(directory.path).removingLastComponent()
    return parent.isEmpty ? "." : parent.string
  }

  private var name: String { FilePath(directory.path).lastComponent?.string ?? "" }
}

extension DeviceError {
  /// Makes the error of a place that cannot be watched, with inotify's limit. (inotify(7))
  init(watching path: String, cause: Errno) {
    self.init(path: path, cause: cause, detail: "it cannot be watched")
    let limit: String
    switch cause {
    case .tooManyOpenFiles: limit = "max_user_instances"
    case .noSpace: limit = "max_user_watches"
    default: return
    }
    reason = .failed
    detail += ", since programs of this user watch as much as fs.inotify.\(limit) allows"
    if cause == .tooManyOpenFiles { detail += ", or since this one may open no more files" }
    detail += "; raise it (sysctl fs.inotify.\(limit)=1024), or end programs that watch files"
  }
}
