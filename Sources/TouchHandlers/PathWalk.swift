import CLinux.Plugins
import Glibc
import SystemPackage

/// A walk along a path, from one open folder to the next, that follows links as the kernel does. A file used
/// through the last folder, which it keeps open, is the examined one.
package struct PathWalk: ~Copyable {
  /// An entry on the way from the root to the file: a folder, a link, or the file itself.
  package struct Step {
    /// The path without links.
    package var path: FilePath
    package var status: stat
  }

  private(set) var path: FilePath = "/"
  /// The steps in the order of the walk. The last one is the file, unless the walk failed.
  package private(set) var steps: [Step] = []
  /// The missing entry at which the walk ended, without links; nil if it reached the file.
  package private(set) var missing: FilePath?
  /// The reason why the walk ended before the file; nil if it reached it.
  private(set) var failure: Errno?
  private var folder: FileDescriptor?
  /// The names that follow, the next one last.
  private var names: [Substring] = []
  private var links = 0

  /// The most links that the kernel follows. (`path_resolution(7)`)
  private static let mostLinks = 40

  /// - Parameter path: a path that begins at the working directory if it has no leading slash.
  package init(to path: String) {
    do throws(Errno) {
      names = Self.names(of: try Self.start(of: path) + path)
      try go()
    } catch {
      failure = error
    }
  }

  deinit { try? folder?.close() }

  /// Returns the reached folder, whose descriptor is the caller's, and the name in it; nil the second time.
  mutating func takeFile() -> (folder: FileDescriptor, name: String)? {
    guard let folder else { return nil }
    self.folder = nil
    return (folder, path.lastComponent?.string ?? ".")
  }

  private static func start(of path: String) throws(Errno) -> String {
    if path.hasPrefix("/") { return "" }
    guard let current = getcwd(nil, 0) else { throw Errno(rawValue: errno) }
    defer { free(current) }
    return String(cString: current) + "/"
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

  private mutating func go() throws(Errno) {
    let root = try Self.open("/", in: AT_FDCWD)
    replaceFolder(with: root)
    steps.append(Step(path: path, status: try Self.status(of: root)))
    while let name = names.popLast() {
      missing = path.appending(String(name))
      let entry = try Self.open(String(name), in: folder?.rawValue ?? AT_FDCWD)
      missing = nil
      do throws(Errno) {
        try take(String(name), entry)
      } catch {
        try? entry.close()
        throw error
      }
    }
  }

  /// Takes an entry. It stays open if it is a folder and nothing failed.
  private mutating func take(_ name: String, _ entry: FileDescriptor) throws(Errno) {
    let status = try Self.status(of: entry)
    guard name != ".." else {
      path.removeLastComponent()
      return replaceFolder(with: entry)
    }
    let next = path.appending(name)
    steps.append(Step(path: next, status: status))
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      try follow(entry)
      try? entry.close()
    case S_IFDIR:
      path = next
      replaceFolder(with: entry)
    default:
      guard names.isEmpty else { throw .notDirectory }
      path = next
      try? entry.close()
    }
  }

  private mutating func follow(_ link: FileDescriptor) throws(Errno) {
    links += 1
    guard links <= Self.mostLinks else { throw .tooManySymbolicLinkLevels }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(link.rawValue, "", &bytes, bytes.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    let target = String(decoding: bytes.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    if target.hasPrefix("/") {
      replaceFolder(with: try Self.open("/", in: AT_FDCWD))
      path = "/"
    }
    names += Self.names(of: target)
  }

  private mutating func replaceFolder(with entry: FileDescriptor) {
    try? folder?.close()
    folder = entry
  }
}
