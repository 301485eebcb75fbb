import Glibc
import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

/// A device that shows pictures, or memory in its place.
///
/// To add one: a folder here, with a `Display` and its `DisplayKind`, and that kind's name in `DisplayKind.all`.
///
/// One object stands for one display until the end, also while the device is gone. Its user, `Output` of the daemon, calls:
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
/// While it is shown, pictures come as a `Screen` takes them: `begin`, `compose`, `present`.
/// While it is hidden, nothing is composed, and the display leaves the device to others.
/// A call returns at once: touches wait for it.
/// What has a default below is needed only by some displays.
package protocol Display: Screen {
  // MARK: What it is

  /// For messages: what it is, and its size.
  var name: String { get }

  /// What was found while it was opened. It is logged after each opening.
  var remarks: [DisplayRemark] { get }

  /// Whether somebody looks at it.
  ///
  /// Where nobody does, a recording is played as fast as possible, and no device has to be there. Default: true.
  var isWatched: Bool { get }

  /// How a canvas lies on it. It is asked again when the configuration or the display's size has changed.
  ///
  /// A display that knows how its panel is mounted turns the picture here. Default: as the configuration says.
  func geometry(of canvas: CanvasLayout) -> DisplayGeometry

  /// The display for the canvas of another configuration.
  ///
  /// Only memory that is as large as its canvas is another one then. Default: this one.
  ///
  /// - Throws: `DisplayError` if there is no memory.
  func fitted(to canvas: CanvasLayout) throws(DisplayError) -> any Display

  // MARK: In the loop

  /// Called with what happens to it. It is set before `begin(in:)`.
  var onEvent: (DisplayEvent) -> Void { get set }

  /// Shows it, and follows what happens to it from here on. A display that is suspended is not shown yet.
  ///
  /// - Throws: `DisplayError` if it cannot be used without that.
  func begin(in loop: EventLoop) throws(DisplayError)

  /// Brings the last picture onto the glass, and then the device into the state that it had before it was opened.
  ///
  /// Nothing is called afterwards. A display that is not restored because the process dies of a signal restores itself, with
  /// what a signal handler may call. (CLinux, `linux_faults.h`)
  func restore()

  // MARK: By turns with other programs

  /// Whether the kernel's console draws on it, unless a virtual terminal is taken. Default: false.
  var takesConsole: Bool { get }

  /// Whether another touchtree lends it, and has the console of the device that both show pictures on. Default: false.
  var isLent: Bool { get }

  /// Who shows another picture on the device now, as a sentence; nil if no program does, or it is another touchtree that lends this one.
  /// Default: nil.
  var otherUser: String? { get }

  /// Whether a virtual terminal appears on it when it is active; nil if that is not known, which is the default.
  ///
  /// - Parameter console: its number, from 1.
  func shows(console: Int32) -> Bool?

  /// Keeps other instances of touchtree off it. It is called before `begin` and after each `reopen`.
  ///
  /// - Parameter byTurns: whether others may use it too, because each has a virtual terminal of its own and is visible by turns.
  /// - Throws: `DisplayError` of kind `inUse` if another instance uses it.
  func share(byTurns: Bool) throws(DisplayError)

  /// Leaves the device to another program, in the state that it had before. Calls in a row are one.
  ///
  /// It may be gone.
  func suspend()

  /// Takes the device again after `suspend()`. Its picture is lost; whether it has another mode is asked next.
  ///
  /// - Throws: `DisplayError` if it cannot be used any more.
  func resume() throws(DisplayError)

  /// Stops the process, until another one continues it. (Ctrl-Z) The display is suspended.
  ///
  /// Default: by SIGSTOP, which cannot be refused. On a console the sender of Ctrl-Z can continue the process.
  func stopProcess()

  // MARK: Blanking

  /// Switches it off if its driver can do that. It shows a black picture already.
  func blank()

  /// Switches it on again.
  func unblank()

  // MARK: Another mode, and none

  /// Whether the device is there. `Screen.isCurrent` tells whether it has the mode in which it was opened. Default: true.
  var isAttached: Bool { get }

  /// Restores what no other program has changed, and lets the device go: it has another mode, or is gone.
  func abandon()

  /// Opens the device again, in the mode that it has now. It is called after `abandon()`, and again after each
  /// `DisplayEvent.changed` until it succeeds. Size, name and remarks are new then.
  ///
  /// - Throws: `DisplayError`; with kind `missing` or `notPermitted` the display is waited for.
  func reopen() throws(DisplayError)

  /// Looks whether its size has changed, after SIGWINCH.
  func followSize()

  // MARK: A pointer of its own

  /// Whether it brings a pointer, such as a terminal's mouse. Other devices are then read only if they are asked for, and
  /// cover the canvas instead of the display. Default: false.
  var hasPointer: Bool { get }

  /// Where its pointer is, in its pixels; nil before it moved.
  var pointer: Point<DisplaySpace>? { get }
}

/// What happens to a display while it is used.
package enum DisplayEvent {
  /// It may be gone, be back, or have another mode.
  case changed
  /// It has another size and the same canvas.
  case resized
  /// Its pointer did something.
  case touched(DisplayTouch)
  /// A key was pressed, as a terminal sends it.
  case key(UInt8)
  /// Its user has ended the program, or will never see it again.
  case ended
  /// Something is wrong, and the display goes on: a line for the log.
  case notice(String)
}

/// What a display's own pointer did.
package struct DisplayTouch: Hashable, Sendable {
  package let contact: ContactID
  package let kind: TouchChange.Kind
  /// In the display's pixels.
  package let location: Point<DisplaySpace>

  package init(contact: ContactID, kind: TouchChange.Kind, location: Point<DisplaySpace>) {
    self.contact = contact
    self.kind = kind
    self.location = location
  }

  /// - Parameter geometry: how the canvas lies on the display.
  package func change(in geometry: DisplayGeometry) -> TouchChange {
    TouchChange(contact: contact, kind: kind, location: geometry.windowFromDisplay.map(location))
  }
}

/// A line for the log, about a display that was opened.
package struct DisplayRemark: Hashable, Sendable {
  package enum Severity: Sendable {
    /// The driver got something wrong that could be guessed.
    case warning
    case info
    /// For those who look for a fault.
    case debug
  }

  package let severity: Severity
  package let text: String

  package init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }
}

/// What a configuration says of the canvas.
package struct CanvasLayout: Hashable, Sendable {
  /// In window units; nil for the display's own pixels, as seen after rotation.
  package var size: Size?
  /// In window units: its size where no display says how large it is.
  package var naturalSize: Size
  /// How it is fitted into the display.
  package var scale: DisplayGeometry.Scale
  /// How it is turned on the display, clockwise; nil for as the panel is mounted.
  package var rotation: DisplayGeometry.Rotation?
  /// The display's mode; nil for its own.
  package var mode: DisplayMode?
  /// The configuration's path, for messages.
  package var file: String

  package init(
    size: Size?, naturalSize: Size, scale: DisplayGeometry.Scale = .fit,
    rotation: DisplayGeometry.Rotation? = nil, mode: DisplayMode? = nil, file: String = "configuration"
  ) {
    self.size = size
    self.naturalSize = naturalSize
    self.scale = scale
    self.rotation = rotation
    self.mode = mode
    self.file = file
  }

  /// In pixels: how large a display is that has one for each unit of the canvas.
  package var naturalDisplaySize: Size {
    switch rotation ?? .none {
    case .none, .half: naturalSize
    case .quarter, .threeQuarters: Size(width: naturalSize.height, height: naturalSize.width)
    }
  }

  /// How the canvas lies on a display, as the configuration says.
  ///
  /// - Parameters:
  ///   - display: in pixels.
  ///   - mounting: how a picture has to be turned to be upright, clockwise, since the panel is mounted otherwise.
  package func geometry(on display: Size, mounting: DisplayGeometry.Rotation = .none) -> DisplayGeometry {
    DisplayGeometry(displaySize: display, canvasSize: size, scale: scale, rotation: rotation ?? mounting)
  }
}

// A display that is always there, in one size and in one mode, and that no other program uses.
extension Display {
  package var remarks: [DisplayRemark] { [] }
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
