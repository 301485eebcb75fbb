import TouchCore

extension ViewProperty {
  package static let backlight = ViewProperty(
    "backlight", of: [.window], PropertyType.number(.percent).orNone, is: [.nullable, .noDefault],
    get: { window in
      guard let light = window.light, light.backlightProblem == nil else { return nil }
      return light.backlight.map { .number($0) } ?? .null
    },
    set: { window, percent in
      guard let light = window.light else {
        window.initialBacklight = percent
        return
      }
      light.backlight = percent
    },
    problem: { (window: Window, _) in window.light?.backlightProblem.map { .unusable($0) } },
    "The brightness of the panel, in per cent of the brightest. See [the display's light](idle.md#the-displays-light)."
  )

  package static let blank = ViewProperty(
    "blank", of: [.window], .flag, is: .noDefault, get: { window in window.light.map { .flag($0.isBlank) } },
    set: { (window: Window, isBlank) in window.light?.isBlank = isBlank },
    "Whether the display shows nothing. See [the display's light](idle.md#the-displays-light).")

  package static let touchExploration = ViewProperty(
    "touch_exploration", of: [.window], .flag, is: .noDefault,
    get: { (window: Window) in .flag(window.isExplored) },
    set: { (window: Window, isOn) in window.isExplored = isOn },
    "Whether touches find views, to be spoken, in place of using them. See [exploration](accessibility.md#exploration)."
  )

  /// Those of the window, and of the display that shows it.
  static let ofWindows = [backlight, blank, touchExploration]
}

extension NumberRange {
  /// A share, in per cent.
  package static let percent = NumberRange(lower: 0, upper: 100)
}
