// The rows of what controls of several classes hold, and of how they show it.

extension ViewProperty {
  // MARK: Values

  package static let rows = ViewProperty(
    "rows", of: ViewKinds(with: .rows), .texts(0...10_000), is: .nullable,
    get: { (control: any RowsHolding) in .list(control.rows.map { .text($0) }) },
    set: { (control: any RowsHolding, rows) in control.rows = rows },
    "The texts, from top to bottom. Default: none.")
  package static let value = ViewProperty(
    "value", of: .withValue, .controlValue, is: [.nullable, .givesValue, .noDefault, .last],
    get: { $0.controlValue.map { $0.isFlag ? .flag($0.isOn) : .number($0.number) } },
    set: { (control: Control, number) in control.controlValue?.number = number },
    "[What it holds](controls.md#controls). Default: `minimum`; `false` for a switch, -1 for a segmented control and a list. "
      + "With a `mode` for times or dates, also `21:30` or `2026-11-23`. A view of the kind `control` has a value if "
      + "this, `minimum`, `maximum` or `step` is given.")
  package static let minimum = ViewProperty(
    "minimum", of: .withLimits, .controlLimit, is: [.nullable, .givesValue],
    get: { $0.controlValue.map { .number($0.minimum) } },
    set: { (control: Control, number) in control.controlValue?.setLimits(minimum: number) },
    "The smallest value.")
  package static let maximum = ViewProperty(
    "maximum", of: .withLimits, .controlLimit, is: [.nullable, .givesValue],
    get: { $0.controlValue.map { .number($0.maximum) } },
    set: { (control: Control, number) in control.controlValue?.setLimits(maximum: number) },
    "The largest value. Default: 1, for a stepper 100; with a `mode` what that has.")
  package static let step = ViewProperty(
    "step", of: .withLimits, .step, is: [.nullable, .givesValue, .fixed],
    get: { $0.controlValue.map { .number($0.step) } },
    set: { (control: Control, step) in
      guard let old = control.controlValue else { return }
      control.controlValue = ControlValue(old.number, minimum: old.minimum, maximum: old.maximum, step: step)
    },
    "The distance between values, counted from `minimum`; the last one is `maximum`, even if it is nearer. 0 allows any "
      + "value. Default: 0, for a stepper and with a `mode` 1. Of a time, that of the minutes, which divides 60 evenly."
  )

  // The rows come before the value, which is the number of one.
  static let values = [mode, rows, value, minimum, maximum, step]

  // MARK: Controls

  static let controls: [ViewProperty] = [
    ViewProperty(
      "states", of: .controls, .states, is: [.cosmetic, .nullable],
      get: { .fields(of: $0.stateColors, StateColors.parts) },
      set: { (control: Control, values) in
        var colors = control.stateColors
        values.apply(to: &colors, StateColors.parts)
        control.stateColors = colors
      },
      "The colours while it is pressed, selected or disabled."),
    ViewProperty(
      "tint", \ValueControl.colors.tintFill, .fill, is: [.cosmetic, .nullable],
      "The colour of the value; list: behind the chosen row. slider, progress, gauge: also a "
        + "[gradient](#gradients-gradient), along the track."),
    ViewProperty(
      "track", \ValueControl.colors.trackFill, .fill, is: [.cosmetic, .nullable, .fixed],
      "The colour of the rest, or a gradient as for `tint`; list: of the lines between rows, and behind a pressed row."
    ),
    ViewProperty(
      "thumb", of: ViewKinds.of(ValueControl.self).without(.list), \ValueControl.colors.thumb, .color,
      is: [.cosmetic, .nullable, .fixed], "The colour of the part that a finger moves, and of marks."),
  ]

  static let continuous = ViewProperty(
    "continuous", of: ViewKinds(with: .continuous), \ValueControl.isContinuous, .flag, is: .fixed,
    "Whether `value_changed` is sent at each change during a touch, or once at its end.")
}
