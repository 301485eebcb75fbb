import Glibc
import SystemPackage
import TouchConfig
import TouchHandlers
import TouchSystem

/// A copy of the last working configuration, which `run --fallback` shows if the file cannot be used at the
/// start. It lies in STATE_DIRECTORY (systemd.exec(5)) or /var/lib/touchtree. Relative paths start from the
/// file's folder.
package struct SavedConfiguration {
  package let path: String
  let name: String
  package let file: String

  /// Names a configuration's file, and the value of STATE_DIRECTORY: folders with colons between them.
  package init(
    of file: String, stateFolders: String? = getenv("STATE_DIRECTORY").map { String(cString: $0) }
  ) {
    self.file = file
    let folder = stateFolders?.split(separator: ":").first.map(String.init) ?? "/var/lib/touchtree"
    let whole = file.hasPrefix("/") ? file : "\(Self.workingFolder)/\(file)"
    name = whole.replacing("/", with: "%")
    path = "\(folder)/\(name)"
  }

  private static var workingFolder: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }

  static func makeFolder(of path: String) {
    let folder = FilePath(path).removingLastComponent()
    _ = mkdir(folder.removingLastComponent().string, 0o700)
    _ = mkdir(folder.string, 0o700)
  }

  package var isThere: Bool { access(path, R_OK) == 0 }

  /// Reads the copy, or throws; a `Failure` if another user could have changed that of root.
  package func load() throws -> Configuration {
    try FileTrust.ofRoot?.check(path)
    return try Configuration.load(path: path, of: file, waits: false) { included in
      let copy = copyPath(of: included)
      return access(copy, R_OK) == 0 ? copy : included
    }
  }

  /// Makes a configuration the copy, unless it is. The old one stays until the new one is on the disk.
  package func save(_ configuration: Configuration) throws(SystemError) {
    // The including file is written last, because it is only read with all the others.
    for source in configuration.sources.dropFirst() { try save(source.text, to: copyPath(of: source.file)) }
    try save(configuration.text, to: path)
  }

  private func copyPath(of included: String) -> String {
    let whole = included.hasPrefix("/") ? included : "\(Self.workingFolder)/\(included)"
    return path.dropLast(name.count) + whole.replacing("/", with: "%")
  }

  private func save(_ bytes: [UInt8], to path: String) throws(SystemError) {
    if let saved = try? FileContents.read(path, upTo: bytes.count + 1, waits: false), saved == bytes {
      return
    }
    Self.makeFolder(of: path)
    do {
      try FileContents.replace(path, with: bytes)
    } catch {
      throw SystemError(
        error.call, error.errno, path: path,
        hint: "name a folder that touchtree may write to with STATE_DIRECTORY, or start without --fallback")
    }
  }
}
