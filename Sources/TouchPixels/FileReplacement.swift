import Glibc
import SystemPackage

/// Replaces a file's content in one step: a reader sees the old file or the new one.
package enum FileReplacement {
  /// - Throws: what the kernel answered; nothing is left behind then.
  package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
    do {
      var status = stat()
      // Renaming over a device or a pipe would take it away from everybody.
      if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        let file = try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        return
      }
      let temporary = "\(path).\(getpid()).tmp"
      // Nobody else uses that name; a process of the same number may have died over it.
      unlink(temporary)
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.closeOnExec, .create, .exclusiveCreate],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      do {
        try file.closeAfter { _ = try file.writeAll(bytes) }
        guard rename(temporary, path) == 0 else { throw Errno(rawValue: errno) }
      } catch {
        unlink(temporary)
        throw error
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
