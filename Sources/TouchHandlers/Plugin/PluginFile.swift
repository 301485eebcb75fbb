import CLinux.Plugins
import Glibc
import SystemPackage

/// The file of a plugin, with the open folder that it lies in: what is loaded is what was looked at, whatever becomes of
/// the path.
package struct PluginFile: ~Copyable {
  /// What was met on the way from the root to the file.
  struct Step {
    /// Without links.
    var path: FilePath
    var status: stat
  }

  /// Without links, dots and double slashes.
  package let path: String
  /// The last one is the file itself, the one before it that is no link the folder that it lies in.
  let steps: [Step]
  private let name: String
  private var folder: FileDescriptor?

  /// Walks to a file, from one open folder to the next, and follows links as the kernel does.
  ///
  /// - Parameter path: begins at the working directory if it has no slash in front.
  init(walkingTo path: String) throws(Errno) {
    var walk = try Walk(to: path)
    do throws(Errno) {
      try walk.go()
    } catch {
      try? walk.folder.close()
      throw error
    }
    self.path = walk.path.string
    steps = walk.steps
    name = walk.path.lastComponent?.string ?? "."
    folder = walk.folder
  }

  deinit {
    try? folder?.close()
  }

  /// Loads it, for good.
  mutating func load() -> UnsafeMutableRawPointer? {
    guard let folder else { return nil }
    self.folder = nil
    return touchtree_plugin_load(folder.rawValue, name)
  }
}

/// A walk along a path, for which every folder is opened only once.
private struct Walk {
  private(set) var path: FilePath = "/"
  private(set) var steps: [PluginFile.Step] = []
  /// The one that was reached.
  private(set) var folder: FileDescriptor
  /// Names that come, the next one last.
  private var names: [Substring]
  private var links = 0

  /// As many as the kernel follows. (`path_resolution(7)`)
  private static let mostLinks = 40

  init(to path: String) throws(Errno) {
    var start = ""
    if !path.hasPrefix("/") {
      guard let current = getcwd(nil, 0) else { throw Errno(rawValue: errno) }
      defer { free(current) }
      start = String(cString: current) + "/"
    }
    names = Self.names(of: start + path)
    folder = try Self.open("/", in: AT_FDCWD)
  }

  private static func names(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }.reversed()
  }

  private static func open(_ name: String, in folder: Int32) throws(Errno) -> FileDescriptor {
    let descriptor = touchtree_open_entry(folder, name)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: descriptor)
  }

  private static func status(of entry: FileDescriptor) throws(Errno) -> stat {
    var status = stat()
    guard fstat(entry.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    return status
  }

  mutating func go() throws(Errno) {
    steps.append(PluginFile.Step(path: path, status: try Self.status(of: folder)))
    while let name = names.popLast() {
      let entry = try Self.open(String(name), in: folder.rawValue)
      do throws(Errno) {
        try take(String(name), entry)
      } catch {
        try? entry.close()
        throw error
      }
    }
  }

  /// The entry stays open if it is a folder, and nothing failed.
  private mutating func take(_ name: String, _ entry: FileDescriptor) throws(Errno) {
    let status = try Self.status(of: entry)
    guard name != ".." else {
      path.removeLastComponent()
      return replaceFolder(with: entry)
    }
    let place = path.appending(name)
    steps.append(PluginFile.Step(path: place, status: status))
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      try follow(entry)
      try? entry.close()
    case S_IFDIR:
      path = place
      replaceFolder(with: entry)
    default:
      guard names.isEmpty else { throw .notDirectory }
      path = place
      try? entry.close()
    }
  }

  private mutating func follow(_ link: FileDescriptor) throws(Errno) {
    links += 1
    guard links <= Self.mostLinks else { throw .tooManySymbolicLinkLevels }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(link.rawValue, "", &bytes, bytes.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if target.hasPrefix("/") {
      replaceFolder(with: try Self.open("/", in: AT_FDCWD))
      path = "/"
    }
    names += Self.names(of: target)
  }

  private mutating func replaceFolder(with entry: FileDescriptor) {
    try? folder.close()
    folder = entry
  }
}
