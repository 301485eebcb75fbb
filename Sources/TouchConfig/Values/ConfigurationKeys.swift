import TouchCore
import TouchViews

/// The keys of one kind of mapping: the only place where they are written down.
protocol ConfigurationKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What a mapping with these keys is, in a sentence.
  static var owner: String { get }

  /// What to write instead of a key that does not exist here but in other systems; nil for any other key.
  static func advice(for name: String) -> String?

  /// Whether a key of this name is left to the file's author, and means nothing here.
  static func isIgnored(_ name: String) -> Bool

  /// The key of a name in a file; nil where there is none.
  static func named(_ name: String, _ report: Report) -> Self?

  /// The keys that a file can have.
  static func table(_ report: Report) -> KeyTable
}

extension ConfigurationKey {
  static func advice(for name: String) -> String? { nil }
  static func isIgnored(_ name: String) -> Bool { false }
  static func named(_ name: String, _ report: Report) -> Self? { Self(rawValue: name) }
  static func table(_ report: Report) -> KeyTable { KeyTable(Self.self) }
}

enum RootKey: String, ConfigurationKey {
  case version, include, display, input, highlight, idle, handlers, application, values, strings, language,
    locale, styles, templates, keyboard, keyboards, window, quirks, theme, accent, files

  static let owner = "the file"

  /// For values that are given an anchor in one place, as in Compose files.
  static func isIgnored(_ name: String) -> Bool { name.hasPrefix("x-") }

  static func advice(for name: String) -> String? {
    switch name.lowercased() {
    case "lang", "languages": "did you mean \"language\"?"
    case "timezone", "time_zone", "tz":
      "the time zone is the machine's: timedatectl set-timezone Europe/Vienna"
    case "mqtt", "broker", "home_assistant", "homeassistant":
      "a program of its own connects to a broker: touchtree-mqtt --broker HOST --prefix NAME"
    case "canvas", "resolution", "size": "write display: {canvas: {size: [800, 480]}}"
    case "rotate", "rotation", "orientation": "write display: {rotation: 90}"
    case "pages", "screens":
      "pages are views: window: {subviews: [{id: screens, kind: pages, subviews: [{id: home}]}]}"
    default: nil
    }
  }
}

/// The keyboard that comes up by itself.
enum ScreenKeyboardKey: String, ConfigurationKey {
  case layout, shows

  static let owner = "keyboard"
}

enum KeyboardLayoutKey: String, ConfigurationKey {
  case language, rows, symbols, more, shifted, variants

  static let owner = "the layout of a keyboard"
}

enum DisplayKey: String, ConfigurationKey {
  case device, mode, rotation, canvas, background, console, buffers, backlight, font
  case reduceMotion = "reduce_motion"

  static let owner = "display"

  static func advice(for name: String) -> String? {
    switch name.lowercased() {
    case "resolution", "size", "width", "height": "write canvas: {size: [800, 480]}"
    case "rotate", "orientation": "write rotation: 90"
    default: nil
    }
  }
}

enum CanvasKey: String, ConfigurationKey {
  case size, scale

  static let owner = "a canvas"
}

enum InputKey: String, ConfigurationKey {
  case devices, cursor, taps, keyboard

  static let owner = "input"
}

enum TapsKey: String, ConfigurationKey {
  case interval, distance

  static let owner = "taps"
}

enum KeyboardKey: String, ConfigurationKey {
  case layout, variant, model, options
  case numLock = "num_lock"

  static let owner = "a keyboard"
}

extension DeviceRule.Key: ConfigurationKey {
  static let owner = "an input device"
}

enum CalibratedForKey: String, ConfigurationKey {
  case rotation, axes

  static let owner = "calibrated_for"
}

enum FilterKey: String, ConfigurationKey {
  case kind, milliseconds, samples
  case minimumCutoff = "min_cutoff"
  case beta, margin

  static let owner = "a filter"
}

enum ScannerKey: String, ConfigurationKey {
  case pause, end

  static let owner = "a scanner"
}

enum MatchKey: String, ConfigurationKey {
  case name, phys, uniq, vendor, product, path

  static let owner = "a match"
}

enum HighlightKey: String, ConfigurationKey {
  case view, path, touches

  static let owner = "highlight"
}

enum HighlightMarkKey: String, ConfigurationKey {
  case style, color, width, fade

  static let owner = "the highlight of a view"
}

enum HighlightTouchesKey: String, ConfigurationKey {
  case marker, color, id, coordinates, trail

  static let owner = "the highlight of touches"
}

enum HandlerKey: String, ConfigurationKey {
  case kind, path, config, budget, when, on, command, timeout, wants, forwards, capture

  static let owner = "a handler"
}

enum ApplicationKey: String, ConfigurationKey {
  case handlers, keys, scanned

  static let owner = "application"
}

enum WindowKey: String, ConfigurationKey {
  case id, handlers
  case fixedTarget = "fixed_target"
  case passes, gestures, keys, scanned, subviews

  static let owner = "the window"

  static func advice(for name: String) -> String? {
    ["pages", "screens"].contains(name.lowercased())
      ? "pages are a view: subviews: [{id: screens, kind: pages, subviews: [{id: home}]}]" : nil
  }
}

/// A key of a view: a property, or one of those that say what the view is and where it belongs.
struct ViewKey: ConfigurationKey {
  let rawValue: String
  /// Nil for a key that is no property.
  private let row: ViewProperty?

  private init(_ name: String) { (rawValue, row) = (name, nil) }

  init(_ property: ViewProperty) { (rawValue, row) = (property.name, property) }

  init?(rawValue name: String) {
    if let property = ViewProperty.named(name) {
      self.init(property)
    } else {
      self.init(name)
      if !Self.own.contains(self) { return nil }
    }
  }

  static func == (one: ViewKey, other: ViewKey) -> Bool { one.rawValue == other.rawValue }

  func hash(into hasher: inout Hasher) { rawValue.hash(into: &hasher) }

  static let (id, kind, style) = (ViewKey("id"), ViewKey("kind"), ViewKey("style"))
  static let (controller, handlers, actions) = (
    ViewKey("controller"), ViewKey("handlers"), ViewKey("actions")
  )
  static let (shape, redirect) = (ViewKey("shape"), ViewKey("redirect"))
  static let (gestures, subviews) = (ViewKey("gestures"), ViewKey("subviews"))
  static let nextFocus = ViewKey("next_focus")
  static let rowHeight = ViewKey(.rowHeight)

  /// Those that are no properties.
  static let own = [
    id, kind, style, controller, handlers, actions, shape, redirect, nextFocus, gestures, subviews,
  ]
  static let allCases = own + ViewProperty.names.compactMap { ViewKey(rawValue: $0) }

  /// The property of a kind of view; nil for a key that is none.
  ///
  /// - Parameter kind: nil where it is not known.
  func property(of kind: ViewKind?) -> ViewProperty? {
    guard let row, let kind, !kind.has(row) else { return row }
    return .named(rawValue, of: kind) ?? row
  }

  static let owner = "a view"

  /// The properties of a program's own kinds are keys too.
  static func named(_ name: String, _ report: Report) -> ViewKey? {
    ViewKey(rawValue: name)
      ?? report.ownKinds.lazy.flatMap(\.properties).first { $0.name == name }.map { ViewKey($0) }
  }

  static func table(_ report: Report) -> KeyTable {
    let own = report.ownKinds.flatMap(\.properties).map(\.name)
    var table = KeyTable(owner: owner, names: allNames + own)
    table.advice = advice
    return table
  }

  /// Callbacks have the most names.
  static func advice(for name: String) -> String? {
    switch name.lowercased() {
    case "pages", "screens":
      return "pages are a view: kind: pages, with subviews: [{id: home}, {id: settings}]"
    case "goto", "navigate", "link", "href":
      return "a button has actions: {touch_up_inside: [page: {screens: home}]}"
    case "mqtt", "topic": return "touchtree-mqtt gives each control a topic by its id; remove it"
    default: break
    }
    if ForeignWords.isPress(name)
      || ["action", "callback", "command", "exec", "run", "script"].contains(name)
    {
      return
        "a button has actions: {touch_up_inside: [...]}, another view gestures: [{kind: tap, actions: [...]}]"
    }
    let isEvent =
      name.hasPrefix("on") && ForeignWords.isChange(name) || name == ControlActionKey.valueChanged.rawValue
    return isEvent ? "a control has actions: {value_changed: [...]}" : nil
  }
}

/// The keys of a theme's file.
enum ThemeKey: String, ConfigurationKey {
  case version
  case basedOn = "based_on"
  case colors, font, highlight, kinds, styles

  static let owner = "a theme"

  /// For values that are given an anchor in one place.
  static func isIgnored(_ name: String) -> Bool { name.hasPrefix("x-") }
}

enum GestureKey: String, ConfigurationKey {
  case id, kind, handlers, actions, touches, taps, duration, interval, movement, deviation, direction
  case edges
  case edgeWidth = "edge_width"
  case transforms
  case requireToFail = "require_to_fail"
  case simultaneousWith = "simultaneous_with"
  case cancelsTouchesInView = "cancels_touches_in_view"
  case delaysTouchesBegan = "delays_touches_began"
  case delaysTouchesEnded = "delays_touches_ended"
  case enabled

  static let owner = "a gesture"
}

/// What a control sends, by its name in a configuration.
enum ControlActionKey: String, ConfigurationKey {
  case touchDown = "touch_down"
  case touchDownRepeat = "touch_down_repeat"
  case touchDragInside = "touch_drag_inside"
  case touchDragOutside = "touch_drag_outside"
  case touchDragEnter = "touch_drag_enter"
  case touchDragExit = "touch_drag_exit"
  case touchUpInside = "touch_up_inside"
  case touchUpOutside = "touch_up_outside"
  case touchCancel = "touch_cancel"
  case valueChanged = "value_changed"
  case rowAction = "row_action"
  case editingBegan = "editing_began"
  case editingChanged = "editing_changed"
  case editingEnded = "editing_ended"
  case returned

  static let owner = "the actions of a control"

  /// A press has many names elsewhere.
  static func advice(for name: String) -> String? {
    if ForeignWords.isPress(name) { return "did you mean \"touch_up_inside\"?" }
    return ForeignWords.isChange(name) ? "did you mean \"value_changed\"?" : nil
  }
}

/// The states of a gesture that actions may wait for.
enum GestureStateKey: String, ConfigurationKey {
  case began, changed, ended, cancelled

  static let owner = "the actions of a gesture"
}

enum StepKey: String, ConfigurationKey {
  case set, toggle, change, page, present, dismiss
  case scrollTo = "scroll_to"
  case run, send
  case condition = "if"
  case after, animate

  static let owner = "a step"

  static func advice(for name: String) -> String? {
    switch name.lowercased() {
    case "goto", "navigate", "go", "screen", "pages": "write page: {screens: home}"
    case "delay", "wait", "sleep": "write after: {seconds: 3, steps: [...]}"
    case "command", "exec", "shell", "call": "write run: [aplay, ding.wav]"
    case "mqtt", "publish": "write send: {to: subscribers, message: {...}}; touchtree-mqtt publishes it"
    default: nil
    }
  }
}

enum IdleKey: String, ConfigurationKey {
  case after, backlight, page, steps, blank

  static let owner = "a stage of idle"
}

enum NamedValueKey: String, ConfigurationKey {
  case value, keep, history, unit, minimum, maximum, step
  case deviceClass = "class"

  static let owner = "a value"
}

enum IfKey: String, ConfigurationKey {
  case that, then
  case otherwise = "else"

  static let owner = "an if"
}

enum AfterKey: String, ConfigurationKey {
  case seconds, steps

  static let owner = "an after"
}

enum AnimateKey: String, ConfigurationKey {
  case seconds, delay, curve, set

  static let owner = "an animate"
}

enum RunKey: String, ConfigurationKey {
  case command, show, timeout

  static let owner = "a run"
}

enum SendKey: String, ConfigurationKey {
  case to, message

  static let owner = "a send"
}

/// A property that an action sets.
struct SettableKey: ConfigurationKey {
  let property: ViewProperty

  static let owner = "what is set of a view"
  static let allCases = ViewProperty.settable.map(SettableKey.init)

  var rawValue: String { property.name }

  private init(_ property: ViewProperty) { self.property = property }

  init?(rawValue name: String) {
    guard let property = ViewProperty.named(name), property.isSettable else { return nil }
    self.property = property
  }
}

/// Where the focus goes from a view.
enum NextFocusKey: String, ConfigurationKey {
  case up, down, left, right, next, previous

  static let owner = "next_focus"
}

enum ShapeKey: String, ConfigurationKey {
  case type, rect, radius, points

  static let owner = "a shape"
}

enum ControllerKey: String, ConfigurationKey {
  case id, handlers
  case presentedBy = "presented_by"

  static let owner = "a controller"
}

/// What a mapping is, and its keys.
struct KeyTable: Sendable {
  let owner: String
  let names: [String]
  /// As `ConfigurationKey.advice(for:)`.
  var advice: @Sendable (String) -> String? = { _ in nil }

  init(owner: String, names: [String]) { (self.owner, self.names) = (owner, names) }

  init<Key: ConfigurationKey>(_ key: Key.Type) {
    self.init(owner: Key.owner, names: Key.allNames)
    advice = { Key.advice(for: $0) }
  }

  /// Every table of a configuration but `SettableKey`, whose keys are those of a view too.
  static let all: [KeyTable] =
    [
      KeyTable(RootKey.self), KeyTable(DisplayKey.self), KeyTable(CanvasKey.self), KeyTable(InputKey.self),
      KeyTable(DeviceRule.Key.self), KeyTable(CalibratedForKey.self), KeyTable(ScannerKey.self),
      KeyTable(FilterKey.self),
      KeyTable(MatchKey.self), KeyTable(HighlightKey.self), KeyTable(HighlightMarkKey.self),
      KeyTable(HighlightTouchesKey.self), KeyTable(HandlerKey.self), KeyTable(ApplicationKey.self),
      KeyTable(WindowKey.self), KeyTable(ViewKey.self), KeyTable(ShapeKey.self),
    ] + parts + [
      gradient,
      KeyTable(ControllerKey.self), KeyTable(GestureKey.self), KeyTable(TapsKey.self),
      KeyTable(KeyboardKey.self), KeyTable(NextFocusKey.self),
      KeyTable(ControlActionKey.self), KeyTable(GestureStateKey.self), KeyTable(StepKey.self),
      KeyTable(RunKey.self), KeyTable(SendKey.self), KeyTable(IfKey.self), KeyTable(AfterKey.self),
      KeyTable(AnimateKey.self),
      KeyTable(IdleKey.self), KeyTable(NamedValueKey.self), KeyTable(ScreenKeyboardKey.self),
      KeyTable(KeyboardLayoutKey.self),
    ]

  /// What stands in the place of a colour.
  static let gradient = KeyTable(owner: "a gradient", names: Gradient.keys)

  /// The parts of properties.
  static let parts = ViewProperty.table.compactMap { property in
    property.shape.parts.map { KeyTable(owner: $0.whole, names: $0.parts.map(\.name)) }
  }

  /// Who has a key of this name: "a view", "display".
  static func owners(of name: String) -> [String] {
    all.filter { $0.names.contains(name) }.map(\.owner).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }
}

extension ConfigurationKey {
  /// As a file writes them.
  static var allNames: [String] { allCases.map(\.rawValue) }
}
