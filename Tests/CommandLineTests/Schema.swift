import Foundation

/// config/touchtree.schema.json, as a list of the keys that a configuration may have.
struct Schema {
  private let definitions: [String: [String: Any]]
  /// Each key with the object that it is in and its default as YAML, if the schema names one. Objects of
  /// `$defs` have the definition's name, others are named by their path from there; the file itself is
  /// `file`.
  private(set) var keys: [(object: String, key: String, value: String?)] = []
  /// Each word that a key may have as its value.
  private(set) var words: Set<String> = []
  private var visited: Set<String> = []

  /// The kinds that a view may have.
  var kinds: [String] {
    let properties = definitions["view"]?["properties"] as? [String: [String: Any]]
    return properties?["kind"]?["enum"] as? [String] ?? []
  }

  static func load() throws -> Schema {
    let data = try Data(contentsOf: Page.root("config/touchtree.schema.json"))
    let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    var schema = Schema(definitions: root["$defs"] as? [String: [String: Any]] ?? [:])
    schema.read(root, named: "file")
    return schema
  }

  private init(definitions: [String: [String: Any]]) { self.definitions = definitions }

  /// Reads what an object, or the objects in a list or a choice, may hold.
  private mutating func read(_ schema: [String: Any], named name: String) {
    if let reference = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
      if visited.insert(reference).inserted, let definition = definitions[reference] {
        read(definition, named: reference)
      }
    }
    words.formUnion((schema["enum"] as? [Any] ?? []).compactMap { $0 as? String })
    for choice in schema["anyOf"] as? [[String: Any]] ?? [] { read(choice, named: name) }
    if let items = schema["items"] as? [String: Any] { read(items, named: name) }
    if let values = schema["additionalProperties"] as? [String: Any] { read(values, named: name) }
    for (key, value) in schema["properties"] as? [String: [String: Any]] ?? [:] {
      keys.append((name, key, value["default"].map(Self.yaml)))
      read(value, named: name == "file" ? key : "\(name).\(key)")
    }
  }

  /// How `NSNumber` encodes the type of true and false; every other number has another one.
  private static let booleanTypes: Set = ["c", "B"]

  private static func yaml(_ value: Any) -> String {
    switch value {
    case let list as [Any]: "[" + list.map(yaml).joined(separator: ", ") + "]"
    case let text as String: text.hasPrefix("#") || text.isEmpty ? "\"\(text)\"" : text
    case is NSNull: "null"
    case let number as NSNumber where Self.booleanTypes.contains(String(cString: number.objCType)):
      "\(number.boolValue)"
    default: "\(value)"
    }
  }
}
