import Glibc
import SystemPackage
import TouchSystem

/// Finds the file of a plugin, and rejects one that another user could have put there or changed: it runs
/// with all rights of the daemon. Unlike `FileTrust` elsewhere, a folder with the sticky bit counts as
/// writable. The file is loaded through the examined descriptors.
package struct PluginLocator: Sendable {
  /// The folders in which names without a slash are searched, in order.
  package var folders: [String]
  private let trust: FileTrust

  /// - Parameter folders: the folders, first to last.
  /// - Parameter trustedOwners: the ids of trusted users. Usually they are root, the daemon's user, and the
  ///   owner of the daemon's program, who could change that too.
  package init(folders: [String], trustedOwners: Set<UInt32> = [0, geteuid()]) {
    self.folders = folders
    trust = FileTrust(owners: trustedOwners, acceptsStickyFolder: false)
  }

  /// Checks a plugin without loading it.
  /// - Parameter name: a name as for `locate(_:)`.
  /// - Throws: if there is no such file, it is not to be trusted, or it
  ///   is recognisably no plugin without running it.
  package func examine(_ name: String) throws(Failure) {
    let file = try locate(name)
    if let problem = SharedObject.problem(withPluginAt: file.path.string) {
      throw .plugin(file.path.string, problem)
    }
  }

  /// Returns the checked file of a plugin: a bare name, searched in the folders, or a path with a slash.
  package func locate(_ name: String) throws(Failure) -> PathWalk {
    let file = name.contains("/") ? try Self.walk(to: name) : try search(for: name)
    try check(file)
    return file
  }

  /// Returns the file in the first folder that has the name, even if it is rejected.
  private func search(for name: String) throws(Failure) -> PathWalk {
    for folder in folders where !name.isEmpty {
      let candidate = FilePath(folder).appending(name)
      do {
        _ = try Stat(candidate, followTargetSymlink: false)
      } catch .noSuchFileOrDirectory, .notDirectory {
        continue
      } catch {
        throw Self.unreadable(candidate.string, error, as: name)
      }
      let resolvedFolder = try Self.walk(to: folder).path
      let file = try Self.walk(to: candidate.string)
      guard file.path.starts(with: resolvedFolder) else {
        throw .plugin(
          candidate.string,
          "a link to \(file.path.string), outside \(folder); give that path, or put the file itself there")
      }
      return file
    }
    guard let first = folders.first, let last = folders.last else {
      throw .plugin(name, "not found: no plugin folder is configured; give its full path")
    }
    // The first folder is that of the configuration.
    let others =
      folders.dropFirst().dropLast().map { ", \($0)" }.joined() + (folders.count > 1 ? " and \(last)" : "")
    throw .plugin(
      name,
      "not found in \(first == "." ? "this folder" : first)\(others); put \(name) next to the configuration, "
        + "or give its path: ./\(name)")
  }

  private static func unreadable(_ path: String, _ cause: Errno, as name: String) -> Failure {
    .plugin(name, "cannot read \(path): \(cause); correct the path, or its permissions")
  }

  private static func walk(to path: String) throws(Failure) -> PathWalk {
    let walk = PathWalk(to: path)
    if let cause = walk.failure { throw unreadable(path, cause, as: path) }
    return walk
  }

  private func check(_ file: borrowing PathWalk) throws(Failure) {
    let path = file.path.string
    guard let status = file.steps.last?.status, status.st_mode & S_IFMT == S_IFREG else {
      throw .plugin(path, "not a regular file; give the path of a shared object")
    }
    if let failure = trust.failure(of: file) { throw .plugin(path, failure.message) }
  }
}

extension Failure {
  /// Returns the error for a plugin that cannot be used, with the path as far as it was found.
  static func plugin(_ path: String, _ reason: String) -> Failure { Failure("plugin \(path): \(reason)") }
}
