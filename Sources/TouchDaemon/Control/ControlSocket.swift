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

  /// Sends one packet, and does not wait for anybody to read it.
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
