import Glibc
import SystemPackage
import TouchConfig
import TouchSystem

/// Notices when a configuration, or a picture that it shows, is saved. (`inotify(7)`)
///
/// Folders are watched and not files, because most editors rename a new file over the old one. An editor may write several
/// times for one save, so a change is reported when nothing more came for a moment.
package final class ConfigurationWatch {
  /// Called when something was saved.
  package var onChange: () -> Void = {}

  private let loop: EventLoop
  private let inotify: Inotify
  private var source: EventLoop.Source?
  /// The files that matter, by the watch of their folder.
  private var names: [Int32: (folder: String, files: Set<String>)] = [:]
  private var timer: Int?

  /// Between the last write and the report, in milliseconds.
  private static let pause = 100
  /// A file is written, or another one takes its name. Of new files only links count: others are still being written.
  private static let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE)

  /// - Throws: `SystemError` when the kernel gives no inotify descriptor.
  package init(in loop: EventLoop) throws(SystemError) {
    self.loop = loop
    do {
      inotify = try Inotify()
    } catch {
      throw SystemError(
        "inotify_init1", error, hint: "raise fs.inotify.max_user_instances, or start without --watch")
    }
    source = try loop.watch(inotify.descriptor.rawValue) { [unowned self] in read() }
  }

  deinit {
    if let timer { loop.cancelTimer(timer) }
    if let source { loop.unwatch(source) }
  }

  /// Watches the file of a configuration, what it is a link to, and the pictures that it names, and nothing else any more.
  ///
  /// - Parameter file: the configuration's.
  /// - Throws: `SystemError` when the folder of the file cannot be watched.
  package func follow(_ file: String, pictures: [String]) throws(SystemError) {
    var watched: [Int32: (folder: String, files: Set<String>)] = [:]
    func add(_ path: String) throws(Errno) {
      let path = FilePath(path)
      guard let name = path.lastComponent?.string else { return }
      let parent = path.removingLastComponent().string
      let folder = parent.isEmpty ? "." : parent
      let watch = try inotify.add(folder, mask: Self.events)
      watched[watch, default: (folder, [])].files.insert(name)
    }
    do {
      try add(file)
    } catch {
      throw SystemError("inotify_add_watch", error, path: file, hint: "its folder cannot be watched")
    }
    for path in [Self.target(of: file)].compactMap(\.self) + pictures {
      // A folder that is missing may come later; the next reload sees it.
      try? add(path)
    }
    for watch in names.keys where watched[watch] == nil { inotify.remove(watch) }
    names = watched
  }

  /// What links lead to; nil for a file that is not there. (`realpath(3)`)
  private static func target(of file: String) -> String? {
    guard let path = realpath(file, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private func read() {
    var isChanged = false
    while let events = try? inotify.read(), !events.isEmpty {
      for event in events where matters(event) { isChanged = true }
    }
    guard isChanged else { return }
    if let timer { loop.cancelTimer(timer) }
    timer = loop.addTimer(milliseconds: Self.pause, repeats: false) { [unowned self] in
      timer = nil
      onChange()
    }
  }

  private func matters(_ event: Inotify.Event) -> Bool {
    // Events were lost: any of them may have been one.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let (folder, files) = names[event.watch], files.contains(event.name) else { return false }
    guard event.mask & UInt32(IN_CREATE) != 0 else { return true }
    var status = stat()
    return lstat("\(folder)/\(event.name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
