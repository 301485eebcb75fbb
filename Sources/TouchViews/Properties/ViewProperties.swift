import TouchCore

extension ViewProperty {
  /// The table of properties, in the order in which the documents and `tree --json` have them.
  ///
  /// A new property is a row here and its variable in the view. One that others decide
  /// about is set after them: `last`.
  package static let table: [ViewProperty] =
    placing + flags + [label, hint, isPrivate] + painting + texts + pictures + values + controls + charts
    + entry
    + keyboards
    + pages + sheets + layout + scrolling + touching

  // MARK: Where a view lies

  package static let frame = ViewProperty(
    "frame", of: .insideWindow, .rect, is: [.nullable, .noDefault],
    get: { PropertyType.rect.write($0.layoutRect) }, set: { $0.layoutRect = $1 },
    problem: { (view: View, rect) in
      guard view.isArranged, rect != view.layoutRect else { return nil }
      return .badValue(
        .init(
          .other,
          view.superview is StackView
            ? "size [width, height], since the stack \(view.superview?.id ?? "") places the view"
            : "the view a frame in the file, since without one it fills its superview"))
    },
    "`[x, y, width, height]` in the superview, before the transform. Required, except of a [sheet](#sheets), and in a "
      + "[stack](#stacks), in a [scroll view](#scroll-views), in a sheet, in `pages` and in the window: without a frame, a "
      + "view is arranged by the stack, is as long as its content in the scroll view, or fills the others; `check` warns of "
      + "a button or a slider that does.")

  package static let boundsOrigin = ViewProperty(
    "bounds_origin", .point(), get: { PropertyType.point().write($0.bounds.origin) },
    set: { (view: View, origin) in
      // A scroll view ends a motion, and stays inside its content. Pages are at rest at 0.
      if view.kind == .scroll, let scrollView = view as? ScrollView {
        scrollView.contentOffset = origin
      } else {
        view.bounds.origin = origin
      }
    },
    "The scroll offset: the point of the view's own space that is at its top-left corner.")

  private static let placing: [ViewProperty] = [
    frame, boundsOrigin,
    ViewProperty(
      "transform", of: .insideWindow, \View.transform, .transform, is: [.nullable, .noDefault],
      "A matrix `[a, b, c, d, tx, ty]`, or a mapping; about the anchor."),
    ViewProperty(
      "anchor", \View.anchorPoint, .point(), is: .fixed,
      "The fixed point of the transform, as a fraction of the view."),
  ]

  // MARK: Every view

  private static let flags: [ViewProperty] = [
    alpha, hidden,
    ViewProperty(
      "user_interaction", \View.isUserInteractionEnabled, .flag,
      "Whether the view and everything in it can be touched. Default: `true`, but `false` for labels, images, progress "
        + "bars, gauges and charts."),
    ViewProperty(
      "enabled", of: .controls, \Control.isEnabled, .flag, "A disabled one cannot be touched."),
    selected,
    ViewProperty(
      "focusable", of: .insideWindow, \View.isFocusable, PropertyType.flag.orNone, is: .nullable,
      "Whether keys reach it. Default: controls, and views that wait for a tap. See [focus](#focus)."),
  ]

  package static let alpha = ViewProperty(
    "alpha", \View.alpha, .number(.fraction),
    "0 is invisible, 1 is opaque. At 0.01 and below the view cannot be touched.")
  package static let selected = ViewProperty(
    "selected", of: .controls, \Control.isSelected, .flag, "Marks it with a ring.")
  package static let hidden = ViewProperty(
    "hidden", \View.isHidden, .flag, "A hidden view and everything in it is neither drawn nor touched.")
  package static let label = ViewProperty(
    "label", \View.accessibilityLabel, PropertyType.name("a text").orNone, is: .nullable,
    "What the view is called to programs and to people who do not see it: in events, in `tree --json`, and in Home "
      + "Assistant. (UIKit's `accessibilityLabel`.)")
  private static let hint = ViewProperty(
    "hint", \View.accessibilityHint, PropertyType.name("a text").orNone, is: .nullable,
    "What happens when the view is used, for people who do not see it; in `tree --json`. (UIKit's `accessibilityHint`.)"
  )
  private static let isPrivate = ViewProperty(
    "private", \View.isPrivate, .flag, is: .fixed,
    "Keeps what happens in the view, and in everything in it, from clients, MQTT, logs and traces. See [private "
      + "views](#private-views).")

  package static let cornerRadius = ViewProperty(
    "corner_radius", \View.corners, .corners, is: .cosmetic,
    "The radius of the corners, or one for each: `[top left, top right, bottom right, bottom left]`. Default: 0, of a sheet 14, "
      + "of a text field 8.")

  private static let painting: [ViewProperty] = [
    ViewProperty(
      "background", \View.fill, PropertyType.fill.orNone, is: [.cosmetic, .nullable],
      "The colour that fills the view, or a [gradient](#gradients-gradient). Default: `none`, of a sheet `#26303a`, of a text "
        + "field `#141b23`, of a keyboard `#1a2129`."),
    cornerRadius,
    border,
    shadow,
  ]

  private static let shadow = ViewProperty(
    "shadow", .shadow, is: [.cosmetic, .nullable],
    get: { $0.shadow.map { .fields(of: $0, Shadow.parts) } ?? .null },
    set: { (view: View, values) in
      guard let values else {
        view.shadow = nil
        return
      }
      var shadow = view.shadow ?? Shadow()
      values.apply(to: &shadow, Shadow.parts)
      view.shadow = shadow
    },
    "What the view throws on what is behind it, in the shape of its corners.")

  package static let border = ViewProperty(
    "border", .border, is: [.cosmetic, .nullable],
    get: { BorderValue(of: $0).map { .fields(of: $0, BorderValue.parts) } ?? .null },
    set: { (view: View, values) in
      guard let values else {
        (view.border, view.borderGradient) = (nil, nil)
        return
      }
      guard
        var border = BorderValue(of: view) ?? values.value("color").map({ BorderValue(fill: $0, width: 1) })
      else { return }
      values.apply(to: &border, BorderValue.parts)
      border.set(on: view)
    },
    problem: { (view: View, values) in
      guard let values, !values.has("color"), view.appearance.border == nil else { return nil }
      return .badValue(.init(.other, "it a color too: {color: \"#ffffff\", width: 2}"))
    },
    "A line inside the view's edges. Default: none, of a text field a thin grey one.")

  // MARK: Texts and pictures

  package static let text = ViewProperty(
    "text", of: [.label, .button, .textField], .text, is: .cosmetic,
    get: { (($0 as? Label)?.text ?? ($0 as? Button)?.text ?? ($0 as? TextField)?.text).map { .text($0) } },
    set: { (view: View, text) in
      (view as? Label)?.text = text
      (view as? Button)?.text = text
      (view as? TextField)?.text = text
    },
    "The text; of a text field, what is written in it.")
  package static let font = ViewProperty(
    "font", of: .withFont, .font, is: [.cosmetic, .nullable],
    get: { ($0 as? any TextStyled).map { TextStyle.value(of: $0.textStyle) } },
    set: { (view: View, values) in
      guard let styled = view as? any TextStyled else { return }
      values.apply(to: &styled.textStyle, TextStyle.parts)
    },
    "How the text looks.")

  package static let detail = ViewProperty(
    "detail", of: [.label, .button], .text, is: .cosmetic,
    get: { (($0 as? Label)?.detail ?? ($0 as? Button)?.detail).map { .text($0) } },
    set: { (view: View, text) in
      (view as? Label)?.detail = text
      (view as? Button)?.detail = text
    },
    "A second line below the text, which is one line then.")
  package static let icon = ViewProperty(
    "icon", of: [.label, .button, .image], .icon, is: [.cosmetic, .nullable],
    get: { (view: View) in
      (view as? any IconHolding).map { $0.icon.isShown ? .fields(of: $0.icon, Icon.parts) : .null }
    },
    set: { (view: View, values) in
      guard let view = view as? any IconHolding else { return }
      var icon = view.icon
      values.apply(to: &icon, Icon.parts)
      if icon != view.icon { view.icon = icon }
    },
    "The name of an [icon](#icons), or a mapping.")
  package static let icons = ViewProperty(
    "icons", of: [.list, .segmented], .iconNames(0...10_000), is: [.cosmetic, .nullable],
    get: {
      (($0 as? ListView)?.icons ?? ($0 as? SegmentedControl)?.icons).map { .list($0.map { .text($0) }) }
    },
    set: { (control: ValueControl, icons) in
      (control as? ListView)?.icons = icons
      (control as? SegmentedControl)?.icons = icons
    },
    "The names of the [icons](#icons) of its rows or segments, in their order; `\"\"` is none. Default: none."
  )

  private static let texts: [ViewProperty] = [
    text, font, detail,
    ViewProperty(
      "detail_font", of: [.label, .button], .font, is: [.cosmetic, .nullable, .last],
      get: { (view: View) in
        ((view as? Label)?.shownDetailStyle ?? (view as? Button)?.shownDetailStyle).map(TextStyle.value(of:))
      },
      set: { (view: View, values) in
        guard var style = (view as? Label)?.shownDetailStyle ?? (view as? Button)?.shownDetailStyle else {
          return
        }
        values.apply(to: &style, TextStyle.parts)
        (view as? Label)?.detailStyle = style
        (view as? Button)?.detailStyle = style
      },
      "How the second line looks. Default: as the text, at five sixths of its size and two thirds of its strength."
    ),
    icon, icons,
    ViewProperty(
      "padding", of: ViewKinds.withFont.without(.segmented).without(.chart).without(.keyboard),
      PropertyType.insets.orNone,
      is: [.cosmetic, .nullable, .fixed],
      get: { ($0 as? any TextStyled).map { PropertyType.insets.orNone.write($0.textStyle.padding) } },
      set: { (view: View, padding) in (view as? any TextStyled)?.textStyle.padding = padding },
      "Left free between the edges of the view, or of a row, and the text: one number, or `[top, left, bottom, right]`. "
        + "Default: 0, but at the left and the right 8 for a button, 12 for a text field and 16 for a list."),
  ]

  // MARK: Text fields

  package static let editing = ViewProperty(
    "editing", \TextField.isEditing, .flag, is: .last,
    "Whether it is the one that is typed into: setting it shows or hides the caret, and the keyboard. See [text "
      + "fields](#text-fields).")

  private static let entry: [ViewProperty] = [
    ViewProperty(
      "secure", \TextField.isSecure, .flag, is: .fixed,
      "Whether its letters are shown as dots; it is [private](#private-views) then."),
    ViewProperty(
      "limit", \TextField.limit, PropertyType.integer(1...10_000).orNone, is: [.nullable, .fixed, .first],
      "The most letters that can be written. Default: any number."),
    ViewProperty(
      "placeholder", \TextField.placeholder, .text, is: .cosmetic,
      "A text that is shown while nothing is written."),
    ViewProperty(
      "keyboard", \TextField.keyboard, .word, is: [.nullable, .fixed],
      "The keys that a keyboard on the screen offers: `text`, `number`, `pin` (digits alone), `email` or `url`."
    ),
    ViewProperty(
      "return", \TextField.returnKey, .word, is: [.nullable, .fixed],
      "What the return key does after the actions `returned`: `done` and `search` end editing, `next` goes on to the "
        + "next text field."),
    ViewProperty(
      "clear_button", \TextField.hasClearButton, .flag, is: .fixed,
      "Whether a button at the right end deletes what is written, while it is edited."),
    ViewProperty(
      "tint", \TextField.tint, .color, is: [.cosmetic, .nullable],
      "The colour of the caret, of what is selected, and of the line around a field that is edited."),
    editing,
  ]

  package static let keyboardLayout = ViewProperty(
    "layout", \KeyboardView.layoutName, .name("the name of a layout, such as german"),
    is: [.nullable, .fixed, .noDefault],
    "Its keys: the name of a [layout](text.md#layouts), or a language. Default: the `layout` of `keyboard`.")

  private static let keyboards: [ViewProperty] = [
    keyboardLayout,
    ViewProperty(
      "always", \KeyboardView.isAlways, .flag, is: .fixed,
      "Whether it stands there all the time. If not, it comes when a text field is edited, and goes with that."
    ),
    ViewProperty(
      "tint", \KeyboardView.tint, .color, is: [.cosmetic, .nullable],
      "The colour of a pressed key, and of the return key."),
  ]

  package static let image = ViewProperty(
    "image", .picture, is: [.cosmetic, .nullable],
    get: { $0.path.isEmpty ? .null : .fields(of: $0, ImageView.parts) },
    set: { (view: ImageView, values) in
      var view = view
      values.apply(to: &view, ImageView.parts)
    },
    "The path of a PNG or JPEG file, or a mapping.")
  package static let imageMode = ViewProperty(
    "image_mode", \ImageView.mode, .word, is: [.cosmetic, .fixed],
    "`fit`, `fill`, `stretch` or `center`; also of a picture that a program sets later.")

  private static let pictures = [
    image, imageMode,
    ViewProperty(
      "z", of: .insideWindow, \View.behavior.z, .coordinate, is: .nullable,
      "The order among siblings: a larger one is in front, both drawn and touched."),
  ]

  // MARK: Values

  package static let rows = ViewProperty(
    "rows", of: [.list, .picker], .texts(0...10_000), is: .nullable,
    get: { (($0 as? ListView)?.rows ?? ($0 as? PickerView)?.rows).map { .list($0.map { .text($0) }) } },
    set: { (control: ValueControl, rows) in
      (control as? ListView)?.rows = rows
      (control as? PickerView)?.rows = rows
    }, "The texts, from top to bottom. Default: none.")
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
      + "value. Default: 0, for a stepper and a picker 1. Of a time, that of the minutes.")

  // The rows come before the value, which is the number of one.
  private static let values = [mode, rows, value, minimum, maximum, step]

  // MARK: Controls

  private static let controls: [ViewProperty] = [
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
    ViewProperty(
      "row_height", \ListView.rowHeight, .number(.extent), is: [.nullable, .fixed], "The height of each row."),
    ViewProperty(
      "leading_actions", \ListView.leadingActions, .texts(0...8), is: .nullable,
      "What lies behind each row at its left, the outermost first. See [lists](#lists). Default: nothing."),
    ViewProperty(
      "trailing_actions", \ListView.trailingActions, .texts(0...8), is: .nullable,
      "The same at its right. Default: nothing."),
    ViewProperty(
      "destructive_actions", \ListView.destructiveActions, .texts(0...16), is: .nullable,
      "Those of the actions that are red. Default: none."),
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
  private static let charts: [ViewProperty] = [
    chartValues,
    ViewProperty(
      "seconds", \ChartView.seconds, .number(.seconds), is: .nullable, "How many seconds it shows."),
    chart,
    ViewProperty(
      "minimum", \ChartView.minimum, PropertyType.coordinate.orNone, is: .nullable,
      "The lower end of the scale. Default: what the values need."),
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

  // MARK: Pages

  package static let page = ViewProperty(
    "page", .name("the id of one of its subviews"), is: .nullable,
    get: { $0.page.map { .text($0.id) } ?? .null },
    set: { pages, id in pages.page = pages.subviews.first { $0.id == id } },
    problem: { (pages: PagesView, id) in
      let ids = pages.pages.map(\.id)
      guard !ids.contains(id) else { return nil }
      return .badValue(.init(.name, "the id of one of its subviews: \(ids.joined(separator: ", "))"))
    },
    "The id of the subview that is shown. Default: the first one. See [pages](#pages).")
  package static let slide = ViewProperty(
    "slide", \PagesView.slideAxis, .slide, is: .nullable,
    "Whether a finger slides from page to page: `horizontal` or `true`, `vertical`, or `false`. See [pages](#pages)."
  )

  private static let pages: [ViewProperty] = [
    page,
    ViewProperty(
      "indicator", \PagesView.showsIndicator, .flag,
      "Whether a dot for each page is shown at the bottom edge. A tap on its right half shows the next page, on its left "
        + "half the previous one."),
    slide,
  ]

  // MARK: Sheets

  package static let presented = ViewProperty(
    "presented", \SheetView.isPresented, .flag,
    "Whether it is shown, over everything else. See [sheets](#sheets).")

  private static let sheets: [ViewProperty] = [
    ViewProperty(
      "alert", \SheetView.isAlert, .flag, is: .fixed,
      "Whether it is a small one in the middle, which neither a tap beside it nor a drag closes."),
    presented,
  ]

  // MARK: Layout

  package static let size = ViewProperty(
    "size", of: .insideWindow, .lengths("width", "height"), is: .nullable,
    get: { PropertyType.lengths("width", "height").write([$0.fixedWidth, $0.fixedHeight]) },
    set: { (view: View, sides) in (view.fixedWidth, view.fixedHeight) = (sides[0], sides[1]) },
    "In a stack, and of a sheet: `[width, height]` of the view, whatever its content is; `null` for what the content "
      + "decides.")
  package static let axis = ViewProperty(
    "axis", \StackView.arrangement.axis, .word, is: .nullable,
    "The direction of its views: `horizontal` or `vertical`. Default: `horizontal`.")
  package static let columns = ViewProperty(
    "columns", \StackView.arrangement.columns, PropertyType.integer(1...100).orNone, is: .nullable,
    "The number of views side by side in a grid, 1 to 100. Default: no grid.")

  private static let layout: [ViewProperty] = [
    size, axis,
    ViewProperty(
      "axis", of: [.scroll], \ScrollView.scrolling.axis, .word, is: [.nullable, .fixed],
      "Along which axes it scrolls: `horizontal`, `vertical` or `auto`, which is the default: each axis along which the "
        + "content is longer than the view."),
    ViewProperty(
      "spacing", \StackView.arrangement.spacing, .length, is: .nullable, "The space between two views."),
    ViewProperty(
      "spacing_after", of: .insideWindow, \View.spacingAfter, PropertyType.length.orNone, is: .nullable,
      "In a row or a column of a stack: the space between the view and the next one, in place of `spacing`; `null` for "
        + "that."),
    ViewProperty(
      "insets", \StackView.arrangement.insets, .insets, is: .nullable,
      "The space at its edges: one number, or `[top, left, bottom, right]`."),
    ViewProperty(
      "distribution", \StackView.arrangement.distribution, .word, is: .nullable,
      "How its views share the room along the axis: `fill`, `fill_equally`, `fill_proportionally`, `equal_spacing` or "
        + "`equal_centering`."),
    ViewProperty(
      "alignment", \StackView.arrangement.alignment, .word, is: .nullable,
      "Where its views lie across the axis: `fill`, `leading`, `center` or `trailing`."),
    columns, segments,
  ]

  // MARK: Scroll views

  private static let scrolling: [ViewProperty] = [
    ViewProperty(
      "content", of: [.scroll], \ScrollView.scrolling.contentSize, PropertyType.size.orNone, is: .nullable,
      "`[width, height]` of the content. Default: as large as the subviews."),
    ViewProperty(
      "paging", of: [.scroll], \ScrollView.scrolling.isPaging, .flag, is: .fixed,
      "Whether it stops at multiples of its own size."),
    ViewProperty(
      "bounces", of: [.scroll], \ScrollView.scrolling.bounces, .flag, is: .fixed,
      "Whether the content can be dragged beyond its edges, and springs back."),
    ViewProperty(
      "indicators", of: [.scroll], \ScrollView.scrolling.showsIndicators, .flag, is: .fixed,
      "Whether bars show for a moment which part is seen."),
    ViewProperty(
      "delays_touches", of: [.scroll], \ScrollView.scrolling.delaysTouches, .flag, is: .fixed,
      "Whether a touch reaches the content only after a rest of 150 ms, or when it lifts."),
    ViewProperty(
      "cancels_touches", of: [.scroll], \ScrollView.scrolling.cancelsTouches, .word, is: [.nullable, .fixed],
      "Whether a touch that the content already has can still scroll: `auto`, `always` or `never`. `auto`: not that of a "
        + "control other than a list."),
    ViewProperty(
      "deceleration", of: [.scroll], \ScrollView.scrolling.deceleration, .word, is: [.nullable, .fixed],
      "How fast it slows down: each millisecond it keeps 99.8 % of its speed (`normal`), or 99 % (`fast`)."),
    ViewProperty(
      "directional_lock", of: [.scroll], \ScrollView.scrolling.locksDirection, .flag, is: .fixed,
      "Whether a drag that begins along one axis stays on it, where both scroll."),
    ViewProperty(
      "minimum_zoom", of: [.scroll], \ScrollView.scrolling.minimumZoom, .number(.zoom), is: .fixed,
      "How far two fingers make the content smaller, as a multiple of its size. See [zooming](#zooming)."),
    ViewProperty(
      "maximum_zoom", of: [.scroll], \ScrollView.scrolling.maximumZoom, .number(.zoom), is: .fixed,
      "How far two fingers, or a double tap, make it larger. It zooms where this is above `minimum_zoom`."),
    ViewProperty(
      "zoom", of: [.scroll], \ScrollView.zoomScale, .number(.zoom), is: .last,
      "How large the content is shown, as a multiple of its size; the nearest that the limits allow."),
  ]

  // MARK: Touches

  package static let clips = ViewProperty(
    "clips", \View.clipsToBounds, .flag, is: .fixed,
    "Whether drawing stops at the view's edges. Default: `false`, but `true` for a scroll view and for pages that slide. "
      + "It limits touches only with `overflow_hits` or `shape: children`.")

  private static let touching: [ViewProperty] = [
    clips,
    ViewProperty(
      "multiple_touch", \View.isMultipleTouchEnabled, .flag, is: .fixed,
      "Whether the view receives more than one touch at a time."),
    ViewProperty(
      "exclusive_touch", \View.isExclusiveTouch, .flag, is: .fixed,
      "While the view has a touch, no other view receives one. Gestures see all touches."),
    ViewProperty(
      "forwards", \View.forwards, .flag, is: .fixed,
      "Whether touches go on to the next responder. Default: `true`, but `false` for controls and buttons."),
    ViewProperty(
      "hit_slop", \View.behavior.slop, .insets, is: [.nullable, .fixed],
      "How far outside its edges the view can be touched: one number, or `[top, left, bottom, right]`."),
    ViewProperty(
      "pointer_events", \View.behavior.pointerEvents, .word, is: [.nullable, .fixed],
      "`none`: neither the view nor its subviews can be touched. `box-only`: only the view. `box-none`: only its "
        + "subviews."),
    ViewProperty(
      "overflow_hits", \View.behavior.overflows, .flag, is: [.nullable, .fixed],
      "Whether subviews can be touched outside the view, unless it clips."),
    ViewProperty(
      "tracking", \View.tracking, .word, is: [.nullable, .fixed],
      "`slide_over`: views with this value report `entered` and `left` when a finger slides over them, as a keyboard "
        + "needs. It applies to all subviews."),
    ViewProperty(
      "tracking_outset", of: .controls, \Control.trackingOutset, .length, is: [.nullable, .fixed],
      "How far outside its edges a touch that began on it still counts as inside."),
  ]
}
