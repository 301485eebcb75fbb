import TouchCore

// The rows of what controls hold and how they show it.

extension ViewProperty {
  // MARK: Values

  package static let rows = ViewProperty(
    "rows", of: [.list, .picker], .texts(0...10_000), is: .nullable,
    get: { (($0 as? ListView)?.rows ?? ($0 as? PickerView)?.rows).map { .list($0.map { .text($0) }) } },
    set: { (control: ValueControl, rows) in
      (control as? ListView)?.rows = rows
      (control as? PickerView)?.rows = rows
    }, "The texts, from top to bottom. Default: none.")
  package static let rowHeight = ViewProperty(
    "row_height", \ListView.rowHeight, .number(.extent), is: [.nullable, .fixed], "The height of each row.")
  package static let mode = ViewProperty(
    "mode", \PickerView.mode, .word, is: [.fixed, .first],
    "What the wheels are for: `list` (of `rows`), `number`, `time` or `date`. See [pickers](#pickers).")
  package static let segments = ViewProperty(
    "segments", \SegmentedControl.segments, .texts(1...10_000),
    "The texts on the segments, from left to right. Required there.")

  package static let value = ViewProperty(
    "value", of: .withValue, .controlValue, is: [.nullable, .givesValue, .noDefault, .last],
    get: { $0.value.map { $0.isFlag ? .flag($0.isOn) : .number($0.number) } },
    set: { (control: Control, number) in control.value?.number = number },
    "[What it holds](#controls). Default: `minimum`; `false` for a switch, -1 for a segmented control and a list, 0 for a "
      + "picker. That of a picker is also written as a time or a date: `21:30`, `2026-11-23`. A view "
      + "of the kind `control` has a value if this, `minimum`, `maximum` or `step` is given.")
  package static let minimum = ViewProperty(
    "minimum", of: .withLimits, .controlLimit, is: [.nullable, .givesValue],
    get: { $0.value.map { .number($0.minimum) } },
    set: { (control: Control, number) in control.value?.setLimits(minimum: number) }, "The smallest value.")
  package static let maximum = ViewProperty(
    "maximum", of: .withLimits, .controlLimit, is: [.nullable, .givesValue],
    get: { $0.value.map { .number($0.maximum) } },
    set: { (control: Control, number) in control.value?.setLimits(maximum: number) },
    "The largest value. Default: 1, for a stepper 100; for a picker by its "
      + "`mode`.")
  package static let step = ViewProperty(
    "step", of: .withLimits, .step, is: [.nullable, .givesValue, .fixed],
    get: { $0.value.map { .number($0.step) } },
    set: { (control: Control, step) in
      guard let old = control.value else { return }
      control.value = ControlValue(old.number, minimum: old.minimum, maximum: old.maximum, step: step)
    },
    "The distance between values, counted from `minimum`; the last one is `maximum`, even if it is nearer. 0 allows any "
      + "value. Default: 0, for a stepper and a picker 1. Of a time, that of the minutes, which divides 60 evenly."
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
      "The colour of what stands for the value; list: behind the chosen row. Of a slider, a progress bar and a gauge also a "
        + "[gradient](#gradients-gradient), from the beginning of the track to its end."),
    ViewProperty(
      "track", \ValueControl.colors.trackFill, .fill, is: [.cosmetic, .nullable, .fixed],
      "The colour of the rest, or a gradient as for `tint`; list: of the lines between rows, and behind a pressed row."
    ),
    ViewProperty(
      "thumb", of: ViewKinds(of: ValueControl.self).without(.list), \ValueControl.colors.thumb, .color,
      is: [.cosmetic, .nullable, .fixed], "The colour of the part that a finger moves, and of marks."),
    ViewProperty(
      "jumps", \Slider.jumps, .flag, is: .fixed, "Whether a touch on the track moves the thumb there."),
    ViewProperty(
      "continuous", of: [.slider, .stepper], \ValueControl.isContinuous, .flag, is: .fixed,
      "Whether `value_changed` is sent at each change during a touch, or once at its end."),
    ViewProperty(
      "autorepeat", \Stepper.autorepeats, .flag, is: .fixed,
      "Whether a finger that stays repeats the step, faster and faster."),
    ViewProperty(
      "wraps", \Stepper.wraps, .flag, is: .fixed, "Whether a step beyond one limit leads to the other limit."),
    rowHeight,
    ViewProperty(
      "leading_actions", \ListView.leadingActions, .texts(0...8), is: .nullable,
      "What lies behind each row at its left, the outermost first. See [lists](#lists). Default: nothing."),
    ViewProperty(
      "trailing_actions", \ListView.trailingActions, .texts(0...8), is: .nullable,
      "The same at its right. Default: nothing."),
    ViewProperty(
      "destructive_actions", \ListView.destructiveActions, .texts(0...16), is: .nullable,
      "Those of the actions that are red. Default: none."),
    ViewProperty(
      "destructive", \ListView.destructiveColor, .color, is: [.cosmetic, .nullable, .fixed],
      "The colour behind those actions."),
    ViewProperty("gauge", \Gauge.style, .word, is: .fixed, "What shows the value: `needle` or `arc`."),
    startAngle, endAngle,
  ]

  package static let startAngle = ViewProperty(
    "start_angle", \Gauge.startAngle, .number(.angle), is: [.nullable, .fixed],
    "Where the scale begins, in degrees clockwise from twelve o'clock.")
  package static let endAngle = ViewProperty(
    "end_angle", \Gauge.endAngle, .number(.angle), is: [.nullable, .fixed],
    "Where the scale ends: above `start_angle`, by at most 360.")

  // MARK: Charts

  package static let chart = ViewProperty(
    "chart", \ChartView.style, .word,
    "How the values are shown: `line`, `area` or `bars`. See [charts](#charts).")
  package static let chartValues = ViewProperty(
    "of", \ChartView.names, .names, is: [.fixed, .noDefault],
    "The name of the value that it shows, or a list of names.")
  static let charts: [ViewProperty] = [
    chartValues,
    ViewProperty(
      "seconds", \ChartView.seconds, .number(.seconds), is: .nullable, "How many seconds it shows."),
    chart,
    ViewProperty(
      "minimum", \ChartView.minimum, PropertyType.coordinate.orNone, is: .nullable,
      "The lower end of the scale. Default: what the values need; an `area` and `bars` reach to 0."),
    ViewProperty(
      "maximum", \ChartView.maximum, PropertyType.coordinate.orNone, is: .nullable,
      "The upper end of the scale. Default: what the values need."),
    ViewProperty(
      "tint", \ChartView.tint, .color, is: [.cosmetic, .nullable],
      "The colour of its first value; the others have colours of their own."),
    ViewProperty(
      "track", \ChartView.gridColor, .color, is: [.cosmetic, .nullable, .fixed],
      "The colour of the lines behind the values."),
  ]
}
