import Glibc
import SystemPackage

/// Decides whether another user could change a file, or put another file in its place.
///
/// The file, and every folder and link on the way to it, must belong to a trusted owner, and none of them may be writable
/// by group or others. A folder with the sticky bit, such as /tmp, may be: only its owner can replace a file there. All of
/// it is examined through descriptors.
package struct FileTrust: Sendable {
  /// Users whose files are trusted, as user ids.
  package var owners: Set<UInt32>
  /// Whether the folder that the file lies in may be one with the sticky bit, where every user can add files.
  package var acceptsStickyFolder: Bool

  package init(owners: Set<UInt32>, acceptsStickyFolder: Bool = true) {
    self.owners = owners
    self.acceptsStickyFolder = acceptsStickyFolder
  }

  /// Checks a file by its path. Only regular files are checked: a pipe, such as a shell's `<(…)`, belongs to the user that
  /// started this process. A file that cannot be reached is not rejected: using it fails with the reason.
  ///
  /// - Throws: what every user may write to, or else what is not to be trusted for another reason: the file, then its folder, and so
  ///   on up to the root.
  package func check(_ path: String) throws(FileTrustError) {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return }
    try check(PathWalk(to: path))
  }

  /// Checks everything that a walk met.
  func check(_ walk: borrowing PathWalk) throws(FileTrustError) {
    let folder = walk.path.removingLastComponent()
    var nearest: FileTrustError?
    for step in walk.steps.reversed() {
      let acceptsSticky = acceptsStickyFolder || step.path != folder
      guard let cause = problem(of: step.status, acceptsSticky: acceptsSticky) else { continue }
      let error = FileTrustError(path: step.path.string, cause: cause)
      if error.isRefused { throw error }
      nearest = nearest ?? error
    }
    if let nearest { throw nearest }
  }

  private func problem(of status: stat, acceptsSticky: Bool) -> FileTrustError.Cause? {
    let kind = status.st_mode & S_IFMT
    // A link cannot be changed, only replaced, which takes the right to write to its folder.
    if kind != S_IFLNK, status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      let isSticky = kind == S_IFDIR && status.st_mode & S_ISVTX != 0
      let mode = status.st_mode & 0o7777
      if !isSticky, mode & S_IWOTH != 0 { return .writableByAll(mode: mode) }
      if !isSticky || !acceptsSticky { return .writableByOthers(mode: mode, isSticky: isSticky) }
    }
    return owners.contains(status.st_uid) ? nil : .foreignOwner(status.st_uid)
  }

  /// The same, but what is no reason to reject the file is a warning.
  package func check(_ path: String, warn: (FileTrustError) -> Void) throws(FileTrustError) {
    do throws(FileTrustError) {
      try check(path)
    } catch {
      if error.isRefused { throw error }
      warn(error)
    }
  }
}

/// Why a file is not to be trusted, and what changes that.
package struct FileTrustError: Error, Hashable, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// The file by every user, or a folder where every user can put another file in its place. The permission bits.
    case writableByAll(mode: UInt32)
    /// By its group, or a folder with the sticky bit. The permission bits, and whether it is such a folder.
    case writableByOthers(mode: UInt32, isSticky: Bool)
    /// A user id.
    case foreignOwner(UInt32)
  }

  /// The file, or the folder or link on the way to it.
  package let path: String
  package let cause: Cause

  package var description: String {
    switch cause {
    case .writableByAll(let mode):
      "every user may write to \(path) (mode 0\(String(mode, radix: 8))), and so choose what touchtree runs; "
        + "run: chmod go-w \(path)"
    case .writableByOthers(let mode, let isSticky):
      "\(path) has mode 0\(String(mode, radix: 8)), so other users could change what touchtree runs; "
        + (isSticky ? "move the file to a folder of its own" : "run: chmod go-w \(path)")
    case .foreignOwner(let owner):
      "\(path) belongs to user \(owner), who could change what touchtree runs; run: chown -h root \(path)"
    }
  }

  /// Whether root must not use the file. Anything else is a warning: a board's configuration often belongs to its user,
  /// and a root shell is how it is tried.
  package var isRefused: Bool {
    switch cause {
    case .writableByAll: true
    case .writableByOthers, .foreignOwner: false
    }
  }
}
