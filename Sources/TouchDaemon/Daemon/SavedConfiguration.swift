import Glibc
import SystemPackage
import TouchConfig
import TouchHandlers
import TouchSystem

/// A copy of the last working configuration, which `run --fallback`
/// shows if the file cannot be used at the start.
///
/// It lies in the folder that the service manager made for state (`StateDirectory=`,
/// systemd.exec(5)), or in /var/lib/touchtree, one for each configuration file. Relative
/// paths in it start from the folder of that file.
package struct SavedConfiguration {
  /// The path of the copy.
  package let path: String
  /// The name of the copy in its folder.
  let name: String
  /// The configuration file, as it was named.
  package let file: String

  /// - Parameters:
  ///   - file: the configuration file.
  ///   - stateFolders: the value of STATE_DIRECTORY: folders with colons between them.
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

  /// Makes the folder of a file, and the one around it, if they are missing.
  static func makeFolder(of path: String) {
    let folder = FilePath(path).removingLastComponent()
    _ = mkdir(folder.removingLastComponent().string, 0o700)
    _ = mkdir(folder.string, 0o700)
  }

  /// Whether there is a copy.
  package var isThere: Bool { access(path, R_OK) == 0 }

  /// Reads the copy.
  /// - Throws: `ConfigurationError`, and `Failure` for root if other users could have changed it.
  package func load() throws -> Configuration {
    try FileTrust.ofRoot?.check(path)
    return try Configuration.load(path: path, of: file, waits: false) { included in
      let copy = copyPath(of: included)
      return access(copy, R_OK) == 0 ? copy : included
    }
  }

  /// Makes a configuration the copy, unless it already is. The old copy
  /// stays whole until the new one is on the disk.
  /// - Throws: `SystemError`.
  package func save(_ configuration: Configuration) throws(SystemError) {
    // The including file is written last, because it is only read with all the others.
    for source in configuration.sources.dropFirst() { try save(source.text, to: copyPath(of: source.file)) }
    try save(configuration.text, to: path)
  }

  /// Returns the path for the copy of an included file.
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
