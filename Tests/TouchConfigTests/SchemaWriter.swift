@testable import TouchConfig
@testable import TouchCore
@testable import TouchExpressions
@testable import TouchViews

/// config/touchtree.schema.json without its head.
enum SchemaWriter {
  static var body: [String] {
    ["  \"properties\": {"] + separated(properties(of: .root).map { ["    " + $0] }) + [
      "  },", "  \"$defs\": {",
    ]
      + separated(
        primitives.map { ["    \"\($0.name)\": {\($0.rule)}"] }
          + KeyShape.definitions.map { name, sentence, shape in
            definition(name, sentence, shape)
          } + [settable])
      + ["  }", "}", ""]
  }

  /// The schema of another mapping, with the values that it names.
  static func whole(of table: KeyTable, _ title: String, _ sentence: String) -> [String] {
    let keys = separated(properties(of: table).map { ["    " + $0] })
    let named = primitives.filter { name, _ in keys.contains { $0.contains("#/$defs/\(name)\"") } }
    return [
      "{", "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",",
      "  \"title\": \(PropertySchema.json(title)),", "  \"description\": \(PropertySchema.json(sentence)),",
      "  \"type\": \"object\", \(closing(table).joined(separator: ", ")),", "  \"properties\": {",
    ] + keys + ["  },", "  \"$defs\": {"]
      + separated(named.map { ["    \"\($0.name)\": {\($0.rule)}"] }) + ["  }", "}", ""]
  }

  static var names: [String] { primitives.map(\.name) + KeyShape.definitions.map(\.name) + ["settable"] }

  /// Values that no row describes.
  private static let primitives: [(name: String, rule: String)] = [
    ("coordinate", number(.coordinate)), ("length", number(.length)), ("extent", number(.extent)),
    ("angle", number(.angle)), ("duration", number(.duration)),
    (
      "color",
      ##""type": "string", "pattern": "^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z_]{3,20})$""##
    ),
    (
      "gradient",
      ##""anyOf": [{"type": "string", "pattern": "^(linear|radial|conic)-gradient\\(.*\\)$"}, {"type": "object", "properties": {"gradient": {"description": "The colours, from the first to the last, each with its place or without: #0d141b 60%.", "type": "array", "items": {"type": "string", "pattern": "^(#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,20})( +[0-9.]+%)?$"}, "minItems": 2, "maxItems": 16}, "kind": {"description": "linear: along a line; radial: from the centre outward; conic: around the centre.", "enum": ["linear", "radial", "conic"], "default": "linear"}, "angle": {"description": "In degrees clockwise from twelve o'clock. linear: where to, so that 0 is up, 90 to the right and 180 down; conic: where it begins.", "$ref": "#/$defs/angle", "default": 180}, "center": {"description": "radial, conic: the centre, as a fraction of the view.", "type": "array", "prefixItems": [{"$ref": "#/$defs/coordinate"}, {"$ref": "#/$defs/coordinate"}], "minItems": 2, "maxItems": 2, "default": [0.5, 0.5]}, "radius": {"description": "radial: where it ends; 1 is the corner that is farthest from the centre.", "$ref": "#/$defs/extent", "default": 1}}, "required": ["gradient"], "additionalProperties": false}]"##
    ),
    (
      "id",
      ##""description": "A name that nothing else in the file has.", "type": "string", "pattern": "\\S", "not": {"enum": ["application", "none"]}"##
    ),
    (
      "expression",
      ##""description": "What the value follows: {target + 0.5}.", "type": "string", "pattern": "^\\{.*\\}$""##
    ),
    (
      "plainValue",
      ##""type": ["string", "number", "boolean", "null", "array"], "items": {"type": ["string", "number", "boolean", "null", "object"], "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}"##
    ),
    (
      "command",
      ##""type": "array", "minItems": 1, "prefixItems": [{"type": ["string", "number", "boolean"], "pattern": "."}], "items": {"type": ["string", "number", "boolean"]}"##
    ),
    (
      "style",
      "\"$ref\": \"#/$defs/view\", \"not\": {\"anyOf\": ["
        + KeyTable.ofOneView.map { "{\"required\": [\"\($0)\"]}" }.joined(separator: ", ") + "]}"
    ),
  ]

  private static func definition(_ name: String, _ sentence: String?, _ shape: KeyShape) -> [String] {
    let described = sentence.map { ["\"description\": \(PropertySchema.json($0))"] } ?? []
    if case .mapping(let table) = shape { return object(name, described, table) }
    return ["    \"\(name)\": {" + (described + fields(of: shape)).joined(separator: ", ") + "}"]
  }

  /// A definition with a key on each line.
  private static func object(_ name: String, _ described: [String], _ table: KeyTable) -> [String] {
    let isView = table === KeyTable.view
    let properties =
      self.properties(of: table)
      + (isView ? ViewProperty.names.map { "\"\($0)\": \(PropertySchema.of($0))" } : [])
    let rules = (isView ? PropertySchema.conditions : conditions(of: table)).map { ["        \($0)"] }
    return [
      "    \"\(name)\": {",
      "      " + (described + ["\"type\": \"object\""] + closing(table)).joined(separator: ", ") + ",",
      "      \"properties\": {",
    ] + separated(properties.map { ["        " + $0] })
      + (rules.isEmpty ? ["      }"] : ["      },", "      \"allOf\": ["] + separated(rules) + ["      ]"])
      + ["    }"]
  }

  private static func separated(_ items: [[String]]) -> [String] {
    items.enumerated().flatMap { index, lines in
      lines.dropLast() + [(lines.last ?? "") + (index + 1 < items.count ? "," : "")]
    }
  }

  // MARK: Mappings

  private static func properties(of table: KeyTable) -> [String] {
    names(of: table).map { name in "\"\(name)\": {" + rule(table.keys.filter { $0.name == name }) + "}" }
  }

  private static func names(of table: KeyTable) -> [String] {
    table.keys.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Keys of which a mapping has exactly one.
  static let alternatives = ["a handler": ["when", "on"], "a repeat": ["of", "view"]]
  /// What else is so of mappings.
  private static let others = [
    "a step": "\"maxProperties\": 1", "a step of a rehearsal": "\"minProperties\": 1, \"maxProperties\": 1",
    "a page": "\"minProperties\": 1",
    "a view for each row": "\"maxProperties\": 1",
    "a stage of idle": "\"minProperties\": 2, \"maxProperties\": 2",
    // That is a view, whose "of" names a value.
    "a view of a template": ##""not": {"properties": {"kind": {"const": "chart"}}, "required": ["kind"]}"##,
  ]

  /// What a mapping has beside its properties.
  private static func closing(_ table: KeyTable) -> [String] {
    var rules: [String] = []
    switch table.others {
    case nil: rules.append("\"additionalProperties\": false")
    case .anything?: break
    case let shape?:
      rules.append("\"additionalProperties\": {" + fields(of: shape).joined(separator: ", ") + "}")
    }
    let required = table.keys.filter { $0.kinds.isEmpty && isRequired($0, table) }.map(\.name)
    if !required.isEmpty { rules.append("\"required\": \(PropertySchema.json(required))") }
    if let keys = alternatives[table.owner], table.kinds.isEmpty { rules.append(exactlyOne(of: keys)) }
    return rules + (others[table.owner].map { [$0] } ?? [])
  }

  static func isRequired(_ key: ConfigurationKey, _ table: KeyTable) -> Bool {
    key.required != nil && !(alternatives[table.owner]?.contains(key.name) ?? false)
  }

  private static func exactlyOne(of keys: [String]) -> String {
    "\"oneOf\": [" + keys.map { "{\"required\": [\"\($0)\"]}" }.joined(separator: ", ") + "]"
  }

  /// What each kind of a mapping has.
  private static func conditions(of table: KeyTable) -> [String] {
    guard table.keys.contains(where: { !$0.kinds.isEmpty }) else { return [] }
    return table.kinds.map { kind in
      let properties = names(of: table).compactMap { name -> String? in
        let kinds = table.kinds(of: name)
        if !kinds.isEmpty, !kinds.contains(kind) { return "\"\(name)\": false" }
        let rows = table.keys.filter { $0.name == name }
        guard Set(rows.map { fields(of: $0.shape) }).count > 1, let key = table.key(name, of: kind) else {
          return nil
        }
        return "\"\(name)\": {" + fields(of: key.shape).joined(separator: ", ") + "}"
      }
      let required = table.keys.filter { $0.kinds.contains(kind) && isRequired($0, table) }.map(\.name)
      let choice = (alternatives[table.owner] ?? []).filter { table.kinds(of: $0).contains(kind) }
      let then =
        ["\"properties\": {" + properties.joined(separator: ", ") + "}"]
        + (required.isEmpty ? [] : ["\"required\": \(PropertySchema.json(required))"])
        + (choice.isEmpty ? [] : [exactlyOne(of: choice)])
      return
        "{\"if\": {\"properties\": {\"\(table.choice)\": {\"const\": \"\(kind)\"}}, \"required\": [\"\(table.choice)\"]}, "
        + "\"then\": {\(then.joined(separator: ", "))}}"
    }
  }

  // MARK: Keys

  private static func rule(_ keys: [ConfigurationKey]) -> String {
    var shapes: [String] = []
    for key in keys {
      let shape = fields(of: key.shape).joined(separator: ", ")
      if !shapes.contains(shape) { shapes.append(shape) }
    }
    let shape =
      shapes.count == 1 ? shapes[0] : "\"anyOf\": [" + shapes.map { "{\($0)}" }.joined(separator: ", ") + "]"
    return
      ([
        "\"description\": "
          + PropertySchema.json(PropertySchema.plain(Manual.sentence(keys, requires: false)))
      ]
      + (shape.isEmpty ? [] : [shape]) + (keys[0].standard.map { ["\"default\": \(json($0))"] } ?? []))
      .joined(separator: ", ")
  }

  private static func json(_ value: PropertyValue) -> String {
    switch value {
    case .text(let text): PropertySchema.json(text)
    case .list(let items): "[" + items.map(json).joined(separator: ", ") + "]"
    default: value.description
    }
  }

  private static func number(_ range: NumberRange) -> String {
    let lower = range.isAboveLower ? "exclusiveMinimum" : "minimum"
    return "\"type\": \"number\", \"\(lower)\": \(range.lower.numeral), \"maximum\": \(range.upper.numeral)"
  }

  static func fields(of shape: KeyShape) -> [String] {
    switch shape {
    case .value(let shape): return PropertySchema.fields(of: shape)
    case .nullable(.either(let shapes)): return either(shapes.map(object) + ["{\"type\": \"null\"}"])
    case .nullable(let shape):
      let fields = fields(of: shape)
      guard let first = fields.first, first.hasPrefix("\"type\": \"") else {
        return either(["{" + fields.joined(separator: ", ") + "}", "{\"type\": \"null\"}"])
      }
      return ["\"type\": [\(first.dropFirst(8)), \"null\"]"] + fields.dropFirst()
    case .string: return ["\"type\": \"string\""]
    case .pattern(let pattern):
      return ["\"type\": \"string\"", "\"pattern\": \(PropertySchema.json(pattern))"]
    case .values(let values):
      return values.count == 1
        ? ["\"const\": \(json(values[0]))"] : ["\"enum\": [" + values.map(json).joined(separator: ", ") + "]"]
    case .list(of: let shape, let count):
      return ["\"type\": \"array\""] + (fields(of: shape).isEmpty ? [] : ["\"items\": \(object(shape))"])
        + (count.lowerBound > 0 ? ["\"minItems\": \(count.lowerBound)"] : [])
        + (count.upperBound < Int.max ? ["\"maxItems\": \(count.upperBound)"] : [])
    case .mapping(let table):
      let rules = conditions(of: table)
      return [
        "\"type\": \"object\"", "\"properties\": {" + properties(of: table).joined(separator: ", ") + "}",
      ]
        + closing(table) + (rules.isEmpty ? [] : ["\"allOf\": [" + rules.joined(separator: ", ") + "]"])
    case .names(of: let shape, like: let pattern, atLeast: let count):
      return ["\"type\": \"object\""]
        + (pattern.map { ["\"propertyNames\": {\"pattern\": \(PropertySchema.json($0))}"] } ?? [])
        + (count > 0 ? ["\"minProperties\": \(count)"] : [])
        + (fields(of: shape).isEmpty ? [] : ["\"additionalProperties\": \(object(shape))"])
    case .either(let shapes): return either(shapes.map(object))
    case .definition(let name): return [PropertySchema.reference(name)]
    case .anything: return []
    }
  }

  private static func object(_ shape: KeyShape) -> String {
    "{" + fields(of: shape).joined(separator: ", ") + "}"
  }

  private static func either(_ choices: [String]) -> [String] {
    ["\"anyOf\": [" + choices.joined(separator: ", ") + "]"]
  }

  // MARK: What is set

  /// Where a part alone may be set, or the value of the control that sends the action.
  private static let settable: [String] = {
    let own = [
      "border": ##"{"description": "color, width or both; null for none.", "type": ["object", "null"]}"##,
      "image":
        ##"{"description": "The path of a PNG file, or path, mode or both; null for none.", "type": ["string", "object", "null"]}"##,
      "value":
        ##"{"description": "What the control holds; {value} takes the value of the control that has these actions.", "anyOf": [{"$ref": "#/$defs/coordinate"}, {"type": "boolean"}, {"const": "{value}"}]}"##,
    ]
    let keys = KeyTable.settable.names.map { name in
      // A view of the file does not have those of the window.
      let rule =
        ViewProperty.names.contains(name)
        ? "{\"$ref\": \"#/$defs/view/properties/\(name)\"}" : PropertySchema.of(name)
      return ["        \"\(name)\": " + (own[name] ?? rule)]
    }
    return [
      "    \"settable\": {",
      "      \"description\": \"Properties of a view and their new values; parts of a font or a border that are left out stay as they are.\",",
      "      \"type\": \"object\", \"additionalProperties\": false,", "      \"properties\": {",
    ] + separated(keys) + ["      }", "    }"]
  }()
}
