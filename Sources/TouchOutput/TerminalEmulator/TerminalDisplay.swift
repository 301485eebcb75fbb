import Glibc
import TouchCore
import TouchPixels
import TouchSystem

extension DisplayKind {
  /// `terminal`, with the best graphics that it has, and `terminal:sixel`.
  static let terminal = DisplayKind(example: "terminal", usesTerminal: true) { name throws(DisplayError) in
    if name == "terminal" {
      return Named { _ throws(DisplayError) in try TerminalDisplay(graphics: nil) }
    }
    guard name.hasPrefix("terminal:") else { return nil }
    guard let graphics = TerminalGraphics(rawValue: String(name.dropFirst("terminal:".count))) else {
      throw DisplayError(
        .badName, path: name,
        detail: "a terminal's graphics are blocks, kitty or sixel, such as terminal:sixel")
    }
    return Named { _ throws(DisplayError) in try TerminalDisplay(graphics: graphics) }
  }
}

/// The terminal that the program runs in, as a display: it shows the picture, and its mouse is a finger.
///
/// The left button is the finger. q and Ctrl-C end, Ctrl-L redraws, Ctrl-Z suspends. A terminal's pixels are too few and too
/// many to lay a tree out on: the canvas is what it would be without a display, upright, as large as it goes in whole.
package final class TerminalDisplay: Display {
  package var onEvent: (DisplayEvent) -> Void = { _ in }
  package private(set) var pointer: Point<DisplaySpace>?

  private let emulator: TerminalEmulator
  private var loop: EventLoop?
  private var inputWatch: EventLoop.Source?
  private var outputWatch: EventLoop.Source?
  /// The finger that the left button is, while it is down.
  private var finger: ContactID?
  private var serial = 0

  /// No device's: theirs are counted from 1.
  private static let device = DeviceID(rawValue: 0)

  /// Opens the terminal on standard output. Its contents stay until `begin(in:)`.
  ///
  /// - Parameter graphics: nil for the best that the terminal supports.
  /// - Throws: `DisplayError`.
  package init(graphics: TerminalGraphics?) throws(DisplayError) {
    emulator = try TerminalEmulator(graphics: graphics)
  }

  package var name: String { "terminal \(width)x\(height) (\(emulator.graphics.rawValue))" }
  package var width: Int { emulator.surface.width }
  package var height: Int { emulator.surface.height }
  package var picture: Surface? { emulator.surface }
  /// The terminal gets the picture after it is painted.
  package var showsAtOnce: Bool { false }
  package var hasPointer: Bool { true }

  package func geometry(of canvas: CanvasLayout) -> DisplayGeometry {
    DisplayGeometry(displaySize: size, canvasSize: canvas.naturalSize, scale: .fit)
  }

  /// A text instead of the picture: why the picture is missing. Nil shows the picture.
  package var notice: String? {
    get { emulator.notice }
    set { emulator.notice = newValue }
  }

  // MARK: In the loop

  package func begin(in loop: EventLoop) throws(DisplayError) {
    self.loop = loop
    emulator.show()
    do {
      inputWatch = try loop.watch(emulator.inputDescriptor.rawValue) { [unowned self] in read() }
    } catch {
      throw DisplayError(.failed, path: "terminal", detail: "its keys cannot be read", cause: error.errno)
    }
    // What was typed while the terminal was asked what it can is there already.
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

  /// As Ctrl-Z does in a shell. The kernel does not stop a process that no shell would ever continue.
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

  /// Sends what was painted. What the terminal does not take at once is sent when it does.
  package func present() -> Bool {
    emulator.present()
    guard emulator.isBehind != (outputWatch != nil) else { return true }
    if let outputWatch {
      loop?.unwatch(outputWatch)
      self.outputWatch = nil
    } else {
      outputWatch = try? loop?.watch(emulator.outputDescriptor.rawValue, for: .output) { [unowned self] in
        _ = present()
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
    // A raw terminal sends no signal. This one is for the whole process group, and arrives at the output.
    case 0x1a: kill(0, SIGTSTP)
    default: onEvent(.key(key))
    }
  }

  private func take(_ mouse: TerminalMouse) {
    let place = emulator.location(of: mouse)
    pointer = place
    switch mouse.action {
    case .press:
      // A release that got lost must not leave a finger behind.
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

  /// Cancels the touch, if there is one.
  package func cancelFinger() {
    if let pointer { lift(at: pointer, .cancelled) }
  }

  /// Every touch was cancelled: a button that is still down is not a finger any more.
  package func forgetFinger() {
    finger = nil
  }
}
