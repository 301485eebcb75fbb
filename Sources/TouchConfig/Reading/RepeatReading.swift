import TouchCore
import TouchExpressions
import TouchViews

/// Views that are made once for each row: `repeat:`.
extension ConfigurationReader {
  static let mostRows = 10_000

  mutating func rows(_ value: Value) -> [WaitingView] {
    var rows = rowParameters(value)
    if rows.isEmpty, let row = rowToCome(value) { rows = [row] }
    if Self.list(ofRows: value.node) != nil {
      rowAmount.bytes += rows.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.byteCount } }
      if refusesRows(at: value.node.place) { return [] }
    }
    return rows.enumerated().map { index, row in
      var row = row
      row[Configuration.View.Rows.index] = .value(.number(Double(index)))
      return .row(mapping: value.node, parameters: row)
    }
  }

  /// Whether the rows of values would make more than a program may ask for, which is reported.
  func refusesRows(at place: SourceLocation) -> Bool {
    guard let rowLimit, rowAmount.views > rowLimit.views || rowAmount.bytes > rowLimit.bytes else {
      return false
    }
    let most =
      rowAmount.views > rowLimit.views ? "\(rowLimit.views) views" : "\(rowLimit.bytes) bytes of texts"
    report.add(
      at: place,
      "the rows of values have more than \(most) here; set fewer, or show them in a list: "
        + "{kind: list, subviews: [{repeat: {...}}]}")
    return true
  }

  mutating func rowParameters(_ value: Value) -> [[String: TemplateInstance.Parameter]] {
    let advice = "write {of: TEMPLATE, for: 20}, or {view: {...}, for: [{name: Kitchen}]}"
    guard let entries = value.node.entries else {
      value.refuse(advice)
      return []
    }
    func entry(_ key: String) -> YAMLNode? { entries.first { $0.key.text == key }?.value }
    switch (entry("of"), entry("view")) {
    case (nil, nil):
      report.add(at: value.node.place, "a repeat needs \"of\" or \"view\"; \(advice)")
      return []
    case (_?, let view?):
      report.add(at: view.place, "a repeat has \"of\" or \"view\", and this has both; remove one of them")
      return []
    default: break
    }
    // With no rows it is used all the same, and has its name.
    if let name = entry("of")?.text { usedTemplates.insert(name) }
    if ownID(entries) == nil { _ = rowName(entries, of: value.node) }
    guard let rows = entry("for") else {
      report.add(
        at: value.node.place, "a repeat needs \"for\": a number, a list, or the name of a value; \(advice)")
      return []
    }
    return parameters(Value(name: "for", node: rows, report: report))
  }

  /// The values of each row: of a number none, of a mapping its entries, and of anything else `item`.
  private mutating func parameters(_ value: Value) -> [[String: TemplateInstance.Parameter]] {
    let advice = "give a number of rows, a list of mappings, or the name of a value that holds a list"
    var rows: [[String: TemplateInstance.Parameter]]
    if let items = value.node.items {
      rows = []
      for item in items.prefix(Self.mostRows + 1) {
        var row: [String: TemplateInstance.Parameter] = [:]
        for (key, node) in item.entries ?? [] { row[key.text ?? ""] = parameter(node, key.text ?? "") }
        rows.append(item.entries == nil ? ["item": parameter(item, "item")] : row)
      }
    } else if case .text(let text) = value.node.scalar {
      guard let values = list(named: text, value, advice) else { return [] }
      // Of what the file has itself, a path may be opened.
      let isGiven = !lists.isEmpty && !configuration.values.contains { $0.initial == .list(values) }
      func held(_ value: PropertyValue) -> TemplateInstance.Parameter {
        isGiven ? .given(value) : .value(value)
      }
      rows = values.prefix(Self.mostRows + 1).map { row in
        guard case .map(let entries) = row else { return ["item": held(row)] }
        return Dictionary(entries.map { ($0.key, held($0.value)) }, uniquingKeysWith: { $1 })
      }
    } else {
      guard case .integer = value.node.scalar else {
        value.refuse(advice)
        return []
      }
      return Array(repeating: [:], count: value.integer(in: 0...Self.mostRows) ?? 0)
    }
    if rows.count > Self.mostRows {
      value.complain("\(value.name) has more than \(Self.mostRows) rows; give fewer")
      rows = []
    }
    return rows
  }

  private static func name(ofList text: String) -> String {
    text.hasPrefix("{") && text.hasSuffix("}") ? String(text.dropFirst().dropLast()) : text
  }

  /// The named value whose rows a `repeat` shows; nil for rows of the file.
  static func list(ofRows mapping: YAMLNode) -> String? {
    guard let rows = mapping.entries?.first(where: { $0.key.text == "for" })?.value,
      case .text(let text)? = rows.scalar
    else { return nil }
    return name(ofList: text)
  }

  private mutating func list(named text: String, _ value: Value, _ advice: String) -> [PropertyValue]? {
    let name = Self.name(ofList: text)
    guard let declared = configuration.values.first(where: { $0.name == name }) else {
      let meant = Suggestion.nearest(to: name, among: configuration.values.map(\.name))
      value.complain(
        "no value is called \"\(name.escaped)\"; "
          + (meant.map { "did you mean \"\($0)\"?" } ?? Self.problem(withName: name)
            ?? "declare it: values: {\(name.escaped): []}"))
      return nil
    }
    guard declared.formula == nil else {
      value.complain(
        "\"\(name.escaped)\" follows an expression, and rows are made of a value that is set; \(advice)")
      return nil
    }
    let held = lists[name] ?? declared.initial
    switch held {
    case .list(let rows):
      configuration.repeatedValues.insert(name)
      return rows
    case .null where declared.type == .any:
      configuration.repeatedValues.insert(name)
      return []
    default:
      value.complain("\"\(name.escaped)\" holds \(ExpressionType(of: held).words), and no list; \(advice)")
      return nil
    }
  }

  /// One row: an instance whose parameters also stand in the mapping of the `repeat`.
  /// - Parameter named: what its id is made of.
  mutating func row(
    _ mapping: YAMLNode, _ parameters: [String: TemplateInstance.Parameter],
    named: [String: TemplateInstance.Parameter]
  ) -> UnreadView? {
    let (outer, locale) = (mapping.instance, configuration.locale)
    let list = Self.list(ofRows: mapping)
    func instance(
      _ number: Int32, _ id: String, _ parameters: [String: TemplateInstance.Parameter]
    ) -> TemplateInstance {
      TemplateInstance(
        number, id: id, path: outer?.path ?? [], parameters: parameters,
        lists: list.map { list in parameters.mapValues { _ in list } } ?? [:], outer: outer, locale: locale,
        report: report)
    }
    let node = mapping.repeated(by: instance(0, "", named))
    let entries = node.entries ?? []
    let view = entries.first { $0.key.text == "view" }?.value
    let id = rowID(entries, named, of: mapping)
    let row = instance(
      report.add(Origins.Instance(id: id.id.isEmpty ? "row" : id.id, place: mapping.place)), id.id, parameters
    )
    let known = mapping.repeated(by: row)
    let keys = (known.entries ?? []).filter { !["for", "view", "id"].contains($0.key.text ?? "") }
    var unread = UnreadView(node: known, layers: [], instance: row, idPlace: id.place)
    unread.idPlace?.instance = row.number
    guard let view = view?.repeated(by: row) else { return layered(unread, keys, given: parameters) }
    guard let inside = view.entries else {
      Value(name: "view", node: view, report: report).refuse("give a view: {kind: label, text: \"{index}\"}")
      return nil
    }
    row.readIDs(of: view)
    unread.layers.append(keys)
    return layered(unread, inside, given: parameters)
  }

  /// The id of a row: that of the `repeat`, or of its view, where its parameters make it another one for each
  /// row; else the name of the rows with the key or the place of this one.
  private mutating func rowID(
    _ entries: [(key: YAMLNode, value: YAMLNode)], _ parameters: [String: TemplateInstance.Parameter],
    of mapping: YAMLNode
  ) -> (id: String, place: SourceLocation?) {
    let outer = mapping.instance
    if let own = ownID(entries) {
      let value = Value(name: "id", node: own, report: report)
      guard let text = value.nonEmptyText("give a name with {index} or {key} in it") else { return ("", nil) }
      if let inside = Formula.firstBraces(in: text) {
        value.complain("the rows have nothing called {\(inside.escaped)}; put {index} or {key} in the id")
        return ("", nil)
      }
      return (within(outer, Formula.shown(text)), own.place)
    }
    let key: String
    switch parameters["key"] ?? parameters["index"] {
    case .value(.text(let text))?, .given(.text(let text))?: key = text
    case .value(let value)?, .given(let value)?: key = value.description
    default: key = ""
    }
    return (within(outer, "\(rowName(entries, of: mapping))-\(key)"), nil)
  }

  /// The id that a `repeat` gives its rows, with braces that tell them apart; nil where it gives none.
  private func ownID(_ entries: [(key: YAMLNode, value: YAMLNode)]) -> YAMLNode? {
    let ofView = Self.viewID(entries)
    return entries.first { $0.key.text == "id" }?.value
      ?? (ofView?.written?.contains("{") ?? false ? ofView : nil)
  }

  private static func viewID(_ entries: [(key: YAMLNode, value: YAMLNode)]) -> YAMLNode? {
    entries.first { $0.key.text == "view" }?.value.entries?.first { $0.key.text == "id" }?.value
  }

  /// The beginning of rows' ids where nothing names them: the template's name, and a number from the second
  /// `repeat` on that has the same one.
  private mutating func rowName(_ entries: [(key: YAMLNode, value: YAMLNode)], of mapping: YAMLNode) -> String
  {
    let name = entries.first { $0.key.text == "of" }?.value.text ?? Self.viewID(entries)?.text ?? "row"
    let scope = mapping.instance.map { "\($0.id)-\(name)" } ?? name
    let number = namelessRepeats[scope]?[mapping.place] ?? (namelessRepeats[scope]?.count ?? 0) + 1
    namelessRepeats[scope, default: [:]][mapping.place] = number
    return number == 1 ? name : "\(name)-\(number)"
  }
}

/// An amount of views and texts in rows of values. All of them exist at once, and are made while the display
/// waits.
struct RowAmount {
  var views = 0
  var bytes = 0

  /// The most that is made of what a program sets, unless the file itself has more.
  static let most = RowAmount(views: 250, bytes: 8 << 10)
}

extension TemplateInstance.Parameter {
  fileprivate var byteCount: Int {
    switch self {
    case .value(let value), .given(let value): value.byteCount
    default: 0
    }
  }
}

extension PropertyValue {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .list(let items): items.reduce(0) { $0 + $1.byteCount }
    case .map(let entries): entries.reduce(0) { $0 + $1.value.byteCount }
    default: 0
    }
  }
}
