import Glibc
import Logging
import TouchCore
import TouchOutput
import TouchPixels
import TouchSystem

/// The display with its console. It knows when nothing may be drawn, and follows
/// a display that changes, is removed or returns.
package final class Output {
  package enum Change {
    /// Another program is shown, or there is no display: nothing may be drawn or touched.
    case hidden
    /// The display is shown again. Its picture is lost.
    case shown
    /// The display has another size, and another position of the canvas.
    case resized
    /// The display is another one, or has another mode.
    case replaced
    /// The display cannot be used any more.
    case failed(DisplayError)
    /// The user at the display quits, or will never see it again.
    case ended
  }

  /// The signals that the loop reads for `handle(signal:)`.
  package static let signals = [Console.acquireSignal, Console.releaseSignal, SIGTSTP]

  package var onChange: (Change) -> Void = { _ in }
  /// Called with touches by the display's own pointer, in window space.
  package var onTouch: (TouchChange) -> Void = { _ in }
  /// Called with a key that was pressed at the display, as a terminal sends it.
  package var onKey: (UInt8) -> Void = { _ in }
  /// Called with the time since which another picture is shown, where the display tells.
  package var onShown: (Timestamp) -> Void = { _ in }

  /// The display, valid until the next `use(_:for:)`.
  package private(set) var display: any Display
  package private(set) var geometry: DisplayGeometry
  /// Whether the display is the terminal that the program runs in.
  package let usesTerminal: Bool
  package let hasPointer: Bool

  private var settings: PresentationSettings
  private let log: Logger
  private var console: Console?
  private var isSeen = true
  /// Whether the display is blank because nothing is touched.
  package private(set) var isBlank = false
  private var hasDisplay = true
  private var consoleChoice = Console.Choice.own
  private var keyboard = Console.Keyboard.mute

  /// Opens the display. The console stays as it is until `begin`, so that an earlier failure leaves it alone.
  /// - Parameter name: the display's name; nil for that of the settings.
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

  /// The display's name, for messages.
  package var name: String { display.name }
  /// The geometry that devices are mapped to. Beside the display's own pointer they
  /// cover the canvas, whatever the display's shape.
  package var inputGeometry: DisplayGeometry {
    hasPointer ? DisplayGeometry(displaySize: geometry.canvasSize) : geometry
  }
  /// The position of the display's own pointer; nil before it has moved.
  package var pointer: WindowPoint? { display.pointer.map { geometry.windowFromDisplay.map($0) } }
  package var isShown: Bool { isVisible && !isBlank }
  /// Whether the display is there, and shows no other program. It may be blank.
  package var isVisible: Bool { isSeen && hasDisplay }
  /// The reason why nothing may be drawn, in words; nil if drawing is allowed.
  package var hiddenBecause: String? {
    if !isSeen {
      return "another virtual terminal is shown on \(name); to see touchtree's, type: chvt \(consoleNumber)"
    }
    if !hasDisplay { return "\(name) is gone" }
    return isBlank
      ? "the display is blank, since it is not touched; to see it, type: touchtree ctl wake" : nil
  }

  /// The number of the virtual terminal that was taken; 0 if none was, or its number is unknown.
  package var consoleNumber: Int32 { console?.number ?? 0 }

  /// Takes the console and follows the display from now on. The signals must already be watched.
  /// - Throws: `DisplayError` if another touchtree is shown there.
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
    // An invisible window cannot be touched.
    if !hasDisplay { onChange(.hidden) }
    try display.begin(in: loop)
  }

  /// Restores everything. The last picture is on the screen before the console draws there.
  package func end() {
    display.restore()
    console = nil
  }

  private func follow() {
    display.onEvent = { [weak self] in self?.take($0) }
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
    case .shown(let time): onShown(time)
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

  /// Shows nothing until `unblank()`: a black picture, on a display that is switched off if its driver can do
  /// that. It does nothing on a display that is not shown.
  package func blank() {
    guard isShown else { return }
    isBlank = true
    var damage = Damage()
    display.begin(&damage)
    display.compose(display.bounds) { _, _ in 0xff00_0000 }
    _ = display.present()
    display.blank()
  }

  /// Shows pictures again. The last picture is lost.
  package func unblank() {
    guard isBlank else { return }
    isBlank = false
    display.unblank()
  }

  // MARK: Other settings

  /// A display, with the position of a canvas on it.
  package struct Arrangement {
    package let display: any Display
    package let geometry: DisplayGeometry
  }

  /// Returns the arrangement of a canvas with other settings. Their device is ignored.
  /// - Throws: `DisplayError` if there is no memory for a display as large as the tree.
  package func arrangement(for settings: PresentationSettings) throws(DisplayError) -> Arrangement {
    let canvas = settings.canvasLayout
    let display = try display.fitted(to: canvas)
    return Arrangement(display: display, geometry: display.geometry(of: canvas))
  }

  /// - Parameter arrangement: a result of `arrangement(for:)`.
  package func use(_ arrangement: Arrangement, for settings: PresentationSettings) {
    self.settings = settings
    geometry = arrangement.geometry
    guard arrangement.display !== display else { return }
    display = arrangement.display
    follow()
  }

  // MARK: Console

  /// Shows another virtual terminal, at the request of ctrl, alt and a function key. The kernel does not see
  /// those keys while the keyboard of this terminal is off.
  package func showTerminal(_ number: Int32) { console?.show(number) }

  /// - Parameter signal: one of `signals`, or SIGWINCH, after which a terminal may have another size.
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
      // Sharing is refused before the console is taken: a console that
      // returns to text hides another program's picture.
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
    // If the kernel did not ask, another process sent the signal.
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

  /// Hides the display and stops the process after Ctrl-Z. A stopped process must not keep the screen.
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

  /// Looks for changes of the display and follows them.
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
      // Permissions may still be on their way.
      if hasDisplay { log.warning("the display is gone; waiting for it to return: \(error)") }
      hasDisplay = false
    case .wrongKind, .badName, .inUse, .elsewhere, .unsupported, .contradictory, .tooLarge, .file,
      .badPicture, .terminalOutput, .failed:
      fail(error)
    }
  }
}
