import Foundation

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// What docs/configuration.md says of a property.
enum PropertyManual {
  static func row(_ name: String) -> String {
    let rows = ViewProperty.table.filter { $0.name == name }
    return row(name, standard(of: rows), rows.map(sentence).joined(separator: " "))
  }

  static func row(_ part: PropertyShape.Part) -> String { row(part.name, part.standard, part.sentence) }

  private static func row(_ name: String, _ standard: PropertyValue?, _ sentence: String) -> String {
    "| `\(name)` | \(standard.flatMap(yaml).map { "`\($0)`" } ?? "–") | \(sentence) |"
  }

  /// What a property of this name is of a new view.
  static func standard(of rows: [ViewProperty]) -> PropertyValue? {
    let values = Set(rows.map(\.standard))
    return values.count == 1 ? values.first ?? nil : nil
  }

  /// With the kinds in front, where not all have it: "list: the height of each row."
  static func sentence(_ row: ViewProperty) -> String {
    guard row.owners != .insideWindow, let owners = owners(row.owners) else { return row.sentence }
    let start = row.sentence.prefix(2)
    let isName = start.allSatisfy(\.isUppercase)
    return owners + ": " + (isName ? start : Substring(start.lowercased())) + row.sentence.dropFirst(2)
  }

  /// Nil for all kinds.
  static func owners(_ owners: ViewKinds) -> String? {
    switch owners {
    case .all: nil
    case .insideWindow: "all but the window"
    case .controls: "controls"
    case .withLimits: "controls with limits"
    default: owners.kinds.map(\.name).joined(separator: ", ")
    }
  }

  /// The rows of the properties that can be set: of all views, of those in a window, of the window, of single
  /// kinds.
  static var settable: [String] {
    func owners(_ property: ViewProperty) -> String {
      switch property.owners {
      case .all: "all"
      case .insideWindow: "all but the window"
      default: property.owners.kinds == [.window] ? "the window" : "the kinds that have it"
      }
    }
    return ["all", "all but the window", "the kinds that have it", "the window"].map { kinds in
      var names: [String] = []
      for property in ViewProperty.settable where owners(property) == kinds && !names.contains(property.name)
      {
        names.append(property.name)
      }
      return "| " + names.map { "`\($0)`" }.joined(separator: ", ") + " | \(kinds) |"
    }
  }

  /// Nil for what is nothing by itself.
  static func yaml(_ value: PropertyValue) -> String? {
    switch value {
    case .text(let text): text.hasPrefix("#") || text.isEmpty ? "\"\(text)\"" : text
    case .number, .flag: value.description
    case .list(let items) where items.count == 4 && Set(items).count == 1: yaml(items[0])
    case .list(let items):
      items.isEmpty || items.contains(.null)
        ? nil : "[" + items.compactMap(yaml).joined(separator: ", ") + "]"
    case .null, .map: nil
    }
  }
}

/// What the schema says of a property.
enum PropertySchema {
  static func of(_ name: String) -> String {
    let rows = ViewProperty.table.filter { $0.name == name }
    var shape = rows[0].shape
    for row in rows.dropFirst() {
      if case .words(let words) = shape, case .words(let more) = row.shape {
        shape = .words(words + more.filter { !words.contains($0) })
      }
    }
    let sentence = rows.map(PropertyManual.sentence).joined(separator: " ")
    let standard = PropertyManual.standard(of: rows)
    let follows = rows.contains(where: \.isSettable)
    guard differs(rows) || rows[0].isNullable && !takesNothing(shape) else {
      return object(shape, sentence, standard, follows: follows)
    }
    var choices: [String] = []
    for choice in (differs(rows) ? rows.map(\.shape) : [shape]).map({ object($0, follows: follows) })
    where !choices.contains(choice) { choices.append(choice) }
    if rows[0].isNullable { choices.append("{\"type\": \"null\"}") }
    let said = object(nil, sentence, standard).dropLast()
    return "\(said), \"anyOf\": [\(choices.joined(separator: ", "))]}"
  }

  /// Whether kinds of views take different values of a property.
  private static func differs(_ rows: [ViewProperty]) -> Bool {
    let isOfWords = rows.allSatisfy { if case .words = $0.shape { true } else { false } }
    return !isOfWords && Set(rows.map { object($0.shape) }).count > 1
  }

  private static func takesNothing(_ shape: PropertyShape) -> Bool {
    switch shape {
    case .nothing: true
    case .either(let shapes): shapes.contains(where: takesNothing)
    default: false
    }
  }

  /// What a property takes in each kind that has one of its rows, where the rows differ.
  private static func conditions(of name: String) -> [String] {
    let rows = ViewProperty.table.filter { $0.name == name }
    return differs(rows)
      ? rows.map { row in
        var shape = object(row.shape, follows: row.isSettable)
        if row.isNullable { shape = "{\"anyOf\": [\(shape), {\"type\": \"null\"}]}" }
        return when(row.owners, "\"then\": {\"properties\": {\"\(name)\": \(shape)}}")
      } : []
  }

  private static func when(_ owners: ViewKinds, _ rule: String) -> String {
    "{\"if\": {\"properties\": {\"kind\": {\"enum\": \(json(owners.kinds.map(\.name)))}}, \"required\": [\"kind\"]}, \(rule)}"
  }

  /// The kinds that have each property; kind is `view` where it is left out.
  static var conditions: [String] {
    var groups: [(owners: ViewKinds, names: [String])] = [(.controls, ["actions"])]
    for name in ViewProperty.names {
      let owners = ViewProperty.owners(of: name)
      guard !owners.contains(.view) else { continue }
      if let index = groups.firstIndex(where: { $0.owners == owners }) {
        groups[index].names.append(name)
      } else {
        groups.append((owners, [name]))
      }
    }
    return groups.map { owners, names in
      let required = names.contains("segments") ? "\"then\": {\"required\": [\"segments\"]}, " : ""
      let others = names.map { "\"\($0)\": false" }.joined(separator: ", ")
      return when(owners, "\(required)\"else\": {\"properties\": {\(others)}}")
    } + ViewProperty.names.flatMap(conditions) + [
      // The value of a switch is no number, and that of nothing else is a flag.
      when(
        [.switch],
        "\"then\": {\"properties\": {\"value\": {\"type\": [\"boolean\", \"string\", \"null\"]}}}"),
      when(
        ViewKinds { $0 != .switch },
        "\"then\": {\"properties\": {\"value\": {\"not\": {\"type\": \"boolean\"}}}}"),
    ]
  }

  /// - Parameter follows: whether an expression may stand in its place.
  static func object(
    _ shape: PropertyShape?, _ sentence: String? = nil, _ standard: PropertyValue? = nil,
    follows: Bool = false
  ) -> String {
    let description = sentence.map { ["\"description\": \(json(plain($0)))"] } ?? []
    let standard = standard.flatMap { value in
      PropertyManual.yaml(value).map { text in
        if case .text(let text) = value { return "\"default\": \(json(text))" }
        return "\"default\": \(text)"
      }
    }
    return "{"
      + (description + (shape.map { fields(of: $0, follows) } ?? []) + (standard.map { [$0] } ?? [])).joined(
        separator: ", ")
      + "}"
  }

  /// A text can have expressions anywhere; in everything else one stands for the whole value.
  static func fields(of shape: PropertyShape, _ follows: Bool = false) -> [String] {
    guard follows else { return fields(of: shape) { object($0, $1, $2) } }
    let written = fields(of: shape) { object($0, $1, $2, follows: true) }
    switch shape {
    case .flag, .number, .integer, .words, .weight, .color:
      return ["\"anyOf\": [{\(written.joined(separator: ", "))}, {\(reference("expression"))}]"]
    case .either(let shapes) where !shapes.contains { $0.isText || $0.parts != nil }:
      let parts = shapes.map { object($0) } + ["{\(reference("expression"))}"]
      return ["\"anyOf\": [\(parts.joined(separator: ", "))]"]
    default: return written
    }
  }

  private static func fields(
    of shape: PropertyShape, _ object: (PropertyShape, String?, PropertyValue?) -> String
  ) -> [String] {
    let scalar = "\"type\": [\"string\", \"number\", \"boolean\"]"
    switch shape {
    case .flag: return ["\"type\": \"boolean\""]
    case .number(.coordinate): return [reference("coordinate")]
    case .number(.length): return [reference("length")]
    case .number(.extent): return [reference("extent")]
    case .number(.angle): return [reference("angle")]
    case .number(.duration): return [reference("duration")]
    case .number(let range):
      let lower = range.isAboveLower ? "exclusiveMinimum" : "minimum"
      return [
        "\"type\": \"number\"", "\"\(lower)\": \(range.lower.numeral)", "\"maximum\": \(range.upper.numeral)",
      ]
    case .integer(let range):
      return [
        "\"type\": \"integer\"", "\"minimum\": \(range.lowerBound)", "\"maximum\": \(range.upperBound)",
      ]
    case .text: return [scalar]
    case .name: return ["\"type\": \"string\"", #""pattern": "\\S""#]
    case .words(let words): return ["\"enum\": \(json(words))"]
    case .weight:
      let words = TextStyle.Weight.allCases.map { json($0.rawValue) }
      let numbers = stride(from: 100, through: 900, by: 100).map { "\($0)" }
      return ["\"enum\": [" + (words + numbers).joined(separator: ", ") + "]"]
    case .color: return [reference("color")]
    case .gradient: return [reference("gradient")]
    case .dayOrMinute:
      return [
        "\"type\": \"string\"", #""pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2})$""#,
      ]
    case .list(let shapes):
      return [
        "\"type\": \"array\"",
        "\"prefixItems\": [" + shapes.map { object($0, nil, nil) }.joined(separator: ", ") + "]",
        "\"minItems\": \(shapes.count)", "\"maxItems\": \(shapes.count)",
      ]
    case .texts(let count):
      return ["\"type\": \"array\"", "\"items\": {\(scalar)}"]
        + (count.lowerBound > 0 ? ["\"minItems\": \(count.lowerBound)"] : [])
        + ["\"maxItems\": \(count.upperBound)"]
    case .parts(_, let parts):
      let properties = parts.map { "\"\($0.name)\": \(object($0.shape, $0.sentence, $0.standard))" }
      let required = parts.filter { $0.isRequired && $0.alternative == nil }.map(\.name)
      let alternatives = parts.compactMap { part in part.alternative.map { [part.name, $0] } }
      return [
        "\"type\": \"object\"", "\"additionalProperties\": false",
        "\"properties\": {" + properties.joined(separator: ", ") + "}",
      ] + (required.isEmpty ? [] : ["\"required\": \(json(required))"])
        + alternatives.map { names in
          "\"anyOf\": [" + names.map { "{\"required\": \(json([$0]))}" }.joined(separator: ", ") + "]"
        }
    case .either(let shapes):
      return ["\"anyOf\": [" + shapes.map { object($0, nil, nil) }.joined(separator: ", ") + "]"]
    case .nothing: return ["\"enum\": [null, \"none\"]"]
    }
  }

  static func reference(_ name: String) -> String { "\"$ref\": \"#/$defs/\(name)\"" }

  static func json(_ texts: [String]) -> String { "[" + texts.map(json).joined(separator: ", ") + "]" }

  static func json(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Without Markdown, links to sections, and what the schema says by itself.
  static func plain(_ text: String) -> String {
    let text = text.replacing(/;\ see \[[^\]]*\]\([^)]*\)\./, with: ".")
    return text.replacing(/\ See \[[^\]]*\]\([^)]*\)\./, with: "").replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
      .replacing("`", with: "").replacing(/\ Required\.$/, with: "")
  }
}
