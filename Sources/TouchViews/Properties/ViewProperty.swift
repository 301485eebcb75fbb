import TouchCore

/// A property of a view that can be set while it is shown: by actions, clients, processes and plugins.
///
/// This is the one table of them: the configuration, the protocol, the plugin interface and `touchtree ctl set` use it.
public enum ViewProperty: String, CaseIterable, Sendable {
  case frame
  case boundsOrigin = "bounds_origin"
  case transform, alpha, hidden
  case userInteraction = "user_interaction"
  case enabled, selected, label, background
  case cornerRadius = "corner_radius"
  // The rows come before the value, which is the number of one.
  case border, text, font, image, z, rows, value, minimum, maximum, tint, page, indicator, slide
  case size, axis, spacing, insets, distribution, alignment, columns, segments, content

  /// The kinds of view that have the property.
  public func isProperty(of kind: ViewKind) -> Bool {
    switch self {
    case .boundsOrigin, .alpha, .hidden, .userInteraction, .label, .background, .cornerRadius, .border: true
    // The window covers the canvas.
    case .frame, .transform, .z, .size: kind != .window
    case .enabled, .selected: kind.isControl
    case .text: kind.hasText
    case .font: kind.hasFont
    case .image: kind == .image
    case .rows: kind == .list
    case .value: kind.hasValue
    case .minimum, .maximum: kind.hasLimits
    case .tint: kind.showsValue
    case .page, .indicator, .slide: kind == .pages
    case .axis, .spacing, .insets, .distribution, .alignment, .columns: kind == .stack
    case .segments: kind == .segmented
    case .content: kind == .scroll
    }
  }

  /// The kinds of view that have the property, for a message: "labels and buttons".
  public var owners: String {
    switch self {
    case .boundsOrigin, .alpha, .hidden, .userInteraction, .label, .background, .cornerRadius, .border:
      "views"
    case .frame, .transform, .z, .size: "views inside the window"
    case .enabled, .selected: "controls and buttons"
    case .text: "labels and buttons"
    case .font: "labels, buttons, segmented controls and lists"
    case .image: "images"
    case .rows: "lists"
    case .value: "controls with a value"
    case .minimum, .maximum: "controls with limits"
    case .tint: "sliders, switches, steppers, segmented controls, lists, progress bars and gauges"
    case .page, .indicator, .slide: "pages"
    case .axis, .spacing, .insets, .distribution, .alignment, .columns: "stacks"
    case .segments: "segmented controls"
    case .content: "scroll views"
    }
  }

  /// Whether the property of such a view is true or false, so that it can be toggled.
  public func isFlag(of kind: ViewKind) -> Bool {
    switch self {
    case .hidden, .userInteraction, .enabled, .selected, .indicator: true
    case .value: kind == .switch
    default: false
    }
  }

  /// The names of all properties.
  public static var names: [String] { allCases.map(\.rawValue) }

  /// The properties that a key and a text ask for, where all values are texts, as on a command line.
  ///
  /// A key may name a part of a property, such as `font.size`, and so may it wherever properties are set.
  static func split(_ entry: PropertyValue.Entry) -> PropertyValue.Entry {
    guard let dot = entry.key.firstIndex(of: ".") else { return entry }
    let part = String(entry.key[entry.key.index(after: dot)...])
    return PropertyValue.Entry(
      key: String(entry.key[..<dot]), value: .map([PropertyValue.Entry(key: part, value: entry.value)]))
  }

  /// What the property is now; nil if the view does not have it. Setting it to that changes nothing.
  public func value(of view: View) -> PropertyValue? {
    guard isProperty(of: view.kind) else { return nil }
    switch self {
    case .frame:
      let rect = view.layoutRect
      return .numbers(rect.origin.x, rect.origin.y, rect.size.width, rect.size.height)
    case .boundsOrigin: return .numbers(view.bounds.origin.x, view.bounds.origin.y)
    case .transform:
      let matrix = view.transform
      return .numbers(matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty)
    case .alpha: return .number(view.alpha)
    case .hidden: return .flag(view.isHidden)
    case .userInteraction: return .flag(view.isUserInteractionEnabled)
    case .enabled: return (view as? Control).map { .flag($0.isEnabled) }
    case .selected: return (view as? Control).map { .flag($0.isSelected) }
    case .label: return view.accessibilityLabel.map { .text($0) } ?? .null
    case .background: return view.appearance.background.map { .text($0.hex) } ?? .null
    case .cornerRadius: return .number(view.appearance.cornerRadius)
    case .border:
      return view.appearance.border.map {
        .fields(("color", .text($0.color.hex)), ("width", .number($0.width)))
      } ?? .null
    case .text: return ((view as? Label)?.text ?? (view as? Button)?.text).map { .text($0) }
    case .font:
      let style = (view as? Label)?.textStyle ?? (view as? Button)?.textStyle
      return (style ?? (view as? SegmentedControl)?.textStyle ?? (view as? ListView)?.textStyle)
        .map(Self.value(of:))
    case .image:
      return (view as? ImageView).map {
        $0.path.isEmpty ? .null : .fields(("path", .text($0.path)), ("mode", .text($0.mode.rawValue)))
      }
    case .z: return .number(view.z)
    case .rows: return (view as? ListView).map { .list($0.rows.map { .text($0) }) }
    case .value: return (view as? Control)?.value.map { $0.isFlag ? .flag($0.isOn) : .number($0.number) }
    case .minimum: return (view as? Control)?.value.map { .number($0.minimum) }
    case .maximum: return (view as? Control)?.value.map { .number($0.maximum) }
    case .tint: return (view as? ValueControl).map { .text($0.colors.tint.hex) }
    case .page: return (view as? PagesView).map { $0.page.map { .text($0.id) } ?? .null }
    case .indicator: return (view as? PagesView).map { .flag($0.showsIndicator) }
    case .slide:
      return (view as? PagesView).map { $0.slideAxis.map { .text($0.rawValue) } ?? .flag(false) }
    case .size:
      return .list([view.fixedWidth, view.fixedHeight].map { $0.map { .number($0) } ?? .null })
    case .axis, .spacing, .insets, .distribution, .alignment, .columns:
      return (view as? StackView).map { value(of: $0.arrangement) }
    case .segments: return (view as? SegmentedControl).map { .list($0.segments.map { .text($0) }) }
    case .content:
      return (view.kind == .scroll ? view as? ScrollView : nil).map {
        $0.scrolling.contentSize.map { .numbers($0.width, $0.height) } ?? .null
      }
    }
  }

  /// What the property is of a stack.
  private func value(of arrangement: StackView.Arrangement) -> PropertyValue {
    switch self {
    case .axis: return .text(arrangement.axis.rawValue)
    case .spacing: return .number(arrangement.spacing)
    case .insets:
      let insets = arrangement.insets
      return .numbers(insets.top, insets.left, insets.bottom, insets.right)
    case .distribution: return .text(arrangement.distribution.rawValue)
    case .alignment: return .text(arrangement.alignment.rawValue)
    case .columns: return arrangement.columns.map { .number(Double($0)) } ?? .null
    default: return .null
    }
  }

  private static func value(of style: TextStyle) -> PropertyValue {
    .fields(
      ("family", .text(style.family)), ("size", .number(style.size)),
      ("weight", .text(style.weight.rawValue)), ("color", .text(style.color.hex)),
      ("align", .text(style.alignment.rawValue)), ("valign", .text(style.verticalAlignment.rawValue)),
      ("lines", .number(Double(style.lines))))
  }
}

extension PropertyValue {
  fileprivate static func numbers(_ numbers: Double...) -> PropertyValue {
    .list(numbers.map { .number($0) })
  }

  fileprivate static func fields(_ fields: (key: String, value: PropertyValue)...) -> PropertyValue {
    .map(fields.map { Entry(key: $0.key, value: $0.value) })
  }
}
