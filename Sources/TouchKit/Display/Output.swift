import Glibc
import Logging
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
    /// The display has another size, and the canvas lies on it differently.
    case resized
    /// Another display, or the same one in another mode.
    case replaced
    /// The display cannot be used any more.
    case failed(DisplayError)
    /// The user at the display quits, or will never see it again.
    case ended
  }

  /// To be read by the loop, and given to `handle(signal:)`.
  package static let signals = [Console.acquireSignal, Console.releaseSignal, SIGTSTP]

  package var onChange: (Change) -> Void = { _ in }
  /// Called with what the display's own pointer did, in window space.
  package var onTouch: (TouchChange) -> Void = { _ in }
  /// Called with a key that was pressed at the display, as a terminal sends it.
  package var onKey: (UInt8) -> Void = { _ in }

  /// Good until the next `use(_:for:)`.
  package private(set) var display: any Display
  /// How the canvas lies on the display.
  package private(set) var geometry: DisplayGeometry
  /// Whether the display is the terminal that the program runs in.
  package let usesTerminal: Bool
  /// Whether the display brings a pointer of its own.
  package let hasPointer: Bool

  private var settings: PresentationSettings
  private let log: Logger
  private var console: Console?
  private var isSeen = true
  /// Whether nothing is shown because nothing is touched.
  package private(set) var isBlank = false
  /// False while the display is gone.
  private var hasDisplay = true
  private var consoleChoice = Console.Choice.own
  private var keyboard = Console.Keyboard.mute

  /// Opens the display. The console stays as it is until `begin`, so that a failure before leaves it alone.
  ///
  /// - Parameter name: nil for that of the settings.
  /// - Throws: `DisplayError`.
  package init(_ name: DisplayName?, for settings: PresentationSettings, log: Logger) throws(DisplayError) {
    let name = if let name { name } else { try DisplayName(settings.display.device) }
    self.settings = settings
    self.log = log
    usesTerminal = name.usesTerminal
    display = try name.open(for: settings.canvasLayout, report: { log.info("\($0)") })
    geometry = display.geometry(of: settings.canvasLayout)
    hasPointer = display.hasPointer
    hasDisplay = display.isAttached
    follow()
  }

  /// For messages.
  package var name: String { display.name }
  /// What devices are mapped to. Next to a pointer of the display's own they cover the canvas, whatever the display's shape.
  package var inputGeometry: DisplayGeometry {
    hasPointer ? DisplayGeometry(displaySize: geometry.canvasSize) : geometry
  }
  /// Where the display's own pointer is; nil before it moved.
  package var pointer: WindowPoint? { display.pointer.map { geometry.windowFromDisplay.map($0) } }
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
    (consoleChoice, self.keyboard) = (terminal, keyboard)
    try takeConsole()
    if !isSeen {
      log.info(
        "nothing is shown until virtual terminal \(consoleNumber) is active; type: chvt \(consoleNumber)")
      onChange(.hidden)
      display.suspend()
    }
    // Nothing can be touched that cannot be seen.
    if !hasDisplay { onChange(.hidden) }
    try display.begin(in: loop)
  }

  /// Restores everything. What was drawn last is on the screen before the console draws on it.
  package func end() {
    display.restore()
    console = nil
  }

  private func follow() {
    display.onEvent = { [unowned self] in take($0) }
    logRemarks()
  }

  private func take(_ event: DisplayEvent) {
    switch event {
    case .changed: look()
    case .resized:
      geometry = display.geometry(of: settings.canvasLayout)
      onChange(.resized)
    case .touched(let touch): onTouch(touch.change(in: geometry))
    case .key(let key): onKey(key)
    case .ended: onChange(.ended)
    case .notice(let sentence): log.warning("\(sentence)")
    }
  }

  private func logRemarks() {
    for remark in display.remarks {
      switch remark.severity {
      case .warning: log.warning("\(remark.text)")
      case .info: log.info("\(remark.text)")
      case .debug: log.debug("\(remark.text)")
      }
    }
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
    display.blank()
  }

  /// Shows pictures again; what was drawn is gone.
  package func unblank() {
    guard isBlank else { return }
    isBlank = false
    display.unblank()
  }

  // MARK: Other settings

  /// A display, and how a canvas lies on it.
  package struct Arrangement {
    package let display: any Display
    package let geometry: DisplayGeometry
  }

  /// How a canvas with other settings lies on the display. What they say of the device itself has no effect.
  ///
  /// - Throws: `DisplayError` if there is no memory for one that is as large as the tree.
  package func arrangement(for settings: PresentationSettings) throws(DisplayError) -> Arrangement {
    let canvas = settings.canvasLayout
    let display = try display.fitted(to: canvas)
    return Arrangement(display: display, geometry: display.geometry(of: canvas))
  }

  /// - Parameter arrangement: what `arrangement(for:)` returned.
  package func use(_ arrangement: Arrangement, for settings: PresentationSettings) {
    self.settings = settings
    geometry = arrangement.geometry
    guard arrangement.display !== display else { return }
    display = arrangement.display
    follow()
  }

  // MARK: Console

  /// Shows another virtual terminal, as ctrl, alt and a function key ask for. Where the keyboard of this one is off, the kernel does
  /// not hear them.
  package func showTerminal(_ number: Int32) { console?.show(number) }

  /// - Parameter signal: one of `signals`; or SIGWINCH, after which a terminal may have another size.
  package func handle(signal: Int32) {
    switch signal {
    case Console.releaseSignal: releaseConsole()
    case Console.acquireSignal: reacquireConsole()
    case SIGWINCH: display.followSize()
    default: pause()
    }
  }

  private func takeConsole() throws(DisplayError) {
    if display.takesConsole, settings.display.console == .hide {
      // Refused before the console is taken: a console that returns to text is shown instead of another program's picture.
      try display.share(byTurns: true)
      do {
        let console = try Console(consoleChoice, keyboard: keyboard, under: display)
        isSeen = console.isSeen
        self.console = consume console
      } catch {
        let isOthers = error.kind == .elsewhere || error.kind == .inUse && display.isLent
        log.log(level: isOthers ? .info : .warning, "\(error)")
      }
    }
    try display.share(byTurns: console != nil)
  }

  private func releaseConsole() {
    guard isSeen, console != nil else { return }
    isSeen = false
    onChange(.hidden)
    display.suspend()
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
    do {
      try display.resume()
    } catch {
      return refuse(error)
    }
    guard display.isCurrent else { return look() }
    onChange(.shown)
  }

  private func fail(_ error: DisplayError) {
    isSeen = false
    onChange(.failed(error))
  }

  /// Ctrl-Z: a stopped process must not keep the screen.
  private func pause() {
    isSeen = false
    onChange(.hidden)
    display.suspend()
    console = nil
    display.stopProcess()
    isSeen = true
    do {
      try takeConsole()
    } catch {
      return fail(error)
    }
    if isSeen { appear() }
  }

  // MARK: Display

  /// Looks whether the display is still what it was, and follows it if not.
  package func look() {
    guard isSeen else { return }
    if hasDisplay {
      guard !display.isCurrent || !display.isAttached else { return }
      onChange(.hidden)
      display.abandon()
    }
    do {
      try display.reopen()
      try display.share(byTurns: console != nil)
      hasDisplay = true
      geometry = display.geometry(of: settings.canvasLayout)
      log.info("the display is now \(name)")
      logRemarks()
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
    case .wrongKind, .badName, .inUse, .elsewhere, .unsupported, .contradictory, .tooLarge, .file,
      .badPicture,
      .terminalOutput, .failed:
      fail(error)
    }
  }
}
