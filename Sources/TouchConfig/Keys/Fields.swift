import TouchCore
import TouchViews

/// The keys and values of a mapping, after the keys were checked.
package struct Fields {
  package let node: YAMLNode
  let table: KeyTable
  let report: Report
  /// One key, its place and its value.
  package struct Entry {
    package let key: String
    fileprivate let row: ViewProperty?
    package let place: SourceLocation
    fileprivate let value: YAMLNode
    /// The mappings that styles have for the same key, the strongest first. Empty unless `value` is a
    /// mapping.
    fileprivate var styles: [YAMLNode] = []
    /// Whether a style has the key, and this mapping does not.
    let isOfStyle: Bool

    /// Returns the property of a kind of view; nil for a key that is none.
    /// - Parameter kind: nil where it is not known.
    func property(of kind: ViewKind?) -> ViewProperty? {
      guard let row, let kind, !kind.has(row) else { return row }
      return .named(key, of: kind) ?? row
    }
  }

  /// The keys that the mapping or one of its styles has.
  package private(set) var entries: [Entry] = []

  /// Nil when the node is no mapping. Reports keys that do not belong.
  /// - Parameter styles: mappings that give the keys which this one does not have, the strongest first. Where
  ///   both have a mapping for a key, the two are merged in the same way.
  init?(_ node: YAMLNode, _ table: KeyTable, styles: [YAMLNode] = [], report: Report) {
    guard let entries = node.entries else { return nil }
    self.init(node, table, layers: [entries], styles: styles, report: report)
  }

  /// - Parameters:
  ///   - node: what messages about the whole mapping name.
  ///   - layers: the keys; where several have one the first counts, and mappings are merged as of styles.
  ///   - advice: what to write instead of a key that there is not, where what is around the mapping says it.
  init(
    _ node: YAMLNode, _ table: KeyTable, layers: [[(key: YAMLNode, value: YAMLNode)]],
    styles: [YAMLNode] = [], report: Report, advice: (String) -> String? = { _ in nil }
  ) {
    (self.node, self.table, self.report) = (node, table, report)
    self.entries.reserveCapacity(layers.reduce(0) { $0 + $1.count })
    for (depth, layer) in layers.enumerated() {
      for (keyNode, value) in layer { add(keyNode, value, isOfStyle: false, isUnder: depth > 0, advice) }
    }
    for style in styles {
      for (keyNode, value) in style.entries ?? [] { add(keyNode, value, isOfStyle: true, advice) }
    }
  }

  private mutating func add(
    _ keyNode: YAMLNode, _ value: YAMLNode, isOfStyle: Bool, isUnder: Bool = false,
    _ advice: (String) -> String?
  ) {
    let name = keyNode.text ?? ""
    let row = table === KeyTable.view ? report.property(named: name) : nil
    guard row != nil || table.names.contains(name) else {
      if !table.ignores(name) { report.refuse(name, at: keyNode.place, of: table, otherwise: advice(name)) }
      return
    }
    if isOfStyle || isUnder, let index = entries.firstIndex(where: { $0.key == name }) {
      if value.entries != nil, entries[index].value.entries != nil { entries[index].styles.append(value) }
    } else {
      entries.append(Entry(key: name, row: row, place: keyNode.place, value: value, isOfStyle: isOfStyle))
    }
  }

  package subscript(key: String) -> Value? {
    entries.first { $0.key == key }.map { value(of: $0) }
  }

  subscript(property: ViewProperty) -> Value? { self[property.name] }

  package func value(of entry: Entry) -> Value {
    Value(name: entry.key, node: entry.value, styles: entry.styles, report: report)
  }

  func unlessNull(_ key: String) -> Value? {
    guard let value = self[key], !value.node.isNull || value.node.isEmpty else { return nil }
    return value
  }

  func unlessNull(_ property: ViewProperty) -> Value? { unlessNull(property.name) }

  /// The same for a property for which `none` asks for nothing, too.
  func unlessNone(_ property: ViewProperty) -> Value? {
    guard let value = unlessNull(property), value.node.isQuoted || value.node.text != "none" else {
      return nil
    }
    return value
  }

  /// The value of a key that must be there, and have a value.
  /// - Parameter advice: nil for that of the key's row.
  func require(_ key: String, of kind: String? = nil, _ advice: String? = nil) -> Value? {
    let advice = advice ?? table.key(key, of: kind)?.required ?? ""
    if let value = self[key] {
      if !value.node.isNull { return value }
      value.refuse(advice)
    } else {
      report.add(at: node.place, "\(table.owner) needs \"\(key)\"; \(advice)")
    }
    return nil
  }

  /// The keys that the file has, and where.
  var keys: [(key: String, place: SourceLocation)] { entries.map { ($0.key, $0.place) } }

  /// Reports the keys that only mappings of other kinds have.
  func refuseKeys(unlike kind: String) {
    for (key, place) in keys {
      let kinds = table.kinds(of: key)
      guard !kinds.isEmpty, !kinds.contains(kind) else { continue }
      refuse(key, at: place, of: table.words(kinds), in: table.words([kind]))
    }
  }

  /// Reports a key that only mappings of another kind have.
  /// - Parameter this: the kind of this mapping.
  func refuse(_ key: String, at place: SourceLocation, of owner: String, in this: String) {
    report.add(
      at: place,
      "\"\(key)\" is a key of \(owner), and this is \(this); change the \(table.choice) or remove it")
  }
}

extension Report {
  /// The first property of a name, those of the program's own kinds among them; nil where there is none.
  fileprivate func property(named name: String) -> ViewProperty? {
    .named(name) ?? ownKinds.lazy.flatMap(\.properties).first { $0.name == name }
  }

  private static let mostListed = 24

  /// Reports a key that a mapping does not have.
  /// - Parameter help: what to write instead; nil for what the table says, or words of other toolkits.
  func refuse(_ name: String, at place: SourceLocation, of table: KeyTable, otherwise help: String? = nil) {
    let unknown = "unknown key \"\(name.escaped)\" in \(table.owner)"
    let names =
      table === KeyTable.view ? table.names + ownKinds.flatMap(\.properties).map(\.name) : table.names
    if let space = name.oddSpace {
      return add(
        at: place, "\(unknown); it has \(space) in it, which is a letter to YAML: type an ordinary space",
        cosmetic: false)
    }
    if let advice = help ?? table.advice(name) ?? ForeignWords.advice(for: name, among: names) {
      return add(at: place, "\(unknown); \(advice)", cosmetic: false)
    }
    if let key = Suggestion.nearestKey(to: name, among: names) {
      return add(at: place, "\(unknown); did you mean \"\(key)\"?", cosmetic: false)
    }
    let owners = KeyTable.owners(of: name)
    let other = owners.isEmpty ? "" : "it belongs to \(owners.joined(lastWith: "or")), and "
    addUnknownKey(
      at: place, "\(unknown); \(other)", of: table.owner,
      takes: names.count > Self.mostListed
        ? "`man touchtree.yaml` lists the keys of \(table.owner)"
        : "the keys of \(table.owner) are " + names.joined(lastWith: "and"))
  }
}
