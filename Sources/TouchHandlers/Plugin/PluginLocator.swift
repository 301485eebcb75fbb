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

  /// Checks a plugin without loading it.
  ///
  /// - Parameter name: as for `locate(_:)`.
  /// - Throws: when there is no such file, it is not to be trusted, or it is no plugin, as far as that shows without running it.
  package func examine(_ name: String) throws(PluginError) {
    let file = try locate(name)
    if let cause = SharedObject.problem(withPluginAt: file.path.string) {
      throw PluginError(path: file.path.string, cause: cause)
    }
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

  /// The first folder that has the name decides: if that file is rejected, the others are not searched.
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

/// Why a plugin cannot be used.
package struct PluginError: Error, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// A bare name is in none of the folders.
    case notFound(folders: [String])
    /// A file or a folder above it cannot be looked at.
    case cannotRead(path: String, reason: String)
    /// It is a folder, a device or the like.
    case notAFile
    /// What was found in a plugin folder is a link to something elsewhere.
    case linksOutside(folder: String, target: String)
    /// Another user could change the file, a folder above it or a link on the way.
    case untrusted(FileTrustError)
    /// The loader's own words.
    case cannotLoad(reason: String)
    case noEntryPoint
    case wrongABI(plugin: UInt32, host: UInt32)
    /// The table's size field says that it has no room for the fields that every plugin has.
    case shortTable(size: UInt32, needed: Int)
    /// The plugin's own words, if it had any.
    case refused(reason: String?)
  }

  /// The shared object, as far as it was found.
  package let path: String
  package let cause: Cause

  package var description: String { "plugin \(path): \(explanation)" }

  private var explanation: String {
    switch cause {
    case .notFound(let folders):
      guard let last = folders.last else {
        return "not found: no plugin folder is configured; give its full path"
      }
      // The first is that of the configuration.
      let others =
        folders.dropFirst().dropLast().map { ", \($0)" }.joined() + (folders.count > 1 ? " and \(last)" : "")
      let own = folders.first == "." ? "this folder" : folders.first ?? ""
      return
        "not found in \(own)\(others); put \(path) next to the configuration, or give its path: ./\(path)"
    case .cannotRead(let path, let reason):
      return "cannot read \(path): \(reason); correct the path, or its permissions"
    case .notAFile:
      return "not a regular file; give the path of a shared object"
    case .linksOutside(let folder, let target):
      return "a link to \(target), outside \(folder); give that path, or put the file itself there"
    case .untrusted(let error):
      return error.description
    case .cannotLoad(let reason):
      return "cannot be loaded: \(reason); it must be a shared object for this machine"
        + " (cc -shared -fPIC), with every library that it needs"
    case .noEntryPoint:
      return "exports no touchtree_plugin_create; define that function as touchtree.h declares it"
    case .wrongABI(let plugin, let host):
      return "made for plugin ABI \(plugin), and this touchtree has ABI \(host);"
        + " build it again with this touchtree's touchtree.h"
    case .shortTable(let size, let needed):
      return "its table says that it has \(size) bytes, which must be at least \(needed);"
        + " set its field size to sizeof(touchtree_plugin)"
    case .refused(let reason):
      return reason.map { "says: \($0)" } ?? "gave no reason and did not start; see the log"
    }
  }
}
