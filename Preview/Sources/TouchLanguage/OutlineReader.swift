/// Reads the outline of a text. It never fails: what it does not understand is nothing, or the text of its
/// line.
struct OutlineReader {
  typealias Node = Outline.Node
  typealias Place = Outline.Place

  private let lines: [[Unicode.Scalar]]
  private var row = 0
  private var column = 0
  /// The nesting so far. What is deeper is left out.
  private var depth = 0
  private static let deepest = 64

  init(_ lines: [[Unicode.Scalar]]) { self.lines = lines }

  mutating func document() -> Node {
    var root: Node?
    while skipToContent() {
      let before = here
      let node = block(under: -1)
      if root == nil || root?.entries.isEmpty ?? true { root = node } else { root = joined(root, node) }
      if here == before { nextLine() }
    }
    return root ?? Node(.nothing, Outline.Span(Place(line: 0, column: 0), here))
  }

  // MARK: Places

  private var here: Place { Place(line: row, column: column) }
  private var line: [Unicode.Scalar] { row < lines.count ? lines[row] : [] }
  private var current: Unicode.Scalar? { column < line.count ? line[column] : nil }
  private var next: Unicode.Scalar? { column + 1 < line.count ? line[column + 1] : nil }

  private mutating func nextLine() { (row, column) = (row + 1, 0) }

  private mutating func skipSpaces() { while current == " " || current == "\t" { column += 1 } }

  private var isAtComment: Bool { current == "#" && (column == 0 || line[column - 1].isBlank) }
  private var isAtDash: Bool { current == "-" && (next?.isBlank ?? true) }

  /// Goes to the next content, behind spaces, comments and line ends. Returns false at the end of the text.
  private mutating func skipToContent() -> Bool {
    while row < lines.count {
      skipSpaces()
      let isMark = column == 0 && (line.starts(with: "---".unicodeScalars) || current == "%")
      if current != nil, !isAtComment, !isMark { return true }
      nextLine()
    }
    return false
  }

  private func span(from start: Place) -> Outline.Span { Outline.Span(start, here) }

  // MARK: Blocks

  /// Reads the block at the current place.
  ///
  /// - Parameter parent: the column of the mapping or the list around it.
  private mutating func block(under parent: Int) -> Node {
    guard depth < Self.deepest else {
      nextLine()
      return Node(.nothing, Outline.Span(here, here))
    }
    depth += 1
    defer { depth -= 1 }
    if isAtDash { return list(at: column) }
    if isKey(at: column) || isFollowedByKey { return mapping(at: column) }
    return scalar(under: parent)
  }

  private mutating func mapping(at indent: Int) -> Node {
    let start = here
    var (entries, end): ([Outline.Entry], Place) = ([], here)
    repeat {
      if column < indent || column == indent && isAtDash { break }
      if column > indent {
        // It is indented too far: it belongs to what is before it.
        let node = block(under: indent)
        if let last = entries.indices.last, !node.isNothing {
          if entries[last].value.isNothing {
            entries[last].value = node
          } else {
            entries += node.entries
          }
        }
      } else {
        entries.append(entry(at: indent))
      }
      end = max(end, here)
    } while skipToContent()
    return Node(.mapping(entries), Outline.Span(start, end))
  }

  private mutating func entry(at indent: Int) -> Outline.Entry {
    let start = here
    guard let (text, colon, end) = keyEnd(from: column) else {
      let text = plainText(upTo: plainEnd)
      let entry = Outline.Entry(key: text, span: span(from: start), value: Node(.nothing, span(from: here)))
      nextLine()
      return entry
    }
    let key = Outline.Span(start, Place(line: row, column: end))
    column = colon + 1
    return Outline.Entry(key: text, span: key, value: value(under: indent))
  }

  /// Reads the value behind a key or a dash.
  private mutating func value(under indent: Int, isItem: Bool = false) -> Node {
    skipSpaces()
    while let mark = current, mark == "&" || mark == "!" {
      while let letter = current, !letter.isBlank { column += 1 }
      skipSpaces()
    }
    guard current != nil, !isAtComment else {
      let place = here
      nextLine()
      guard skipToContent(), column > indent || column == indent && isAtDash && !isItem else {
        return Node(.nothing, Outline.Span(place, place))
      }
      return block(under: column == indent ? indent - 1 : indent)
    }
    if isItem { return block(under: indent) }
    return scalar(under: indent)
  }

  private mutating func list(at indent: Int) -> Node {
    let start = here
    var (items, end): ([Node], Place) = ([], here)
    repeat {
      guard column == indent, isAtDash else {
        if column <= indent { break }
        _ = block(under: indent)
        continue
      }
      column += 1
      items.append(value(under: indent, isItem: true))
      end = max(end, here)
    } while skipToContent()
    return Node(.list(items), Outline.Span(start, end))
  }

  /// Joins what two parts of a broken text have.
  private func joined(_ one: Node?, _ other: Node) -> Node {
    guard let one else { return other }
    return Node(.mapping(one.entries + other.entries), Outline.Span(one.span.start, other.span.end))
  }

  // MARK: Keys

  private func isKey(at column: Int) -> Bool { keyEnd(from: column) != nil }

  /// Whether the next line with content is a key in the same column: then this line is one that lacks its
  /// colon.
  private var isFollowedByKey: Bool {
    var copy = self
    copy.nextLine()
    return current != "{" && current != "[" && copy.skipToContent() && copy.column == column
      && copy.isKey(at: column)
  }

  /// Returns the key of the line, the column of its colon, and that of its end; nil where there is none.
  private func keyEnd(from start: Int) -> (text: String, colon: Int, end: Int)? {
    guard start < line.count, line[start] != "{", line[start] != "[" else { return nil }
    var index = start
    if line[start].isQuote {
      index += 1
      while index < line.count, line[index] != line[start] { index += line[index] == "\\" ? 2 : 1 }
      guard index < line.count else { return nil }
      let (text, end) = (Self.string(line[(start + 1)..<index]), index + 1)
      index = end
      while index < line.count, line[index].isBlank { index += 1 }
      return index < line.count && line[index] == ":" ? (text, index, end) : nil
    }
    while index < line.count {
      if line[index] == "#", index > start, line[index - 1].isBlank { return nil }
      if line[index] == ":", index + 1 == line.count || line[index + 1].isBlank {
        var end = index
        while end > start, line[end - 1].isBlank { end -= 1 }
        return (Self.string(line[start..<end]), index, end)
      }
      index += 1
    }
    return nil
  }

  // MARK: Scalars

  /// Reads what is neither a mapping nor a list in block style.
  ///
  /// - Parameter indent: the column of what is around it. A scalar goes on in lines that are indented
  ///   further.
  private mutating func scalar(under indent: Int) -> Node {
    let start = here
    switch current {
    case "{", "[":
      let node = flow(under: indent)
      nextLine()
      return node
    case "|", ">": return literal(under: indent)
    case "\"", "'":
      let node = quoted(under: indent)
      nextLine()
      return node
    default:
      var text = plainText(upTo: plainEnd)
      var end = here
      nextLine()
      while goesOn(under: indent) {
        text += " " + plainText(upTo: plainEnd)
        end = here
        nextLine()
      }
      return Node(.scalar(text, isQuoted: false), Outline.Span(start, end))
    }
  }

  /// Goes to the next line, if a plain scalar goes on there.
  private mutating func goesOn(under indent: Int) -> Bool {
    let before = (row, column)
    skipSpaces()
    if current != nil, !isAtComment, column > indent, !isAtDash, !isKey(at: column) { return true }
    (row, column) = before
    return false
  }

  private var plainEnd: Int {
    var index = column
    while index < line.count, !(line[index] == "#" && index > column && line[index - 1].isBlank) {
      index += 1
    }
    while index > column, line[index - 1].isBlank { index -= 1 }
    return index
  }

  private mutating func plainText(upTo end: Int) -> String {
    defer { column = max(column, end) }
    return column < end ? Self.string(line[column..<end]) : ""
  }

  private mutating func literal(under indent: Int) -> Node {
    let start = here
    var text = ""
    nextLine()
    while row < lines.count {
      let first = line.firstIndex { $0 != " " }
      if let first, first <= indent { break }
      text += Self.string(line[(first ?? line.count)...]) + "\n"
      nextLine()
    }
    return Node(.scalar(text, isQuoted: true), span(from: start))
  }

  private mutating func quoted(under indent: Int) -> Node {
    let (start, quote) = (here, current)
    var text = String.UnicodeScalarView()
    column += 1
    while row < lines.count {
      guard let current else {
        // One that is not closed yet ends with its line, unless the next one is indented further.
        let end = here
        nextLine()
        skipSpaces()
        guard row < lines.count, self.current != nil, column > max(indent, 0), !isKey(at: column), !isAtDash
        else {
          (row, column) = (end.line, end.column)
          break
        }
        text.append(" ")
        continue
      }
      column += 1
      if current == quote { break }
      text.append(current)
      if current == "\\", quote == "\"", let escaped = self.current {
        text.append(escaped)
        column += 1
      }
    }
    return Node(.scalar(String(text), isQuoted: true), span(from: start))
  }

  // MARK: Flow

  /// Reads a mapping or a list in brackets. One that is not closed ends where a line is indented no further
  /// than `indent`.
  private mutating func flow(under indent: Int) -> Node {
    let (start, isMapping) = (here, current == "{")
    column += 1
    guard depth < Self.deepest else { return Node(.nothing, span(from: start)) }
    depth += 1
    defer { depth -= 1 }
    var (entries, items): ([Outline.Entry], [Node]) = ([], [])
    while skipInFlow(under: indent), let mark = current {
      if mark == "}" || mark == "]" {
        column += 1
        break
      }
      if mark == "," {
        column += 1
        continue
      }
      let before = here
      let value = flowValue(under: indent)
      skipSpaces()
      if current == ":" {
        column += 1
        let key = value.span
        let hasMore = skipInFlow(under: indent)
        let inner = hasMore ? flowValue(under: indent) : Node(.nothing, span(from: here))
        let entry = Outline.Entry(key: value.text ?? "", span: key, value: inner)
        if isMapping {
          entries.append(entry)
        } else {
          items.append(Node(.mapping([entry]), span(from: key.start)))
        }
      } else if isMapping {
        entries.append(
          Outline.Entry(key: value.text ?? "", span: value.span, value: Node(.nothing, span(from: here))))
      } else {
        items.append(value)
      }
      if here == before { column += 1 }
    }
    return Node(isMapping ? .mapping(entries) : .list(items), span(from: start))
  }

  /// Goes to the next content of brackets. Returns false where they end without being closed.
  private mutating func skipInFlow(under indent: Int) -> Bool {
    while row < lines.count {
      skipSpaces()
      if current != nil, !isAtComment { return true }
      let before = here
      nextLine()
      skipSpaces()
      if current == nil || isAtComment || current == "}" || current == "]" || column > indent { continue }
      (row, column) = (before.line, before.column)
      return false
    }
    return false
  }

  private mutating func flowValue(under indent: Int) -> Node {
    let start = here
    switch current {
    case "{", "[": return flow(under: indent)
    case "\"", "'": return quoted(under: indent)
    default:
      var index = column
      while index < line.count, !line[index].endsInFlow {
        if line[index] == ":"
          && (index + 1 == line.count || line[index + 1].isBlank || line[index + 1].endsInFlow)
          || line[index] == "#" && index > column && line[index - 1].isBlank
        {
          break
        }
        index += 1
      }
      while index > column, line[index - 1].isBlank { index -= 1 }
      let text = plainText(upTo: index)
      return Node(text.isEmpty ? .nothing : .scalar(text, isQuoted: false), span(from: start))
    }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
  fileprivate var isQuote: Bool { self == "\"" || self == "'" }
  fileprivate var endsInFlow: Bool { ",{}[]".unicodeScalars.contains(self) }
}
