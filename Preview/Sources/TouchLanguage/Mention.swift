import TouchConfig
import TouchExpressions

/// A name in a file: where something gets it, or where it is used.
struct Mention {
  enum Kind: String {
    case view, value, style, template, handler, controller, gesture, string
    /// The target of a step: a view or a value.
    case target

    /// Whether a name of this kind can mean one of another kind.
    func means(_ other: Kind) -> Bool {
      self == other
        || [(self, other), (other, self)].contains { $0.0 == .target && ($0.1 == .view || $0.1 == .value) }
    }
  }

  let name: String
  let kind: Kind
  /// The name alone, without quotes.
  let span: Outline.Span
  /// The declaration of the name; nil where it is only used.
  var declared: Outline.Node?

  var isDeclaration: Bool { declared != nil }
}

extension KeyGuide {
  /// The kind of the names that stand here as values; nil for none.
  var nameKind: Mention.Kind? {
    switch (owner, key) {
    case (_, "style"): .style
    case ("a view of a template", "of"), ("a repeat", "of"): .template
    case (_, "handlers") where owner != "the file", ("a send", "to"): .handler
    case (_, "fixed_target"), (_, "redirect"), ("next_focus", _), ("a step", "present"),
      ("a step", "dismiss"), ("a run", "show"), ("a gesture", "transforms"), ("a page", _),
      ("a step", "page"),
      ("a view", "page"), ("a step", "scroll_to"), ("a step of a rehearsal", _), ("a drag", "from"),
      ("a drag", "to"), ("a text", "into"), ("a picture", "view"):
      .view
    case (_, "presented_by"): .controller
    case ("a gesture", "require_to_fail"), ("a gesture", "simultaneous_with"): .gesture
    case ("a repeat", "for"): .value
    case ("a view", "of"): .value
    default: nil
    }
  }

  /// The kind of the names that are keys here; nil for none.
  ///
  /// - Parameter isDeclaration: whether they get the names here.
  var keyKind: (kind: Mention.Kind, isDeclaration: Bool)? {
    switch (owner, key) {
    case ("the file", "values"): (.value, true)
    case ("the file", "styles"): (.style, true)
    case ("the file", "templates"): (.template, true)
    case ("the file", "handlers"): (.handler, true)
    case ("the file", "strings"): takesTexts ? (.string, true) : nil
    case ("a step", "set"), ("an animate", "set"), ("a step of a rehearsal", "set"),
      ("a step of a rehearsal", "expect"):
      (.target, false)
    case ("a rehearsal", "values"): (.value, false)
    case ("a step", "toggle"), ("a step", "change"), ("a step", "page"), ("a step", "scroll_to"),
      ("a stage of idle", "page"), ("a step of a rehearsal", "page"):
      (.view, false)
    default: nil
    }
  }

  /// Whether the names here have plain texts: those of one language.
  private var takesTexts: Bool {
    shapes.contains { if case .names(of: .value(.text), _, _) = $0 { true } else { false } }
  }
}

/// Finds the names in an outline.
struct MentionFinder {
  private let outline: Outline
  private(set) var mentions: [Mention] = []

  init(_ outline: Outline, _ table: KeyTable) {
    self.outline = outline
    visit(outline.root, KeyGuide(table))
  }

  private mutating func visit(_ node: Outline.Node, _ guide: KeyGuide) {
    switch node.content {
    case .nothing: break
    case .scalar(let text, _):
      addExpressions(in: node)
      guard let kind = guide.nameKind, !text.contains("{") else { break }
      mentions.append(Mention(name: text, kind: kind, span: outline.textSpan(of: node)))
    case .list(let items):
      let item = guide.item
      for node in items { visit(node, item) }
    case .mapping(let entries):
      for entry in entries {
        addName(entry, of: node, guide)
        visit(entry.value, guide.value(of: entry.key, in: entries))
      }
    }
  }

  private mutating func addName(_ entry: Outline.Entry, of mapping: Outline.Node, _ guide: KeyGuide) {
    if let (kind, isDeclaration) = guide.keyKind, guide.key(entry.key, of: []) == nil {
      mentions.append(
        Mention(
          name: entry.key, kind: kind, span: outline.unquoted(entry.span),
          declared: isDeclaration ? entry.value : nil))
    }
    let owner = guide.tables.first?.owner
    let kind: Mention.Kind? =
      switch (owner, entry.key) {
      case ("a gesture", "id"): .gesture
      case ("a controller", "id"), ("a view", "controller"): .controller
      case (_?, "id"): .view
      default: nil
      }
    guard let kind, let name = entry.value.text, !name.contains("{") else { return }
    mentions.append(
      Mention(name: name, kind: kind, span: outline.textSpan(of: entry.value), declared: mapping))
  }

  private mutating func addExpressions(in node: Outline.Node) {
    for line in node.span.start.line...node.span.end.line where line < outline.lines.count {
      let first = line == node.span.start.line ? node.span.start.column : 0
      let last = line == node.span.end.line ? node.span.end.column : outline.lines[line].count
      guard first < last, outline.lines[line][first..<last].contains("{") else { continue }
      for word in ExpressionWords(outline.lines[line][first..<last]).words {
        func span(_ range: Range<Int>) -> Outline.Span {
          Outline.Span(
            Outline.Place(line: line, column: range.lowerBound),
            Outline.Place(line: line, column: range.upperBound))
        }
        let isText = word.text == "t" && word.part != nil
        if isText, let part = word.part {
          mentions.append(Mention(name: part.text, kind: .string, span: span(part.range)))
        } else {
          mentions.append(
            Mention(name: word.text, kind: word.part == nil ? .value : .view, span: span(word.range)))
        }
      }
    }
  }
}

/// The names in the braces of a text.
struct ExpressionWords {
  struct Word {
    let text: String
    let range: Range<Int>
    /// The name behind a dot.
    var part: (text: String, range: Range<Int>)?
  }

  private(set) var words: [Word] = []

  init(_ text: ArraySlice<Unicode.Scalar>) {
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == "{" else {
        index += 1
        continue
      }
      index += 1
      if index < text.endIndex, text[index] == "{" { index += 1 } else { index = read(text, from: index) }
    }
  }

  /// Reads one expression. Returns the place behind it.
  private mutating func read(_ text: ArraySlice<Unicode.Scalar>, from start: Int) -> Int {
    var index = start
    while index < text.endIndex, text[index] != "}" {
      let letter = text[index]
      if letter == "'" {
        index = (text[(index + 1)...].firstIndex(of: "'") ?? text.endIndex - 1) + 1
      } else if letter == ":", index > start, text[index - 1] != " " {
        // A format.
        return text[index...].firstIndex(of: "}") ?? text.endIndex
      } else if letter.beginsName {
        let word = Self.word(text, from: index)
        index = word.upperBound
        var found = Word(text: Self.string(text[word]), range: word)
        if index < text.endIndex, text[index] == "." {
          let part = Self.word(text, from: index + 1)
          found.part = (Self.string(text[part]), part)
          index = part.upperBound
          while index < text.endIndex, text[index] == "." {
            index = Self.word(text, from: index + 1).upperBound
          }
        }
        let isFunction = index < text.endIndex && text[index] == "("
        if !isFunction, !Self.reserved.contains(found.text) { words.append(found) }
      } else {
        index += 1
      }
    }
    return index
  }

  static let reserved: Set = ["true", "false", "null", "and", "or", "not"]

  private static func word(_ text: ArraySlice<Unicode.Scalar>, from start: Int) -> Range<Int> {
    var end = start
    while end < text.endIndex, text[end].goesOnInName { end += 1 }
    return start..<max(start, end)
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

extension Unicode.Scalar {
  var beginsName: Bool { self == "_" || properties.isAlphabetic }
  var goesOnInName: Bool { beginsName || self == "-" || properties.numericType != nil }
}

extension Outline {
  /// Returns the span of a scalar without its quotes.
  func textSpan(of node: Node) -> Span { unquoted(node.span) }

  func unquoted(_ span: Span) -> Span {
    guard span.start.line == span.end.line, span.start.line < lines.count,
      span.end.column - span.start.column >= 2, span.end.column <= lines[span.start.line].count,
      let first = lines[span.start.line][span.start.column...].first, first == "\"" || first == "'",
      lines[span.start.line][span.end.column - 1] == first
    else { return span }
    var inner = span
    inner.start.column += 1
    inner.end.column -= 1
    return inner
  }
}
