import CLinux.Control
import Glibc
import SystemPackage

/// A socket of the family that has paths for names. (`unix(7)`)
package final class UnixSocket {
  package let rawValue: Int32

  /// - Parameter descriptor: closed with the socket.
  package init(owning descriptor: Int32) { rawValue = descriptor }

  deinit { touchtree_close_connection(rawValue) }

  package enum Kind: Sendable {
    /// A stream without boundaries.
    case stream
    case packets

    fileprivate var type: UInt32 {
      switch self {
      case .stream: SOCK_STREAM.rawValue
      case .packets: SOCK_SEQPACKET.rawValue
      }
    }
  }

  /// Makes a socket that is not connected yet. (`socket(2)`)
  package init(_ kind: Kind = .stream) throws(SystemError) {
    rawValue = try checked("socket") { socket(AF_UNIX, Int32(kind.type | SOCK_CLOEXEC.rawValue), 0) }
  }

  /// Connects. (`connect(2)`)
  /// - Parameter timeout: the longest wait of connecting, and of each reading and writing afterwards, in
  ///   seconds; 0 for no limit.
  /// - Returns: the error; nil when it is connected.
  package func connect(to name: SocketName, timeout: Int32) -> Errno? {
    _ = touchtree_limit_waiting(rawValue, timeout)
    return name.withAddress { Glibc.connect(rawValue, $0, $1) == 0 ? nil : Errno(rawValue: errno) }
  }

  /// Limits the wait of each reading and writing, in seconds; 0 for no limit.
  package func limitWaiting(to seconds: Int32) { _ = touchtree_limit_waiting(rawValue, seconds) }

  /// Sends without waiting, a file with the first byte, and returns the number of taken bytes.
  package func send(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int {
    let count = touchtree_send(rawValue, bytes.baseAddress, bytes.count, file?.rawValue ?? -1, 0)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }

  /// Whether the other end has read all that was sent. (SIOCOUTQ)
  package var isRead: Bool { touchtree_unread(rawValue) == 0 }

  /// Sends all bytes, and waits for a slow reader.
  package func sendAll(_ bytes: [UInt8]) throws(Errno) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { touchtree_send(rawValue, $0.baseAddress, $0.count, -1, 1) }
      guard count >= 0 else { throw Errno(rawValue: errno) }
      sent += count
    }
  }

  /// Receives the present bytes from an end that is not trusted, and does not wait.
  /// - Returns: the number of bytes; 0 when the other end sends no more.
  /// - Throws: `badMessage` for bytes with descriptors. None of them is received; they are closed with the
  ///   socket.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    let count = touchtree_receive_bytes(rawValue, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }

  /// Waits for bytes, maybe with a file. Returns their number; 0 when the other end is closed.
  package func awaitBytes(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> (count: Int, file: MemoryFile?) {
    var attached: Int32 = -1
    let count = touchtree_receive(rawValue, buffer.baseAddress, buffer.count, &attached)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return (count, attached < 0 ? nil : MemoryFile(receiving: attached))
  }
}

/// A file that is only memory, to be handed to another process.
package final class MemoryFile {
  private let descriptor: OwnedDescriptor
  /// The size in bytes; 0 for a file that others have, too.
  package let count: Int

  package var rawValue: Int32 { descriptor.rawValue }

  package init(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    let number = touchtree_memory_file("touchtree answer")
    guard number >= 0 else { throw Errno(rawValue: errno) }
    count = bytes.count
    descriptor = OwnedDescriptor(number)
    do {
      _ = try FileDescriptor(rawValue: number).writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Makes a file that was received and closes it at the end.
  package init(receiving descriptor: Int32) {
    count = 0
    self.descriptor = OwnedDescriptor(descriptor)
  }

  /// Fills memory from a place in bytes in the file; false when that is shorter.
  package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int = 0) -> Bool {
    var done = 0
    while done < memory.count {
      let file = FileDescriptor(rawValue: rawValue)
      let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done...])
      guard let count = try? file.read(fromAbsoluteOffset: Int64(offset + done), into: rest), count > 0 else {
        return false
      }
      done += count
    }
    return true
  }
}

/// Memory that other processes can read by its file, and not make shorter.
package final class SharedMemory {
  package let file: MemoryFile
  package let start: UnsafeMutableRawPointer
  /// The size in bytes.
  package let count: Int

  /// Makes zeroed memory of at least one byte, or throws if the kernel has none, or cannot fix its size.
  package init(count: Int) throws(SystemError) {
    var number: Int32 = -1
    guard let start = touchtree_shared_memory("touchtree screen", count, &number) else {
      throw SystemError("memfd_create", Errno(rawValue: errno))
    }
    file = MemoryFile(receiving: number)
    self.start = start
    self.count = count
  }

  deinit { munmap(start, count) }
}
