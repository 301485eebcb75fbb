import Glibc
import SystemPackage
import TouchSystem

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
  package func check(_ path: String) throws(Failure) {
    if let doubt = doubt(about: path) { throw doubt.failure }
  }

  /// The same, but only what every user may write to is rejected; anything else is a warning. A board's configuration often
  /// belongs to its user, and a root shell is how it is tried.
  package func check(_ path: String, warn: (String) -> Void) throws(Failure) {
    guard let doubt = doubt(about: path) else { return }
    if doubt.isRefused { throw doubt.failure }
    warn(doubt.failure.message)
  }

  private func doubt(about path: String) -> Doubt? {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return nil }
    return doubt(about: PathWalk(to: path))
  }

  /// The first of everything that a walk met, from the file up, that every user may write to, or else that is not to be trusted
  /// for another reason.
  private func doubt(about walk: borrowing PathWalk) -> Doubt? {
    let folder = walk.path.removingLastComponent()
    var nearest: Doubt?
    for step in walk.steps.reversed() {
      let acceptsSticky = acceptsStickyFolder || step.path != folder
      guard let doubt = doubt(about: step, acceptsSticky: acceptsSticky) else { continue }
      if doubt.isRefused { return doubt }
      nearest = nearest ?? doubt
    }
    return nearest
  }

  /// Why what a walk met is not to be trusted; nil where it is.
  func failure(of walk: borrowing PathWalk) -> Failure? { doubt(about: walk)?.failure }

  /// Why a file is not to be trusted, and what changes that.
  private struct Doubt {
    /// Whether every user may write to it.
    let isRefused: Bool
    let failure: Failure

    init(_ message: String, isRefused: Bool = false) {
      self.isRefused = isRefused
      failure = Failure(.badConfiguration, message)
    }
  }

  private func doubt(about step: PathWalk.Step, acceptsSticky: Bool) -> Doubt? {
    let (path, kind) = (step.path.string, step.status.st_mode & S_IFMT)
    // A link cannot be changed, only replaced, which takes the right to write to its folder.
    if kind != S_IFLNK, step.status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      let isSticky = kind == S_IFDIR && step.status.st_mode & S_ISVTX != 0
      let mode = "mode 0\(String(step.status.st_mode & 0o7777, radix: 8))"
      if !isSticky, step.status.st_mode & S_IWOTH != 0 {
        return Doubt(
          "every user may write to \(path) (\(mode)), and so choose what touchtree runs; run: chmod go-w \(path)",
          isRefused: true)
      }
      if !isSticky || !acceptsSticky {
        return Doubt(
          "\(path) has \(mode), so other users could change what touchtree runs; "
            + (isSticky ? "move the file to a folder of its own" : "run: chmod go-w \(path)"))
      }
    }
    let owner = step.status.st_uid
    return owners.contains(owner)
      ? nil
      : Doubt(
        "\(path) belongs to user \(owner), who could change what touchtree runs; run: chown -h root \(path)")
  }
}
