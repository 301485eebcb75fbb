import TouchCore
import TouchViews

/// A configuration file, checked: everything in it can be used as it stands.
///
/// What the file leaves out has its default here. Relative paths are relative to `folder`.
package struct Configuration: Sendable {
  /// The path of the file, as it was given.
  package var file: String
  package var display = Display()
  package var input = Input()
  package var highlight = HighlightStyle()
  /// What is to be done while nothing is touched, in the file's order.
  package var idle: [IdleStage] = []
  /// In the file's order, each name once.
  package var handlers: [HandlerSettings] = []
  /// Where each handler is declared, by its name.
  package var handlerLocations: [String: SourceLocation] = [:]
  /// The names of the application's handlers.
  package var applicationHandlers: [String] = []
  package var window = Window()
  /// The views in the order of the file: a view comes after its parent and before its own subviews, and of
  /// two siblings the one behind comes first. A flat list, because a tree may be thousands of views deep.
  package var views: [View] = []
  /// In the file's order, the window's first.
  package var gestures: [Gesture] = []
  /// What is to be done when controls send actions and gestures are recognised.
  package var actions: [ActionList] = []
  /// Whether it is a file of quirks, which are its device rules, and shows nothing.
  package var isOfQuirks = false
  /// What was reported although the file can be used: warnings, and errors that are cosmetic.
  package var warnings: [Diagnostic] = []

  /// What the file contains.
  package var text: [UInt8] = []
  /// The folder of the file, or of the one that it is a copy of: what relative paths in it start from.
  package let folder: String

  /// - Parameter original: if this file is a copy, the path of the original; else nil.
  package init(file: String, copyOf original: String? = nil) {
    self.file = file
    let path = original ?? file
    folder =
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// A path that is relative to the file's folder, made relative to the working directory.
  package func resolve(_ path: String) -> String {
    if path.hasPrefix("/") || folder == "." { return path }
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  /// As `resolve`, for a program or a plugin: a bare name is searched in other folders, and stays as it is.
  func resolveUnlessBare(_ path: String) -> String { path.contains("/") ? resolve(path) : path }

  /// Something about this file that only shows when it is used, such as a plugin that does not load.
  package func diagnostic(
    at place: SourceLocation, _ message: String, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    Diagnostic(file: file, place: place, severity: severity, message: message)
  }
}

extension Configuration {
  /// Where pixels go.
  package struct Display: Hashable, Sendable {
    /// Whether the kernel's console is kept from drawing.
    package enum Console: String, CaseIterable, Sendable { case hide, keep }

    /// Its name, as for `--display`: `auto`, `headless`, `kms`, `kms:HDMI-A-1`, or a device's absolute path.
    package var device = "auto"
    /// How the picture is turned on the display, clockwise; nil for as the panel is mounted.
    package var rotation: DisplayGeometry.Rotation?
    /// Of a display by KMS; nil for its own.
    package var mode: DisplayMode?
    /// In window units, both positive; nil is the display's own pixels.
    package var canvasSize: Size?
    /// How the canvas is fitted into the display.
    package var scale = DisplayGeometry.Scale.fit
    /// What shows where no view paints.
    package var background = Color(red: 0x10, green: 0x14, blue: 0x18)
    /// What happens to the kernel's console while the daemon runs.
    package var console = Console.hide
    /// The backlight that `idle` dims, by the name of its folder in /sys/class/backlight; nil for the only one.
    package var backlight: String?

    package init() {}
  }

  /// Where touches come from.
  package struct Input: Hashable, Sendable {
    /// When the pointer of a mouse is drawn.
    package enum Cursor: String, CaseIterable, Sendable {
      /// While a relative pointer is present, but not after a touch until it is used again.
      case auto
      case always, never
    }

    /// The first rule that matches a device counts; one that no rule matches is used as it is.
    package var rules: [DeviceRule] = []
    /// When the pointer of a mouse is drawn.
    package var cursor = Cursor.auto
    /// The limits of a repeated tap.
    package var taps = Dispatcher.TapSettings()

    package init() {}
  }

  /// What to do with the devices that match.
  package struct DeviceRule: Hashable, Sendable {
    /// What a calibration depends on. What is nil is not looked at.
    package struct CalibratedFor: Hashable, Sendable {
      /// How the display was turned.
      package var displayRotation: DisplayGeometry.Rotation?
      /// The ranges that the device declared: minimum and maximum of x, then of y.
      package var axes: [Int32]?

      package init() {}
    }

    /// Which devices the rule is about.
    package var match = DeviceMatch()
    /// False: the device is ignored. True: it is used even if it is not classified as a pointing device. Nil: its
    /// classification decides.
    package var isUsed: Bool?
    /// Applied to normalised positions, before rotation. It has an inverse.
    /// (libinput's `LIBINPUT_CALIBRATION_MATRIX`.)
    package var calibration: AffineTransform?
    /// What the calibration was made for; where that is not so any more, it is not used.
    package var calibratedFor: CalibratedFor?
    /// How the device is turned against the panel, clockwise.
    package var rotation = DisplayGeometry.Rotation.none
    /// The part of the canvas that the device covers, in window space; nil is all of it.
    package var output: WindowRect?
    /// Whether other programs are kept from reading the device.
    package var isGrabbed = false
    /// What is done to contacts before they are mapped, in this order; each kind once.
    package var filters: [ContactFilter] = []
    /// By how many window units a mouse moves the pointer for each of its counts; nil is 1. There is no acceleration.
    package var speed: Double?
    /// Where the rule stands in the file.
    package var place: SourceLocation
    /// The keys that the file gives it, and `null` for none of them.
    var given: Set<DeviceKey> = []

    package init(place: SourceLocation) {
      self.place = place
    }
  }
}

extension Configuration {
  /// What is to be done on one occasion, in order.
  package struct ActionList: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
      /// The view with this place in `views`, a control, sends an action.
      case control(Int, Control.Action)
      /// The gesture with this place in `gestures` enters a state.
      case gesture(Int, GestureRecognizer.State)
    }

    package var occasion: Occasion
    package var steps: [Step]
  }

  /// A step, and where it stands in the file.
  package struct Step: Hashable, Sendable {
    package var step: ActionStep
    package var place: SourceLocation
  }
}
