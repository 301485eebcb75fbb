import Glibc
import TouchHandlers
import TouchJSON
import TouchPixels
import TouchSystem
import TouchTools

/// A tab that shows the panel: a WebSocket and a connection to the daemon of its own. What the page asks is
/// passed on to the daemon, and its answers and events back; so the daemon cancels the fingers of a tab that
/// is closed, as those of any client that goes. Pictures are made when the browser takes them, of what is
/// different by then, so that nothing grows while it does not.
final class Session {
  /// Called when the daemon has ended, or does not answer.
  /// - Parameter hasAnswered: whether it did before.
  var onLoss: (_ hasAnswered: Bool) -> Void = { _ in }

  private let connection: WebConnection
  private let loop: EventLoop
  private var panel: PanelConnection?
  /// The connection to the daemon once it has greeted.
  private var client: ControlClient?
  /// The end of the wait for its greeting.
  private var deadline: Int?
  private var source: EventLoop.Source?
  private var screen: RemoteScreen?
  /// The changes since the last picture.
  private var changed: [PixelRect] = []
  private var texts: [[UInt8]] = []
  /// The size of `texts` in bytes.
  private var waitingBytes = 0

  /// The texts in bytes that may wait for the browser before the daemon has to.
  private static let mostWaiting = 1 << 18
  /// The requests in bytes that may wait for the daemon.
  private static let mostUnsent = 1 << 20
  /// The most rectangles of a picture: more become one.
  private static let mostRects = 16

  init(_ connection: WebConnection, in loop: EventLoop) {
    (self.connection, self.loop) = (connection, loop)
  }

  deinit { disconnect() }

  /// The longest wait for the greeting of a daemon, in milliseconds.
  private static let timeout = 5000
  /// The id of the request for the picture: those of the page are numbers.
  private static let pictureRequest = JSONValue.text("picture")

  /// Whether there is a daemon, which may not have greeted yet.
  var isConnected: Bool { panel != nil }

  // MARK: The daemon

  /// Connects to the daemon, and asks it for its picture when it greets.
  /// - Throws: `ControlError` without a daemon; `SystemError`.
  func connect(to panel: any PanelConnecting) throws {
    disconnect()
    let panel = try panel.connect()
    source = try loop.watch(panel.socket.rawValue, as: .later) { [weak self] in self?.greet(panel) }
    deadline = loop.addTimer(milliseconds: Self.timeout, repeats: false) { [weak self] in
      self?.lose("\(panel.path): touchtree has not answered for \(Self.timeout / 1000) s. Trying again …")
    }
    self.panel = panel
  }

  private func greet(_ panel: PanelConnection) {
    unwatch()
    attempt {
      let client = try ControlClient(panel.socket, path: panel.path, timeout: 1)
      endWait()
      self.client = client
      send(client.greeting)
      try client.post(Message.line("screen", id: Self.pictureRequest))
      try watch()
    }
  }

  private func endWait() {
    if let deadline { loop.cancelTimer(deadline) }
    deadline = nil
  }

  func disconnect() {
    unwatch()
    endWait()
    (panel, client, screen) = (nil, nil, nil)
    changed = []
  }

  private func lose(_ message: String) {
    let hasAnswered = client != nil
    disconnect()
    report(message)
    onLoss(hasAnswered)
  }

  /// Reports that there is no daemon, and why.
  func report(_ message: String) {
    send(text: Message.line("down") { $0.field("message", message) })
  }

  private func watch() throws(SystemError) {
    guard source == nil, let client else { return }
    let readiness: EventLoop.Readiness = client.hasUnsent ? .inputAndOutput : .input
    source = try loop.watch(client.descriptor, for: readiness, as: .later) { [weak self] in self?.serve() }
  }

  private func unwatch() {
    if let source { loop.unwatch(source) }
    source = nil
  }

  /// Takes what the daemon has sent, and watches it on while the browser takes the texts.
  private func serve() {
    attempt {
      guard let client else { return }
      let hadUnsent = client.hasUnsent
      if hadUnsent { try client.sendUnsent() }
      var descriptor = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 0) > 0 { try client.receive { take($0) } }
      if waitingBytes > Self.mostWaiting || hadUnsent != client.hasUnsent { unwatch() }
      if waitingBytes <= Self.mostWaiting { try watch() }
    }
  }

  /// Calls the daemon, which may have ended.
  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      lose("\(error)")
    }
  }

  private func take(_ message: JSONValue) {
    switch message["type"]?.text {
    // Over ssh the message has the pictures itself.
    case "damage" where message["pictures"] != nil: send(message)
    case "damage":
      for rect in message["rects"]?.elements ?? [] { add(screen?.part(rect)) }
      if !changed.isEmpty { connection.wantsToSend() }
    case "screen": attempt { try show(message) }
    case "error" where message["id"] == Self.pictureRequest: report(message["message"]?.text ?? "")
    case "configuration", "stats":
      send(message)
      send(text: Problem.line(of: message["configuration"] ?? message))
    default: send(message)
    }
  }

  private func add(_ part: PixelRect?) {
    guard let part, !part.isEmpty, !changed.contains(where: { $0.union(part) == $0 }) else { return }
    changed.removeAll { part.union($0) == part }
    changed.append(part)
    if changed.count > Self.mostRects { changed = [changed.reduce(part) { $0.union($1) }] }
  }

  /// Shows a picture from now on.
  /// - Parameter message: the daemon's own, of the type `screen`.
  private func show(_ message: JSONValue) throws {
    guard message["pictures"] == nil else { return send(message) }
    guard let screen = try client?.screen(in: message) else { return }
    self.screen = screen
    send(message)
    changed = [screen.picture.bounds]
  }

  // MARK: The browser

  /// Passes a request on.
  func take(_ request: [UInt8]) {
    attempt {
      guard let client else { return }
      try client.post(request.filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")])
      guard client.hasUnsent else { return }
      guard client.unsentCount <= Self.mostUnsent else {
        throw ControlError(path: client.path, reason: .silent)
      }
      unwatch()
      try watch()
    }
  }

  private func send(_ message: JSONValue) {
    var json = JSONWriter()
    json.value(message)
    send(text: json.bytes)
  }

  /// Sends a message to the page.
  func send(text: [UInt8]) {
    texts.append(text)
    waitingBytes += text.count
    connection.wantsToSend()
  }

  /// Returns the next message for the browser: texts before pictures.
  func nextMessage() -> WebMessage? {
    if !texts.isEmpty {
      let text = texts.removeFirst()
      waitingBytes -= text.count
      if source == nil, client != nil, waitingBytes <= Self.mostWaiting { attempt { try watch() } }
      return .text(text)
    }
    guard let part = changed.popLast(), let screen else { return nil }
    guard screen.read(part) else {
      let (path, picture) = (client?.path ?? "touchtree", screen.picture)
      disconnect()
      report(
        "\(path): the file with its picture is too short for \(picture.width) × \(picture.height) pixels; "
          + "start touchtree again there, and reload this page")
      return nil
    }
    return .binary(Picture.bytes(of: part, in: screen.picture))
  }
}
