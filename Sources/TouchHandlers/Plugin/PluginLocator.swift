import Glibc
import SystemPackage

/// Finds the file of a plugin and refuses every file that another user could have put there or could change.
///
/// A plugin runs with all the rights of the daemon. So its file, every folder up to the root and every link on the way
/// must belong to a trusted owner, and neither the file nor a folder may be writable by group or others. A folder with the
/// sticky bit, such as /tmp, counts as writable for what lies directly in it; further up it does not, since what a
/// trusted owner has there cannot be replaced. All of it is looked at by descriptors, through which the file is then
/// loaded: exchanging a folder in between changes nothing.
package struct PluginLocator: Sendable {
  /// Searched in order for names without a slash.
  package var folders: [String]
  /// User ids. Usually root, the daemon's user and whoever owns the daemon's program, who could change
  /// that, too.
  package var trustedOwners: Set<UInt32>

  /// Folders are searched first to last; owners are user ids, by default root and the daemon's
  /// user.
  package init(folders: [String], trustedOwners: Set<UInt32> = [0, geteuid()]) {
    self.folders = folders
    self.trustedOwners = trustedOwners
  }

  /// The file of a plugin, checked.
  ///
  /// - Parameter name: a bare file name, which is searched in the folders, or a path with a slash in it.
  /// - Throws: when there is no such file, or it is not to be trusted.
  package func locate(_ name: String) throws(PluginError) -> PluginFile {
    let file = name.contains("/") ? try Self.walk(to: name) : try search(for: name)
    try check(file)
    return file
  }

  /// The first folder that has the name decides; a file that is no good there does not give way to another
  /// one.
  private func search(for name: String) throws(PluginError) -> PluginFile {
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
      guard FilePath(file.path).starts(with: FilePath(resolvedFolder)) else {
        throw PluginError(path: candidate.string, cause: .linksOutside(folder: folder, target: file.path))
      }
      return file
    }
    throw PluginError(path: name, cause: .notFound(folders: folders))
  }

  private static func walk(to path: String) throws(PluginError) -> PluginFile {
    do throws(Errno) {
      return try PluginFile(walkingTo: path)
    } catch {
      throw PluginError(path: path, cause: .cannotRead(path: path, reason: error.description))
    }
  }

  /// From the file up: what is nearest is what its owner thinks of first.
  private func check(_ file: borrowing PluginFile) throws(PluginError) {
    var cause: PluginError.Cause?
    let path = FilePath(file.path)
    for step in file.steps.reversed() where cause == nil {
      cause = problem(
        of: step, isFile: step.path == path, isNearest: step.path == path.removingLastComponent())
    }
    if let cause { throw PluginError(path: file.path, cause: cause) }
  }

  private func problem(of step: PluginFile.Step, isFile: Bool, isNearest: Bool) -> PluginError.Cause? {
    let kind = step.status.st_mode & S_IFMT
    if isFile, kind != S_IFREG { return .notAFile }
    // A link cannot be changed, only replaced, and that takes the right to write to its folder.
    if kind != S_IFLNK, step.status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      let isSticky = kind == S_IFDIR && step.status.st_mode & S_ISVTX != 0
      if isFile || isNearest || !isSticky {
        return .writableByOthers(
          path: step.path.string, mode: step.status.st_mode & 0o7777, isSticky: isSticky)
      }
    }
    guard trustedOwners.contains(step.status.st_uid) else {
      return .foreignOwner(path: step.path.string, owner: step.status.st_uid)
    }
    return nil
  }
}
