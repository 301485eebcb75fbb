import Glibc
import SystemPackage

/// Judges whether somebody who is not trusted could put another file in a file's place, or change it.
///
/// The file, and every folder and link on the way to it, must belong to a trusted owner, and none of them may be writable
/// by group or others. A folder with the sticky bit, such as /tmp, may be: what lies in it is replaced by its owner alone.
package struct FileTrust: Sendable {
  /// User ids.
  package var owners: Set<UInt32>

  /// - Parameter owners: whose files are trusted, as user ids.
  package init(owners: Set<UInt32>) {
    self.owners = owners
  }

  /// Links in a path before it counts as a circle. (MAXSYMLINKS, path_resolution(7))
  private static let mostLinks = 40

  /// A pipe, such as a shell's `<(…)`, is whoever's who started this process; so only files are judged. One that cannot be
  /// looked at is not judged either: using it will say why.
  ///
  /// - Throws: the first of the file, the folders and the links, from the root on, that is not to be trusted.
  package func check(_ path: String) throws(FileTrustError) {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return }
    if status.permissions.contains(.otherWrite) {
      throw FileTrustError(
        path: path, cause: .writableByAll(mode: UInt32(status.permissions.rawValue) & 0o7777))
    }
    var rest = Self.components(of: path)
    if !path.hasPrefix("/") { rest = Self.components(of: Self.workingFolder) + rest }
    rest.reverse()
    var current = FilePath("/")
    try judge(current)
    var links = 0
    while let component = rest.popLast() {
      if component == ".." {
        current.removeLastComponent()
        continue
      }
      let next = current.appending(component)
      guard let target = try judge(next) else {
        current = next
        continue
      }
      links += 1
      if links > Self.mostLinks { return }
      if target.hasPrefix("/") { current = "/" }
      rest += Self.components(of: target).reversed()
    }
  }

  /// The same, but what is no reason to refuse the file is a warning.
  package func check(_ path: String, warn: (FileTrustError) -> Void) throws(FileTrustError) {
    do throws(FileTrustError) {
      try check(path)
    } catch {
      if error.isRefused { throw error }
      warn(error)
    }
  }

  /// - Returns: where it leads to, if it is a link.
  @discardableResult
  private func judge(_ path: FilePath) throws(FileTrustError) -> String? {
    guard let status = try? Stat(path, followTargetSymlink: false) else { return nil }
    guard owners.contains(status.userID.rawValue) else {
      throw FileTrustError(path: path.string, cause: .foreignOwner(status.userID.rawValue))
    }
    // The mode of a link means nothing; its folder's does.
    if status.type == .symbolicLink { return Self.target(of: path.string) }
    let isWritable = !status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
    let isSticky = status.type == .directory && status.permissions.contains(.saveText)
    if isWritable && !isSticky {
      throw FileTrustError(
        path: path.string, cause: .writableByOthers(mode: UInt32(status.permissions.rawValue) & 0o7777))
    }
    return nil
  }

  private static func components(of path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }

  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func target(of link: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Why a file is not to be trusted, and what changes that.
package struct FileTrustError: Error, Hashable, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// The file itself, by every user. The permission bits.
    case writableByAll(mode: UInt32)
    /// The file by its group, or a folder by its group or by all. The permission bits.
    case writableByOthers(mode: UInt32)
    /// A user id.
    case foreignOwner(UInt32)
  }

  /// The file, or the folder or link on the way to it.
  package let path: String
  package let cause: Cause

  package var description: String {
    switch cause {
    case .writableByAll(let mode):
      "every user may write to \(path) (mode 0\(String(mode, radix: 8))), and root would run what they write; "
        + "run: chmod go-w \(path)"
    case .writableByOthers(let mode):
      "\(path) has mode 0\(String(mode, radix: 8)), so others than root could change what root runs; "
        + "run: chmod go-w \(path)"
    case .foreignOwner(let owner):
      "\(path) belongs to user \(owner), who could change what root runs; run: chown -h root \(path)"
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
