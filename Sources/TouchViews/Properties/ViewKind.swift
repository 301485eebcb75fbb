import TouchCore

/// What a view is, by its name in a configuration.
///
/// A new kind is its class, a case with its row here, and its picture in `TreePainter.paintContent`. Whatever else differs by
/// kind reads the row.
package enum ViewKind: String, CaseIterable, Sendable {
  /// `View`
  case view
  /// `Control`
  case control
  /// `Label`
  case label
  /// `Button`
  case button
  /// `ImageView`
  case image
  /// `PagesView`
  case pages
  /// `StackView`
  case stack
  /// `ScrollView`
  case scroll
  /// `SheetView`
  case sheet
  /// `Slider`
  case slider
  /// `Switch`
  case `switch`
  /// `Stepper`
  case stepper
  /// `SegmentedControl`
  case segmented
  /// `ListView`
  case list
  /// `PickerView`
  case picker
  /// `TextField`
  case textField = "text_field"
  /// `ProgressView`
  case progress
  /// `Gauge`
  case gauge
  /// `ChartView`
  case chart
  /// `KeyboardView`
  case keyboard
  /// There is one, which is not declared as the other views are.
  case window

  /// The kinds that a configuration declares.
  package static let declared = allCases.filter { $0 != .window }

  /// What a view of the kind does with touches, until it is told otherwise.
  package enum Touches: Sendable {
    /// They go to what is behind it: its user interaction is off.
    case none
    /// They go on to the next responder.
    case forwarded
    /// It keeps them, and sends actions.
    case actions
  }

  /// What a view of the kind is to a program, such as Home Assistant.
  package enum Role: Hashable, Sendable {
    /// It has nothing that a program would show.
    case none
    /// It is pressed.
    case press
    /// It shows a text.
    case text
    /// It holds true or false, which a finger turns over.
    case flag
    /// It may hold a number, which a finger changes by a step or by dragging.
    case number(isStepped: Bool)
    /// It shows a number.
    case reading
    /// It holds a text, which people type.
    case entry
    /// It holds which of its texts is chosen: what one of them is called.
    case choice(of: String)
    /// It shows one of its subviews.
    case pages
  }

  /// A row of the table of kinds.
  package struct Row: Sendable {
    /// The class; a subclass of it is of the same kind, unless it has one of its own.
    package let viewClass: View.Type
    /// Makes a view of the class.
    package let make: @Sendable (_ id: String) -> View
    /// One of them in a sentence, and several: "an image", "images".
    package let one, many: String
    /// What it does with touches.
    package let touches: Touches
    /// What it is to a program.
    package let role: Role
    /// Whether it is hardly ever as large as the window, so that one without a frame was probably forgotten.
    package let isSmall: Bool

    fileprivate init<Class: View>(
      _ one: String, _ many: String, _ touches: Touches, _ role: Role, isSmall: Bool = false,
      make: @escaping @Sendable (_ id: String) -> Class
    ) {
      (viewClass, self.make) = (Class.self, make)
      (self.one, self.many, self.touches, self.role, self.isSmall) = (one, many, touches, role, isSmall)
    }
  }

  /// What there is to know of the kind.
  package var row: Row {
    switch self {
    case .view: Row("a view", "views", .forwarded, .none) { View(id: $0) }
    case .control: Row("a control", "controls", .actions, .number(isStepped: false)) { Control(id: $0) }
    case .button: Row("a button", "buttons", .actions, .press, isSmall: true) { Button(id: $0) }
    case .label: Row("a label", "labels", .none, .text) { Label(id: $0) }
    case .image: Row("an image", "images", .none, .none) { ImageView(id: $0) }
    case .pages: Row("a view of pages", "pages", .forwarded, .pages) { PagesView(id: $0) }
    case .stack: Row("a stack", "stacks", .forwarded, .none) { StackView(id: $0) }
    case .scroll: Row("a scroll view", "scroll views", .forwarded, .none) { ScrollView(id: $0) }
    case .sheet: Row("a sheet", "sheets", .forwarded, .none) { SheetView(id: $0) }
    case .slider:
      Row("a slider", "sliders", .actions, .number(isStepped: false), isSmall: true) { Slider(id: $0) }
    case .switch: Row("a switch", "switches", .actions, .flag, isSmall: true) { Switch(id: $0) }
    case .stepper:
      Row("a stepper", "steppers", .actions, .number(isStepped: true), isSmall: true) { Stepper(id: $0) }
    case .segmented:
      Row(
        "a segmented control", "segmented controls", .actions, .choice(of: "segment"),
        isSmall: true
      ) {
        SegmentedControl(id: $0)
      }
    case .list: Row("a list", "lists", .actions, .choice(of: "row")) { ListView(id: $0) }
    case .picker: Row("a picker", "pickers", .actions, .number(isStepped: false)) { PickerView(id: $0) }
    case .textField: Row("a text field", "text fields", .actions, .entry, isSmall: true) { TextField(id: $0) }
    case .progress:
      Row("a progress bar", "progress bars", .none, .reading, isSmall: true) { ProgressView(id: $0) }
    case .gauge: Row("a gauge", "gauges", .none, .reading) { Gauge(id: $0) }
    case .chart: Row("a chart", "charts", .none, .none) { ChartView(id: $0) }
    case .keyboard: Row("a keyboard", "keyboards", .forwarded, .none) { KeyboardView(id: $0) }
    case .window: Row("the window", "windows", .forwarded, .none) { Window(id: $0, size: .zero) }
    }
  }

  /// The kinds by their classes: the class of a row is the one that its subclasses name as `standardHitTestClass`.
  fileprivate static let byClass = Dictionary(
    uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.row.viewClass), $0) })

  /// Whether it tracks touches, sends actions, and can be disabled.
  package var isControl: Bool { row.touches == .actions }
  /// Whether it has a text of its own.
  package var hasText: Bool { ViewProperty.text.owners.contains(self) }
  /// Whether it has a font, and shows a text.
  package var hasFont: Bool { ViewProperty.font.owners.contains(self) }
  /// Whether it is a control that shows its value by itself. (`ValueControl`)
  package var showsValue: Bool { row.viewClass is ValueControl.Type }
}

/// Some of the kinds of view, and the words for them.
package struct ViewKinds: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// In the order of the table.
  package let kinds: [ViewKind]

  /// Those of the table that belong.
  package init(where belongs: (ViewKind) -> Bool) { kinds = ViewKind.allCases.filter(belongs) }

  /// Each once, in the order of the table.
  package init(arrayLiteral kinds: ViewKind...) { self.init { kinds.contains($0) } }

  /// The kinds whose class this is, or a superclass of theirs.
  package init<Class: View>(of viewClass: Class.Type) { self.init { $0.row.viewClass is Class.Type } }

  /// Whether it is one of them.
  package func contains(_ kind: ViewKind) -> Bool { kinds.contains(kind) }

  /// These and others.
  package func union(_ others: ViewKinds) -> ViewKinds {
    ViewKinds { contains($0) || others.contains($0) }
  }

  /// These without one.
  func without(_ kind: ViewKind) -> ViewKinds { ViewKinds { $0 != kind && contains($0) } }

  /// All kinds.
  package static let all = ViewKinds { _ in true }
  /// The window covers the canvas, and has no place.
  package static let insideWindow = all.without(.window)
  /// What tracks touches.
  package static let controls = ViewKinds(where: \.isControl)
  /// What has a value, or can have one.
  package static let withValue = ViewKinds { $0 == .control || $0.showsValue }
  /// Whose value lies between limits that can be chosen.
  package static let withLimits = withValue.without(.switch).without(.segmented).without(.list)

  /// Several of them in a sentence: "labels and buttons".
  package var many: String {
    switch self {
    case .all: "views"
    case .insideWindow: "views inside the window"
    case .controls: "controls and buttons"
    case .withValue: "controls with a value"
    case .withLimits: "controls with limits"
    default: Self.list(kinds.map(\.row.many), "and")
    }
  }

  /// One of them in a sentence: "a label or a button".
  package var one: String {
    switch self {
    case .all: "a view"
    case .insideWindow: "a view inside the window"
    case .controls: "a control or a button"
    case .withValue: "a control with a value"
    case .withLimits: "a control with limits"
    default: Self.list(kinds.map(\.row.one), "or")
    }
  }

  private static func list(_ words: [String], _ conjunction: String) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

extension View {
  /// What the view is; a subclass counts as what it is a subclass of.
  package final var kind: ViewKind {
    let kind = ViewKind.byClass[ObjectIdentifier(type(of: self).standardHitTestClass)] ?? .view
    guard kind == .view else { return kind }
    // A window has a hit test of its own, and no file declares the dots of pages.
    return self is Window ? .window : self is Control ? .control : self is ScrollView ? .scroll : .view
  }

  /// What the view is called to people who do not see it: its label, or its title. (`UIView.accessibilityLabel`, whose default is a
  /// control's title.)
  package final var spokenLabel: String? {
    if let label = accessibilityLabel { return label }
    let title =
      switch self {
      case let label as Label: label.text
      case let button as Button: button.text
      case let field as TextField: field.placeholder
      default: ""
      }
    return title.isEmpty ? nil : title
  }

  /// What it holds, as people say it: the text that is chosen or written, or the number; nil for a view that holds nothing.
  /// (`UIView.accessibilityValue`.)
  package final var spokenValue: String? {
    switch self {
    case is Label, is Button: nil
    case let pages as PagesView: pages.page?.id
    default: shownText ?? (self as? Control)?.value?.text
    }
  }

  /// The text that the view shows: of a list, a segmented control or a picker, that of what is chosen, empty if there is
  /// nothing; nil for a view without text.
  package final var shownText: String? {
    switch self {
    case let label as Label: label.text
    case let button as Button: button.text
    case let list as ListView: list.selectedRow.map { list.rows[$0] } ?? ""
    case let picker as PickerView: picker.shownValue
    case let field as TextField: field.text
    case let control as SegmentedControl: control.selectedSegment.map { control.segments[$0] } ?? ""
    default: nil
    }
  }
}
