public import TouchCore

/// A configuration file, checked: everything in it can be used as it stands.
///
/// What the file leaves out has its default here. Relative paths are relative to `folder`.
public struct Configuration: Sendable {
  /// The path of the file, as it was given.
  public var file: String
  public var display = Display()
  public var input = Input()
  public var highlight = HighlightStyle()
  /// In the file's order, each name once.
  public var handlers: [HandlerDeclaration] = []
  /// The names of the application's handlers.
  public var applicationHandlers: [String] = []
  public var window = Window()
  /// The views in the order of the file: a view comes after its parent and before its own subviews, and of
  /// two siblings the one behind comes first. A flat list, because a tree may be thousands of views deep.
  public var views: [View] = []
  /// In the file's order, the window's first.
  public var gestures: [Gesture] = []
  /// What does not keep the file from being used. Errors among them are of what cannot be painted.
  public var warnings: [Diagnostic] = []

  public init(file: String) {
    self.file = file
  }

  /// The folder of the file: what relative paths in it start from.
  public var folder: String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// A path of the file, from where the program stands.
  public func resolve(_ path: String) -> String {
    if path.hasPrefix("/") || folder == "." { return path }
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  /// Something about this file that only shows when it is used, such as a plugin that does not load.
  public func diagnostic(
    at place: SourceLocation, _ message: String, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    Diagnostic(file: file, place: place, severity: severity, message: message)
  }
}

extension Configuration {
  /// Where pixels go.
  public struct Display: Hashable, Sendable {
    public enum Device: Hashable, Sendable {
      /// Whatever framebuffer there is.
      case automatic
      /// Memory.
      case headless
      /// A framebuffer's absolute path.
      case path(String)
    }

    /// Whether the kernel's console is kept from drawing.
    public enum Console: String, CaseIterable, Sendable { case hide, keep }

    public var device = Device.automatic
    /// How the picture is turned on the display, clockwise.
    public var rotation = DisplayGeometry.Rotation.none
    /// In window units, both positive; nil is the display's own pixels.
    public var canvasSize: Size?
    /// How the canvas is fitted into the display.
    public var scale = DisplayGeometry.Scale.fit
    /// What shows where no view paints.
    public var background = Color(red: 0x10, green: 0x14, blue: 0x18)
    /// What happens to the kernel's console while the daemon runs.
    public var console = Console.hide
    /// 1, or 2: one is seen while the other is drawn, where the driver can.
    public var buffers = 1

    public init() {}
  }

  /// Where touches come from.
  public struct Input: Hashable, Sendable {
    /// When the pointer of a mouse is drawn.
    public enum Cursor: String, CaseIterable, Sendable {
      /// While a relative pointer is present, but not after a touch until it is used again.
      case auto
      case always, never
    }

    /// The first rule that matches a device counts; one that no rule matches is used as it is.
    public var rules: [DeviceRule] = []
    /// When the pointer of a mouse is drawn.
    public var cursor = Cursor.auto
    /// What counts as a repeated tap.
    public var taps = Dispatcher.TapSettings()

    public init() {}
  }

  /// What to do with the devices that match.
  public struct DeviceRule: Hashable, Sendable {
    /// Each field that is set must match. In the texts `*` stands for any characters.
    public struct Match: Hashable, Sendable {
      /// Patterns, case included; nil matches anything. See `DeviceMatch`.
      public var name: String?
      public var phys: String?
      public var uniq: String?
      /// USB or other bus ids, as the kernel gives them.
      public var vendor: UInt16?
      public var product: UInt16?
      /// An absolute path of the device node, or of a link to it.
      public var path: String?

      public init() {}
    }

    /// What a calibration depends on. What is nil is not looked at.
    public struct CalibratedFor: Hashable, Sendable {
      /// How the display was turned.
      public var displayRotation: DisplayGeometry.Rotation?
      /// The ranges that the device declared: minimum and maximum of x, then of y.
      public var axes: [Int32]?

      public init() {}
    }

    /// Which devices the rule is about.
    public var match = Match()
    /// False: the device is ignored. True: it is used even if it looks like something else than what one touches. Nil:
    /// what it looks like decides.
    public var isUsed: Bool?
    /// Applied to normalised positions, before rotation. It has an inverse.
    /// (libinput's `LIBINPUT_CALIBRATION_MATRIX`.)
    public var calibration: AffineTransform?
    /// What the calibration was made for; where that is not so any more, it is not used.
    public var calibratedFor: CalibratedFor?
    /// How the device is turned against the panel, clockwise.
    public var rotation = DisplayGeometry.Rotation.none
    /// The part of the canvas that the device covers, in window space; nil is all of it.
    public var output: WindowRect?
    /// Whether other programs are kept from reading the device.
    public var isGrabbed = false
    /// What is done to contacts before they are mapped, in this order; each kind once.
    public var filters: [ContactFilter] = []
    /// By how many window units a mouse moves the pointer for each of its counts; nil is 1. There is no acceleration.
    public var speed: Double?
    /// Where the rule stands in the file.
    public var place: SourceLocation

    public init(place: SourceLocation) {
      self.place = place
    }
  }

  /// A handler by the name that responders refer to.
  public struct HandlerDeclaration: Hashable, Sendable {
    /// What the handler does, and with what.
    public enum Kind: Hashable, Sendable {
      /// A shared library. The path is as written: a bare name is looked for in the plugin folders, any other
      /// is for `Configuration.resolve(_:)`. The configuration is compact JSON, keys in the file's order.
      case plugin(path: String, json: String)
      /// A program that is run on these occasions; never by a shell. It is ended after so many seconds; nil for never.
      case exec(on: [HandlerTrigger], command: [String], timeLimit: Double?)
    }

    /// How long a program may run where the file names no limit, in seconds.
    public static let usualTimeLimit = 10.0

    /// Unique among the handlers of the file.
    public var name: String
    public var kind: Kind
    /// Whether it gets touches on the way down to the hit view, before it.
    public var captures: Bool
    /// Where the handler is declared.
    public var place: SourceLocation

    public init(name: String, kind: Kind, captures: Bool = false, place: SourceLocation) {
      self.name = name
      self.kind = kind
      self.captures = captures
      self.place = place
    }
  }
}
