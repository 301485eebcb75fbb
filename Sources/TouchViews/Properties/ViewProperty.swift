import TouchCore

/// A property of a view: a row of the one table of them, `ViewProperty.table`.
///
/// The file's reader, actions, clients, MQTT and plugins set it by its row, with the same limits, and
/// `tree --json` prints it by its row. The schema and the tables of docs/configuration.md are made of the
/// rows.
public final class ViewProperty: Sendable {
  /// The traits that only some properties have.
  struct Traits: OptionSet {
    let rawValue: Int

    /// It is how the view is made: nothing sets it while the tree is shown.
    static let fixed = Traits(rawValue: 1)
    /// It only matters to painting: without a wrong value, the rest of a file can be shown.
    static let cosmetic = Traits(rawValue: 2)
    /// In a file, null asks for the default.
    static let nullable = Traits(rawValue: 4)
    static let givesValue = Traits(rawValue: 8)
    static let noDefault = Traits(rawValue: 16)
    /// In a list of settings it is set after the others, as they decide what it may be.
    static let last = Traits(rawValue: 32)
    /// It is set before the others, as it gives them their limits.
    static let first = Traits(rawValue: 64)
    /// A change of it does not always grow `View.changes`.
    static let uncounted = Traits(rawValue: 128)
  }

  /// The key in a file, and in requests.
  package let name: String
  package let owners: ViewKinds
  /// The sentences of the documents, in Markdown.
  package let sentence: String
  /// The type of its values.
  package let shape: PropertyShape
  private let traits: Traits

  let read: @Sendable (PropertyReader) throws(PropertyError) -> CheckedValue
  let set: @Sendable (View, CheckedValue) -> Void
  private let get: @Sendable (View) -> PropertyValue?
  let problem: @Sendable (View, CheckedValue) -> PropertyError.Cause?

  package var isSettable: Bool { !traits.contains(.fixed) }
  package var isCosmetic: Bool { traits.contains(.cosmetic) }
  package var isNullable: Bool { traits.contains(.nullable) }
  /// The order among several settings: the smaller one is set first.
  let rank: Int
  package var givesValue: Bool { traits.contains(.givesValue) }
  /// Whether each change of it grows `View.changes`, on views of TouchKit's own kinds.
  package var isCounted: Bool { traits.isDisjoint(with: [.fixed, .uncounted]) }

  /// Any property.
  /// - Parameter get: nil for a view that does not have it.
  /// - Parameter problem: nil for a value that can always be set.
  /// - Parameter Owner: the class of the views, or what several classes conform to.
  init<Owner, Value: Hashable & Sendable>(
    _ name: String, of owners: ViewKinds, _ type: PropertyType<Value>, is traits: Traits = [],
    get: @escaping @Sendable (Owner) -> PropertyValue?, set: @escaping @Sendable (Owner, Value) -> Void,
    problem: (@Sendable (Owner, Value) -> PropertyError.Cause?)? = nil, _ sentence: String
  ) {
    (self.name, self.owners, self.traits, self.sentence) = (name, owners, traits, sentence)
    rank = traits.contains(.first) ? 0 : traits.contains(.last) ? 2 : 1
    shape = type.shape
    read = { (reader) throws(PropertyError) in CheckedValue(try type.read(reader)) }
    // A list whose rows are views has what scrolls them.
    @Sendable func owner(_ view: View) -> Owner? { view as? Owner ?? view.scrollView as? Owner }
    self.get = { owner($0).flatMap(get) }
    self.set = { view, value in
      if let owner = owner(view), let value = value.base as? Value { set(owner, value) }
    }
    self.problem = { view, value in
      guard let problem, let owner = view as? Owner, let value = value.base as? Value else { return nil }
      return problem(owner, value)
    }
  }

  convenience init<Owner: View, Value: Hashable & Sendable>(
    _ name: String, _ type: PropertyType<Value>, is traits: Traits = [],
    get: @escaping @Sendable (Owner) -> PropertyValue?, set: @escaping @Sendable (Owner, Value) -> Void,
    problem: (@Sendable (Owner, Value) -> PropertyError.Cause?)? = nil, _ sentence: String
  ) {
    self.init(
      name, of: .of(Owner.self), type, is: traits, get: get, set: set, problem: problem, sentence)
  }

  convenience init<Owner: View, Value: Hashable & Sendable>(
    _ name: String, of owners: ViewKinds? = nil, _ path: ReferenceWritableKeyPath<Owner, Value> & Sendable,
    _ type: PropertyType<Value>, is traits: Traits = [], _ sentence: String
  ) {
    self.init(
      name, of: owners ?? .of(Owner.self), type, is: traits, get: { type.write($0[keyPath: path]) },
      set: { (owner: Owner, value) in
        // What is so already is not drawn again.
        if owner[keyPath: path] != value { owner[keyPath: path] = value }
      }, sentence)
  }

  /// Returns the current value; nil if the view does not have it. Setting it to that changes nothing.
  package func value(of view: View) -> PropertyValue? { view.kind.has(self) ? get(view) : nil }

  /// The same of a part, such as `size` of `font`; nil where there is none. Without a part it is the whole.
  package func value(of view: View, part: String?) -> PropertyValue? {
    let whole = value(of: view)
    guard let part else { return whole }
    guard case .map(let entries)? = whole else { return nil }
    return entries.first { $0.key == part }?.value
  }

  /// The value of the property in a new view; nil where there is none, or where it differs by kind.
  package var standard: PropertyValue? {
    guard !traits.contains(.noDefault) else { return nil }
    let values = Set(owners.kinds.compactMap { value(of: $0.make("")) })
    return values.count == 1 ? values.first : nil
  }

  /// Whether the property of such a view is true or false, so that it can be toggled.
  package func isFlag(of kind: ViewKind) -> Bool {
    guard isSettable, kind.has(self) else { return false }
    if case .flag = shape { return true }
    return self == .value && kind.role == .flag
  }
}

extension ViewProperty: Hashable {
  /// Each row is its own property.
  public static func == (one: ViewProperty, other: ViewProperty) -> Bool { one === other }

  /// By the row.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ViewProperty {
  /// Those that can be set while a view is shown.
  package static let settable = table.filter(\.isSettable)

  /// The same, with those that a kind of a program has alone.
  package static func settable(with kind: ViewKind) -> [ViewProperty] {
    kind.base == nil ? settable : settable + kind.properties
  }

  private static let byName = Dictionary(grouping: table, by: \.name)

  /// The names of the properties that a file's views can have, each once.
  package static let names = {
    var seen: Set<String> = []
    return table.filter { $0.owners != [.window] }.map(\.name).filter { seen.insert($0).inserted }
  }()

  /// The property of a kind of view with a name, or that of another kind; nil where no kind has one.
  package static func named(_ name: String, of kind: ViewKind? = nil) -> ViewProperty? {
    if let kind, kind.base != nil, let own = kind.properties.first(where: { $0.name == name }) { return own }
    guard let rows = byName[name] else { return nil }
    return kind.flatMap { kind in rows.first { $0.owners.contains(kind) } } ?? rows.first
  }

  package static func owners(of name: String) -> ViewKinds {
    (byName[name] ?? []).reduce([]) { $0.union($1.owners) }
  }
}
