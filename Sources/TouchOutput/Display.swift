import Glibc
import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

/// A device that shows pictures, or memory in its place.
///
/// To add one, make a folder here with a `Display` and its
/// `DisplayKind`, and name that kind in `DisplayKind.all`.
///
/// One object stands for one display until the end, even while the device is
/// gone. Its user, `Output` of the daemon, calls:
///
/// ```
/// DisplayName.open ─▶ share ─▶ begin(in:) ─▶ shown ─▶ restore
///                                             │ ▲
///                                   suspend   │ │ resume     another program is shown
///                                   blank     │ │ unblank    nothing is shown, because nothing is touched
///                                   abandon   ▼ │ reopen     it is gone, or has another mode
///                                           hidden
/// ```
///
/// While it is shown, pictures come as a `Screen` takes them: `begin`, `compose`, `present`. While it is
/// hidden, nothing is composed, and the display leaves the device to others. Every call returns at once,
/// because touches wait for it. A member with a default below is needed only by some displays.
package protocol Display: Screen {
  // MARK: What it is

  var name: String { get }

  /// The findings of the last opening. They are logged after each opening.
  var remarks: [DisplayRemark] { get }

  /// The part of the machine that shows the pixels; nil, the default, if no device shows them.
  var scanout: Scanout? { get }

  /// Whether somebody looks at the display: no device may then be missing, and recordings keep their time.
  var isWatched: Bool { get }

  /// Returns the position of a canvas on the display. It is asked again when the configuration or the
  /// display's size has changed. A display that knows how its panel is mounted turns the picture here.
  /// Default: as the configuration says.
  func geometry(of canvas: CanvasLayout) -> DisplayGeometry

  /// Returns the display for the canvas of another configuration: this one, unless it is memory of that size.
  func fitted(to canvas: CanvasLayout) throws(DisplayError) -> any Display

  // MARK: In the loop

  /// The handler of the display's events. It is set before `begin(in:)`.
  var onEvent: (DisplayEvent) -> Void { get set }

  /// Shows the display, unless it is suspended, and follows its events from then on.
  func begin(in loop: EventLoop) throws(DisplayError)

  /// Brings the last picture onto the glass, and then the device into its original state, as the last call.
  /// After a fatal signal, a signal handler does it (CLinux, `linux_faults.h`).
  func restore()

  // MARK: By turns with other programs

  /// Whether the kernel's console draws on the display unless a virtual terminal is taken. Default: false.
  var takesConsole: Bool { get }

  /// Whether another touchtree lends the display and has the console of the shared device. Default: false.
  var isLent: Bool { get }

  /// A sentence that names the program with the picture on the device; nil for none or a lending touchtree.
  var otherUser: String? { get }

  /// Returns whether an active virtual terminal, numbered from 1, appears on the display; nil if unknown.
  func shows(console: Int32) -> Bool?

  /// Keeps other instances of touchtree off the display. It is called before `begin` and after each `reopen`.
  /// - Parameter byTurns: whether instances with a virtual terminal
  ///   of their own may use the display too, by turns.
  /// - Throws: `DisplayError` of kind `inUse` if another instance uses it.
  func share(byTurns: Bool) throws(DisplayError)

  /// Leaves the device, which may be gone, to another program in its original state. Calls in a row are one.
  func suspend()

  /// Takes the device again after `suspend()`. The picture is lost, and the mode may have changed.
  func resume() throws(DisplayError)

  /// Suspends the display and stops the process until it is continued. (Ctrl-Z) Default: SIGSTOP.
  func stopProcess()

  // MARK: Blanking

  /// Switches the display off if its driver can do that. The picture is already black.
  func blank()

  func unblank()

  // MARK: Another mode, and none

  /// Whether the device is there, if perhaps in another mode (`Screen.isCurrent`). Default: true.
  var isAttached: Bool { get }

  /// Restores what no other program has changed, and closes the device, which is gone or has another mode.
  func abandon()

  /// Opens the device again, in its present mode, after `abandon()` and each `DisplayEvent.changed` until it
  /// succeeds. After an error of kind `missing` or `notPermitted` the caller waits for the display.
  func reopen() throws(DisplayError)

  /// Adopts a new size, after SIGWINCH.
  func followSize()

  // MARK: A pointer of its own

  /// Whether the display brings a pointer, such as a terminal's mouse. Other devices then cover the canvas.
  var hasPointer: Bool { get }

  /// The position of the display's pointer, in the display's pixels; nil before it has moved.
  var pointer: Point<DisplaySpace>? { get }
}

package enum DisplayEvent {
  /// The device may be gone, be back, or have another mode.
  case changed
  /// The display has another size and the same canvas.
  case resized
  /// The display's pointer moved, or its button changed.
  case touched(DisplayTouch)
  /// A key was pressed, as a terminal sends it.
  case key(UInt8)
  /// The user has ended the program, or will never see it again.
  case ended
  /// Another picture is shown since a time of the monotonic clock, by the driver's time stamp.
  case shown(Timestamp)
  /// A line for the log about a fault that the display survives.
  case notice(String)
}

package struct DisplayTouch: Hashable, Sendable {
  package let contact: ContactID
  package let kind: TouchChange.Kind
  package let location: Point<DisplaySpace>

  package init(contact: ContactID, kind: TouchChange.Kind, location: Point<DisplaySpace>) {
    (self.contact, self.kind, self.location) = (contact, kind, location)
  }

  /// - Parameter geometry: the position of the canvas on the display.
  package func change(in geometry: DisplayGeometry) -> TouchChange {
    TouchChange(contact: contact, kind: kind, location: geometry.windowFromDisplay.map(location))
  }
}

package struct DisplayRemark: Hashable, Sendable {
  package enum Severity: Sendable {
    /// The driver reported something wrong that could be guessed.
    case warning
    case info, debug
  }

  package let severity: Severity
  package let text: String

  package init(_ severity: Severity, _ text: String) { (self.severity, self.text) = (severity, text) }
}

package struct CanvasLayout: Hashable, Sendable {
  /// The size in window units; nil for the display's own pixels, as seen after rotation.
  package var size: Size?
  /// The size in window units where no display determines it.
  package var naturalSize: Size
  package var scale: DisplayGeometry.Scale
  /// The clockwise rotation on the display; nil to follow the panel's mounting.
  package var rotation: DisplayGeometry.Rotation?
  /// The display's mode; nil for its own.
  package var mode: DisplayMode?
  /// The configuration's path, for messages.
  package var file: String

  package init(
    size: Size?, naturalSize: Size, scale: DisplayGeometry.Scale = .fit,
    rotation: DisplayGeometry.Rotation? = nil, mode: DisplayMode? = nil, file: String = "configuration"
  ) {
    (self.size, self.naturalSize, self.scale, self.rotation) = (size, naturalSize, scale, rotation)
    (self.mode, self.file) = (mode, file)
  }

  /// The size of a display with one pixel for each unit of the canvas, in pixels.
  package var naturalDisplaySize: Size {
    switch rotation ?? .none {
    case .none, .half: naturalSize
    case .quarter, .threeQuarters: Size(width: naturalSize.height, height: naturalSize.width)
    }
  }

  /// Returns the position of the canvas, as configured, on a display with a size in pixels and a mounting.
  package func geometry(on display: Size, mounting: DisplayGeometry.Rotation = .none) -> DisplayGeometry {
    DisplayGeometry(displaySize: display, canvasSize: size, scale: scale, rotation: rotation ?? mounting)
  }
}

// The defaults of a display that is always there, in one size and mode, and that no other program uses.
extension Display {
  package var remarks: [DisplayRemark] { [] }
  package var scanout: Scanout? { nil }
  package var isWatched: Bool { true }

  package func geometry(of canvas: CanvasLayout) -> DisplayGeometry { canvas.geometry(on: size) }

  package func fitted(to canvas: CanvasLayout) throws(DisplayError) -> any Display { self }

  package func begin(in loop: EventLoop) throws(DisplayError) {}
  package func restore() {}

  package var takesConsole: Bool { false }
  package var isLent: Bool { false }
  package var otherUser: String? { nil }
  package func shows(console: Int32) -> Bool? { nil }
  package func share(byTurns: Bool) throws(DisplayError) {}
  package func suspend() {}
  package func resume() throws(DisplayError) {}
  package func stopProcess() { raise(SIGSTOP) }

  package func blank() {}
  package func unblank() {}

  package var isAttached: Bool { true }
  package func abandon() {}
  package func reopen() throws(DisplayError) {}
  package func followSize() {}

  package var hasPointer: Bool { false }
  package var pointer: Point<DisplaySpace>? { nil }
}
