import TouchCore

/// A kind of view: what a file calls it, and what it is to the programs around it.
///
/// Each kind stands at the head of its view's file, and has a line in `all`. Whatever differs by kind asks
/// it.
///
/// A program gives a control of its own a kind, so that its files can have it:
///
/// ```swift
/// extension ViewKind {
///   static let dial = ViewKind("dial", properties: [.number("notches", in: 0...60, \Dial.notches)]) { Dial(id: $0) }
/// }
/// try app.window.load("panel.yaml", kinds: [.dial])
/// ```
public final class ViewKind: Sendable {
  /// The name in a configuration, and in the protocol.
  public let name: String
  /// The class; a subclass of it is of the same kind, unless it has one of its own.
  package let viewClass: View.Type
  /// The kind of the superclass, which has everything that this one does not say; nil for a kind of the list.
  package let base: ViewKind?
  private let instance: @Sendable (_ id: String) -> View
  private let rows: @Sendable () -> [ViewProperty]
  /// Whether a class is that of the kind, or a subclass.
  private let covers: @Sendable (View.Type) -> Bool
  /// One of them in a sentence, and several: "an image", "images".
  package let one, many: String
  package let touches: Touches
  package let role: Role
  package let traits: Traits
  /// The names in other toolkits, in lower case and without `_` and `-`.
  let foreignNames: Set<String>
  /// Describes a view in a line of `tree`, beyond the properties that every view has.
  package let details: @Sendable (View) -> [String]

  /// The reaction of a view to touches, until it is told otherwise.
  package enum Touches: Sendable {
    /// They go to what is behind it: its user interaction is off.
    case none
    /// They go on to the next responder.
    case forwarded
    /// It keeps them, and sends actions.
    case actions
  }

  /// The use of a view for a program, such as Home Assistant.
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

  /// The traits that some kinds have. The first eight stand for properties that views of several classes
  /// share.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It has a `text`: its class is `TextHolding`.
    static let text = Traits(rawValue: 1)
    /// It has a `font`: its class is `TextStyled`.
    static let font = Traits(rawValue: 2)
    /// It has a `padding` around its text.
    static let padding = Traits(rawValue: 4)
    /// It has a second line: its class is `TitleHolding`.
    static let detail = Traits(rawValue: 8)
    /// It has an `icon`: its class is `IconHolding`.
    static let icon = Traits(rawValue: 16)
    /// It has `icons`: its class is `IconsHolding`.
    static let icons = Traits(rawValue: 32)
    /// It has `rows` of text: its class is `RowsHolding`.
    static let rows = Traits(rawValue: 64)
    /// A finger can change its value many times during a touch, which `continuous` decides about.
    static let continuous = Traits(rawValue: 128)
    /// Its value and limits can be times and dates, which are texts.
    package static let times = Traits(rawValue: 256)
    /// It is hardly ever as large as the window, so that one without a frame was probably forgotten.
    package static let small = Traits(rawValue: 512)
  }

  init<Class: View>(
    _ name: String, _ one: String, _ many: String, _ touches: Touches, _ role: Role = .none,
    is traits: Traits = [], alsoCalled foreignNames: Set<String> = [],
    properties: @escaping @autoclosure @Sendable () -> [ViewProperty] = [],
    details: @escaping @Sendable (Class) -> [String] = { _ in [] },
    make: @escaping @Sendable (_ id: String) -> Class
  ) {
    (self.name, viewClass, instance, self.one, self.many) = (name, Class.self, make, one, many)
    (self.touches, self.role, self.traits, self.foreignNames) = (touches, role, traits, foreignNames)
    (base, rows, covers) = (nil, properties, { $0 is Class.Type })
    self.details = { ($0 as? Class).map(details) ?? [] }
  }

  /// Makes a kind for a class of a program, which has all properties of its superclass too.
  ///
  /// The class is a `View` or a `Control` of the program's. A subclass of one of TouchKit's controls has the
  /// kind of that.
  ///
  /// - Parameters:
  ///   - name: in a file, with small letters: `kind: dial`. It is none of TouchKit's.
  ///   - properties: the keys of such views beside those of the superclass.
  ///   - make: makes a view of the class.
  public init<Class: View>(
    _ name: String, properties: [ViewProperty] = [], make: @escaping @Sendable (_ id: String) -> Class
  ) {
    let base = ViewKind.ofClass(Class.self)
    precondition(ViewKind.named(name) == nil, "the kind \(name) is TouchKit's; give this one another name")
    precondition(base == .view || base == .control, "\(Class.self) has the kind \(base.name)")
    let words = String(name.map { $0 == "_" ? " " : $0 })
    (self.name, viewClass, instance) = (name, Class.self, make)
    (one, many) = ((words.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + words, words + "s")
    (touches, role, traits, foreignNames) = (base.touches, base.role, base.traits, [])
    (self.base, rows, details, covers) = (base, { properties }, base.details, { $0 is Class.Type })
  }

  package func make(_ id: String) -> View {
    let view = instance(id)
    if base != nil { view.ownLayer.kind = self }
    return view
  }

  /// The properties of the kind alone. Those of most kinds of the list stand in the table of properties,
  /// where its order wants them.
  package var properties: [ViewProperty] { rows() }

  package func has(_ property: ViewProperty) -> Bool {
    property.owners.contains(self) || base != nil && properties.contains(property)
  }

  /// Whether it tracks touches, sends actions, and can be disabled.
  package var isControl: Bool { touches == .actions }
  package var hasText: Bool { traits.contains(.text) }
  /// Whether it has a font, and shows a text.
  package var hasFont: Bool { traits.contains(.font) }
  /// Whether it is a control that shows its value by itself. (`ValueControl`)
  package var showsValue: Bool { viewClass is ValueControl.Type }
  /// The name of one of the texts that a view lets choose from: `row`; nil for a view without choices.
  package var choiceName: String? {
    if case .choice(of: let name) = role { name } else { nil }
  }
}

extension ViewKind: Hashable {
  /// Each kind is itself.
  public static func == (one: ViewKind, other: ViewKind) -> Bool { one === other }

  /// By the kind.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: The list

extension ViewKind {
  /// The kinds, in the order in which the schema and messages have them.
  package static let all: [ViewKind] = [
    view, control, label, button, image, pages, stack, scroll, sheet, slider, `switch`, stepper, segmented,
    list, picker, textField, textView, progress, gauge, spinner, qr, chart, keyboard, window,
  ]

  package static let view = ViewKind(
    "view", "a view", "views", .forwarded,
    alsoCalled: ["div", "box", "panel", "container", "rect", "rectangle", "obj", "frame", "group"]
  ) { View(id: $0) }
  /// There is one, which is not declared as the other views are.
  package static let window = ViewKind("window", "the window", "windows", .forwarded) {
    Window(id: $0, size: .zero)
  }

  package static let declared = all.filter { $0 != .window }

  package static func named(_ name: String) -> ViewKind? { all.first { $0.name == name } }

  /// The kinds by their classes: the class of a kind is the one that its subclasses name as
  /// `standardHitTestClass`.
  private static let byClass = Dictionary(
    uniqueKeysWithValues: all.map { (ObjectIdentifier($0.viewClass), $0) })

  fileprivate static func ofClass(_ viewClass: View.Type) -> ViewKind {
    let kind = byClass[ObjectIdentifier(viewClass.standardHitTestClass)] ?? .view
    guard kind == .view else { return kind }
    // A window has a hit test of its own, and no file declares the dots of pages.
    return [window, .control, .scroll].first { $0.covers(viewClass) } ?? .view
  }
}

extension View {
  /// The kind of the view; a subclass counts as what it is a subclass of.
  package final var kind: ViewKind { knownLayer?.kind ?? .ofClass(type(of: self)) }
}
