import Glibc
import SystemPackage
import TouchJSON
import TouchSystem

/// A connection to a running daemon, which waits for its answers.
package final class ControlClient {
  package let path: String
  /// The daemon's first line, `hello`.
  package private(set) var greeting = JSONValue.null
  /// Whether the socket takes every request. Otherwise it is for watching.
  package var mayAct: Bool { greeting["access"]?.text != "watch" }
  private let socket: UnixSocket
  private var reader = LineReader(longest: longestAnswer)
  /// The file that arrived with the last line.
  package var file: MemoryFile?
  /// Lines that the daemon has not taken yet.
  private var unsent: [UInt8] = []

  /// The longest wait for an answer, in seconds: a large display takes a moment to be painted.
  package static let timeout: Int32 = 10
  /// The length of the longest answer, in bytes. The tree of a configuration of 16 MiB is shorter.
  private static let longestAnswer = 1 << 28

  /// Connects to a socket, or to the first usual one that answers, and waits for the greeting. Waits for
  /// answers are limited in seconds.
  package static func connect(
    to path: String?, timeout: Int32 = timeout
  ) throws(ControlError) -> ControlClient {
    let (socket, path) = try open(path, timeout: timeout)
    return try ControlClient(socket, path: path, timeout: timeout)
  }

  /// Connects as `connect(to:timeout:)` does, and leaves the greeting unread.
  package static func open(
    _ path: String?, timeout: Int32
  ) throws(ControlError) -> (socket: UnixSocket, path: String) {
    let paths = path.map { [$0] } ?? ControlPath.candidates
    for path in paths.dropLast() {
      do throws(ControlError) {
        return (try socket(at: path, timeout: timeout), path)
      } catch {
        guard error.reason == .noDaemon else { throw error }
      }
    }
    let path = paths.last ?? ""
    return (try socket(at: path, timeout: timeout), path)
  }

  private static func socket(at path: String, timeout: Int32) throws(ControlError) -> UnixSocket {
    guard let name = SocketName(path) else {
      throw ControlError(path: path, reason: .tooLong(limit: SocketName.longest))
    }
    let socket: UnixSocket
    do {
      socket = try UnixSocket()
    } catch {
      throw ControlError(path: path, call: error.call, error.errno)
    }
    if let cause = socket.connect(to: name, timeout: timeout) { throw refusal(path, "connect", cause) }
    return socket
  }

  /// - Parameter timeout: the longest wait for each answer, in seconds.
  package convenience init(path: String, timeout: Int32) throws(ControlError) {
    try self.init(try Self.socket(at: path, timeout: timeout), path: path, timeout: timeout)
  }

  /// Takes a connection that another program has made.
  /// - Parameters:
  ///   - path: the name of the other end, for messages.
  ///   - timeout: the longest wait for each answer, in seconds.
  /// - Throws: `ControlError` if the other end does not greet.
  package init(_ socket: UnixSocket, path: String, timeout: Int32) throws(ControlError) {
    (self.socket, self.path) = (socket, path)
    socket.limitWaiting(to: timeout)
    try greet()
  }

  private func greet() throws(ControlError) {
    greeting = try next()
    if let refusal = Self.error(in: greeting) {
      throw ControlError(path: path, reason: .refused(because: refusal.message))
    }
    guard greeting["type"] == .text("hello"), case .integer(let version)? = greeting["protocol"] else {
      throw ControlError(path: path, reason: .garbled)
    }
    guard version == Message.version else { throw ControlError(path: path, reason: .otherVersion(version)) }
  }

  private static func refusal(_ path: String, _ call: String, _ cause: Errno) -> ControlError {
    switch cause {
    case .noSuchFileOrDirectory, .notDirectory, .connectionRefused, .notSocket:
      ControlError(path: path, reason: .noDaemon)
    case .protocolWrongTypeForSocket: ControlError(path: path, reason: .otherProtocol)
    case .resourceTemporarilyUnavailable: ControlError(path: path, reason: .silent)
    case .connectionReset, .brokenPipe: ControlError(path: path, reason: .ended)
    default: ControlError(path: path, call: call, cause)
    }
  }

  /// Sends a request and waits for its answer; a `RequestError` has the daemon's own words.
  @discardableResult
  package func ask(_ request: [UInt8]) throws -> JSONValue {
    try send(request)
    return try answer()
  }

  /// Waits for the answer to a request that was sent; a `RequestError` has the daemon's own words.
  package func answer() throws -> JSONValue {
    let answer = try next()
    if let error = Self.error(in: answer) { throw error }
    return answer
  }

  private static func error(in message: JSONValue) -> RequestError? {
    guard message["type"] == .text("error") else { return nil }
    return RequestError(
      id: message["id"], code: message["code"]?.text.flatMap(RequestError.Code.init) ?? .failed,
      message: message["message"]?.text ?? "",
      diagnostics: message["diagnostics"]?.elements?.compactMap(\.text) ?? [])
  }

  package func send(_ line: [UInt8]) throws(ControlError) {
    // The daemon would discard such a line.
    guard line.count <= LineReader.longestMessage else {
      throw ControlError(path: path, reason: .longRequest(line.count))
    }
    try write(line)
  }

  package func write(_ bytes: [UInt8]) throws(ControlError) {
    do {
      try socket.sendAll(bytes)
    } catch {
      throw Self.refusal(path, "sendmsg", error)
    }
  }

  /// Waits for the next message. The error's reason is `ended` if the daemon has gone.
  package func next() throws(ControlError) -> JSONValue {
    while true {
      var message: Result<JSONValue, Failure>?
      let step = reader.next { line in message = Result { () throws(Failure) in try JSONReader.read(line) } }
      if step == .line, case .success(let message)? = message { return message }
      guard step == .incomplete else { throw ControlError(path: path, reason: .garbled) }
      guard try receive() > 0 else { throw ControlError(path: path, reason: .ended) }
    }
  }

  package func waitForEver() { socket.limitWaiting(to: 0) }

  private func receive() throws(ControlError) -> Int {
    do throws(Errno) {
      return try reader.read { (room) throws(Errno) in
        let (count, file) = try socket.awaitBytes(into: room)
        if let file { self.file = file }
        return count
      }
    } catch {
      throw Self.refusal(path, "recvmsg", error)
    }
  }
}

// MARK: - In a loop

extension ControlClient {
  /// The descriptor to watch for input, and for output while lines are unsent.
  package var descriptor: Int32 { socket.rawValue }
  package var hasUnsent: Bool { !unsent.isEmpty }
  package var unsentCount: Int { unsent.count }

  /// Sends a line as soon as the daemon takes it, without waiting.
  package func post(_ line: [UInt8]) throws(ControlError) {
    unsent += line
    try sendUnsent()
  }

  package func sendUnsent() throws(ControlError) { if hasUnsent { try write(&unsent) } }

  /// Receives the available messages, at least one. The error's reason is `ended` if the daemon has gone.
  package func receive(_ body: (JSONValue) throws -> Void) throws {
    guard try receive() > 0 else { throw ControlError(path: path, reason: .ended) }
    while let message = nextReceived() { try body(message) }
  }

  /// Receives the available messages without waiting, for clients that request no files.
  package func receiveNow(_ body: (JSONValue) -> Void) throws(ControlError) {
    let count: Int
    do throws(Errno) {
      count = try reader.read { (room) throws(Errno) in try socket.receive(into: room) }
    } catch .resourceTemporarilyUnavailable {
      return
    } catch {
      throw Self.refusal(path, "recvmsg", error)
    }
    guard count > 0 else { throw ControlError(path: path, reason: .ended) }
    while let message = nextReceived() { body(message) }
  }
}

// MARK: - Requests from elsewhere

extension ControlClient {
  /// Passes lines on to the daemon, and its answers to `body`, until both ends have finished.
  package func relay(from input: FileDescriptor, _ body: (JSONValue) throws -> Void) throws {
    var waiting: [UInt8] = []
    var isOver = false
    while true {
      let reads = !isOver && waiting.count < 1 << 16
      var requests = [
        pollfd(fd: socket.rawValue, events: Int16(waiting.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
        pollfd(fd: reads ? input.rawValue : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&requests, 2, -1) >= 0 || errno == EINTR else {
        throw ControlError(path: path, call: "poll", Errno(rawValue: errno))
      }
      if requests[1].revents != 0 { isOver = try !Self.read(input, into: &waiting) }
      if !waiting.isEmpty { try write(&waiting) }
      if isOver && waiting.isEmpty { shutdown(socket.rawValue, Int32(SHUT_WR)) }
      if requests[0].revents & Int16(POLLIN | POLLHUP) != 0 {
        guard try receive() > 0 else {
          guard isOver else { throw ControlError(path: path, reason: .ended) }
          return
        }
        while let message = nextReceived() { try body(message) }
      }
    }
  }

  private func nextReceived() -> JSONValue? {
    var message: JSONValue?
    while reader.next({ message = try? JSONReader.read($0) }) == .line {
      if let message { return message }
    }
    return nil
  }

  private static func read(_ input: FileDescriptor, into bytes: inout [UInt8]) throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
    bytes += buffer.prefix(count)
    return count > 0
  }

  private func write(_ bytes: inout [UInt8]) throws(ControlError) {
    do {
      bytes.removeFirst(try bytes.withUnsafeBytes { try socket.send($0, with: nil) })
    } catch {
      let cause = error as? Errno ?? .ioError
      guard cause == .resourceTemporarilyUnavailable else { throw Self.refusal(path, "sendmsg", cause) }
    }
  }
}

package enum ControlPath {
  /// The socket of the service and of root.
  private static let system = "/run/touchtree/control.sock"

  /// The default path of a daemon; nil for a user without one. It is in the folder that the service manager
  /// has made for it, in `/run` for root, and in $XDG_RUNTIME_DIR for other users.
  package static var ofThisDaemon: String? {
    if let folders = variable("RUNTIME_DIRECTORY"), let first = folders.split(separator: ":").first {
      return "\(first)/control.sock"
    }
    return geteuid() == 0 ? system : ofThisUser
  }

  /// The paths at which `ctl` looks for a daemon by default, first to last.
  package static var candidates: [String] {
    geteuid() == 0 ? [system] : (ofThisUser.map { [$0] } ?? []) + [system]
  }

  private static var ofThisUser: String? {
    variable("XDG_RUNTIME_DIR").map { "\($0)/touchtree/control.sock" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.hasPrefix("/") ? text : nil
  }
}
