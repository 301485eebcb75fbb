import TouchConfig
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// One thing that can be written at a place.
struct Completion {
  /// The kinds of the Language Server Protocol that are used.
  enum Kind: Int {
    case function = 3
    case variable = 6
    case property = 10
    case value = 12
    case color = 16
    case reference = 18
    case constant = 21
  }

  let label: String
  let kind: Kind
  var detail = ""
  /// In Markdown.
  var sentence = ""
  /// The text in place of `span`; nil for the label.
  var text: String?
  let span: Outline.Span
}

/// Finds what can be written at a place.
struct Completer {
  private let cursor: Cursor
  private let names: NameList
  private(set) var completions: [Completion] = []
  private var labels: Set<String> = []
  /// Whether there are more, which another letter may bring.
  private(set) var isIncomplete = false

  /// More are no help.
  private static let most = 200

  init(_ cursor: Cursor, _ names: NameList) {
    (self.cursor, self.names) = (cursor, names)
    switch cursor.role {
    case .key(let others): addKeys(to: others)
    case .value(let isQuoted):
      if isQuoted, let open = openBrace {
        addNames(inBraceAt: open)
      } else {
        addValues()
        if cursor.mayBeKey { addKeys(to: []) }
      }
    }
  }

  private mutating func add(
    _ label: String, _ kind: Completion.Kind, _ detail: String = "", sentence: String = "",
    text: String? = nil, at span: Outline.Span? = nil
  ) {
    guard completions.count < Self.most else {
      isIncomplete = true
      return
    }
    guard labels.insert(label).inserted else { return }
    completions.append(
      Completion(
        label: label, kind: kind, detail: detail, sentence: sentence, text: text, span: span ?? cursor.span))
  }

  // MARK: Keys

  private mutating func addKeys(to others: [Outline.Entry]) {
    let guide = cursor.guide
    // A step has one key, and names of its own are not mixed with keys.
    let isStep = guide.tables.contains { $0 === KeyTable.step || $0.owner == "a step of a rehearsal" }
    guard !isStep || others.isEmpty else { return }
    if let (kind, isDeclaration) = guide.keyKind, !isDeclaration {
      let wanted: Set<Mention.Kind> = kind == .target ? [.value, .view] : [kind]
      for name in names.all(wanted) where !others.contains(where: { $0.key == name.name }) {
        add(name.name, .reference, name.detail, text: "\(name.name): ")
      }
    }
    let kind = targetKind
    for key in guide.keys(of: others) where !others.contains(where: { $0.key == key.name }) {
      if let kind, let property = ViewProperty.named(key.name),
        !kind.has(ViewProperty.named(key.name, of: kind) ?? property)
      {
        continue
      }
      add(key.name, .property, key.shape.words, sentence: key.markdown, text: "\(key.name): ")
    }
    for name in templateParameters(of: others) where !others.contains(where: { $0.key == name }) {
      add(name, .variable, "a parameter of the template", text: "\(name): ")
    }
  }

  /// The kind of the view whose properties a step sets here; nil for any other mapping.
  private var targetKind: ViewKind? {
    guard cursor.guide.tables.contains(where: { $0 === KeyTable.settable }), cursor.around.count > 1,
      let entry = cursor.around[cursor.around.count - 2].first(where: {
        $0.value.span.touches(cursor.span.end)
      })
    else { return nil }
    return names.kind(ofView: entry.key)
  }

  /// The parameters of a template: the names in its braces that are neither values nor views.
  private func templateParameters(of entries: [Outline.Entry]) -> [String] {
    guard cursor.guide.tables.contains(where: { $0 === KeyTable.view }),
      let name = entries.first(where: { $0.key == "of" })?.value.text
    else { return [] }
    return names.parameters(ofTemplate: name)
  }

  // MARK: Values

  private mutating func addValues() {
    let guide = cursor.guide
    if let kind = guide.nameKind {
      for name in names.all([kind]) { add(name.name, .reference, name.detail) }
    }
    switch guide.key {
    case "icon", "icons": addIcons()
    case "name" where cursor.around.dropLast().last?.contains(where: { $0.key == "icon" }) ?? false:
      addIcons()
    case "theme", "based_on": for name in Theme.names { add(name, .constant) }
    case "layout": for name in KeyboardLayout.names { add(name, .constant) }
    default: break
    }
    for shape in guide.shapes { addWords(of: shape) }
  }

  private mutating func addWords(of shape: KeyShape) {
    switch shape {
    case .values(let values): for value in values { add(value.word, .constant) }
    case .value(let shape): addWords(of: shape)
    default: break
    }
  }

  private mutating func addWords(of shape: PropertyShape) {
    switch shape {
    case .flag: for word in ["true", "false"] { add(word, .constant) }
    case .words(let words): for word in words { add(word, .constant) }
    case .weight: for weight in TextStyle.Weight.allCases { add(weight.rawValue, .constant) }
    case .color, .gradient: for name in names.colors + Color.names { add(name, .color) }
    case .nothing: add("none", .constant)
    case .either(let shapes): for shape in shapes { addWords(of: shape) }
    case .number, .integer, .text, .name, .dayOrMinute, .list, .texts, .parts: break
    }
  }

  /// The icons that begin with what is written come first, then those that contain it.
  private mutating func addIcons() {
    let all = IconFont.installed?.names ?? []
    let written = cursor.written
    for name in all where name.hasPrefix(written) { add(name, .value) }
    guard !written.isEmpty else { return }
    for name in all where name.contains("-" + written) { add(name, .value) }
  }

  // MARK: Expressions

  /// The place of the brace in which something is being written; nil for none.
  private var openBrace: Int? {
    let letters = Array(cursor.written.unicodeScalars)
    guard let open = letters.lastIndex(of: "{"), !letters[open...].contains("}") else { return nil }
    let count = letters[...open].reversed().prefix { $0 == "{" }.count
    return count % 2 == 1 ? open : nil
  }

  private mutating func addNames(inBraceAt open: Int) {
    let letters = Array(cursor.written.unicodeScalars)
    let start = (letters[open...].lastIndex { !$0.goesOnInName && $0 != "." } ?? open) + 1
    let word = String(String.UnicodeScalarView(letters[start...]))
    var span = cursor.span
    let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    span.start.column += letters.count - (parts.last ?? "").unicodeScalars.count
    guard parts.count > 1 else {
      for name in names.all([.value, .view]) { add(name.name, .reference, name.detail, at: span) }
      for name in templateNames { add(name, .variable, "a parameter of the template", at: span) }
      add("now", .variable, "the time of day", at: span)
      for function in Function.allCases {
        add(function.rawValue, .function, text: "\(function.rawValue)(", at: span)
      }
      return
    }
    if parts[0] == "t" {
      for name in names.all([.string]) { add(name.name, .reference, name.detail, at: span) }
      return
    }
    let kind = names.kind(ofView: parts[0])
    if parts.count > 2 {
      let shape = kind.flatMap { ViewProperty.named(parts[1], of: $0) }?.shape
      for part in shape?.parts?.parts ?? [] { add(part.name, .property, sentence: part.sentence, at: span) }
      return
    }
    for property in ViewProperty.table where kind.map({ $0.has(property) }) ?? true {
      add(property.name, .property, sentence: property.sentence.plainLinks, at: span)
    }
  }

  /// The parameters of the template in which the place is.
  private var templateNames: [String] {
    guard cursor.around.count > 1, let root = cursor.around.first,
      let templates = root.first(where: { $0.key == "templates" })?.value,
      let template = templates.entries.first(where: { $0.value.span.touches(cursor.span.end) })
    else { return [] }
    return names.parameters(ofTemplate: template.key)
  }
}

extension PropertyValue {
  /// The value as a file has it.
  fileprivate var word: String { if case .text(let text) = self { text } else { description } }
}
