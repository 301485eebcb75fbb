import Glibc
import SystemPackage

/// Finds the file of a plugin and rejects every file that another user could have put there or could change.
///
/// A plugin runs with all the rights of the daemon. So `FileTrust` applies to its path, and more strictly than to other
/// files: a folder with the sticky bit, such as /tmp, counts as writable for what lies directly in it. The file is then
/// loaded through the descriptors that were examined: exchanging a folder in between changes nothing.
package struct PluginLocator: Sendable {
  /// Searched in order for names without a slash.
  package var folders: [String]
  private let trust: FileTrust

  /// - Parameters:
  ///   - folders: searched first to last.
  ///   - trustedOwners: user ids, usually root, the daemon's user, and the owner of the daemon's program, who could change
  ///     that, too.
  package init(folders: [String], trustedOwners: Set<UInt32> = [0, geteuid()]) {
    self.folders = folders
    trust = FileTrust(owners: trustedOwners, acceptsStickyFolder: false)
  }

  /// The file of a plugin, checked.
  ///
  /// - Parameter name: a bare file name, which is searched in the folders, or a path with a slash in it.
  /// - Throws: when there is no such file, or it is not to be trusted.
  package func locate(_ name: String) throws(PluginError) -> PathWalk {
    let file = name.contains("/") ? try Self.walk(to: name) : try search(for: name)
    try check(file)
    return file
  }

  /// The first folder that has the name decides; a file that is no good there does not give way to another
  /// one.
  private func search(for name: String) throws(PluginError) -> PathWalk {
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
      let resolvedFolder = try Self.walk(to: folder).path
      let file = try Self.walk(to: candidate.string)
      guard file.path.starts(with: resolvedFolder) else {
        throw PluginError(
          path: candidate.string, cause: .linksOutside(folder: folder, target: file.path.string))
      }
      return file
    }
    throw PluginError(path: name, cause: .notFound(folders: folders))
  }

  private static func walk(to path: String) throws(PluginError) -> PathWalk {
    let walk = PathWalk(to: path)
    if let failure = walk.failure {
      throw PluginError(path: path, cause: .cannotRead(path: path, reason: failure.description))
    }
    return walk
  }

  private func check(_ file: borrowing PathWalk) throws(PluginError) {
    let path = file.path.string
    guard let status = file.steps.last?.status, status.st_mode & S_IFMT == S_IFREG else {
      throw PluginError(path: path, cause: .notAFile)
    }
    do throws(FileTrustError) {
      try trust.check(file)
    } catch {
      throw PluginError(path: path, cause: .untrusted(error))
    }
  }
}
