import Foundation

/// A client of QEMU's VNC server that only changes the size of the display. (RFC 6143, and the extension
/// ExtendedDesktopSize)
final class RemoteViewer {
  private let connection: Int32

  /// Connects to the server's socket, and says that it can follow another size.
  init(path: String) async throws {
    connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw MachineError("\(path): too long for a socket; set TMPDIR to a shorter one")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw MachineError("\(path): \(String(cString: strerror(errno)))") }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // Version; no authentication; others may look, too; the server's name.
    try receive(12)
    try send(Array("RFB 003.008\n".utf8))
    try receive(Int(try receive(1)[0]))
    try send([1])
    try receive(4)
    try send([1])
    let length = try receive(24).suffix(4).reduce(0) { $0 << 8 | Int($1) }
    try receive(length)
    // SetEncodings: raw, and ExtendedDesktopSize (-308).
    try send([2, 0, 0, 2, 0, 0, 0, 0, 0xff, 0xff, 0xfe, 0xcc])
  }

  deinit {
    close(connection)
  }

  /// SetDesktopSize, with one screen. What the server answers stays unread: it is little.
  func resize(to width: Int, _ height: Int) throws {
    let size = [width >> 8, width & 255, height >> 8, height & 255].map { UInt8($0) }
    try send([251, 0] + size + [1, 0] + [0, 0, 0, 0, 0, 0, 0, 0] + size + [0, 0, 0, 0])
  }

  private func send(_ bytes: [UInt8]) throws {
    let count = Foundation.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard count == bytes.count else { throw MachineError("QEMU's VNC server has gone") }
  }

  @discardableResult
  private func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(connection, &bytes, count, Int32(MSG_WAITALL))
    guard received == count else { throw MachineError("QEMU's VNC server says nothing") }
    return bytes
  }
}
