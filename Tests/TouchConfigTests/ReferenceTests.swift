import Foundation
import Testing
import TouchRehearsal

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The schema and the tables of docs/configuration.md have what the rows of keys and properties say.
/// `TOUCHTREE_RECORD_GOLDENS=1` writes them.
@Suite struct ReferenceTests {
  @Test func `the schema has the rows`() throws {
    let name = "config/touchtree.schema.json"
    let head = try lines(of: name).prefix { $0 != "  \"properties\": {" }
    try compare(head + SchemaWriter.body, with: name)
  }

  @Test func `the schema of rehearsals has their rows`() throws {
    try compare(
      SchemaWriter.whole(
        of: Rehearsal.keys.table, "touchtree rehearsal",
        "A panel's own test: what is done with it, and what it shows then. Relative paths are relative to the file."
      ),
      with: "config/touchtree-rehearsal.schema.json")
  }

  @Test func `the reference has the rows`() throws {
    let name = "docs/configuration.md"
    var lines = try lines(of: name)
    for (section, table) in Manual.sections where section != "view" {
      try replaceRows(of: section, in: &lines) { _ in Manual.rows(of: table) }
    }
    try replaceRows(of: "view", in: &lines) { _ in
      Manual.rows(of: .view) + ViewProperty.names.map(PropertyManual.row)
    }
    var described: [[String]] = []
    for property in ViewProperty.table {
      guard let parts = property.shape.parts else { continue }
      let rows = parts.parts.map(PropertyManual.row)
      // The second of two properties with the same parts refers to the first.
      guard !described.contains(rows) else { continue }
      described.append(rows)
      try replaceRows(of: "view.\(property.name)", in: &lines) { _ in rows }
    }
    try replaceRows(of: "settable", in: &lines) { _ in PropertyManual.settable }
    try compare(lines, with: name)
  }

  @Test func `each kind of a row is one of its table's, and each definition is there`() {
    for (section, table) in Manual.sections {
      for key in table.keys {
        #expect(Set(key.kinds).isSubset(of: table.kinds), "\(section).\(key.name)")
        for name in key.shape.references {
          #expect(
            SchemaWriter.names.contains(String(name.prefix { $0 != "/" })), "\(section).\(key.name): \(name)")
        }
      }
    }
  }

  // MARK: Files

  private static let isRecording = ProcessInfo.processInfo.environment["TOUCHTREE_RECORD_GOLDENS"] == "1"

  private func url(_ name: String) -> URL { configFolder.deletingLastPathComponent().appending(path: name) }

  private func lines(of name: String) throws -> [String] {
    try String(contentsOf: url(name), encoding: .utf8).components(separatedBy: "\n")
  }

  private func compare(_ lines: [String], with name: String) throws {
    if Self.isRecording {
      return try lines.joined(separator: "\n").write(to: url(name), atomically: true, encoding: .utf8)
    }
    let recorded = try self.lines(of: name)
    let difference = zip(lines, recorded).first { $0 != $1 }
    #expect(
      lines == recorded,
      "\(name) has \(difference?.1 ?? "too few lines") instead of \(difference?.0 ?? "more"); record it")
  }

  /// Replaces the rows of a section's table.
  private func replaceRows(of object: String, in lines: inout [String], _ replace: ([String]) -> [String])
    throws
  {
    let heading = try #require(
      lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix("`\(object)`") }, "\(object)")
    let first = try #require(lines[heading...].firstIndex { $0.hasPrefix("| `") }, "\(object)")
    let end = lines[first...].firstIndex { !$0.hasPrefix("| `") } ?? lines.endIndex
    lines.replaceSubrange(first..<end, with: replace(Array(lines[first..<end])))
  }
}

/// What docs/configuration.md says of the keys of a mapping.
enum Manual {
  /// The tables by the headings of their sections: definitions have their names, other mappings the way to
  /// them.
  static let sections: [(name: String, table: KeyTable)] =
    sections(of: .root, "file")
    + KeyShape.definitions.flatMap { name, _, shape in
      shape.tables.flatMap { sections(of: $0, name) }
    }

  private static func sections(of table: KeyTable, _ name: String) -> [(name: String, table: KeyTable)] {
    [(name, table)]
      + table.keys.flatMap { key in
        key.shape.tables.flatMap { sections(of: $0, name == "file" ? key.name : "\(name).\(key.name)") }
      }
  }

  static func rows(of table: KeyTable) -> [String] {
    var names: [String] = []
    for key in table.keys where !names.contains(key.name) { names.append(key.name) }
    return names.map { name in
      let keys = table.keys.filter { $0.name == name }
      let standard = keys[0].standard.flatMap { $0 == .null ? "null" : PropertyManual.yaml($0) }
      let sentence = sentence(keys, requires: SchemaWriter.isRequired(keys[0], table))
      return "| `\(name)` | \(standard.map { "`\($0)`" } ?? "–") | \(sentence) |"
    }
  }

  /// With the kinds in front, where not all have it: "tap: how many."
  static func sentence(_ keys: [ConfigurationKey], requires: Bool) -> String {
    var sentences: [(kinds: [String], sentence: String)] = []
    for key in keys {
      if let index = sentences.firstIndex(where: { $0.sentence == key.sentence }) {
        sentences[index].kinds += key.kinds
      } else {
        sentences.append((key.kinds, key.sentence))
      }
    }
    let all = sentences.map { kinds, sentence in
      kinds.isEmpty
        ? sentence
        : kinds.joined(separator: ", ") + ": " + sentence.prefix(2).lowercased() + sentence.dropFirst(2)
    }
    return (all + (requires ? ["Required."] : [])).joined(separator: " ")
  }
}

extension KeyShape {
  /// The shapes in it.
  private var inner: [KeyShape] {
    switch self {
    case .nullable(let shape), .list(of: let shape, _), .names(of: let shape, _, _): [shape]
    case .either(let shapes): shapes
    default: []
    }
  }

  /// The mappings that it describes itself.
  var tables: [KeyTable] {
    if case .mapping(let table) = self { [table] } else { inner.flatMap(\.tables) }
  }

  /// The definitions that it names.
  var references: [String] {
    if case .definition(let name) = self { [name] } else { inner.flatMap(\.references) }
  }
}
