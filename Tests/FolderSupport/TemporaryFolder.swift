import Glibc
import SystemPackage
import TouchSystem

/// A folder that only this user can write, and that goes with its owner. It needs no Foundation, which 64-bit
/// ARM does not have in tests.
public final class TemporaryFolder {
  public let path: String

  public init() throws {
    var template = Array("/tmp/touchtree-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp", Errno(rawValue: errno)) }
    path = String(cString: made)
  }

  deinit {
    Self.remove(path)
  }

  /// The path of what has this name in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, in the place of the one that may be there; its path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  @discardableResult
  public func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) throws -> String {
    let file = file(name)
    try FileContents.replace(file, with: bytes, for: .output)
    try checked("chmod") { chmod(file, mode) }
    return file
  }

  public func makeFolder(_ name: String) throws {
    try checked("mkdir") { mkdir(file(name), 0o755) }
  }

  public func remove(_ name: String) throws {
    try checked("unlink") { Glibc.remove(file(name)) }
  }

  private static func remove(_ path: String) {
    guard Glibc.remove(path) != 0, let entries = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    closedir(entries)
    for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
    Glibc.remove(path)
  }
}
