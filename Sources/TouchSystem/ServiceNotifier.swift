import Glibc
import SystemPackage
import TouchCore

/// Reports the daemon's state to the service manager, in datagrams to NOTIFY_SOCKET. (`sd_notify(3)`)
package struct ServiceNotifier: Sendable {
  package enum Message: Hashable, Sendable {
    /// Start-up is over: the display and the configuration are up. (`READY=1`)
    case ready
    /// The configuration is read again, since a time on the monotonic clock. (`RELOADING=1`)
    case reloading(Timestamp)
    /// The daemon is shutting down. (`STOPPING=1`)
    case stopping
    /// The loop still turns. (`WATCHDOG=1`)
    case alive
    /// One line for people, as `systemctl status` shows it. (`STATUS=`)
    case status(String)

    fileprivate var line: String {
      switch self {
      case .ready: "READY=1"
      case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time.microseconds)"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      // A second line would be a message of its own.
      case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
      }
    }
  }

  /// The service manager's socket; nil without one.
  private let socketName: SocketName?

  /// The time without `alive` after which the service manager ends the daemon, in milliseconds; nil for none.
  package let watchdogTime: Int?

  /// - Parameter socket: the value of NOTIFY_SOCKET: an absolute path, or `@` and an abstract name. Nil or
  ///   empty means that there is no service manager; notifications then do nothing.
  /// - Parameter watchdog: the value of WATCHDOG_USEC, in microseconds.
  /// - Parameter watched: the value of WATCHDOG_PID: the watchdog's process; nil for this one.
  ///   (`sd_watchdog_enabled(3)`)
  /// - Throws: when the socket's value is neither, or too long for a socket's name.
  package init(
    socket: String?, watchdog: String? = nil, watched: String? = nil
  ) throws(SystemError) {
    let isWatched = watched.map { $0 == String(getpid()) } ?? true
    // A loop that wakes for it more often than every millisecond could not do anything else.
    let time = isWatched ? watchdog.flatMap { Int($0) }.map { $0 / 1000 } : nil
    watchdogTime = socket?.isEmpty == false ? time.flatMap { $0 > 1 ? $0 : nil } : nil
    guard let socket, !socket.isEmpty else {
      socketName = nil
      return
    }
    guard socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1 else {
      throw Self.error(
        "connect", .invalidArgument, socket,
        hint:
          "it is neither an absolute path nor @ and an abstract name; unset it to run without a service manager"
      )
    }
    guard let name = SocketName(socket) else {
      throw Self.error(
        "connect", .fileNameTooLong, socket,
        hint: "the name of a socket has at most \(SocketName.longest) bytes")
    }
    socketName = name
  }

  package static func fromEnvironment() throws(SystemError) -> ServiceNotifier {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    return try ServiceNotifier(
      socket: value("NOTIFY_SOCKET"), watchdog: value("WATCHDOG_USEC"), watched: value("WATCHDOG_PID"))
  }

  package var isListenedTo: Bool { socketName != nil }

  private static func error(_ call: String, _ errno: Errno, _ socket: String, hint: String) -> SystemError {
    SystemError(call, errno, path: "NOTIFY_SOCKET=\(socket)", hint: hint)
  }

  /// Tells a watchdog that the loop still turns, by the only timer of an idle daemon.
  package func feedWatchdog(in loop: EventLoop) {
    guard let watchdogTime else { return }
    _ = loop.addTimer(milliseconds: watchdogTime / 2, repeats: true) {
      // The next one may arrive.
      try? send(.alive)
    }
  }

  /// Sends messages in one datagram. It never waits: a service manager that does not read is an error.
  package func send(_ messages: Message...) throws(SystemError) {
    guard let socketName, !messages.isEmpty else { return }
    let bytes = Array(messages.map(\.line).joined(separator: "\n").utf8)
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    do throws(SystemError) {
      let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = OwnedDescriptor(try checked("socket") { socket(AF_UNIX, type, 0) })
      let number = descriptor.rawValue
      try checked("sendto") {
        socketName.withAddress { sendto(number, bytes, bytes.count, flags, $0, $1) < 0 ? -1 : 0 }
      }
    } catch {
      throw Self.error(error.call, error.errno, socketName.text, hint: "the service manager is not reachable")
    }
  }
}
