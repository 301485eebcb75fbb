import SystemPackage

/// The one place where this room touches the file system.
enum FileReading {
  /// Reads a file from its start, up to a limit. (open(2), read(2), close(2))
  ///
  /// - Parameters:
  ///   - limit: in bytes.
  ///   - waits: false for a file that may be a pipe nobody writes to.
  static func read(_ path: String, upTo limit: Int, waits: Bool = true) throws(Errno) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: waits ? [.closeOnExec] : [.closeOnExec, .nonBlocking])
      return try file.closeAfter { try contents(of: file, upTo: limit) }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  private static func contents(of file: FileDescriptor, upTo limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
      if count == 0 { break }
      bytes += chunk[..<min(count, limit - bytes.count)]
    }
    return bytes
  }
}
