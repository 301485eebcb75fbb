import TouchConfig
import TouchCore
import TouchViews

/// The meaning of a place in a file: the shapes of what may stand there, by the rows of the keys.
struct KeyGuide {
  /// The shapes, without those that only stand for others.
  let shapes: [KeyShape]
  /// The key whose value stands here; empty for the file itself.
  var key = ""
  /// The mapping that has the key, in a sentence: "a view".
  var owner = ""

  /// The whole file.
  init(_ table: KeyTable) { shapes = [.mapping(table)] }

  private init(_ shape: KeyShape?, of key: String, in owner: String) {
    (shapes, self.key, self.owner) = (shape.map { Self.plain($0, depth: 0) } ?? [], key, owner)
  }

  /// The shapes that stand for others, followed to the end.
  private static func plain(_ shape: KeyShape, depth: Int) -> [KeyShape] {
    guard depth < 16 else { return [] }
    switch shape {
    case .nullable(let shape): return plain(shape, depth: depth + 1)
    case .either(let shapes): return shapes.flatMap { plain($0, depth: depth + 1) }
    case .definition(let name): return definition(name).map { plain($0, depth: depth + 1) } ?? []
    case .value(.either(let shapes)): return shapes.flatMap { plain(.value($0), depth: depth + 1) }
    default: return [shape]
    }
  }

  private static let definitions = Dictionary(
    KeyShape.definitions.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })

  /// - Parameter name: a name of the schema, also of a key of a step: `step/properties/page`.
  private static func definition(_ name: String) -> KeyShape? {
    switch name {
    case "style": return .mapping(.view)
    case "settable": return .mapping(.settable)
    case "color": return .color
    default: break
    }
    guard let last = name.split(separator: "/").last, last.endIndex == name.endIndex, last.count < name.count
    else { return definitions[name] }
    return KeyTable.step.key(String(last))?.shape
  }

  // MARK: Keys

  /// A key that a mapping takes here.
  struct Key {
    let name: String
    /// Its explanation, in Markdown.
    let sentence: String
    let shape: KeyShape
    let standard: PropertyValue?
  }

  /// The tables of the mappings that may stand here.
  var tables: [KeyTable] { shapes.compactMap { if case .mapping(let table) = $0 { table } else { nil } } }

  /// Returns the keys of a mapping here.
  ///
  /// - Parameter entries: what the mapping has, which decides on its kind.
  func keys(of entries: [Outline.Entry]) -> [Key] {
    var keys: [Key] = []
    func add(_ key: Key) { if !keys.contains(where: { $0.name == key.name }) { keys.append(key) } }
    for shape in shapes {
      switch shape {
      case .mapping(let table):
        let kind = kind(of: entries, in: table)
        for row in table.keys where row.kinds.isEmpty || kind.map(row.kinds.contains) ?? true {
          add(Key(row))
        }
        for property in properties(of: table, kind) { add(Key(property)) }
      case .value(let shape): for part in shape.parts?.parts ?? [] { add(Key(part)) }
      default: break
      }
    }
    return keys
  }

  /// Returns the row of a key of a mapping here; nil for a name of the file's own, and for no key at all.
  func key(_ name: String, of entries: [Outline.Entry]) -> Key? {
    for shape in shapes {
      if case .mapping(let table) = shape, let key = Self.key(name, in: table, kind(of: entries, in: table)) {
        return key
      }
      if case .value(let shape) = shape, let part = shape.parts?.parts.first(where: { $0.name == name }) {
        return Key(part)
      }
    }
    // One of another kind has its meaning, too.
    return tables.lazy.compactMap { Self.key(name, in: $0, nil) }.first
  }

  private static func key(_ name: String, in table: KeyTable, _ kind: String?) -> Key? {
    if let row = table.key(name, of: kind) { return Key(row) }
    guard table === KeyTable.view || table === KeyTable.settable else { return nil }
    let kind = kind.flatMap(ViewKind.named)
    guard let property = ViewProperty.named(name, of: kind), kind?.has(property) ?? true else { return nil }
    return Key(property)
  }

  private func kind(of entries: [Outline.Entry], in table: KeyTable) -> String? {
    let kind = entries.first { $0.key == table.choice }?.value.text
    guard table === KeyTable.view, kind == nil else { return kind }
    // A style or a template may say what it is.
    return entries.contains { $0.key == "style" || $0.key == "of" } ? nil : ViewKind.view.name
  }

  private func properties(of table: KeyTable, _ kind: String?) -> [ViewProperty] {
    guard table === KeyTable.view || table === KeyTable.settable else { return [] }
    let kind = kind.flatMap(ViewKind.named)
    return (table === KeyTable.view ? ViewProperty.table : ViewProperty.settable).filter { property in
      kind.map { $0.has(property) } ?? true
    }
  }

  /// Whether the names of the mapping here are the file's own.
  var takesNames: Bool {
    shapes.contains { shape in
      switch shape {
      case .names: true
      case .mapping(let table): table.others != nil && !takesTemplates
      default: false
      }
    }
  }

  private var takesTemplates: Bool { tables.contains { $0 === KeyTable.view } }

  // MARK: Ways

  /// Returns the meaning of a key's value.
  ///
  /// - Parameter entries: what the mapping has.
  func value(of name: String, in entries: [Outline.Entry]) -> KeyGuide {
    let owner = tables.first?.owner ?? self.owner
    // A template is a view, and so is what is repeated without one.
    if self.key == "templates" { return KeyGuide(.definition("view"), of: name, in: "templates") }
    if name == "view", tables.contains(where: { $0 === KeyTable.rows }) {
      return KeyGuide(.definition("view"), of: name, in: owner)
    }
    // Of a chart it is a value.
    if name == "of", tables.contains(where: { $0.owner == "a view of a template" }),
      entries.first(where: { $0.key == "kind" })?.value.text != ViewKind.chart.name
    {
      return KeyGuide(.name, of: name, in: "a view of a template")
    }
    if let key = key(name, of: entries) { return KeyGuide(key.shape, of: name, in: owner) }
    for shape in shapes {
      switch shape {
      case .names(of: let shape, _, _): return KeyGuide(shape, of: key, in: self.owner)
      case .mapping(let table):
        if let others = table.others, !takesTemplates { return KeyGuide(others, of: key, in: table.owner) }
      default: break
      }
    }
    return KeyGuide(nil, of: name, in: owner)
  }

  /// The meaning of an item of a list here.
  var item: KeyGuide {
    for shape in shapes {
      switch shape {
      case .list(of: let shape, _): return KeyGuide(shape, of: key, in: owner)
      case .value(.list(let shapes)): return KeyGuide(.value(.either(shapes)), of: key, in: owner)
      default: break
      }
    }
    // One of something may stand for a list of one.
    return KeyGuide(nil, of: key, in: owner)
  }
}

extension KeyGuide.Key {
  fileprivate init(_ row: ConfigurationKey) {
    self.init(name: row.name, sentence: row.sentence, shape: row.shape, standard: row.standard)
  }

  fileprivate init(_ property: ViewProperty) {
    self.init(
      name: property.name, sentence: property.sentence, shape: .value(property.shape),
      standard: property.standard)
  }

  fileprivate init(_ part: PropertyShape.Part) {
    self.init(name: part.name, sentence: part.sentence, shape: .value(part.shape), standard: part.standard)
  }
}
