import Glibc
import Logging
import SystemPackage
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// Shows the pictures of views with `follow: true` again after their files, whose folders are watched, were
/// written.
package final class PictureFollower: TurnHook {
  package var turnPlace: TurnPlace?
  private let host: Host
  private let loop: EventLoop
  private let log: Logger
  private var tree: Bindings?
  private var views: [ImageView] = []
  /// The paths of the views at the time when the folders were watched.
  private var paths: [String] = []
  private var watch: Watch?

  /// The inotify descriptor, and the folders by their watch.
  private final class Watch {
    let inotify: Inotify
    var folders: [Int32: String] = [:]

    init() throws(Errno) { inotify = try Inotify() }
  }
  private var source: EventLoop.Source?

  package init(_ host: Host, in loop: EventLoop, log: Logger) {
    (self.host, self.loop, self.log) = (host, loop, log)
    loop.addHook(self, at: .follow)
  }

  deinit { if let source { loop.unwatch(source) } }

  package func turnEnds(at now: Timestamp) {
    if tree !== host.bindings {
      tree = host.bindings
      views = host.tree.viewsByID.values.compactMap { $0 as? ImageView }.filter(\.follows)
      paths = views.isEmpty ? [] : [""]
    }
    guard !views.isEmpty, isElsewhere else { return }
    paths = views.map(\.path)
    watchFolders()
  }

  private var isElsewhere: Bool {
    guard paths.count == views.count else { return true }
    for index in views.indices where views[index].path != paths[index] { return true }
    return false
  }

  private func watchFolders() {
    do {
      if watch == nil {
        let made = try Watch()
        source = try loop.watch(made.inotify.descriptor.rawValue, as: .later) { [weak self] in self?.read() }
        watch = made
      }
    } catch {
      log.warning("pictures that change are not shown again: \(error); raise fs.inotify.max_user_instances")
      return
    }
    guard let watch else { return }
    for (number, _) in watch.folders { watch.inotify.remove(number) }
    watch.folders = [:]
    for folder in Set(paths.filter { !$0.isEmpty }.map { Self.split($0).folder }) {
      do throws(Errno) {
        let number = try watch.inotify.add(folder, mask: UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
        watch.folders[number] = folder
      } catch {
        log.warning("pictures in \(folder.escaped) that change are not shown again: \(error)")
      }
    }
  }

  private func read() {
    guard let watch, let events = try? watch.inotify.read() else { return }
    // A program that writes in several parts causes several events. Each view is set once.
    var changed: Set<String> = []
    for event in events {
      if let folder = watch.folders[event.watch] { changed.insert(folder + "/" + event.name) }
    }
    for view in views where !view.path.isEmpty {
      let (folder, name) = Self.split(view.path)
      guard changed.contains(folder + "/" + name) else { continue }
      // Setting the same path again shows the file's new contents.
      let path = view.path
      view.path = path
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}
