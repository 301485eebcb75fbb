import Glibc
import Logging
import TouchConfig
import TouchCore
import TouchOutput
import TouchPixels
import TouchSystem

/// The display, and the console that it belongs to. It knows when nothing may be drawn, and follows a display that
/// changes, goes or returns.
package final class Output {
  package enum Change {
    /// Another program is shown, or there is no display: nothing may be drawn or touched.
    case hidden
    /// The display is shown again; what was drawn on it is gone.
    case shown
    /// Another display, or the same one in another mode.
    case replaced
    /// The display cannot be used any more.
    case failed(DisplayError)
  }

  /// To be read by the loop, and given to `handle(signal:)`.
  package static let signals = [Console.acquireSignal, Console.releaseSignal, SIGTSTP]

  package var onChange: (Change) -> Void = { _ in }

  private let choice: DisplayChoice
  private var configuration: Configuration
  private let log: Logger
  private var opened: OpenedDisplay
  private var console: Console?
  private var isSeen = true
  /// Whether nothing is shown because nothing is touched.
  package private(set) var isBlank = false
  /// False while the display is gone.
  private var hasDisplay = true
  private var consoleChoice = Console.Choice.own
  private var keyboard = Console.Keyboard.mute
  private var node: NodeWatch?

  /// Opens the display. The console stays as it is until `begin`, so that a failure before leaves it alone.
  ///
  /// - Throws: `DisplayError`.
  package init(_ choice: DisplayChoice, for configuration: Configuration, log: Logger) throws(DisplayError) {
    self.choice = choice
    self.configuration = configuration
    self.log = log
    opened = try OpenedDisplay(choice, for: configuration)
    logNotices()
  }

  /// Good until the next `replaced`.
  package var display: any Display { opened.display }
  /// For messages.
  package var name: String { opened.name }
  package var hasFramebuffer: Bool { opened.framebuffer != nil }
  /// How the canvas lies on the display.
  package var geometry: DisplayGeometry { opened.geometry }
  /// The terminal, if it is the display.
  package var terminal: TerminalEmulator? { opened.terminal }
  /// What devices are mapped to. Next to a terminal's mouse they cover the canvas, whatever the terminal's shape.
  package var inputGeometry: DisplayGeometry {
    terminal == nil ? geometry : DisplayGeometry(displaySize: geometry.canvasSize)
  }
  /// Whether anything may be drawn.
  package var isShown: Bool { isSeen && hasDisplay && !isBlank }
  /// Why nothing may be drawn, in words; nil while it may.
  package var hiddenBecause: String? {
    if !isSeen {
      return "another virtual terminal is shown on \(name); to see touchtree's, type: chvt \(consoleNumber)"
    }
    if !hasDisplay { return "\(name) is gone" }
    return isBlank
      ? "the display is blank, since it is not touched; to see it, type: touchtree ctl wake" : nil
  }

  private var consoleNumber: Int32 { console?.number ?? 0 }

  /// Takes the console, and follows the display from here on. The signals must be watched already.
  ///
  /// - Throws: `DisplayError` when another touchtree is shown there.
  package func begin(in loop: EventLoop, terminal: Console.Choice, keyboard: Console.Keyboard)
    throws(DisplayError)
  {
    guard hasFramebuffer else { return }
    (consoleChoice, self.keyboard) = (terminal, keyboard)
    try takeConsole()
    if !isSeen {
      log.info(
        "nothing is shown until virtual terminal \(consoleNumber) is active; type: chvt \(consoleNumber)")
      onChange(.hidden)
      opened.framebuffer?.suspend()
    }
    do {
      for source in [UdevMonitor.Source.kernel, .udev] { try follow(FramebufferEvents(source), in: loop) }
      if let node = NodeWatch() {
        self.node = node
        try loop.watch(node.descriptor) { [unowned self] in
          if node.takeEvents() { look() }
        }
        followNode()
      }
    } catch {
      log.warning("changes of the display are not noticed. \(error)")
    }
  }

  private func follow(_ events: FramebufferEvents?, in loop: EventLoop) throws(SystemError) {
    guard let events else { return }
    try loop.watch(events.descriptor) { [unowned self] in
      if events.take() { look() }
    }
  }

  /// A program that sets another mode opens the framebuffer, and closes it afterwards.
  private func followNode() {
    if let framebuffer = opened.framebuffer { node?.follow(framebuffer.path) }
  }

  /// Restores everything. What was drawn last is on the screen before the console draws on it.
  package func end() {
    opened.framebuffer?.restore()
    console = nil
  }

  // MARK: Blanking

  /// Shows nothing until `unblank()`: a black picture, on a display that is switched off if its driver can do that. On a
  /// display that is not shown this does nothing.
  package func blank() {
    guard isShown else { return }
    isBlank = true
    var damage = Damage()
    display.begin(&damage)
    display.compose(display.bounds) { _, _ in 0xff00_0000 }
    _ = display.present()
    opened.framebuffer?.blank()
  }

  /// Shows pictures again; what was drawn is gone.
  package func unblank() {
    guard isBlank else { return }
    isBlank = false
    opened.framebuffer?.unblank()
  }

  // MARK: Another configuration

  /// The display as another configuration lays it out. What it says of the device itself has no effect.
  ///
  /// - Throws: `DisplayError` if there is no memory for one that is as large as the tree.
  package func display(for configuration: Configuration) throws(DisplayError) -> OpenedDisplay {
    choice == .headlessOfTheTreesSize
      ? try OpenedDisplay(choice, for: configuration) : opened.laidOut(for: configuration)
  }

  /// - Parameter display: what `display(for:)` returned.
  package func use(_ display: OpenedDisplay, for configuration: Configuration) {
    opened = display
    self.configuration = configuration
  }

  // MARK: Console

  package func handle(signal: Int32) {
    switch signal {
    case Console.releaseSignal: releaseConsole()
    case Console.acquireSignal: reacquireConsole()
    default: pause()
    }
  }

  private func takeConsole() throws(DisplayError) {
    if configuration.display.console == .hide {
      do {
        let console = try Console(consoleChoice, keyboard: keyboard, under: opened.framebuffer)
        isSeen = console.isSeen
        self.console = consume console
      } catch {
        log.log(level: error.kind == .elsewhere ? .info : .warning, "\(error)")
      }
    }
    try opened.framebuffer?.share(byTurns: console != nil)
  }

  private func releaseConsole() {
    guard isSeen, console != nil else { return }
    isSeen = false
    onChange(.hidden)
    opened.framebuffer?.suspend()
    // The kernel did not ask: another process sent the signal.
    if console?.letGo() != true { appear() }
  }

  private func reacquireConsole() {
    guard console != nil else { return }
    console?.acknowledge()
    if !isSeen { appear() }
  }

  private func appear() {
    isSeen = true
    guard hasDisplay else { return look() }
    opened.framebuffer?.resume()
    guard opened.display.isCurrent else { return look() }
    onChange(.shown)
  }

  /// Ctrl-Z: a stopped process must not keep the screen.
  private func pause() {
    isSeen = false
    onChange(.hidden)
    opened.framebuffer?.suspend()
    console = nil
    // On a console the sender of the signal can continue the process.
    if let terminal = opened.terminal { terminal.stopProcess() } else { raise(SIGSTOP) }
    isSeen = true
    do {
      if hasFramebuffer { try takeConsole() }
      try opened.terminal?.resume()
      if isSeen { appear() }
    } catch {
      isSeen = false
      onChange(.failed(error))
    }
  }

  // MARK: Display

  /// Looks whether the display is still what it was, and follows it if not.
  package func look() {
    guard isSeen, hasFramebuffer else { return }
    if hasDisplay {
      guard !opened.display.isCurrent || opened.framebuffer?.isAttached == false else { return }
      onChange(.hidden)
      opened.framebuffer?.abandon()
    }
    // From before it is opened: what comes in between is not missed.
    if let framebuffer = opened.framebuffer { node?.awaitNode(framebuffer.path) }
    do {
      // The same one, however it was chosen: another framebuffer may be on a display that is not used.
      let same = opened.framebuffer.map { DisplayChoice.framebuffer($0.path) } ?? choice
      opened = try OpenedDisplay(same, for: configuration)
      try opened.framebuffer?.share(byTurns: console != nil)
      hasDisplay = true
      followNode()
      log.info("the display is now \(name)")
      logNotices()
      onChange(.replaced)
    } catch {
      refuse(error)
    }
  }

  private func refuse(_ error: DisplayError) {
    switch error.kind {
    case .missing, .notPermitted:
      // Its permissions may be on their way.
      if hasDisplay { log.warning("the display is gone; waiting for it to return: \(error)") }
      hasDisplay = false
    case .wrongKind, .inUse, .elsewhere, .unsupported, .contradictory, .tooLarge, .file, .badPicture,
      .terminalOutput, .failed:
      onChange(.failed(error))
    }
  }

  private func logNotices() {
    for notice in opened.notices { log.warning("\(notice)") }
    for other in opened.others { log.info("\(other)") }
    guard let framebuffer = opened.framebuffer else { return }
    log.debug("\(framebuffer.path): \(framebuffer.pixelText)")
    framebuffer.report = { [log, path = framebuffer.path] in log.warning("\(path): \($0)") }
  }
}
