import TouchCore
import TouchViews

/// The type of a key's value: its shape and its reader.
package struct KeyType<Content>: Sendable {
  package let shape: KeyShape
  /// Returns nil for a wrong value, and has reported it by then.
  package let read: @Sendable (Value) -> Content?

  package init(_ shape: KeyShape, read: @escaping @Sendable (Value) -> Content?) {
    (self.shape, self.read) = (shape, read)
  }

  /// The same, or null for the default.
  package var orNull: Self { Self(.nullable(shape), read: read) }

  /// The same for a value that only matters to painting.
  var cosmetic: Self { Self(shape) { value in value.report.cosmetic { read(value) } } }

  /// The same, as another value.
  package func map<Other>(_ make: @escaping @Sendable (Content) -> Other?) -> KeyType<Other> {
    KeyType<Other>(shape) { read($0).flatMap(make) }
  }
}

/// One key of a mapping as it is declared: its name, its type, and the variable that it sets. The sentence
/// about it stands in front.
package struct KeyRow<Whole>: Sendable {
  /// Nil for a key that its mapping's reader looks at itself.
  fileprivate let read: (@Sendable (Value, inout Whole) -> Void)?
  /// The row as it is described, by what a mapping without any key makes, and the sentence.
  fileprivate let key: @Sendable (Whole?, String) -> ConfigurationKey

  package init<Content>(
    _ name: String, _ path: WritableKeyPath<Whole, Content> & Sendable, _ type: KeyType<Content>,
    default standard: PropertyValue? = nil, of kinds: [String] = [], required: String? = nil
  ) {
    read = { value, whole in if let content = type.read(value) { whole[keyPath: path] = content } }
    key = { whole, sentence in
      // Never changed, so that it is of no matter who reads it.
      nonisolated(unsafe) let whole = whole
      return ConfigurationKey(
        name, type.shape, default: standard ?? whole.flatMap { PropertyValue(written: $0[keyPath: path]) },
        of: kinds, required: required, sentence)
    }
  }

  /// The key of one variable that may be nil.
  package init<Content>(
    _ name: String, _ path: WritableKeyPath<Whole, Content?> & Sendable, _ type: KeyType<Content>,
    default standard: PropertyValue? = nil, of kinds: [String] = [], required: String? = nil
  ) {
    self.init(name, type.shape, default: standard, of: kinds, required: required) { value, whole in
      if let content = type.read(value) { whole[keyPath: path] = content }
    }
  }

  /// Any key.
  /// - Parameter read: nil for a key that its mapping's reader looks at itself.
  package init(
    _ name: String, _ shape: KeyShape, default standard: PropertyValue? = nil, of kinds: [String] = [],
    required: String? = nil, read: (@Sendable (Value, inout Whole) -> Void)? = nil
  ) {
    self.read = read
    key = { _, sentence in
      ConfigurationKey(name, shape, default: standard, of: kinds, required: required, sentence)
    }
  }
}

/// Puts each row together with the sentence in front of it.
@resultBuilder package enum RowBuilder<Row> {
  package enum Part {
    case sentence(String)
    case row(Row)
  }

  package static func buildExpression(_ sentence: String) -> Part { .sentence(sentence) }
  package static func buildExpression(_ row: Row) -> Part { .row(row) }
  package static func buildBlock(_ parts: Part...) -> [Part] { parts }

  package static func buildFinalResult(_ parts: [Part]) -> [(sentence: String, row: Row)] {
    zip(parts, parts.dropFirst()).compactMap { pair in
      if case (.sentence(let sentence), .row(let row)) = pair { (sentence, row) } else { nil }
    }
  }
}

package struct Keys<Whole>: Sendable {
  package let table: KeyTable
  fileprivate let rows: [(key: ConfigurationKey, row: KeyRow<Whole>)]

  /// - Parameter standard: what a mapping without any key makes; nil where that differs.
  package init(
    _ owner: String, _ standard: Whole? = nil, choice: String = "kind",
    advice: @escaping @Sendable (String) -> String? = { _ in nil },
    words: @escaping @Sendable ([String]) -> String = { $0.joined() },
    @RowBuilder<KeyRow<Whole>> _ rows: () -> [(sentence: String, row: KeyRow<Whole>)]
  ) {
    self.rows = rows().map { ($0.row.key(standard, $0.sentence), $0.row) }
    table = KeyTable(owner, self.rows.map(\.key), choice: choice, advice: advice, words: words)
  }
}

extension KeyTable {
  /// The keys of a mapping whose reader looks at all of them itself.
  convenience init(
    _ owner: String, properties: [String] = [], others: KeyShape? = nil, takesAnchors: Bool = false,
    advice: @escaping @Sendable (String) -> String? = { _ in nil },
    @RowBuilder<KeyRow<Void>> _ rows: () -> [(sentence: String, row: KeyRow<Void>)]
  ) {
    self.init(
      owner, rows().map { $0.row.key(nil, $0.sentence) }, properties: properties, others: others,
      takesAnchors: takesAnchors, advice: advice)
  }
}

extension Fields {
  func read<Whole>(_ keys: Keys<Whole>, into whole: inout Whole, of kind: String? = nil) {
    for (key, row) in keys.rows where key.kinds.isEmpty || kind.map(key.kinds.contains) ?? true {
      guard let read = row.read else { continue }
      let given = key.isNullable ? unlessNull(key.name) : self[key.name]
      if let value = key.required == nil ? given : require(key.name, of: kind) { read(value, &whole) }
    }
  }
}

extension Value {
  /// Reads a mapping into what its keys make.
  /// - Returns: the keys; nil for no mapping, which was reported unless it is null.
  @discardableResult
  package func read<Whole>(_ keys: Keys<Whole>, into whole: inout Whole, _ advice: String? = nil) -> Fields? {
    let fields = fields(keys.table, advice)
    fields?.read(keys, into: &whole)
    return fields
  }
}

extension Keys {
  /// Reads a file whose root is the mapping.
  ///
  /// - Parameter file: the path that messages name.
  /// - Throws: `ConfigurationError.invalid`, everything that is wrong with the file.
  package func read(_ bytes: [UInt8], file: String, into whole: inout Whole) throws(ConfigurationError) {
    let report = Report([ConfigurationSource(file: file, text: bytes)])
    if let root = YAMLDocument.read(bytes, file: 0, report: report)?.root, !root.isBroken {
      Value(name: "the file", node: root, report: report).read(self, into: &whole)
    }
    if report.hasErrors(cosmetic: true) { throw .invalid(report.diagnostics) }
  }
}

extension PropertyValue {
  /// The default as a file writes it; nil for what no scalar stands for.
  fileprivate init?(written value: some Any) {
    switch value {
    case let flag as Bool: self = .flag(flag)
    case let number as Double: self = .number(number)
    case let number as Int: self = .number(Double(number))
    case let color as Color: self = .text(color.hex)
    case let word as any RawRepresentable<String>: self = .text(word.rawValue)
    case let turn as DisplayGeometry.Rotation: self = .number(Double(turn.rawValue))
    default: return nil
    }
  }
}

// MARK: Types

extension KeyType where Content == Bool {
  package static let flag = KeyType(.flag) { $0.bool() }
}

extension KeyType where Content == Double {
  package static func number(_ range: NumberRange) -> Self { Self(.number(range)) { $0.number(in: range) } }
  static let length = number(.length)
  static let duration = number(.duration)
}

extension KeyType where Content == Int {
  package static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.value(.integer(range))) { $0.integer(in: range) }
  }
}

extension KeyType where Content == Color {
  static let color = KeyType(.color) { $0.color() }
}

extension KeyType where Content: RawRepresentable<String> & CaseIterable & Sendable {
  static var word: Self { Self(.words(Content.self)) { $0.choice() } }
}

extension KeyType where Content == String {
  /// Text that is not blank.
  package static func name(_ advice: String) -> Self { Self(.name) { $0.nonEmptyText(advice) } }
  /// Text that is passed on, as numbers and truth values are.
  package static let freeText = KeyType(.text) { $0.freeText() }
}

extension KeyType where Content == [Double] {
  package static func numbers(_ parts: [(name: String, range: NumberRange)]) -> Self {
    Self(.value(.list(parts.map { .number($0.range) }))) { $0.numbers(parts) }
  }
}

extension KeyType where Content == DisplayGeometry.Rotation {
  private static let degrees = Content.allCases.map { PropertyValue.number(Double($0.rawValue)) }

  static let turn = KeyType(.values(degrees)) { $0.choice() }

  /// The same, or `auto`, which is nothing.
  static let turnOrAuto = KeyType(.values([.text("auto")] + degrees)) {
    $0.node.text == "auto" ? nil : $0.choice(or: "auto")
  }
}

extension KeyType {
  /// One value, or a list of them.
  /// - Parameter advice: for an empty list.
  static func oneOrMore<Item: Sendable>(_ item: KeyType<Item>, _ advice: String) -> Self
  where Content == Set<Item> {
    Self(.either([item.shape, .list(of: item.shape, 1...Int.max)])) { value in
      guard let items = value.node.items else { return item.read(value).map { [$0] } }
      if items.isEmpty { value.complain("\(value.name) is an empty list; \(advice)") }
      return Set(items.compactMap { item.read(Value(name: value.name, node: $0, report: value.report)) })
    }
  }
}

extension KeyType where Content: Sendable {
  package static func mapping(_ keys: Keys<Content>, _ standard: Content) -> Self {
    Self(.nullable(.mapping(keys.table))) { value in
      var whole = standard
      return value.read(keys, into: &whole).map { _ in whole }
    }
  }
}
