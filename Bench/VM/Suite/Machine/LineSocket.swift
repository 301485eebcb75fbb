import Foundation

/// A Unix socket that one QEMU connects to, read line by line. Made before QEMU starts, so nothing can be
/// missed.
final class LineSocket {
  private let path: String
  private var listener: Int32
  private var connection: Int32 = -1
  private var received: [UInt8] = []

  /// Listens at `path`, which has to be short: a socket's path has at most 107 bytes.
  init(path: String) throws {
    self.path = path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw MachineError("\(path): too long for a socket; set TMPDIR to a shorter one")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 1) == 0 else {
      throw MachineError("\(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    if connection >= 0 { close(connection) }
    if listener >= 0 { close(listener) }
  }

  /// Takes the connection if it is there; returns whether it is.
  func accept() throws -> Bool {
    if connection >= 0 { return true }
    guard isReadable(listener) else { return false }
    connection = Foundation.accept(listener, nil, nil)
    guard connection >= 0 else { throw MachineError("\(path): \(String(cString: strerror(errno)))") }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    close(listener)
    listener = -1
    unlink(path)
    return true
  }

  /// The next whole line without its end, or nil while there is none.
  func nextLine() throws -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      guard isReadable(connection) else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(connection, &bytes, bytes.count)
      guard count > 0 else { throw MachineError("QEMU has gone") }
      received += bytes[..<count]
    }
  }

  func send(_ line: String) throws {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw MachineError("QEMU has gone") }
      rest = rest.dropFirst(count)
    }
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
