import Glibc
import TouchCore
import TouchPixels
import TouchSystem

extension DisplayKind {
  /// Displays named `terminal`, with the terminal's best graphics or others, such as `terminal:sixel`.
  static let terminal = DisplayKind(example: "terminal", usesTerminal: true) { name throws(DisplayError) in
    if name == "terminal" { return Named { _ throws(DisplayError) in try TerminalDisplay(graphics: nil) } }
    guard name.hasPrefix("terminal:") else { return nil }
    guard let graphics = TerminalGraphics(rawValue: String(name.dropFirst("terminal:".count))) else {
      throw DisplayError(
        .badName, path: name,
        detail: "a terminal's graphics are blocks, kitty or sixel, such as terminal:sixel")
    }
    return Named { _ throws(DisplayError) in try TerminalDisplay(graphics: graphics) }
  }
}

/// The terminal that the program runs in, as a display. The left button of its mouse is a finger. q and
/// Ctrl-C end the program, Ctrl-L redraws, Ctrl-Z suspends. The canvas has the size that it has without a
/// display, upright, shown as large as fits.
package final class TerminalDisplay: Display {
  package var onEvent: (DisplayEvent) -> Void = { _ in }
  package private(set) var pointer: Point<DisplaySpace>?

  private let emulator: TerminalEmulator
  private var loop: EventLoop?
  private var inputWatch, outputWatch: EventLoop.Source?
  private var finger: ContactID?
  private var serial = 0

  /// A device that does not exist: real devices are counted from 1.
  private static let device = DeviceID(rawValue: 0)

  /// Opens the terminal on standard output. Its contents stay until `begin(in:)`.
  /// - Parameter graphics: nil for the best that the terminal supports.
  package init(graphics: TerminalGraphics?) throws(DisplayError) {
    emulator = try TerminalEmulator(graphics: graphics)
  }

  package var name: String { "terminal \(width)x\(height) (\(emulator.graphics.rawValue))" }
  package var width: Int { emulator.surface.width }
  package var height: Int { emulator.surface.height }
  package var picture: Surface? { emulator.surface }
  /// Always false: the terminal gets the picture after it is painted.
  package var showsAtOnce: Bool { false }
  package var hasPointer: Bool { true }

  package func geometry(of canvas: CanvasLayout) -> DisplayGeometry {
    DisplayGeometry(displaySize: size, canvasSize: canvas.naturalSize, scale: .fit)
  }

  /// A text shown instead of the picture, with the reason why the picture is missing. Nil shows the picture.
  package var notice: String? {
    get { emulator.notice }
    set { emulator.notice = newValue }
  }

  // MARK: In the loop

  package func begin(in loop: EventLoop) throws(DisplayError) {
    self.loop = loop
    emulator.show()
    do {
      inputWatch = try loop.watch(emulator.inputDescriptor.rawValue) { [weak self] in self?.read() }
    } catch {
      throw DisplayError(.failed, path: "terminal", detail: "its keys cannot be read", cause: error.errno)
    }
    // Keys that were pressed during the terminal's answers are already here.
    loop.again { [weak self] in self?.read() }
  }

  package func restore() {
    for watch in [inputWatch, outputWatch].compactMap(\.self) { loop?.unwatch(watch) }
    (inputWatch, outputWatch) = (nil, nil)
    emulator.restore()
  }

  package func suspend() {
    finger = nil
    emulator.restore()
  }

  package func resume() throws(DisplayError) {
    try emulator.resume()
    // A stopped process gets no signal when its terminal is resized.
    followSize()
  }

  /// Stops the process as Ctrl-Z does in a shell, unless no shell would ever continue it.
  package func stopProcess() {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGTSTP)
    sigprocmask(SIG_UNBLOCK, &mask, nil)
    raise(SIGTSTP)
    sigprocmask(SIG_BLOCK, &mask, nil)
  }

  // MARK: The picture

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    emulator.compose(rect, paint)
  }

  /// Sends the painted parts. The rest is sent when the terminal takes it.
  package func present() -> Bool {
    emulator.present()
    guard emulator.isBehind != (outputWatch != nil) else { return true }
    if let outputWatch {
      loop?.unwatch(outputWatch)
      self.outputWatch = nil
    } else {
      outputWatch = try? loop?.watch(emulator.outputDescriptor.rawValue, for: .output) { [weak self] in
        _ = self?.present()
      }
    }
    return true
  }

  package func followSize() {
    emulator.askForSize()
    takeSize()
    _ = present()
  }

  private func takeSize() {
    guard (try? emulator.followSize()) ?? false else { return }
    onEvent(.resized)
  }

  // MARK: Input

  private func read() {
    guard inputWatch != nil else { return }
    let isThere = emulator.readEvents { event in
      switch event {
      case .key(let key): take(key)
      case .mouse(let mouse): take(mouse)
      case .cell, .textArea: takeSize()
      case .attributes, .kittyGraphics: break
      }
    }
    guard !isThere else { return }
    if let inputWatch { loop?.unwatch(inputWatch) }
    inputWatch = nil
    onEvent(.ended)
  }

  private func take(_ key: UInt8) {
    switch key {
    // Ctrl-C, Ctrl-D, Ctrl-\.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04, 0x1c: onEvent(.ended)
    case 0x0c:
      emulator.forgetShown()
      _ = present()
    // A raw terminal sends no signal. This one goes to the whole process group and arrives at the output.
    case 0x1a: kill(0, SIGTSTP)
    default: onEvent(.key(key))
    }
  }

  private func take(_ mouse: TerminalMouse) {
    let place = emulator.location(of: mouse)
    pointer = place
    switch mouse.action {
    case .press:
      // A lost release must not leave a finger behind.
      lift(at: place, .cancelled)
      serial += 1
      let contact = ContactID(device: Self.device, serial: serial)
      finger = contact
      onEvent(.touched(DisplayTouch(contact: contact, kind: .began, location: place)))
    case .drag:
      if let finger { onEvent(.touched(DisplayTouch(contact: finger, kind: .moved, location: place))) }
    case .release, .hover: lift(at: place, .ended)
    case .other: break
    }
  }

  private func lift(at place: Point<DisplaySpace>, _ kind: TouchChange.Kind) {
    guard let finger else { return }
    self.finger = nil
    onEvent(.touched(DisplayTouch(contact: finger, kind: kind, location: place)))
  }

  package func cancelFinger() { if let pointer { lift(at: pointer, .cancelled) } }

  /// Forgets the finger after all touches were cancelled. A button that is still down is no finger any more.
  package func forgetFinger() { finger = nil }
}
