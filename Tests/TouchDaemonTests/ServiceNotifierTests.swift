import Foundation
import Testing
import TouchCore
import TouchSystem

@testable import TouchDaemon

/// A socket as the service manager has it.
private final class Listener {
  let descriptor: Int32

  /// - Parameter name: a path, or `@` and an abstract name.
  init(_ name: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: bytes)
      if name.hasPrefix("@") { path[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (name.hasPrefix("@") ? 0 : 1))
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit {
    close(descriptor)
  }

  /// The next datagram, or nil when there is none.
  func next() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}

@Suite struct ServiceNotifierTests {
  private let path = "/tmp/touchtree-notify-\(UUID().uuidString)"

  @Test(arguments: [false, true])
  func `messages reach a socket with a path, and an abstract one`(isAbstract: Bool) throws {
    let name = isAbstract ? "@" + path.dropFirst() : path
    let listener = try Listener(name)
    defer { if !isAbstract { unlink(path) } }
    let notifier = try ServiceNotifier(socket: name)
    #expect(notifier.isListenedTo)
    try notifier.send(.ready, .status("800 × 480, 2 devices"))
    try notifier.send(.reloading(Timestamp(microseconds: 5_000_000)))
    try notifier.send(.stopping)
    #expect(listener.next() == "READY=1\nSTATUS=800 × 480, 2 devices")
    #expect(listener.next() == "RELOADING=1\nMONOTONIC_USEC=5000000")
    #expect(listener.next() == "STOPPING=1")
    #expect(listener.next() == nil)
  }

  @Test(
    arguments: [
      ("20000000", nil, 20000), ("20000000", String(getpid()), 20000), ("20000000", "1", nil), ("", nil, nil),
      ("soon", nil, nil), ("-5000", nil, nil), ("0", nil, nil), ("1000", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, Int?)])
  func `a watchdog is fed when the service manager has one for this process`(
    watchdog: String?, watched: String?, time: Int?
  ) throws {
    let listener = try Listener("@" + path)
    let notifier = try ServiceNotifier(socket: "@" + path, watchdog: watchdog, watched: watched)
    #expect(notifier.watchdogTime == time)
    try notifier.send(.alive)
    #expect(listener.next() == "WATCHDOG=1")
    #expect(try ServiceNotifier(socket: nil, watchdog: watchdog, watched: watched).watchdogTime == nil)
  }

  @Test func `a status stays one line`() throws {
    let listener = try Listener("@" + path)
    try ServiceNotifier(socket: "@" + path).send(.status("a\nREADY=1\r\nb\n"))
    #expect(listener.next() == "STATUS=a READY=1 b")
  }

  @Test(arguments: [nil, ""])
  func `without a service manager nothing is sent and nothing fails`(socket: String?) throws {
    let notifier = try ServiceNotifier(socket: socket)
    #expect(!notifier.isListenedTo)
    try notifier.send(.ready)
  }

  @Test(arguments: [
    ("vsock:2:1234", "neither an absolute path"),
    ("run/notify", "neither an absolute path"),
    ("@", "neither an absolute path"),
    ("/" + String(repeating: "x", count: 107), "at most 107 bytes"),
  ])
  func `a socket that cannot be one is refused by its name`(socket: String, reason: String) {
    let error = #expect(throws: SystemError.self) { try ServiceNotifier(socket: socket) }
    #expect(error?.path == "NOTIFY_SOCKET=\(socket)")
    #expect(error?.hint?.contains(reason) == true)
  }

  @Test func `the longest name that there is works`() throws {
    let name = "@" + String(repeating: "y", count: 70) + UUID().uuidString
    #expect(name.utf8.count == 107)
    let listener = try Listener(name)
    try ServiceNotifier(socket: name).send(.ready)
    #expect(listener.next() == "READY=1")
  }

  @Test func `a socket without a listener is an error`() throws {
    let error = #expect(throws: SystemError.self) { try ServiceNotifier(socket: path).send(.ready) }
    #expect(
      error?.description.hasPrefix("NOTIFY_SOCKET=\(path): sendto failed: No such file or directory; ")
        == true)
  }

  @Test func `a service manager that does not read is not waited for`() throws {
    let name = "@full" + path
    let listener = try Listener(name)
    let notifier = try ServiceNotifier(socket: name)
    let error = #expect(throws: SystemError.self) {
      // The kernel keeps some datagrams (net.unix.max_dgram_qlen), then a sender that waits would wait here.
      for _ in 0..<100_000 { try notifier.send(.ready) }
    }
    #expect(error?.call == "sendto")
    #expect(error?.errno == .resourceTemporarilyUnavailable)
    withExtendedLifetime(listener) {}
  }
}
