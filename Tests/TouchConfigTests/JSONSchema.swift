import Foundation
import Testing

/// A JSON value.
enum JSON: Decodable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON? { if case .object(let object) = self { object[key] } else { nil } }

  var items: [JSON] { if case .list(let items) = self { items } else { [] } }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var type: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .text: "string"
    case .list: "array"
    case .object: "object"
    }
  }
}

/// Validates values by a JSON schema, with the keywords that config/touchtree.schema.json uses. (draft
/// 2020-12)
struct JSONSchema {
  let root: JSON

  func accepts(_ value: JSON) -> Bool { accepts(value, root) }

  private func accepts(_ value: JSON, _ schema: JSON) -> Bool {
    if case .object(let rules) = schema {
      return rules.allSatisfy { accepts(value, $0.key, $0.value, among: schema) }
    }
    return schema == .bool(true)
  }

  private func accepts(_ value: JSON, _ keyword: String, _ rule: JSON, among schema: JSON) -> Bool {
    switch keyword {
    case "$schema", "$defs", "title", "description", "default", "deprecated", "then", "else": true
    case "$ref": rule.text.flatMap(definition).map { accepts(value, $0) } ?? false
    case "anyOf": rule.items.contains { accepts(value, $0) }
    case "oneOf": rule.items.count { accepts(value, $0) } == 1
    case "allOf": rule.items.allSatisfy { accepts(value, $0) }
    case "not": !accepts(value, rule)
    case "if": schema[accepts(value, rule) ? "then" : "else"].map { accepts(value, $0) } ?? true
    case "type":
      (rule.items.isEmpty ? [rule] : rule.items).contains {
        $0 == .text(value.type) || $0 == .text("integer") && value.number.map { $0 == $0.rounded() } ?? false
      }
    case "enum": rule.items.contains(value)
    case "const": rule == value
    default:
      switch value {
      case .number(let number): accepts(number, keyword, rule.number ?? .nan)
      case .text(let text): keyword != "pattern" || matches(text, rule.text ?? "")
      case .list(let list): accepts(list, keyword, rule, among: schema)
      case .object(let object): accepts(object, keyword, rule, among: schema)
      case .null, .bool: true
      }
    }
  }

  private func accepts(_ number: Double, _ keyword: String, _ limit: Double) -> Bool {
    switch keyword {
    case "minimum": number >= limit
    case "maximum": number <= limit
    case "exclusiveMinimum": number > limit
    default: true
    }
  }

  private func accepts(_ list: [JSON], _ keyword: String, _ rule: JSON, among schema: JSON) -> Bool {
    switch keyword {
    case "minItems": Double(list.count) >= rule.number ?? .nan
    case "maxItems": Double(list.count) <= rule.number ?? .nan
    case "prefixItems": zip(list, rule.items).allSatisfy(accepts)
    case "items": list.dropFirst(schema["prefixItems"]?.items.count ?? 0).allSatisfy { accepts($0, rule) }
    default: true
    }
  }

  private func accepts(_ object: [String: JSON], _ keyword: String, _ rule: JSON, among schema: JSON) -> Bool
  {
    switch keyword {
    case "required": rule.items.allSatisfy { object[$0.text ?? ""] != nil }
    case "minProperties": Double(object.count) >= rule.number ?? .nan
    case "maxProperties": Double(object.count) <= rule.number ?? .nan
    case "propertyNames": object.keys.allSatisfy { accepts(.text($0), rule) }
    case "properties": object.allSatisfy { name, value in rule[name].map { accepts(value, $0) } ?? true }
    case "patternProperties":
      object.allSatisfy { name, value in
        patterns(rule, for: name).allSatisfy { accepts(value, $0) }
      }
    case "additionalProperties":
      object.allSatisfy { name, value in
        schema["properties"]?[name] != nil
          || !(schema["patternProperties"].map { patterns($0, for: name) } ?? []).isEmpty
          || accepts(value, rule)
      }
    default: true
    }
  }

  private func patterns(_ rule: JSON, for name: String) -> [JSON] {
    guard case .object(let patterns) = rule else { return [] }
    return patterns.filter { matches(name, $0.key) }.map(\.value)
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    text.range(of: pattern, options: .regularExpression) != nil
  }

  /// What a pointer such as `#/$defs/view/properties/alpha` names; nil for nothing.
  func definition(_ pointer: String) -> JSON? {
    pointer.split(separator: "/").dropFirst(pointer.hasPrefix("#") ? 1 : 0).reduce(root as JSON?) {
      schema, step in
      Int(step).flatMap { index in schema.flatMap { $0.items.indices.contains(index) ? $0.items[index] : nil }
      }
        ?? schema?[String(step)]
    }
  }

  /// The words and numbers that a schema names: good examples.
  func examples(of schema: JSON?) -> Set<JSON> {
    guard let schema else { return [] }
    var found = Set(schema["enum"]?.items ?? [])
    found.formUnion([schema["const"], schema["default"]].compactMap(\.self))
    for choice in schema["anyOf"]?.items ?? [] { found.formUnion(examples(of: choice)) }
    if let pointer = schema["$ref"]?.text { found.formUnion(examples(of: definition(pointer))) }
    return found
  }

  /// Numbers at the limits that a schema names and beyond them, written as YAML.
  func limits(of schema: JSON?) -> [String] {
    guard let schema else { return [] }
    var found: [String] = []
    for keyword in ["minimum", "exclusiveMinimum", "maximum"] {
      guard let limit = schema[keyword]?.number else { continue }
      for number in [limit, limit.nextUp, limit.nextDown, limit - 1, limit + 1] {
        found.append(number == number.rounded() ? "\(Int(number))" : "\(number)")
      }
    }
    for choice in schema["anyOf"]?.items ?? [] { found += limits(of: choice) }
    if let pointer = schema["$ref"]?.text { found += limits(of: definition(pointer)) }
    return found
  }
}
