import Glibc
import TouchCore
import TouchHandlers
import TouchJSON
import TouchOutput
import TouchPixels
import TouchSystem

/// The program behind `touchtree ctl view`: a running daemon's screen in this terminal, whose mouse is a
/// finger. If the daemon ends, it shows that and waits for one to return.
package final class LiveView: TurnHook {
  /// The reason why the daemon refused a touch, such as a rule that excludes the device; nil if it took all.
  package private(set) var refusal: String?

  package var turnPlace: TurnPlace?
  private let path: String
  /// The longest wait for a daemon that has ended, in seconds.
  private let timeout: Int
  private let loop: EventLoop
  private let endSignals: EndSignals
  private let terminal: TerminalDisplay
  private var geometry: DisplayGeometry
  private var screen: RemoteScreen
  private var client: ControlClient?
  private var watch: EventLoop.Source?
  private var retry: Int?
  private var waitsUntil = Timestamp.zero
  private var failure: (any Error)?

  /// The time between two tries to connect, in milliseconds.
  private static let retryStep = 250

  /// Connects to a daemon's socket or the usual ones, and opens the terminal with graphics or the best. It
  /// waits some seconds for a daemon that has ended. Errors begin with `logHead`, and may be of the display,
  /// the control socket, a request or the system.
  package init(
    of socket: String?, graphics: TerminalGraphics?, timeout: Int, logHead: String
  ) throws {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw DisplayError(
        .missing, path: "terminal",
        detail: "standard output is not a terminal. Over ssh, type `ssh -t HOST touchtree ctl view`; "
          + "for a picture in a file, `touchtree ctl screenshot OUT.png`")
    }
    let client = try ControlClient.connect(to: socket)
    screen = try client.followScreen()
    self.client = client
    path = client.path
    self.timeout = timeout
    loop = try EventLoop()
    endSignals = try EndSignals(logHead: logHead)
    terminal = try TerminalDisplay(graphics: graphics)
    geometry = terminal.geometry(of: screen.canvasLayout)
  }

  /// Shows the screen until the user quits or a signal comes.
  /// - Throws: `ControlError` if the daemon has ended and did not return in time;
  ///   `SystemError`, `DisplayError`, `RequestError`.
  package func run() throws {
    try loop.watch(endSignals.descriptor) { [weak self] in
      guard let self else { return }
      endSignals.take()
      loop.stop()
    }
    try loop.watchSignals([SIGWINCH, SIGTSTP]) { [weak self] number in
      guard let self else { return }
      if number == SIGWINCH { terminal.followSize() } else { pause() }
    }
    terminal.onEvent = { [weak self] in self?.take($0) }
    loop.addHook(self, at: .paint)
    defer { terminal.restore() }
    try terminal.begin(in: loop)
    composeAll()
    try watchClient()
    try loop.run()
    if let failure { throw failure }
  }

  package func turnEnds(at now: Timestamp) { _ = terminal.present() }

  private func take(_ event: DisplayEvent) {
    switch event {
    case .touched(let touch): send(touch.change(in: geometry))
    case .resized: layOut()
    case .ended: loop.stop()
    case .key, .changed, .shown, .notice: break
    }
  }

  private func fail(_ error: any Error) {
    failure = error
    loop.stop()
  }

  private func pause() {
    terminal.cancelFinger()
    terminal.suspend()
    terminal.stopProcess()
    do {
      try terminal.resume()
    } catch {
      fail(error)
    }
  }

  // MARK: The daemon

  private func watchClient() throws(SystemError) {
    guard let client else { return }
    watch = try loop.watch(client.descriptor) { [weak self] in
      guard let self else { return }
      attempt {
        try client.receive { try take($0) }
        // The daemon answers each request, so it has taken some when there is something to receive.
        try client.sendUnsent()
      }
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as ControlError where error.reason == .ended {
      disconnect()
    } catch {
      fail(error)
    }
  }

  private func take(_ message: JSONValue) throws {
    switch message["type"]?.text {
    case "damage":
      terminal.notice = nil
      for rect in message["rects"]?.elements ?? [] { try update(rect) }
    case "screen":
      guard let client else { return }
      show(try client.screen(in: message))
    case "hidden": terminal.notice = "touchtree: \(message["message"]?.text ?? "")"
    case "error" where message["id"] == .text("began"): refusal = message["message"]?.text
    // Without an id it is no answer to a touch: there is no picture any more.
    case "error" where message["id"] == nil:
      throw RequestError(id: nil, message: message["message"]?.text ?? "")
    default: break
    }
  }

  private func update(_ rect: JSONValue) throws(ControlError) {
    guard let part = screen.part(rect), screen.read(part) else {
      throw ControlError(path: path, reason: .garbled)
    }
    compose(part)
  }

  private func show(_ screen: RemoteScreen) {
    self.screen = screen
    terminal.notice = nil
    layOut()
  }

  // MARK: Without a daemon

  private func disconnect() {
    if let watch { loop.unwatch(watch) }
    (client, watch) = (nil, nil)
    // The daemon has cancelled the touch.
    terminal.forgetFinger()
    waitsUntil = MonotonicClock.now().advanced(byMicroseconds: Int64(timeout) * 1_000_000)
    terminal.notice =
      "touchtree: the daemon at \(path) has ended; waiting \(timeout) s for it to return. q quits."
    retry = loop.addTimer(milliseconds: Self.retryStep, repeats: true) { [weak self] in self?.reconnect() }
    if timeout == 0 { giveUp() }
  }

  private func reconnect() {
    do {
      // A daemon that starts may take a second to answer.
      let client = try ControlClient(path: path, timeout: 1)
      let screen = try client.followScreen()
      self.client = client
      stopRetrying()
      show(screen)
      try watchClient()
    } catch let error as ControlError where [.noDaemon, .ended, .silent].contains(error.reason) {
      if MonotonicClock.now() >= waitsUntil { giveUp() }
    } catch let error as RequestError where error.code == .notShown {
      terminal.notice = "touchtree: \(error.message)"
    } catch {
      fail(error)
    }
  }

  private func stopRetrying() {
    if let retry { loop.cancelTimer(retry) }
    retry = nil
  }

  private func giveUp() {
    stopRetrying()
    fail(ControlError(path: path, reason: .gone(seconds: timeout)))
  }

  // MARK: Fingers

  private func send(_ change: TouchChange) {
    guard let client, client.mayAct else { return }
    // A move that the daemon does not take at once is left out. The end has the place, too.
    if change.kind == .moved, client.hasUnsent { return }
    let phase =
      switch change.kind {
      case .began: "began"
      case .moved: "moved"
      case .ended: "ended"
      case .cancelled: "cancelled"
      }
    attempt { try client.post(ControlClient.injection(phase, change.location, id: .text(phase))) }
  }

  // MARK: The picture

  private func layOut() {
    geometry = terminal.geometry(of: screen.canvasLayout)
    composeAll()
  }

  private func composeAll() {
    let black: UInt32 = 0xff00_0000
    terminal.compose(terminal.bounds) { _, _ in black }
    compose(screen.picture.bounds)
  }

  private func compose(_ part: PixelRect) {
    let terminalFromPicture = screen.canvasFromPicture.then(geometry.displayFromWindow)
    // A pixel of the terminal also depends on the neighbours of the pixels that it covers.
    let near = PixelRect(
      minX: part.minX - 2, minY: part.minY - 2, maxX: part.maxX + 2, maxY: part.maxY + 2
    ).intersection(screen.picture.bounds)
    let area = Self.pixels(covering: near, terminalFromPicture).intersection(terminal.bounds)
    guard !area.isEmpty,
      let scaled = screen.picture.transformed(by: terminalFromPicture, area: area, beyond: .edgePixels)
    else { return }
    terminal.compose(area) { target, part in
      for y in part.minY..<part.maxY {
        (target.surface.pixels + (y * target.surface.width + part.minX)).update(
          from: scaled.surface.pixels
            + ((y - scaled.originY) * scaled.surface.width + part.minX - scaled.originX),
          count: part.width)
      }
      return nil
    }
  }

  private static func pixels(covering part: PixelRect, _ terminalFromPicture: AffineTransform) -> PixelRect {
    let rect = Rect<DisplaySpace>(
      x: Double(part.minX), y: Double(part.minY), width: Double(part.width), height: Double(part.height))
    let scaled: Rect<DisplaySpace> = terminalFromPicture.bounding(rect)
    return PixelRect(covering: scaled, sliver: 1.0 / 1024)
  }
}

extension RemoteScreen {
  fileprivate var canvasLayout: CanvasLayout { CanvasLayout(size: canvas, naturalSize: canvas) }
}
