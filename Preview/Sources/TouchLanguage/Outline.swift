/// The structure of a YAML text, as far as it shows while the text is being written.
///
/// It is found by indentation and brackets alone. A line that is wrong or unfinished costs what is on it, and
/// nothing around it.
package struct Outline {
  /// A place in the text, counted from 0; columns in Unicode scalars.
  package struct Place: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    package static func < (one: Place, other: Place) -> Bool {
      (one.line, one.column) < (other.line, other.column)
    }
  }

  /// A part of the text; the end is not in it.
  package struct Span: Hashable, Sendable {
    package var start: Place
    package var end: Place

    package init(_ start: Place, _ end: Place) { (self.start, self.end) = (start, end) }

    /// Whether the span has a place, or ends at it.
    package func touches(_ place: Place) -> Bool { start <= place && place <= end }
  }

  package final class Node {
    package enum Content {
      case nothing
      /// A scalar without its quotes. Escapes stay as they are written.
      case scalar(String, isQuoted: Bool)
      case list([Node])
      case mapping([Entry])
    }

    package let content: Content
    package let span: Span

    init(_ content: Content, _ span: Span) { (self.content, self.span) = (content, span) }

    /// The scalar; nil for anything else.
    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    package var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    package var items: [Node] { if case .list(let items) = content { items } else { [] } }

    package subscript(key: String) -> Node? { entries.first { $0.key == key }?.value }

    var isNothing: Bool { if case .nothing = content { true } else { false } }
  }

  package struct Entry {
    package let key: String
    package let span: Span
    package var value: Node
  }

  /// The lines without their ends.
  package let lines: [[Unicode.Scalar]]
  package let root: Node

  package init(lines: [[Unicode.Scalar]]) {
    self.lines = lines
    var reader = OutlineReader(lines)
    root = reader.document()
  }

  package init(_ text: some StringProtocol) { self.init(lines: Self.lines(of: text)) }

  /// Returns the lines of a text. They end as those of the Language Server Protocol: with LF, CR LF, or CR.
  package static func lines(of text: some StringProtocol) -> [[Unicode.Scalar]] {
    var lines: [[Unicode.Scalar]] = [[]]
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\n" where isAfterReturn: break
      case "\n", "\r": lines.append([])
      default: lines[lines.count - 1].append(scalar)
      }
    }
    return lines
  }
}
