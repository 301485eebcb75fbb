import Glibc
import SystemPackage
import TouchHandlers
import TouchSystem

/// Notices when a configuration, an included file, its theme or a shown picture is saved. (`inotify(7)`)
/// Every folder and link on the way is watched: editors rename new files over old ones, and deploy tools
/// exchange links. A change is reported after a moment without further events.
package final class ConfigurationWatch {
  package var onChange: () -> Void = {}

  private struct Folder: Equatable {
    /// The path without links.
    var path: FilePath
    var files: Set<String> = []
    var folders: Set<String> = []

    /// The events to watch: a file is written, another one takes its name, or a folder is removed or added.
    var events: UInt32 {
      UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | (files.isEmpty ? 0 : UInt32(IN_CLOSE_WRITE))
        | (folders.isEmpty ? 0 : UInt32(IN_MOVED_FROM))
    }
  }

  private let loop: EventLoop
  private let inotify: Inotify
  private var source: EventLoop.Source?
  private var paths: [String] = []
  private var folders: [Int32: Folder] = [:]
  private var timer: Int?

  /// The time between the last write and the report, in milliseconds.
  private static let pause = 20

  /// - Throws: `SystemError` if the kernel provides no inotify descriptor.
  package init(in loop: EventLoop) throws(SystemError) {
    self.loop = loop
    do {
      inotify = try Inotify()
    } catch {
      throw SystemError(
        "inotify_init1", error, hint: "raise fs.inotify.max_user_instances, or start without --watch")
    }
    source = try loop.watch(inotify.descriptor.rawValue, as: .later) { [weak self] in self?.read() }
  }

  deinit {
    if let timer { loop.cancelTimer(timer) }
    if let source { loop.unwatch(source) }
  }

  /// Watches only a configuration's file, the target of its link, and the other files that it names. It
  /// throws if the file's folder cannot be watched.
  package func follow(_ file: String, others: [String]) throws(SystemError) {
    paths = [file] + others
    let failures = walk()
    let walk = PathWalk(to: file)
    guard let path = walk.missing ?? walk.steps.last?.path,
      let failure = failures[path.removingLastComponent()]
    else { return }
    throw SystemError("inotify_add_watch", failure, path: file, hint: "its folder cannot be watched")
  }

  /// Watches the present folders and links on the way, and returns those that cannot be watched.
  @discardableResult
  private func walk() -> [FilePath: Errno] {
    var failures: [FilePath: Errno] = [:]
    var way = foldersOnTheWay()
    for _ in 0..<Self.mostWalks {
      failures = watch(way)
      // A change before its folder was watched has no event.
      let now = foldersOnTheWay()
      guard now != way else { break }
      way = now
    }
    return failures
  }

  /// The most walks in a row. Folders that change during so many have events that are read soon.
  private static let mostWalks = 8

  private func foldersOnTheWay() -> [FilePath: Folder] {
    var found: [FilePath: Folder] = [:]
    for path in paths {
      let walk = PathWalk(to: path)
      func add(_ path: FilePath, isFolder: Bool) {
        guard let name = path.lastComponent?.string else { return }
        let parent = path.removingLastComponent()
        var folder = found[parent] ?? Folder(path: parent)
        if isFolder { folder.folders.insert(name) } else { folder.files.insert(name) }
        found[parent] = folder
      }
      for step in walk.steps { add(step.path, isFolder: step.status.st_mode & S_IFMT == S_IFDIR) }
      // The missing entry may be added later.
      if let missing = walk.missing { add(missing, isFolder: false) }
    }
    return found
  }

  private func watch(_ way: [FilePath: Folder]) -> [FilePath: Errno] {
    var watched: [Int32: Folder] = [:]
    var failures: [FilePath: Errno] = [:]
    for folder in way.values {
      do throws(Errno) {
        watched[try inotify.add(folder.path.string, mask: folder.events)] = folder
      } catch {
        failures[folder.path] = error
      }
    }
    for watch in folders.keys where watched[watch] == nil { inotify.remove(watch) }
    folders = watched
    return failures
  }

  private func read() {
    var (isChanged, isMoved) = (false, false)
    while let events = try? inotify.read(), !events.isEmpty {
      for event in events {
        switch meaning(of: event) {
        case .nothing: break
        case .fileChanged: isChanged = true
        case .wayChanged: isMoved = true
        }
      }
    }
    if isChanged || isMoved { walk() }
    // A missing file is reported when it is added.
    if isMoved, let file = paths.first, access(file, F_OK) == 0 { isChanged = true }
    guard isChanged else { return }
    if let timer { loop.cancelTimer(timer) }
    timer = loop.addTimer(milliseconds: Self.pause, repeats: false) { [weak self] in
      guard let self else { return }
      timer = nil
      onChange()
    }
  }

  private enum Meaning { case nothing, fileChanged, wayChanged }

  private func meaning(of event: Inotify.Event) -> Meaning {
    // Any event may be among the lost ones.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return .fileChanged }
    guard let folder = folders[event.watch] else { return .nothing }
    if folder.folders.contains(event.name) { return .wayChanged }
    guard folder.files.contains(event.name) else { return .nothing }
    guard event.mask & UInt32(IN_CREATE) != 0 else { return .fileChanged }
    // Only links count among new files. Others are still being written.
    var status = stat()
    guard lstat(folder.path.appending(event.name).string, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return .fileChanged
    case S_IFDIR: return .wayChanged
    default: return .nothing
    }
  }
}
