import Foundation
import Testing
import TouchConfig
import TouchRehearsal

/// The tables of docs/rehearsals.md have what the rows of the keys say. `TOUCHTREE_RECORD_GOLDENS=1` writes
/// them.
@Suite struct RehearsalReferenceTests {
  private static let headings = [
    "a rehearsal": "## Keys", "a case": "### A case", "a step of a rehearsal": "### A step",
    "a touch": "### `touch`", "a drag": "### `drag`", "a text": "### `type`", "a picture": "### `picture`",
  ]

  @Test func `the page has the rows of every mapping`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../docs/rehearsals.md")
    let recorded = try String(contentsOf: page, encoding: .utf8)
    var lines = recorded.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let tables = Self.tables(in: .mapping(Rehearsal.keys.table))
    #expect(Set(tables.map(\.owner)) == Set(Self.headings.keys))
    for table in tables {
      let heading = try #require(Self.headings[table.owner])
      let start = try #require(lines.firstIndex(of: heading)) + 4
      let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
      lines.replaceSubrange(start..<end, with: table.keys.map(Self.row))
    }
    let written = lines.joined(separator: "\n")
    let environment = ProcessInfo.processInfo.environment
    if environment["TOUCHTREE_RECORD_GOLDENS"] != nil, environment["CI"] == nil {
      try written.write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(written == recorded)
    }
  }

  private static func row(_ key: ConfigurationKey) -> String {
    let standard: String? =
      switch key.standard {
      case nil, .null?, .map?: nil
      case .text(let text)?: text.isEmpty ? nil : text
      case .list(let items)?: items.isEmpty ? nil : "\(items)"
      case .number?, .flag?: key.standard?.description
      }
    return "| `\(key.name)` | \(standard.map { "`\($0)`" } ?? "–") | \(key.sentence) |"
  }

  /// The tables of a mapping and of those in it, each once.
  private static func tables(in shape: KeyShape) -> [KeyTable] {
    switch shape {
    case .nullable(let shape), .list(of: let shape, _), .names(of: let shape, _, _): tables(in: shape)
    case .either(let shapes): shapes.flatMap { tables(in: $0) }
    case .mapping(let table): [table] + table.keys.flatMap { tables(in: $0.shape) }
    case .value, .string, .pattern, .values, .definition, .anything: []
    }
  }
}
