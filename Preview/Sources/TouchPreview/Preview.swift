import Glibc
import SystemPackage
import TouchConfig
import TouchHandlers
import TouchInspection
import TouchJSON
import TouchSystem

/// The program behind `touchtree preview`: a panel in a browser while its file is written.
package final class Preview {
  /// The shown panel.
  package enum Source {
    /// A file, by a daemon of the preview's own.
    case file(String, size: (width: Int, height: Int)?)
    /// A daemon that runs, by its control socket; nil for the usual one.
    case socket(String?)
    /// The daemon of a board.
    case board(Board)
  }

  package struct Settings {
    package var source: Source
    /// The port of the page; 0 for a free one.
    package var port: UInt16 = 0

    package init(_ source: Source) { self.source = source }
  }

  /// The address of the page.
  package var address: String { server.address }

  package let loop: EventLoop
  private let server: WebServer
  private let panel: any PanelConnecting
  private let endSignals: EndSignals
  private var size: (width: Int, height: Int)?
  private var sessions: [ObjectIdentifier: Session] = [:]
  /// The errors for which the file could not be shown at the start; empty while a panel is shown.
  private var problems: [String] = []
  /// The watch of a file that could not be shown. The daemon watches one that is.
  private var watch: ConfigurationWatch?
  /// The timer of tries to connect; nil while every session is connected.
  private var retry: Int?
  private var triesLeft = 0

  /// The time between two tries to connect, in milliseconds.
  private static let retryStep = 20
  /// The tries that follow so fast; then one comes each second.
  private static let fastTries = 250

  /// Starts the panel, and listens.
  /// - Throws: `Failure`, `SystemError`.
  package init(_ settings: Settings) throws {
    let loop = try EventLoop()
    self.loop = loop
    endSignals = try EndSignals(logHead: "touchtree")
    server = try WebServer(
      PackageResources.preview_html, token: AccessToken(), port: settings.port, in: loop)
    switch settings.source {
    case .file(let file, let size):
      self.size = size
      // A file with errors may be corrected; one that is not there was mistyped.
      do throws(Errno) {
        _ = try FileContents.read(file, upTo: 1, waits: false)
      } catch {
        throw ConfigurationError.unreadable(path: file, cause: error)
      }
      let process = try PanelProcess(file, in: loop)
      panel = process
      process.onEnd = { [weak self] in self?.panelEnded($0) }
      try process.start(size: size)
    case .socket(let path): panel = RunningPanel(path)
    case .board(let board): panel = board
    }
    server.delegate = self
    try loop.watch(endSignals.descriptor) { [weak self] in
      self?.endSignals.take()
      self?.server.stop()
    }
  }

  /// Prints the address.
  /// - Parameter opens: whether to open it in the desktop's browser as well.
  /// - Throws: `SystemError`, or the error of the output.
  package func announce(opening opens: Bool) throws {
    let output = LineOutput(.standardOutput)
    output.write(line: address)
    try output.flush()
    if opens { _ = try PlainProcess(["xdg-open", address]) }
  }

  /// Serves until a signal ends it.
  /// - Throws: `SystemError`.
  package func run() throws {
    defer { (panel as? PanelProcess)?.end() }
    try server.run()
  }

  // MARK: The panel

  private func panelEnded(_ lines: [String]) {
    // Lines begin with the program's name: `touchtree: error: panel.yaml:3:5: error: …`
    problems = lines.filter { !$0.isEmpty }.map { String($0.trimmingPrefix("touchtree: ")) }
    for session in sessions.values {
      session.disconnect()
      tellProblems(session)
    }
    guard watch == nil, let watch = try? ConfigurationWatch(in: loop) else { return }
    watch.onChange = { [weak self] in self?.restart() }
    try? watch.follow(panel.name, others: [])
    self.watch = watch
  }

  private func restart() {
    watch = nil
    problems = []
    guard let panel = panel as? PanelProcess else { return }
    do {
      for session in sessions.values { session.disconnect() }
      try panel.start(size: size)
      connectSoon()
    } catch {
      panelEnded(["\(error)"])
    }
  }

  private func resize(_ size: (width: Int, height: Int)) {
    self.size = size
    restart()
  }

  private func tellProblems(_ session: Session) {
    session.report("The panel is not shown: its file has errors. Correct it, and save it.")
    session.send(text: Problem.line(of: problems))
  }

  // MARK: Connections

  /// Connects all sessions without a connection: at once, and then as long as it takes.
  private func connectSoon() {
    triesLeft = Self.fastTries
    connectAll()
  }

  private func connectAll() {
    guard watch == nil else { return }
    for session in sessions.values where !session.isConnected {
      do {
        try session.connect(to: panel)
      } catch {
        if triesLeft == 0 { session.report("\(error)") }
      }
    }
    triesLeft = max(0, triesLeft - 1)
    retryLater()
  }

  /// Connects in a second, and each second from then on: what does not answer is not asked in haste.
  private func connectLater() {
    triesLeft = 0
    retryLater()
  }

  private func retryLater() {
    if let retry { loop.cancelTimer(retry) }
    retry = nil
    guard sessions.values.contains(where: { !$0.isConnected }) else { return }
    retry = loop.addTimer(milliseconds: triesLeft > 0 ? Self.retryStep : 1000, repeats: false) {
      [weak self] in self?.connectAll()
    }
  }
}

extension Preview: WebServerDelegate {
  package func opened(_ connection: WebConnection) {
    let session = Session(connection, in: loop)
    session.onLoss = { [weak self] in $0 ? self?.connectSoon() : self?.connectLater() }
    sessions[ObjectIdentifier(connection)] = session
    session.send(
      text: Message.line("preview") {
        $0.field("file", panel.name)
        $0.field("resizes", panel.resizes)
      })
    if watch != nil { tellProblems(session) } else { connectSoon() }
  }

  package func received(_ text: [UInt8], on connection: WebConnection) {
    guard let session = sessions[ObjectIdentifier(connection)] else { return }
    if let size = Self.size(in: text) {
      guard panel.resizes else { return }
      return resize(size)
    }
    session.take(text)
  }

  /// Returns the size that a message of the page asks for; nil for other messages.
  private static func size(in text: [UInt8]) -> (width: Int, height: Int)? {
    guard text.starts(with: #"{"type":"preview""#.utf8),
      let message = try? JSONReader.read(String(decoding: text, as: UTF8.self)),
      case .integer(let width)? = message["size"]?.elements?.first,
      case .integer(let height)? = message["size"]?.elements?.last, (1...4096).contains(width),
      (1...4096).contains(height)
    else { return nil }
    return (width, height)
  }

  package func nextMessage(for connection: WebConnection) -> WebMessage? {
    sessions[ObjectIdentifier(connection)]?.nextMessage()
  }

  package func closed(_ connection: WebConnection) {
    sessions.removeValue(forKey: ObjectIdentifier(connection))?.disconnect()
  }
}
