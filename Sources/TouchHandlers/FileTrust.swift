import Glibc
import SystemPackage
import TouchSystem

/// Decides whether another user could change a file, or put another one in its place. The file, and every
/// folder and link on the way to it, must belong to a trusted owner and not be writable by others, except for
/// a folder with the sticky bit. Everything is examined through descriptors.
package struct FileTrust: Sendable {
  /// The ids of users whose files are trusted.
  package var owners: Set<UInt32>
  /// Whether the file's own folder may have the sticky bit, so that every user can add files there.
  package var acceptsStickyFolder: Bool

  package init(owners: Set<UInt32>, acceptsStickyFolder: Bool = true) {
    (self.owners, self.acceptsStickyFolder) = (owners, acceptsStickyFolder)
  }

  /// Checks a file by its path. Only regular files are checked. A pipe, such as a shell's `<(…)`, belongs to
  /// the user that started this process. An unreachable file is not rejected, since using it fails with the
  /// reason.
  /// - Throws: the first problem on the way from the file to the
  ///   root, preferably one that every user may write to.
  package func check(_ path: String) throws(Failure) {
    if let problem = problem(about: path) { throw problem.failure }
  }

  /// Checks a file, but rejects only what every user may write to, and warns about the rest.
  package func check(_ path: String, warn: (String) -> Void) throws(Failure) {
    guard let problem = problem(about: path) else { return }
    if problem.isRefused { throw problem.failure }
    warn(problem.failure.message)
  }

  private func problem(about path: String) -> Problem? {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return nil }
    return problem(about: PathWalk(to: path))
  }

  /// Returns the first problem of a walk from the file up, preferably one that every user may write to.
  private func problem(about walk: borrowing PathWalk) -> Problem? {
    let folder = walk.path.removingLastComponent()
    var nearest: Problem?
    for step in walk.steps.reversed() {
      let acceptsSticky = acceptsStickyFolder || step.path != folder
      guard let problem = problem(about: step, acceptsSticky: acceptsSticky) else { continue }
      if problem.isRefused { return problem }
      nearest = nearest ?? problem
    }
    return nearest
  }

  /// Returns the reason why a walk is not to be trusted; nil if it is.
  func failure(of walk: borrowing PathWalk) -> Failure? { problem(about: walk)?.failure }

  /// A reason not to trust a file, with advice.
  private struct Problem {
    let isRefused: Bool
    let failure: Failure

    init(_ message: String, isRefused: Bool = false) {
      self.isRefused = isRefused
      failure = Failure(.badConfiguration, message)
    }
  }

  private func problem(about step: PathWalk.Step, acceptsSticky: Bool) -> Problem? {
    let (path, kind) = (step.path.string, step.status.st_mode & S_IFMT)
    // A link cannot be changed, only replaced, which takes the right to write to its folder.
    if kind != S_IFLNK, step.status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      let isSticky = kind == S_IFDIR && step.status.st_mode & S_ISVTX != 0
      let mode = "mode 0\(String(step.status.st_mode & 0o7777, radix: 8))"
      if !isSticky, step.status.st_mode & S_IWOTH != 0 {
        return Problem(
          "every user may write to \(path) (\(mode)), and so choose what touchtree runs; run: chmod go-w \(path)",
          isRefused: true)
      }
      if !isSticky || !acceptsSticky {
        return Problem(
          "\(path) has \(mode), so other users could change what touchtree runs; "
            + (isSticky ? "move the file to a folder of its own" : "run: chmod go-w \(path)"))
      }
    }
    let owner = step.status.st_uid
    return owners.contains(owner)
      ? nil
      : Problem(
        "\(path) belongs to user \(owner), who could change what touchtree runs; run: chown -h root \(path)")
  }
}
