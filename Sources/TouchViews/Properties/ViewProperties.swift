import TouchCore

extension ViewProperty {
  /// The table of properties, in the order in which the documents and `tree --json` have them. A new property
  /// is a row here and its variable in the view. One that others decide about is set after them: `last`.
  package static let table: [ViewProperty] =
    placing + flags + [label, isAnnounced, hint, isPrivate] + painting + texts + ofImages + [z] + values
    + controls
    + ofSliders + [continuous] + ofSteppers + ofLists + ofGauges + ofSpinners + ofCharts + ofTextFields
    + ofKeyboards
    + ofPages + ofSheets + [size, axis, scrollAxis, spacing, spacingAfter] + ofStacks + [segments]
    + ofScrollViews + touching + ofWindows + ViewKind.all.flatMap(\.properties)

  // MARK: Where a view lies

  package static let frame = ViewProperty(
    "frame", of: .insideWindow, .rect, is: [.nullable, .noDefault],
    get: { PropertyType.rect.write($0.layoutRect) }, set: { $0.layoutRect = $1 },
    problem: { (view: View, rect) in
      guard view.isArranged, rect != view.layoutRect else { return nil }
      return .badValue(
        .init(
          .other,
          view.superview?.kind == .stack
            ? "size [width, height], since the stack \(view.superview?.id ?? "") places the view"
            : "the view a frame in the file, since without one it fills its superview"))
    },
    "`[x, y, width, height]` in the superview, before the transform. Without it, a view is arranged by its "
      + "[stack](layout.md#stacks), is as long as its content in a [scroll view](scrolling.md#scroll-views), and fills "
      + "`pages`, a [sheet](scrolling.md#sheets) or the window; `check` warns of a button or a slider that does. Elsewhere it "
      + "is required.")

  package static let boundsOrigin = ViewProperty(
    "bounds_origin", .point(), get: { PropertyType.point().write(($0.scrollView ?? $0).bounds.origin) },
    set: { (view: View, origin) in
      // A scroll view goes on from there under a finger, and stays inside its content. Pages are at rest at
      // 0.
      if let scrollView = view.scrollView {
        scrollView.jump(to: origin)
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

  private static let z = ViewProperty(
    "z", of: .insideWindow, \View.behavior.z, .coordinate, is: .nullable,
    "The order among siblings: a larger one is in front, both drawn and touched.")

  // MARK: In a stack

  package static let size = ViewProperty(
    "size", of: .insideWindow, .lengths("width", "height"), is: .nullable,
    get: { PropertyType.lengths("width", "height").write([$0.fixedWidth, $0.fixedHeight]) },
    set: { (view: View, sides) in (view.fixedWidth, view.fixedHeight) = (sides[0], sides[1]) },
    "In a stack, and of a sheet: `[width, height]` of the view, whatever its content is; `null` for what the content "
      + "decides.")
  private static let spacingAfter = ViewProperty(
    "spacing_after", of: .insideWindow, \View.spacingAfter, PropertyType.length.orNone, is: .nullable,
    "In a row or a column of a stack: the space between the view and the next one, in place of `spacing`; `null` for "
      + "that.")

  // MARK: Every view

  private static let flags: [ViewProperty] = [
    alpha, hidden,
    ViewProperty(
      "user_interaction", \View.isUserInteractionEnabled, .flag,
      "Whether the view and everything in it can be touched. Default: `true`, but `false` for labels, images, progress "
        + "bars, gauges and charts."),
    ViewProperty("enabled", of: .controls, \Control.isEnabled, .flag, "A disabled one cannot be touched."),
    selected,
    ViewProperty(
      "focusable", of: .insideWindow, \View.isFocusable, PropertyType.flag.orNone,
      is: [.nullable, .uncounted],
      "Whether keys reach it. Default: controls, and views that wait for a tap. See [focus](keys.md#focus)."),
  ]

  package static let alpha = ViewProperty(
    "alpha", \View.alpha, .number(.fraction),
    "0 is invisible, 1 is opaque. At 0.01 and below the view cannot be touched.")
  package static let selected = ViewProperty(
    "selected", of: .controls, \Control.isSelected, .flag, "Marks it with a ring.")
  package static let hidden = ViewProperty(
    "hidden", \View.isHidden, .flag, "A hidden view and everything in it is neither drawn nor touched.")
  package static let label = ViewProperty(
    "label", \View.accessibilityLabel, PropertyType.name("a text").orNone, is: [.nullable, .uncounted],
    "The view's name for programs and for people who do not see it: in events, in `tree --json`, and in Home "
      + "Assistant. (UIKit's `accessibilityLabel`.)")
  private static let hint = ViewProperty(
    "hint", \View.accessibilityHint, PropertyType.name("a text").orNone, is: [.nullable, .uncounted],
    "The effect of using the view, for people who do not see it; in `tree --json`. (UIKit's `accessibilityHint`.)"
  )
  private static let isAnnounced = ViewProperty(
    "announce", of: .insideWindow, \View.isAnnounced, .flagOrAuto, is: .fixed,
    "Whether Home Assistant gets the view. `auto`: a control that holds a value, and what has a `label`.")
  private static let isPrivate = ViewProperty(
    "private", \View.isPrivate, .flag, is: .fixed,
    "Keeps events of the view, and of everything in it, from clients, MQTT, logs and traces. See [private "
      + "views](privacy.md#private-views).")

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
    "The view's shadow, in the shape of its corners.")

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
