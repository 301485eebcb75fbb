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
}
