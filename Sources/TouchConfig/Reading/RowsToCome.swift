import TouchCore
import TouchExpressions

/// Rows that a value does not have yet. An error in their views is a warning where the file is read: it would
/// be seen when the first row comes.
extension ConfigurationReader {
  /// Notes a `repeat` without rows.
  /// - Returns: the parameters of the row by which it is checked, each of any type; nil for rows of the file,
  ///   and for a reader that does not check them.
  mutating func rowToCome(_ value: Value) -> [String: TemplateInstance.Parameter]? {
    guard Self.list(ofRows: value.node) != nil else { return nil }
    hasRowsToCome = true
    guard checksRowsToCome else { return nil }
    let names = templates.values.reduce(into: Self.names(in: value.node)) { $0.formUnion($1.parameters) }
    var row: [String: TemplateInstance.Parameter] = [:]
    for name in names.subtracting(configuration.values.map(\.name)) {
      row[name] = .row(RowField(list: 0, slot: 0, name: name), .any)
    }
    // Ids are made of these two.
    row["key"] = .value(.text("row"))
    row[Configuration.View.Rows.index] = .value(.number(0))
    return row
  }

  /// Reads a document once more, with a row in each empty `repeat`, and warns of errors in its views. A text
  /// with braces may be right in some rows and wrong in others, so it is left out.
  func warnOfRowsToCome(in document: YAMLNode, files: [ConfigurationSource]) {
    guard hasRowsToCome, !report.hasErrors(cosmetic: true), !Self.hasComputedKind(document) else { return }
    let computed = document.scalars.filter { $0.written?.contains("{") ?? false }
    var reader = ConfigurationReader(configuration, report: Report(files))
    reader.checksRowsToCome = true
    reader.read(document)
    let known = Set(report.diagnostics.map(\.place))
    for found in reader.report.diagnostics
    where found.place.file < files.count && !known.contains(found.place) {
      guard !computed.contains(where: { $0.contains(found.place) }) else { continue }
      report.add(.warning, at: found.place, found.message)
    }
  }

  /// Whether a parameter decides which keys a view has.
  private static func hasComputedKind(_ node: YAMLNode) -> Bool {
    if let entries = node.entries {
      return entries.contains { key, value in
        ["kind", "of"].contains(key.text) && value.written?.contains("{") ?? false || hasComputedKind(value)
      }
    }
    return node.items?.contains(where: hasComputedKind) ?? false
  }
}

extension YAMLNode {
  fileprivate func contains(_ other: SourceLocation) -> Bool {
    // A text may stand between quotes.
    let end = place.column + (written?.count ?? 0) + 2
    return (place.file, place.line) == (other.file, other.line) && (place.column..<end).contains(other.column)
  }
}
