import Glibc

/// Tells the service manager how the daemon is, by the protocol of `sd_notify(3)`: a datagram of
/// `NAME=value` lines to the socket that NOTIFY_SOCKET names.
public struct ServiceNotifier: Sendable {
  public enum Message: Hashable, Sendable {
    /// Start-up is over: the display and the configuration are up. (`READY=1`)
    case ready
    /// The daemon is on its way out. (`STOPPING=1`)
    case stopping
    /// One line for people, as `systemctl status` shows it. (`STATUS=`)
    case status(String)

    fileprivate var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      // A second line would be a message of its own.
      case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
      }
    }
  }

  /// What NOTIFY_SOCKET says, or nil where no service manager listens.
  private let socketName: String?

  /// - Parameter socket: the value of NOTIFY_SOCKET: an absolute path, or `@` and an abstract name. Nil or
  ///   empty means that nobody listens; then every notification does nothing.
  /// - Throws: when the value is neither, or too long for a socket's name.
  public init(socket: String?) throws(ServiceNotifierError) {
    guard let socket, !socket.isEmpty else {
      socketName = nil
      return
    }
    guard socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1 else {
      throw ServiceNotifierError(socket: socket, cause: .unknownKind)
    }
    guard socket.utf8.count < Self.longestName else {
      throw ServiceNotifierError(socket: socket, cause: .tooLong(limit: Self.longestName - 1))
    }
    socketName = socket
  }

  /// The notifier that the environment of this process asks for.
  public static func fromEnvironment() throws(ServiceNotifierError) -> ServiceNotifier {
    try ServiceNotifier(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
  }

  /// Whether a service manager listens.
  public var isListenedTo: Bool { socketName != nil }

  /// Sends messages in one datagram. Never waits: a service manager that does not read is an error.
  public func send(_ messages: Message...) throws(ServiceNotifierError) {
    guard let socketName, !messages.isEmpty else { return }
    var address = Self.address(of: socketName)
    let text = messages.map(\.line).joined(separator: "\n")
    do throws(LoopError) {
      let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = OwnedDescriptor(try checked("socket") { socket(AF_UNIX, type, 0) })
      try checked("sendto") {
        Self.send(Array(text.utf8), over: descriptor.rawValue, to: &address, named: socketName)
      }
    } catch {
      throw ServiceNotifierError(socket: socketName, cause: .system(error))
    }
  }

  /// 0, or −1 with errno set. (sendto)
  private static func send(
    _ bytes: [UInt8], over descriptor: Int32, to address: inout sockaddr_un, named name: String
  ) -> Int32 {
    // An abstract name ends where the length says; a zero byte would be part of it.
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let length = socklen_t(offset + name.utf8.count + (name.hasPrefix("@") ? 0 : 1))
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    let sent = withUnsafeBytes(of: &address) { raw in
      sendto(
        descriptor, bytes, bytes.count, flags, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), length
      )
    }
    return sent < 0 ? -1 : 0
  }

  private static func address(of name: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name.utf8)
      if name.hasPrefix("@") { path[0] = 0 }
    }
    return address
  }

  /// `sizeof(sun_path)`.
  private static let longestName = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}

/// Why the service manager could not be told.
public struct ServiceNotifierError: Error, CustomStringConvertible {
  public enum Cause: Sendable {
    /// Neither a path nor an abstract name.
    case unknownKind
    /// In bytes.
    case tooLong(limit: Int)
    case system(LoopError)
  }

  /// The value of NOTIFY_SOCKET.
  public let socket: String
  public let cause: Cause

  public var description: String {
    switch cause {
    case .unknownKind:
      "NOTIFY_SOCKET=\(socket): neither an absolute path nor @ and an abstract name; unset it to run"
        + " without a service manager"
    case .tooLong(let limit):
      "NOTIFY_SOCKET=\(socket): longer than \(limit) bytes, which is all that a socket's name can have"
    case .system(let error):
      "NOTIFY_SOCKET=\(socket): the service manager cannot be told: \(error)"
    }
  }
}
