import Glibc
import SystemPackage

/// Where lines go: standard output, standard error, or a file. Lines are kept until `flush()`, so that a turn of
/// the loop makes one system call.
public final class LineOutput {
  private let descriptor: FileDescriptor
  private let isOwned: Bool
  private var buffer: [UInt8] = []

  /// Writes to a descriptor that somebody else closes.
  public init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    isOwned = false
  }

  /// Writes to a new or emptied file; `-` is standard output.
  ///
  /// - Throws: `Errno` when the file cannot be made.
  public init(path: String) throws(Errno) {
    if path == "-" {
      descriptor = .standardOutput
      isOwned = false
      return
    }
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw error as? Errno ?? .ioError
    }
    isOwned = true
  }

  deinit {
    flush()
    if isOwned { try? descriptor.close() }
  }

  public func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 1 << 16 { flush() }
  }

  public func write(line: String) {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes what is kept. A reader that went away loses it: the touches matter more than their trace.
  public func flush() {
    guard !buffer.isEmpty else { return }
    _ = try? descriptor.writeAll(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
