import Glibc
import TouchCore
import TouchOutput
import TouchSystem

/// The user at a terminal: shows the picture there, and turns the terminal's mouse into touches.
///
/// The left button is a finger. q and Ctrl-C end, Ctrl-L redraws, Ctrl-Z suspends.
package final class TerminalController {
  /// Called with what the mouse did, in window space.
  package var onTouch: ([TouchChange]) -> Void = { _ in }
  /// Called when the terminal's size has changed: the display has another one now, and `geometry` follows it.
  package var onResize: () -> Void = {}
  /// Called with every other key, as the terminal sends it.
  package var onKey: (UInt8) -> Void = { _ in }
  /// Called when the user quits, or the terminal is gone.
  package var onEnd: () -> Void = {}
  /// Where the mouse was last seen, in window space; nil before it moved.
  package private(set) var pointer: WindowPoint?

  private let display: TerminalEmulator
  private let loop: EventLoop
  /// How the canvas lies on the terminal.
  package private(set) var geometry: DisplayGeometry
  private var inputWatch: EventLoop.Source?
  private var outputWatch: EventLoop.Source?
  /// The finger that the left button is, while it is down.
  private var finger: ContactID?
  private var serial = 0

  /// No device's: theirs are counted from 1.
  private static let device = DeviceID(rawValue: 0)

  /// - Parameter geometry: how the canvas lies on the terminal.
  package init(display: TerminalEmulator, geometry: DisplayGeometry, loop: EventLoop) {
    self.display = display
    self.geometry = geometry
    self.loop = loop
  }

  /// How the canvas lies on the terminal, whatever shape that has: upright, as large as it goes in whole.
  package static func geometry(_ display: TerminalEmulator, canvas: Size) -> DisplayGeometry {
    DisplayGeometry(displaySize: display.size, canvasSize: canvas, scale: .fit)
  }

  /// Shows the picture and listens to the mouse.
  ///
  /// - Throws: `SystemError`.
  package func begin() throws(SystemError) {
    display.show()
    inputWatch = try loop.watch(display.inputDescriptor.rawValue) { [unowned self] in read() }
    // What was typed while the terminal was asked what it can is there already.
    loop.again { [weak self] in self?.read() }
  }

  /// Gives the terminal back.
  package func end() {
    for watch in [inputWatch, outputWatch].compactMap(\.self) { loop.unwatch(watch) }
    (inputWatch, outputWatch) = (nil, nil)
    display.restore()
  }

  /// Sends what the turn painted, and sees to the rest of it.
  package func present() {
    display.present()
    guard display.isBehind != (outputWatch != nil) else { return }
    if let outputWatch {
      loop.unwatch(outputWatch)
      self.outputWatch = nil
    } else {
      // The end of the turn presents again.
      outputWatch = try? loop.watch(display.outputDescriptor.rawValue, for: .output) {}
    }
  }

  /// The terminal's size may have changed. (SIGWINCH)
  package func followSize() {
    display.askForSize()
    takeSize()
  }

  /// Another canvas is shown.
  package func show(canvas: Size) {
    geometry = Self.geometry(display, canvas: canvas)
  }

  private func takeSize() {
    guard (try? display.followSize()) ?? false else { return }
    geometry = Self.geometry(display, canvas: geometry.canvasSize)
    onResize()
  }

  /// - Parameter geometry: how another canvas lies on the terminal.
  package func lay(_ geometry: DisplayGeometry) {
    self.geometry = geometry
  }

  // MARK: Input

  private func read() {
    guard inputWatch != nil else { return }
    let isThere = display.readEvents { event in
      switch event {
      case .key(let key): take(key)
      case .mouse(let mouse): take(mouse)
      case .cell, .textArea: takeSize()
      case .attributes, .kittyGraphics: break
      }
    }
    guard !isThere else { return }
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
    onEnd()
  }

  private func take(_ key: UInt8) {
    switch key {
    // Ctrl-C, Ctrl-D, Ctrl-\.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04, 0x1c: onEnd()
    case 0x0c: display.forgetShown()
    // A raw terminal sends no signal. This one is for the whole process group, and arrives at the output.
    case 0x1a: kill(0, SIGTSTP)
    default: onKey(key)
    }
  }

  private func take(_ mouse: TerminalMouse) {
    let place: WindowPoint = geometry.windowFromDisplay.map(display.location(of: mouse))
    pointer = place
    switch mouse.action {
    case .press:
      // A release that got lost must not leave a finger behind.
      lift(at: place, .cancelled)
      serial += 1
      let contact = ContactID(device: Self.device, serial: serial)
      finger = contact
      onTouch([TouchChange(contact: contact, kind: .began, location: place)])
    case .drag:
      if let finger { onTouch([TouchChange(contact: finger, kind: .moved, location: place)]) }
    case .release, .hover: lift(at: place, .ended)
    case .other: break
    }
  }

  private func lift(at place: WindowPoint, _ kind: ContactChange.Kind) {
    guard let finger else { return }
    self.finger = nil
    onTouch([TouchChange(contact: finger, kind: kind, location: place)])
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
