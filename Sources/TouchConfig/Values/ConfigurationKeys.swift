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
}

extension ConfigurationKey {
  static func advice(for name: String) -> String? { nil }
  static func isIgnored(_ name: String) -> Bool { false }
}

enum RootKey: String, ConfigurationKey {
  case version, display, input, highlight, idle, handlers, application, styles, window, quirks

  static let owner = "the file"

  /// For values that are given an anchor in one place, as in Compose files.
  static func isIgnored(_ name: String) -> Bool { name.hasPrefix("x-") }
}

enum DisplayKey: String, ConfigurationKey {
  case device, rotation, canvas, background, console, buffers, backlight

  static let owner = "display"
}

enum CanvasKey: String, ConfigurationKey {
  case size, scale

  static let owner = "a canvas"
}

enum InputKey: String, ConfigurationKey {
  case devices, cursor, taps

  static let owner = "input"
}

enum TapsKey: String, ConfigurationKey {
  case interval, distance

  static let owner = "taps"
}

enum DeviceKey: String, ConfigurationKey {
  case match, use, calibration
  case calibratedFor = "calibrated_for"
  case rotation, output, grab, filter, speed

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
  case handlers

  static let owner = "application"
}

enum WindowKey: String, ConfigurationKey {
  case id, handlers
  case fixedTarget = "fixed_target"
  case passes, gestures, subviews

  static let owner = "the window"
}

enum ViewKey: String, ConfigurationKey {
  case id, kind, style, label
  case isPrivate = "private"
  case frame
  case boundsOrigin = "bounds_origin"
  case transform, anchor, alpha, hidden
  case userInteraction = "user_interaction"
  case enabled, selected, clips
  case multipleTouch = "multiple_touch"
  case exclusiveTouch = "exclusive_touch"
  case background
  case cornerRadius = "corner_radius"
  case border, text, font, padding, image
  case imageMode = "image_mode"
  case controller, handlers, forwards
  case hitSlop = "hit_slop"
  case pointerEvents = "pointer_events"
  case shape
  case overflowHits = "overflow_hits"
  case redirect, z, tracking
  case trackingOutset = "tracking_outset"
  case size, axis, spacing, insets, distribution, alignment, columns
  case content, paging, bounces, indicators
  case delaysTouches = "delays_touches"
  case cancelsTouches = "cancels_touches"
  case deceleration
  case directionalLock = "directional_lock"
  case page, indicator, slide, value, minimum, maximum, step
  case jumps, continuous, autorepeat, wraps, segments, rows
  case rowHeight = "row_height"
  case tint, track, thumb, gauge
  case startAngle = "start_angle"
  case endAngle = "end_angle"
  case actions, gestures, subviews

  static let owner = "a view"

  /// Callbacks have the most names.
  static func advice(for name: String) -> String? {
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

enum GestureKey: String, ConfigurationKey {
  case id, kind, handlers, actions, touches, taps, duration, interval, movement, deviation, direction
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
  case set, toggle, change, page, run, send

  static let owner = "a step"
}

enum IdleKey: String, ConfigurationKey {
  case after, backlight, page, blank

  static let owner = "a stage of idle"
}

enum RunKey: String, ConfigurationKey {
  case command, show, timeout

  static let owner = "a run"
}

enum SendKey: String, ConfigurationKey {
  case to, message

  static let owner = "a send"
}

extension ViewProperty: ConfigurationKey {
  static let owner = "what is set of a view"
}

enum ShapeKey: String, ConfigurationKey {
  case type, rect, radius, points

  static let owner = "a shape"
}

enum TransformKey: String, ConfigurationKey {
  case rotate, scale, translate

  static let owner = "a transform"
}

enum BorderKey: String, ConfigurationKey {
  case color, width

  static let owner = "a border"
}

enum FontKey: String, ConfigurationKey {
  case family, size, weight, color, align, valign, lines

  static let owner = "a font"
}

enum ImageKey: String, ConfigurationKey {
  case path, mode

  static let owner = "an image"
}

enum ControllerKey: String, ConfigurationKey {
  case id, handlers
  case presentedBy = "presented_by"

  static let owner = "a controller"
}

/// Every table, for the sentences that say where a key belongs.
enum ConfigurationKeys {
  static let tables: [any ConfigurationKey.Type] = [
    RootKey.self, DisplayKey.self, CanvasKey.self, InputKey.self, DeviceKey.self, CalibratedForKey.self,
    FilterKey.self, MatchKey.self, HighlightKey.self, HighlightMarkKey.self, HighlightTouchesKey.self,
    HandlerKey.self, ApplicationKey.self, WindowKey.self, ViewKey.self, ShapeKey.self, TransformKey.self,
    BorderKey.self, FontKey.self, ImageKey.self, ControllerKey.self, GestureKey.self, TapsKey.self,
    ControlActionKey.self, GestureStateKey.self, StepKey.self, RunKey.self, SendKey.self, IdleKey.self,
    ViewProperty.self,
  ]

  /// Who has a key of this name: "a view", "display". What can be set of a view is a key of the view, too.
  static func owners(of name: String) -> [String] {
    tables.compactMap { $0 == ViewProperty.self ? nil : $0.owner(having: name) }
  }
}

extension ConfigurationKey {
  /// The owner, if it has a key of this name.
  fileprivate static func owner(having name: String) -> String? { Self(rawValue: name).map { _ in owner } }

  /// As a file writes them.
  static var allNames: [String] { allCases.map(\.rawValue) }
}
