import Logging
import SystemPackage
import TouchHandlers
import TouchSystem

/// Accepts the clients of the control socket, or of the socket for watching, for `Peers`.
package final class ControlServer {
  private final class Client {
    let peer: Peer
    /// The number of the client's last line among all lines; 0 for none.
    var lastLine = 0
    var hasSentLine: Bool { lastLine > 0 }

    init(_ peer: Peer) { self.peer = peer }
  }

  /// The rights of a socket's clients.
  package struct Role: Sendable {
    fileprivate let name: String
    fileprivate let access: Request.Access
    /// The group that owns the socket's file, if this machine has it.
    fileprivate var group: String?
    fileprivate let option: String
    /// The beginning of the warning that no client can be accepted.
    fileprivate let absence: String

    package static let control = Role(
      name: "control socket", access: .everything, option: "--control",
      absence: "touchtree ctl cannot reach this daemon")
    /// The clients may look, and change nothing.
    package static let watch = Role(
      name: "socket for watching", access: .watching, group: "touchtree-watch", option: "--watch-socket",
      absence: "nothing can watch this daemon without the right to control it")
  }

  private let role: Role
  private let peers: Peers
  private let log: Logger?
  private let listener: ControlListener
  private var watch: EventLoop.Source?
  private var clients: [Client] = []
  private var lineCount = 0
  /// The faults that were logged. Each is logged once, since a client could fill the disk.
  private var logged: Set<Fault> = []

  private enum Fault { case descriptors, openFiles, slowness, crowd, endlessness }

  /// The limit that keeps clients from using up the descriptors.
  private static let mostClients = 200

  /// - Throws: `ControlError`, or `SystemError` if the kernel watches no more descriptors.
  package init(path: String, for role: Role = .control, peers: Peers, log: Logger? = nil) throws {
    (self.role, self.peers, self.log) = (role, peers, log)
    do throws(ControlError) {
      listener = try ControlListener(path: path, group: role.group)
    } catch {
      throw error.of(role.option)
    }
    if let group = role.group, let cause = listener.groupProblem {
      log?.warning(
        "\(path) is not for the group \(group): \(cause); the user that runs touchtree has to be in that group"
      )
    }
    try listen()
  }

  package var path: String { listener.path }

  /// Listens as the options require, or logs the reason why it cannot.
  ///
  /// - Parameter standard: the default path; nil if there is none.
  /// - Throws: the errors of `init`, for a requested path.
  static func open(
    _ choice: ControlChoice, for role: Role, at standard: String?, peers: Peers, log: Logger
  ) throws -> ControlServer? {
    switch choice {
    case .none: return nil
    case .path(let path): return try ControlServer(path: path, for: role, peers: peers, log: log)
    case .standard:
      guard let standard else { return nil }
      do {
        return try ControlServer(path: standard, for: role, peers: peers, log: log)
      } catch {
        log.warning("\(role.absence): \(error)")
        return nil
      }
    }
  }

  deinit { if let watch { peers.loop.unwatch(watch) } }

  package var count: Int { clients.count }

  /// Sends bye with a one-word reason to every client.
  package func end(because reason: String) {
    for client in clients {
      client.peer.send(Message.bye(reason), as: .answer)
      client.peer.close()
    }
    clients.removeAll()
  }

  // MARK: Clients

  private func listen() throws(SystemError) {
    watch = try peers.loop.watch(listener.rawValue, as: .later) { [weak self] in self?.accept() }
  }

  private func accept() {
    let number: Int32
    do {
      guard let next = try listener.accept() else { return }
      number = next
    } catch {
      return pause(because: error)
    }
    makeRoom()
    let peer = Peer(UnixSocket(owning: number), in: peers, answersAll: true, access: role.access)
    let client = Client(peer)
    peer.onMessage = { [weak self, weak client] message in
      guard let self, let client else { return }
      note(client)
      peers.take(message, from: client.peer)
    }
    peer.onGarbage = { [weak self, weak client] problem, _ in
      guard let self, let client else { return }
      note(client)
      client.peer.refuse(RequestError(id: nil, message: problem))
    }
    peer.onEnd = { [weak self, weak client] end in if let client { self?.forget(client, end) } }
    peer.send(
      Message.hello(windowSize: peers.delegate?.windowSize ?? .zero, access: role.access), as: .answer)
    do {
      try peer.begin()
      clients.append(client)
    } catch {
      peer.close()
    }
  }

  private func note(_ client: Client) {
    lineCount += 1
    client.lastLine = lineCount
  }

  /// Makes room by closing the client that was silent for longest, if possible one that does not listen.
  private func makeRoom() {
    guard clients.count >= Self.mostClients else { return }
    let idle = clients.filter { !$0.peer.isListening }
    guard let longest = (idle.isEmpty ? clients : idle).min(by: { $0.lastLine < $1.lastLine }) else { return }
    if longest.hasSentLine {
      logOnce(
        .crowd,
        """
        \(Self.mostClients) clients of the \(role.name) are connected; for another one, the one that has asked for \
        nothing for longest is disconnected
        """)
      longest.peer.send(
        Message.error(
          nil, "\(Self.mostClients) clients are connected, and this one has asked for nothing for longest"),
        as: .answer)
    }
    longest.peer.close()
    clients.removeAll { $0 === longest }
  }

  /// Closes clients that never sent anything, for lack of descriptors, or else stops listening for a second.
  private func pause(because cause: Errno) {
    logOnce(
      .openFiles, "clients of the \(role.name) are refused: \(cause.openFilesAdvice ?? "\(cause)")")
    let silent = clients.filter { !$0.hasSentLine }
    guard silent.isEmpty else {
      for client in silent {
        client.peer.send(Message.error(nil, "\(cause), and no more clients are taken"), as: .answer)
        client.peer.close()
      }
      return clients.removeAll { !$0.hasSentLine }
    }
    if let watch { peers.loop.unwatch(watch) }
    watch = nil
    _ = peers.loop.addTimer(milliseconds: 1000, repeats: false) { [weak self] in try? self?.listen() }
  }

  private func forget(_ client: Client, _ end: Peer.End) {
    clients.removeAll { $0 === client }
    switch end {
    case .closed, .failed: break
    case .tooSlow:
      logOnce(
        .slowness,
        """
        a client of the \(role.name) did not read its events and was disconnected when \
        \(Peer.mostBehind >> 20) MiB waited for it
        """)
    case .endlessLine:
      logOnce(
        .endlessness,
        """
        a client of the \(role.name) sent a line that did not end within \(Peer.mostDiscarded >> 20) MiB and was \
        disconnected
        """)
    case .descriptors:
      logOnce(
        .descriptors,
        "a client of the \(role.name) sent file descriptors, which no request has, and was disconnected")
    }
  }

  private func logOnce(_ fault: Fault, _ message: @autoclosure () -> String) {
    if logged.insert(fault).inserted { log?.warning("\(message()). Later ones are not logged") }
  }
}

package enum ControlChoice: Hashable, Sendable {
  /// The default path of `touchtree ctl`. A daemon that cannot listen there runs without a socket.
  case standard
  /// A path. A daemon that cannot listen there does not start.
  case path(String)
  case none
}
