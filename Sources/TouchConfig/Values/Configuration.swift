import TouchCore
import TouchExpressions
import TouchViews

/// A configuration file, checked: everything in it can be used as it stands. What the file leaves out has its
/// default here. Relative paths are relative to `folder`.
package struct Configuration: Sendable {
  /// The path of the file, as it was given.
  package var file: String
  package var display = DisplaySettings()
  /// Returns the time on the wall clock, which expressions read as `now`.
  package var clock: @Sendable () -> LocalTime = LocalTime.now
  /// The font where neither a view nor a style has one; nil for nothing.
  package var font: PartValues?
  /// The name of the theme, or the path of its file, as the file has it; nil for none.
  package var theme: String?
  /// Whether the theme has its colours of high contrast.
  package var isHighContrast = false
  /// The factor by which texts are larger than in the file, for people who do not see well.
  package var textScale = 1.0
  package internal(set) var files = OpenedFiles()
  package var input = Input()
  package var highlight = HighlightStyle()
  /// The stages while nothing is touched, in the file's order.
  package var idle: [IdleStage] = []
  /// In the file's order, each name once.
  package var handlers: [HandlerSettings] = []
  /// The place of each handler's declaration, by its name.
  package var handlerLocations: [String: SourceLocation] = [:]
  /// The place of each sensor's event, by the name of the value that follows it.
  package var sensorLocations: [String: SourceLocation] = [:]
  package var applicationHandlers: [String] = []
  package var window = Window()
  /// The views in the order of the file: a view comes after its parent and before its own subviews, and of
  /// two siblings the one behind comes first. A flat list, because a tree may be thousands of views deep.
  package var views: [View] = []
  /// In the file's order, the window's first.
  package var gestures: [Gesture] = []
  /// The actions of controls and gestures.
  package var actions: [ActionList] = []
  /// The named values, in the file's order.
  package var values: [NamedValue] = []
  /// The properties that follow expressions, each after those that it follows.
  package var bindings: [Binding] = []
  /// Texts in several languages.
  package var translations = Translations()
  /// The layouts of keyboards that the file has, by their names.
  package var keyboards: [String: KeyboardLayout] = [:]
  /// The layout of a keyboard that names none; nil for that of the language.
  package var keyboardLayout: String?
  /// Whether a keyboard comes up by itself where the file declares none.
  package var showsKeyboard = true
  /// The form of numbers and days: at first, where they follow the language.
  package var locale = Locale.english
  /// Whether the file names no locale, but has texts in languages.
  package var localeFollowsLanguage = false
  /// The use of a file.
  package enum Contents: Sendable {
    case views
    /// They are its device rules. It shows nothing.
    case quirks
    case theme
    /// A panel's test, which another program reads.
    case rehearsal
  }
  package var contents = Contents.views
  /// The reports about a file that can be used: warnings, and errors that are cosmetic.
  package var warnings: [Diagnostic] = []

  /// The files and the instances of templates from which it was read.
  package var origins = Origins()
  /// The files that were read: the requested one, and those that it includes.
  package var sources: [ConfigurationSource] = []
  /// The contents of the file.
  package var text: [UInt8] { sources.first?.text ?? [] }
  package var repeatedValues: Set<String> = []
  /// The values at the last reading; empty for what the file has.
  var lists: [String: PropertyValue] = [:]
  /// The views and texts of rows of values when the file was read first.
  var firstRows = RowAmount()
  /// The height for which rows of lists exist as views, in canvas units.
  var roomForRows = 480.0
  /// The file's text, to be read again when a value of rows, the theme or the height for rows changes; nil
  /// without these.
  var repeatedDocument: YAMLDocument?
  /// The folder of the file, or of the one that it is a copy of: what relative paths in it start from.
  package let folder: String

  /// - Parameter original: if this file is a copy, the path of the original; else nil.
  package init(file: String, copyOf original: String? = nil) {
    self.file = file
    let path = original ?? file
    folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  init(file: String, folder: String) { (self.file, self.folder) = (file, folder) }

  /// A path that is relative to the file's folder, made relative to the working directory.
  package func resolve(_ path: String) -> String {
    if path.hasPrefix("/") || folder == "." { return path }
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  /// The same for a path that stands in one of the files that were read: it is relative to that one's folder.
  func resolve(_ path: String, from place: SourceLocation) -> String {
    guard place.file > 0, let file = origins.file(of: place), !path.hasPrefix("/") else {
      return resolve(path)
    }
    return Self.path(path, from: file)
  }

  /// A path that is relative to the folder of a file, made relative to the working directory.
  package static func path(_ path: String, from file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }

  /// Returns the path of a program or a plugin, like `resolve`: a bare name is searched in other folders, and
  /// stays as it is.
  func resolveUnlessBare(_ path: String, from place: SourceLocation) -> String {
    path.contains("/") ? resolve(path, from: place) : path
  }

  /// Something about this file that only shows when it is used, such as a plugin that does not load.
  package func diagnostic(
    at place: SourceLocation, _ message: String, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    Diagnostic(
      file: origins.file(of: place) ?? file, place: place.withoutInstance, severity: severity,
      message: message + origins.suffix(of: place))
  }
}

extension Configuration {
  /// The sources of touches.
  package struct Input: Hashable, Sendable {
    /// The first rule that matches a device counts; one that no rule matches is used as it is.
    package var rules: [DeviceRule] = []
    /// The condition in which the pointer of a mouse is drawn.
    package var cursor = PointerVisibility.auto
    package var taps = Dispatcher.TapSettings()
    /// The letters that keyboards type.
    package var keyboard = KeyboardSettings()

    package init() {}
  }
}

extension Configuration {
  /// The steps of one trigger, in order.
  package struct ActionList: Hashable, Sendable {
    package enum Trigger: Hashable, Sendable {
      /// The view with this place in `views`, a control, sends an action.
      case control(Int, Control.Action)
      case gesture(Int, GestureRecognizer.State)
      /// A key is pressed, and no responder before this one handled it.
      case key(Outermost, KeyCommand)
      /// A barcode scanner has read a text that no text field took.
      case scan(Outermost)
      /// The stage of `idle:` comes that has this number.
      case idle(Int)
    }

    /// The last responders of every chain.
    package enum Outermost: Hashable, Sendable {
      case window, application
    }

    package var trigger: Trigger
    package var steps: [Step]
  }

  /// A step, and where it stands in the file.
  package struct Step: Hashable, Sendable {
    package var step: ActionStep
    package var place: SourceLocation
  }
}

extension Configuration {
  /// Whether something of the file waits for what barcode scanners read.
  package var wantsScans: Bool {
    let isActed = actions.contains { if case .scan = $0.trigger { true } else { false } }
    return isActed
      || handlers.contains {
        switch $0.kind {
        case .process(_, let wants, _, _): wants.contains(.scanned)
        case .exec(let triggers, _, _): triggers.contains(.scanned)
        case .plugin: false
        }
      }
  }
}
