import Glibc
import SystemPackage

/// Finds the file of a plugin and refuses every file that somebody else could have put there or could change.
///
/// A plugin runs with all the rights of the daemon. So its file and the folder that it lies in must belong
/// to a trusted owner, and neither they nor a folder above may be writable by group or others. A folder
/// with the sticky bit, such as /tmp, counts as writable for what lies directly in it; further up it does
/// not, since nobody can replace another's folder there.
public struct PluginLocator: Sendable {
  /// Searched in order for names without a slash.
  public var folders: [String]
  /// User ids. Usually root, the daemon's user and whoever owns the daemon's program, who could change
  /// that, too.
  public var trustedOwners: Set<UInt32>

  /// Folders are searched first to last; owners are user ids, by default root and the daemon's
  /// user.
  public init(folders: [String], trustedOwners: Set<UInt32> = [0, geteuid()]) {
    self.folders = folders
    self.trustedOwners = trustedOwners
  }

  /// The file of a plugin, without links in its path, checked.
  ///
  /// - Parameter name: a bare file name, which is searched in the folders, or a path with a slash in it.
  /// - Throws: when there is no such file, or it is not to be trusted.
  public func locate(_ name: String) throws(PluginError) -> String {
    let file = name.contains("/") ? try Self.resolve(name, of: name) : try search(for: name)
    try check(FilePath(file))
    return file
  }

  /// The first folder that has the name decides; a file that is no good there does not give way to another
  /// one.
  private func search(for name: String) throws(PluginError) -> String {
    for folder in folders where !name.isEmpty {
      let candidate = FilePath(folder).appending(name)
      do {
        _ = try Stat(candidate, followTargetSymlink: false)
      } catch .noSuchFileOrDirectory, .notDirectory {
        continue
      } catch {
        throw PluginError(
          path: name, cause: .cannotRead(path: candidate.string, reason: error.description))
      }
      let resolvedFolder = try Self.resolve(folder, of: candidate.string)
      let file = try Self.resolve(candidate.string, of: candidate.string)
      guard FilePath(file).starts(with: FilePath(resolvedFolder)) else {
        throw PluginError(path: candidate.string, cause: .linksOutside(folder: folder, target: file))
      }
      return file
    }
    throw PluginError(path: name, cause: .notFound(folders: folders))
  }

  private func check(_ file: FilePath) throws(PluginError) {
    func failure(_ cause: PluginError.Cause) -> PluginError {
      PluginError(path: file.string, cause: cause)
    }
    let status = try Self.status(of: file, for: file)
    guard status.type == .regular else { throw failure(.notAFile) }
    guard !isWritableByOthers(status) else { throw failure(writable(file, status)) }
    guard isTrusted(status) else { throw failure(foreign(file, status)) }

    var below = (path: file, status: status)
    var folder = file
    while folder.removeLastComponent() {
      let status = try Self.status(of: folder, for: file)
      let isSticky = status.permissions.contains(.saveText)
      let isNearest = below.path == file
      if isWritableByOthers(status), isNearest || !isSticky { throw failure(writable(folder, status)) }
      // In a sticky folder the owner of what lies there can still replace it.
      if isNearest, !isTrusted(status) { throw failure(foreign(folder, status)) }
      if isWritableByOthers(status), !isTrusted(below.status) {
        throw failure(foreign(below.path, below.status))
      }
      below = (folder, status)
    }
  }

  private func isTrusted(_ status: Stat) -> Bool { trustedOwners.contains(status.userID.rawValue) }

  private func isWritableByOthers(_ status: Stat) -> Bool {
    !status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }

  private func writable(_ path: FilePath, _ status: Stat) -> PluginError.Cause {
    .writableByOthers(
      path: path.string, mode: UInt32(status.permissions.rawValue) & 0o7777,
      isSticky: status.permissions.contains(.saveText))
  }

  private func foreign(_ path: FilePath, _ status: Stat) -> PluginError.Cause {
    .foreignOwner(path: path.string, owner: status.userID.rawValue)
  }

  private static func status(of path: FilePath, for file: FilePath) throws(PluginError) -> Stat {
    do {
      return try Stat(path)
    } catch {
      throw PluginError(
        path: file.string, cause: .cannotRead(path: path.string, reason: error.description))
    }
  }

  /// A path without links, dots and double slashes. (realpath)
  private static func resolve(_ path: String, of plugin: String) throws(PluginError) -> String {
    guard let resolved = realpath(path, nil) else {
      let reason = Errno(rawValue: errno).description
      throw PluginError(path: plugin, cause: .cannotRead(path: path, reason: reason))
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
