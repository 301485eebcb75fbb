import CLinux.Control
import Glibc
import SystemPackage
import TouchSystem

/// One end of a control connection: a Unix socket that keeps packets apart. (`unix(7)`, SOCK_SEQPACKET)
package struct ControlSocket: ~Copyable {
  package let rawValue: Int32

  /// - Parameter descriptor: is closed with the socket.
  package init(owning descriptor: Int32) {
    rawValue = descriptor
  }

  deinit {
    touchtree_close_connection(rawValue)
  }

  /// A socket that is not connected yet. (`socket(2)`)
  ///
  /// - Parameter name: what it is going to be called or to call, for the error.
  package static func make(for name: SocketName) throws(ControlError) -> ControlSocket {
    let number = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw ControlError(path: name.text, call: "socket", Errno(rawValue: errno)) }
    return ControlSocket(owning: number)
  }

  /// Connects, and from then on neither sends nor waits for an answer longer than that. (`connect(2)`)
  ///
  /// - Parameter patience: in seconds.
  /// - Returns: why it could not; nil when it is connected.
  package func connect(to name: SocketName, patience: Int32) -> Errno? {
    _ = touchtree_limit_waiting(rawValue, patience)
    return name.withAddress { Glibc.connect(rawValue, $0, $1) == 0 ? nil : Errno(rawValue: errno) }
  }

  /// Sends one packet, and does not wait until it is read.
  package func send(_ bytes: [UInt8], with file: consuming MemoryFile?) throws(Errno) {
    let attached = file?.rawValue ?? -1
    guard touchtree_send_packet(rawValue, bytes, bytes.count, attached) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  /// A packet, and the file that came with it.
  package struct Packet: ~Copyable {
    /// Empty when the other end is gone.
    package var bytes: [UInt8]
    /// Whether it was longer than anything that is understood.
    package var isTooLong: Bool
    private var file: MemoryFile?

    /// - Parameter count: the packet's length, which may be more than there are bytes.
    fileprivate init(_ bytes: [UInt8], count: Int, file: consuming MemoryFile?) {
      self.bytes = Array(bytes.prefix(count))
      isTooLong = count > bytes.count
      self.file = file
    }

    /// The file that came with it; nil the second time.
    package mutating func takeFile() -> MemoryFile? { file.take() }
  }

  /// The next packet with bytes alone, from an end that is not trusted. Does not wait.
  ///
  /// - Throws: `badMessage` for one with descriptors. None of them is received; they go when the socket is closed.
  package func receiveBytes() throws(Errno) -> Packet {
    var bytes = [UInt8](repeating: 0, count: ControlFields.longest)
    let count = touchtree_receive_bytes(rawValue, &bytes, bytes.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return Packet(bytes, count: count, file: nil)
  }

  /// The next packet, and the file that came with it.
  package func receive() throws(Errno) -> Packet {
    var bytes = [UInt8](repeating: 0, count: ControlFields.longest)
    var attached: Int32 = -1
    let count = touchtree_receive_packet(rawValue, &bytes, bytes.count, &attached)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return Packet(bytes, count: count, file: attached < 0 ? nil : MemoryFile(receiving: attached))
  }
}

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

/// A daemon cannot take requests, or cannot be reached.
package struct ControlError: Error, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// For the daemon: another one has the path.
    case taken
    /// For the daemon: something else than a socket has the path.
    case occupied
    /// In bytes.
    case tooLong(limit: Int)
    /// For `ctl`: no daemon listens at the path.
    case noDaemon
    /// For `ctl`: the daemon takes the request and does not answer in time.
    case silent
    /// For `ctl`: the daemon ended before it answered.
    case ended
    /// For `ctl`: this version does not know the answer.
    case garbled
    /// The C function that failed, and why.
    case system(call: String, cause: Errno)
  }

  /// Of the socket.
  package let path: String
  package let reason: Reason

  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter call: the C function that failed.
  package init(path: String, call: String, _ cause: Errno) {
    self.init(path: path, reason: .system(call: call, cause: cause))
  }

  /// The group or owner may be wrong.
  private var isPermission: Bool {
    switch reason {
    case .system(_, .permissionDenied), .system(_, .notPermitted), .system(_, .readOnlyFileSystem): true
    default: false
    }
  }

  package var description: String { "\(path): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .taken:
      "another touchtree has this socket; give this one another with --control PATH, or --control none"
    case .occupied: "the path exists and is not a socket; name another one with --control"
    case .tooLong(let limit): "a socket's name can have \(limit) bytes at most; name a shorter one"
    case .noDaemon:
      "no touchtree answers here. Start one with `touchtree run`; if it was started with --control PATH, "
        + "give --socket PATH"
    case .silent: "touchtree does not answer; it may be stopped, or be busy in a plugin"
    case .ended: "touchtree ended before it answered"
    case .garbled:
      "the answer is not one that this version of touchtree knows; use the version that is running"
    case .system("open", .noSuchFileOrDirectory), .system("open", .notDirectory):
      "there is no such folder; make it, or name another socket with --control"
    case .system("open", let cause) where isPermission, .system("bind", let cause) where isPermission:
      "a socket cannot be made here (\(cause)); name one in a folder of yours with --control"
    case .system(_, let cause) where isPermission:
      "not permitted (\(cause)); it takes the user that runs touchtree, its group, or root"
    case .system(let call, let cause): "\(call) failed: \(cause)"
    }
  }
}
