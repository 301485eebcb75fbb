import TouchConfig

/// The word that is being written at a place of a file.
struct Cursor {
  enum Role {
    /// A key of the mapping, which has the other entries.
    case key([Outline.Entry])
    /// A value. As an item of a list it may become a mapping.
    case value(isQuoted: Bool)
  }

  let role: Role
  /// The possible texts here: around a key, the mapping.
  let guide: KeyGuide
  /// The mappings around the place, from the outermost one.
  let around: [[Outline.Entry]]
  /// The text up to the place.
  let written: String
  /// The place of `written`.
  let span: Outline.Span

  /// Whether a value stands where a mapping may begin: at the start of a line, or of an item.
  let mayBeKey: Bool

  /// A character that no file has: it stands at the place while the text is read.
  private static let mark: Unicode.Scalar = "\u{F8FF}"

  /// Fails where nothing can be written: in a comment.
  init?(in lines: [[Unicode.Scalar]], at place: Outline.Place, _ table: KeyTable) {
    guard lines.indices.contains(place.line), place.column <= lines[place.line].count else { return nil }
    var lines = lines
    lines[place.line].insert(Self.mark, at: place.column)
    let outline = Outline(lines: lines)
    guard let found = Self.search(outline.root, KeyGuide(table), []) else { return nil }
    (role, guide, around) = (found.role, found.guide, found.around)
    let line = lines[place.line][..<place.column]
    var start = found.start.line == place.line ? min(found.start.column, place.column) : 0
    if start < place.column, case .value(isQuoted: true) = role { start += 1 }
    mayBeKey = line[..<start].allSatisfy { $0 == " " || $0 == "-" }
    written = String(String.UnicodeScalarView(line[start...]))
    span = Outline.Span(Outline.Place(line: place.line, column: start), place)
  }

  private struct Found {
    let role: Role
    let guide: KeyGuide
    let around: [[Outline.Entry]]
    let start: Outline.Place
  }

  private static func search(_ node: Outline.Node, _ guide: KeyGuide, _ around: [[Outline.Entry]]) -> Found? {
    switch node.content {
    case .nothing: return nil
    case .scalar(let text, let isQuoted):
      guard text.unicodeScalars.contains(mark) else { return nil }
      return Found(role: .value(isQuoted: isQuoted), guide: guide, around: around, start: node.span.start)
    case .list(let items):
      for item in items { if let found = search(item, guide.item, around) { return found } }
      return nil
    case .mapping(let entries):
      for (index, entry) in entries.enumerated() {
        if entry.key.unicodeScalars.contains(mark) {
          var others = entries
          others.remove(at: index)
          return Found(role: .key(others), guide: guide, around: around + [others], start: entry.span.start)
        }
        let inner = guide.value(of: entry.key, in: entries)
        if let found = search(entry.value, inner, around + [entries]) { return found }
      }
      return nil
    }
  }
}
