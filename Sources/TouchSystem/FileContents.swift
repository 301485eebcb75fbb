import Glibc
import SystemPackage

/// Reads files. Everything that reads one from its start to its end does it here.
package enum FileContents {
  /// Opens a file, reads it from its start up to a limit, and closes it. (open(2), read(2), close(2))
  ///
  /// - Parameters:
  ///   - limit: in bytes. A caller that rejects longer files gives one more than it accepts.
  ///   - waits: false for a path that may lead to a pipe without a writer.
  package static func read(_ path: String, upTo limit: Int, waits: Bool = true) throws(Errno) -> [UInt8] {
    let file = try open(path, waits: waits)
    defer { try? file.close() }
    return try read(file, upTo: limit)
  }

  /// The same for a file that has to be looked at before it is read. The caller closes it.
  package static func open(_ path: String, waits: Bool) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(path), .readOnly, options: waits ? [.closeOnExec] : [.closeOnExec, .nonBlocking])
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Reads from where an open file is up to its end or a limit in bytes.
  package static func read(_ file: FileDescriptor, upTo limit: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count: Int
      do {
        count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
      } catch {
        throw error as? Errno ?? .ioError
      }
      if count == 0 { break }
      bytes += chunk[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  /// Puts a file in the place of another, which is there in whole or not at all until the new one is on the disk, even if the
  /// power fails. Only this user can read it. What is no file, such as /dev/null, is written to. (write(2), fsync(2), rename(2))
  ///
  /// - Parameter isShared: for a file that is written again and again for other programs: every user can read it whatever the
  ///   umask is, and the disk is not waited for.
  package static func replace(
    _ path: String, with bytes: [UInt8], isShared: Bool = false
  ) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      // A file in the place of a device or a pipe would take it from all programs.
      let file = OwnedDescriptor(
        try checked("open") { Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) })
      do {
        _ = try FileDescriptor(rawValue: file.rawValue).writeAll(bytes)
      } catch {
        throw SystemError("write", error as? Errno ?? .ioError)
      }
      return
    }
    let new = path + ".new"
    let file = OwnedDescriptor(
      try checked("open") {
        Glibc.open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      })
    do {
      _ = try FileDescriptor(rawValue: file.rawValue).writeAll(bytes)
    } catch {
      unlink(new)
      throw SystemError("write", error as? Errno ?? .ioError)
    }
    if isShared {
      try checked("fchmod") { fchmod(file.rawValue, 0o644) }
    } else {
      try checked("fsync") { fsync(file.rawValue) }
    }
    try checked("rename") { rename(new, path) }
    if isShared { return }
    guard let folder = try? open(FilePath(path).removingLastComponent().string, waits: true) else { return }
    fsync(folder.rawValue)
    try? folder.close()
  }
}
