import TouchCore
import TouchViews

/// Layouts of keyboards, `keyboards:`, and the keyboard that comes up by itself, `keyboard:`.
extension ConfigurationReader {
  /// The keyboard of a text field that no declared keyboard serves.
  private enum Shows: String, CaseIterable { case auto, never }

  mutating func readKeyboards(_ value: Value?, _ standard: Value?) {
    let advice = "give names and the layouts that they stand for: {mine: {rows: [q w e r t y, a s d f]}}"
    if let value, !value.node.isNull, value.node.entries == nil { value.refuse(advice) }
    for (name, node) in value?.node.entries ?? [] {
      let layout = Value(name: "the keyboard \"\((name.text ?? "").escaped)\"", node: node, report: report)
      if let read = keyboardLayout(layout) { configuration.keyboards[name.text ?? ""] = read }
    }
    guard let fields = standard?.fields(.screenKeyboard) else { return }
    if let layout = fields.unlessNull("layout"), let name = layout.nonEmptyText(Self.layoutAdvice),
      checkLayout(layout)
    {
      configuration.keyboardLayout = name
    }
    if let shows = fields["shows"]?.choice(Shows.self) { configuration.showsKeyboard = shows == .auto }
  }

  private static let layoutAdvice =
    "give one of \(KeyboardLayout.names.joined(separator: ", ")), or one of \"keyboards:\""

  /// Whether there is a layout of the name that a value has; reports one that is not there.
  @discardableResult
  func checkLayout(_ value: Value) -> Bool {
    guard let name = value.node.text, !value.node.isNull else { return false }
    if configuration.layout(named: name) != nil { return true }
    value.refuse(word: KeyboardLayout.names + configuration.keyboards.keys.sorted(), Self.layoutAdvice)
    return false
  }

  private func keyboardLayout(_ value: Value) -> KeyboardLayout? {
    let advice = "give a mapping with rows"
    guard let fields = value.fields(.keyboardLayout, advice, missing: advice),
      let letters = fields.require("rows")
    else { return nil }
    let language = fields.unlessNull("language")?.nonEmptyText("give a language such as de") ?? ""
    let pages: [(page: KeyboardLayout.Page, rows: [Value]?)] = [
      (.letters, keyRows(letters)), (.symbols, fields.unlessNull("symbols").flatMap { keyRows($0) }),
      (.more, fields.unlessNull("more").flatMap { keyRows($0) }),
    ]
    let (shifted, variants) = (texts(fields.unlessNull("shifted")), texts(fields.unlessNull("variants")))
    guard let first = pages[0].rows else { return nil }
    func words(_ rows: [Value]?) -> [String]? { rows?.map { $0.node.text ?? "" } }
    do throws(KeyboardLayout.Problem) {
      return try KeyboardLayout(
        language: language, rows: words(first) ?? [],
        symbols: words(pages[1].rows) ?? KeyboardLayout.standardSymbols,
        more: words(pages[2].rows) ?? KeyboardLayout.standardMore, shifted: shifted, variants: variants)
    } catch {
      if let rows = pages.first(where: { $0.page == error.page })?.rows, rows.indices.contains(error.row) {
        report.add(at: report.place(ofByte: error.offset, in: rows[error.row].node), error.message)
      }
      return nil
    }
  }

  /// The rows of a page; each is a text.
  private func keyRows(_ value: Value) -> [Value]? {
    let advice = "give rows of keys: [q w e r t y, a s d f]"
    guard let rows = value.list(advice, of: "a row"), !rows.isEmpty, rows.count <= 8 else {
      if value.node.items != nil { value.refuse("give 1 to 8 rows") }
      return nil
    }
    let texts = rows.map { $0.freeText("give the keys with spaces between them") }
    return texts.contains(nil) ? nil : rows
  }

  private func texts(_ value: Value?) -> [String: String] {
    guard let value else { return [:] }
    guard let entries = value.node.entries else {
      value.refuse("give letters and what belongs to them: {a: à á}")
      return [:]
    }
    var texts: [String: String] = [:]
    for (key, node) in entries {
      let name = key.text ?? ""
      texts[name] = Value(name: "what belongs to \"\(name.escaped)\"", node: node, report: report).freeText()
    }
    return texts
  }

  /// A keyboard for the text fields, where the file declares none.
  mutating func addKeyboard() {
    guard configuration.showsKeyboard,
      let field = configuration.views.first(where: { $0.kind == .textField || $0.kind == .textView }),
      !configuration.views.contains(where: { $0.kind == .keyboard })
    else { return }
    var keyboard = Configuration.View(id: "", kind: .keyboard, parent: nil, place: field.place)
    keyboard.isArranged = true
    let styles = theme?.mappings(of: ViewKind.keyboard.name) ?? []
    if let first = styles.first {
      let fields = Fields(first, .view, layers: [], styles: styles, report: report)
      readSettings(fields, of: .keyboard, into: &keyboard)
    }
    keyboard.settings.fill(.font, with: configuration.font)
    configuration.views.append(keyboard)
  }
}

extension Configuration {
  /// The layout of a name, one of the file before one that ships with touchtree; or that of a language. Nil
  /// where there is none.
  func layout(named name: String) -> KeyboardLayout? {
    keyboards[name] ?? KeyboardLayout.shipped[name] ?? KeyboardLayout.name(for: name).flatMap {
      KeyboardLayout.shipped[$0]
    }
      ?? keyboards.values.first { $0.language == name }
  }

  /// The layout of a keyboard: the one that it or the file names, or else that of a language.
  /// - Parameter language: of the texts at this moment; nil where the file has texts in none.
  func layout(of keyboard: KeyboardView, in language: String?) -> KeyboardLayout {
    [keyboard.layoutName, keyboardLayout ?? "", language ?? "", locale.name].lazy
      .filter { !$0.isEmpty }.compactMap(layout).first ?? .standard
  }
}
