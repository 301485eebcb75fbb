import CLinux.Control
import Glibc
import SystemPackage
import TouchSystem

/// A file that is only memory, to be handed to another process.
package struct MemoryFile: ~Copyable {
  private let descriptor: OwnedDescriptor

  package var rawValue: Int32 { descriptor.rawValue }

  /// A new file with these bytes.
  package init(_ bytes: some Sequence<UInt8>) throws(Errno) {
    let number = touchtree_memory_file("touchtree answer")
    guard number >= 0 else { throw Errno(rawValue: errno) }
    let owner = OwnedDescriptor(number)
    if let cause = Self.write(bytes, to: FileDescriptor(rawValue: number)) { throw cause }
    descriptor = owner
  }

  private static func write(_ bytes: some Sequence<UInt8>, to file: FileDescriptor) -> Errno? {
    do {
      _ = try file.writeAll(bytes)
      return nil
    } catch {
      return error as? Errno ?? .ioError
    }
  }

  /// One that was received.
  ///
  /// - Parameter descriptor: is closed with the file.
  package init(receiving descriptor: Int32) {
    self.descriptor = OwnedDescriptor(descriptor)
  }

  /// A tree of a configuration of 16 MiB has less to say.
  private static let longest = 1 << 28

  /// All of it; nil when it cannot be read, or is longer than any answer.
  package func contents() -> [UInt8]? {
    var status = stat()
    guard fstat(rawValue, &status) == 0, (0...Self.longest).contains(Int(status.st_size)) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    return bytes.withUnsafeMutableBytes { read(into: $0) } ? bytes : nil
  }

  /// Fills memory from the file's beginning; false when the file is shorter.
  package func read(into memory: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < memory.count {
      let file = FileDescriptor(rawValue: rawValue)
      guard
        let count = try? file.read(
          fromAbsoluteOffset: Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: memory[done...])),
        count > 0
      else { return false }
      done += count
    }
    return true
  }
}
