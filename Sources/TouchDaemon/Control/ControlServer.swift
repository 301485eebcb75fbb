import Logging
import SystemPackage
import TouchSystem

/// Takes the requests of `touchtree ctl`. They are answered at the end of a turn of the loop, when the display shows what
/// the turn changed.
package final class ControlServer {
  /// A connection that has sent no request yet, or waits for its answer.
  private final class Connection {
    let socket: ControlSocket
    var watch: EventLoop.Source?

    init(_ socket: consuming ControlSocket) {
      self.socket = socket
    }
  }

  private let loop: EventLoop
  private let log: Logger?
  private let listener: ControlListener
  private var watch: EventLoop.Source?
  /// Connections without a request yet, the oldest first.
  private var silent: [Connection] = []
  private var asked: [(connection: Connection, words: [String]?)] = []

  /// At most this many connections may be silent; the oldest is closed first, so that clients cannot use up the
  /// descriptors.
  private static let mostSilent = 16

  /// Whether a client that sends descriptors was logged. It is logged once: a client could fill the disk.
  private var hasReportedDescriptors = false

  /// - Throws: `ControlError`, or `SystemError` when the kernel watches no more descriptors.
  package init(path: String, in loop: EventLoop, log: Logger? = nil) throws {
    self.loop = loop
    self.log = log
    listener = try ControlListener(path: path)
    watch = try loop.watch(listener.rawValue) { [unowned self] in accept() }
  }

  /// Listens as the options say, or logs why it cannot.
  ///
  /// - Throws: what `init` throws, for a path that was asked for.
  static func open(_ choice: ControlChoice, in loop: EventLoop, log: Logger) throws -> ControlServer? {
    switch choice {
    case .none: return nil
    case .path(let path): return try ControlServer(path: path, in: loop, log: log)
    case .standard:
      guard let path = ControlPath.ofThisDaemon else {
        log.info(
          "touchtree ctl cannot reach this daemon: $XDG_RUNTIME_DIR is not set; name a socket with --control")
        return nil
      }
      do {
        return try ControlServer(path: path, in: loop, log: log)
      } catch {
        log.warning("touchtree ctl cannot reach this daemon: \(error)")
        return nil
      }
    }
  }

  deinit {
    for connection in silent { unwatch(connection) }
    if let watch { loop.unwatch(watch) }
  }

  /// Answers every request of this turn.
  package func answer(_ answer: (ControlRequest) -> ControlResponse) {
    guard !asked.isEmpty else { return }
    for (connection, words) in asked {
      let reply =
        words.flatMap { ControlRequest(words: $0) }.map(answer)
        ?? .refused(.unknown, "this touchtree does not know the request '\(words?.first ?? "")'")
      do {
        try reply.send(over: connection.socket)
      } catch .brokenPipe, .connectionReset {
        // The client has disconnected.
      } catch {
        try? ControlResponse.refused(.failed, "the answer cannot be sent (\(error))").send(
          over: connection.socket)
      }
    }
    asked.removeAll()
  }

  private func accept() {
    let number: Int32
    do {
      guard let next = try listener.accept() else { return }
      number = next
    } catch {
      return makeRoom()
    }
    let connection = Connection(ControlSocket(owning: number))
    if silent.count == Self.mostSilent { unwatch(silent.removeFirst()) }
    do {
      connection.watch = try loop.watch(number) { [unowned self, unowned connection] in receive(connection) }
      silent.append(connection)
    } catch {
      try? ControlResponse.refused(.failed, "\(error)").send(over: connection.socket)
    }
  }

  /// There are too many descriptors: closes the silent connections. If there are none, it stops listening for a second, so
  /// that the daemon does not spin.
  private func makeRoom() {
    guard silent.isEmpty else {
      for connection in silent { unwatch(connection) }
      return silent.removeAll()
    }
    if let watch { loop.unwatch(watch) }
    watch = nil
    _ = loop.addTimer(milliseconds: 1000, repeats: false) { [weak self] in self?.listen() }
  }

  private func listen() {
    watch = try? loop.watch(listener.rawValue) { [unowned self] in accept() }
  }

  /// One request a connection.
  private func receive(_ connection: Connection) {
    let packet: ControlSocket.Packet
    do {
      packet = try connection.socket.receiveBytes()
    } catch .resourceTemporarilyUnavailable, .interrupted {
      return
    } catch .badMessage {
      refuseDescriptors(connection)
      return forget(connection)
    } catch {
      return forget(connection)
    }
    if packet.isTooLong {
      asked.append((connection, nil))
    } else if !packet.bytes.isEmpty {
      asked.append((connection, ControlFields.decode(packet.bytes)))
    }
    forget(connection)
  }

  private func refuseDescriptors(_ connection: Connection) {
    try? ControlResponse.refused(.failed, "a request carries no file descriptors; send it without").send(
      over: connection.socket)
    guard !hasReportedDescriptors else { return }
    hasReportedDescriptors = true
    log?.warning(
      "a client of the control socket sends file descriptors, which no request has; its requests are refused. Later ones are not logged"
    )
  }

  private func forget(_ connection: Connection) {
    unwatch(connection)
    silent.removeAll { $0 === connection }
  }

  private func unwatch(_ connection: Connection) {
    if let watch = connection.watch { loop.unwatch(watch) }
    connection.watch = nil
  }
}

/// Whether and where a daemon takes requests.
package enum ControlChoice: Hashable, Sendable {
  /// Where `touchtree ctl` looks by itself. A daemon that cannot listen there runs without.
  case standard
  /// At this path, or not at all: a daemon that cannot listen there does not start.
  case path(String)
  case none
}
