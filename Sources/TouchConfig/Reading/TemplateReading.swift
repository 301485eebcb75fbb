import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// A view of `templates:`.
struct Template {
  let node: YAMLNode
  /// The names that its braces read, and that are no values of the file: what an instance has to give.
  let parameters: Set<String>
}

/// A view that is still to be read.
struct UnreadView {
  /// What messages about the whole view name.
  let node: YAMLNode
  /// Its keys: first its own, then those of the template under it, and of that one's template. The first that has a key counts.
  var layers: [[(key: YAMLNode, value: YAMLNode)]]
  /// The instance whose id the view has; nil for a view that stands for itself.
  var instance: TemplateInstance?
  /// Where the id stands.
  var idPlace: SourceLocation?
  /// For views that show one row of a list after the other: which of them it is the root of.
  var slot: Int?
}

/// What `readViews` still has to look at: a view of the file, or a row of a `repeat`.
enum WaitingView {
  case node(YAMLNode)
  /// - `mapping`: the one of the `repeat`.
  case row(mapping: YAMLNode, parameters: [String: TemplateInstance.Parameter])
  /// Views that show one row after the other.
  case slot(Int, mapping: YAMLNode, parameters: [String: TemplateInstance.Parameter])
}

extension ConfigurationReader {
  /// The most views that may come from templates: a file of some lines cannot ask for millions of them.
  static let mostRepeatedViews = 20_000
  /// The most rows of one `repeat`.
  static let mostRows = 10_000

  // MARK: Templates

  /// Reads `templates:`: which names each needs. The views are read where they are used.
  mutating func readTemplates(_ value: Value?) {
    guard let value, !value.node.isNull else { return }
    guard let entries = value.node.entries else {
      return value.refuse("give names and views: {room: {kind: label, text: \"{name}\"}}")
    }
    let values = Set(configuration.values.map(\.name))
    for (key, node) in entries {
      let name = key.text ?? ""
      guard node.entries != nil else {
        Value(name: "the template \"\(name.escaped)\"", node: node, report: report)
          .refuse("give a view: {kind: label, text: \"{name}\"}")
        continue
      }
      templates[name] = Template(node: node, parameters: Self.names(in: node).subtracting(values))
    }
  }

  /// Warns of templates that nothing uses. One of a file that is included is there for others, too.
  func reportUnusedTemplates(_ value: Value?) {
    for (key, _) in value?.node.entries ?? [] {
      guard let name = key.text, templates[name] != nil, !usedTemplates.contains(name), key.place.file == 0
      else {
        continue
      }
      report.add(
        .warning, at: key.place,
        "nothing uses the template \"\(name.escaped)\", so it was not checked; make a view of it with of: "
          + "\(name.escaped), or remove it")
    }
  }

  /// The names alone that the braces in a node read.
  private static func names(in node: YAMLNode) -> Set<String> {
    var names: Set<String> = []
    for scalar in node.scalars {
      guard let text = scalar.written, text.utf8.contains(UInt8(ascii: "{")) else { continue }
      let scope = NameCollector()
      if (try? Formula(text, scope: scope)) != nil { names.formUnion(scope.names) }
    }
    return names
  }

  // MARK: Views

  /// The view that waits, with what its templates say; nil for what is wrong, and was reported, and for a `repeat`, whose rows are
  /// given to `wait`.
  mutating func unread(_ waiting: WaitingView, _ wait: ([WaitingView]) -> Void) -> UnreadView? {
    switch waiting {
    case .node(let node):
      // What is no mapping is reported where it is read.
      guard let entries = node.entries else { return UnreadView(node: node, layers: []) }
      if let rows = entries.first(where: { $0.key.text == "repeat" }) {
        if let other = entries.first(where: { $0.key.text != "repeat" }) {
          report.add(
            at: other.key.place,
            "\"repeat\" stands alone in its mapping; write \"\((other.key.text ?? "").escaped)\" into it")
        }
        wait(self.rows(Value(name: "repeat", node: rows.value, report: report)))
        return nil
      }
      return layered(UnreadView(node: node, layers: []), entries)
    case .row(let mapping, let parameters): return row(mapping, parameters, named: parameters)
    case .slot(let slot, let mapping, let parameters):
      let number = TemplateInstance.Parameter.value(.number(Double(slot)))
      var row = row(mapping, parameters, named: [Configuration.View.Rows.index: number])
      row?.slot = slot
      return row
    }
  }

  /// Puts the templates that a view names with `of` under it.
  ///
  /// - Parameters:
  ///   - entries: of the view.
  ///   - given: what a row has, for every template.
  private mutating func layered(
    _ view: UnreadView, _ entries: [(key: YAMLNode, value: YAMLNode)],
    given: [String: TemplateInstance.Parameter] = [:]
  ) -> UnreadView? {
    var (view, entries) = (view, entries)
    var path = view.node.instance?.path ?? []
    while let of = entries.first(where: { $0.key.text == "of" }), !Self.isChart(view.layers, entries) {
      let value = Value(name: "of", node: of.value, report: report)
      guard let name = value.nonEmptyText("give the name of a template"), let template = template(name, value)
      else { return nil }
      guard !path.contains(name) else {
        let circle = (path.drop { $0 != name } + [name]).map { "\"\($0.escaped)\"" }.joined(separator: " → ")
        value.complain("the template is in itself, \(circle), and would never end; leave one of them out")
        return nil
      }
      path.append(name)
      var parameters = given
      for (key, node) in entries {
        guard let key = key.text, template.parameters.contains(key) else { continue }
        guard let parameter = parameter(node, key) else { return nil }
        parameters[key] = parameter
      }
      guard takes(entries, template, name, parameters, at: view.node.place) else {
        let id = view.instance?.id ?? entries.first { $0.key.text == "id" }?.value.text
        if let id { names.unreadInstances.insert(id) }
        return nil
      }
      view.layers.append(
        entries.filter {
          $0.key.text != "of" && $0.key.text != "id" && !template.parameters.contains($0.key.text ?? "")
        })
      let known = view.instance
      let id = known.map { ($0.id, $0.isNameless) } ?? self.id(of: view, entries, template, name, parameters)
      if known == nil { view.idPlace = entries.first { $0.key.text == "id" }?.value.place }
      let instance = TemplateInstance(
        report.add(Origins.Instance(id: id.0, place: view.node.place)), id: id.0, isNameless: id.1,
        path: path,
        parameters: parameters, outer: nil, locale: configuration.locale)
      let content = template.node.repeated(by: instance)
      instance.readIDs(of: content)
      view.instance = instance
      entries = content.entries ?? []
    }
    view.layers.append(view.instance == nil ? entries : entries.filter { $0.key.text != "id" })
    return view
  }

  /// A chart has `of`, too: the value that it shows.
  private static func isChart(
    _ layers: [[(key: YAMLNode, value: YAMLNode)]], _ entries: [(key: YAMLNode, value: YAMLNode)]
  ) -> Bool {
    (layers + [entries]).contains { layer in
      layer.contains { $0.key.text == ViewKey.kind.rawValue && $0.value.text == ViewKind.chart.rawValue }
    }
  }

  private mutating func template(_ name: String, _ value: Value) -> Template? {
    if let template = templates[name] {
      usedTemplates.insert(name)
      return template
    }
    let help =
      Suggestion.nearest(to: name, among: templates.keys.sorted()).map { "did you mean \"\($0.escaped)\"?" }
      ?? "declare it under \"templates:\"; a chart of a value has kind: chart"
    value.complain("no template is called \"\(name.escaped)\"; \(help)")
    return nil
  }

  /// Whether the template can be made of what it is given; reported if not.
  private func takes(
    _ entries: [(key: YAMLNode, value: YAMLNode)], _ template: Template, _ name: String,
    _ given: [String: TemplateInstance.Parameter], at place: SourceLocation
  ) -> Bool {
    let names = template.parameters.sorted()
    var meant: Set<String> = []
    for (key, _) in entries {
      let key = (name: key.text ?? "", place: key.place)
      guard key.name != "of", !template.parameters.contains(key.name), ViewKey(rawValue: key.name) == nil
      else {
        continue
      }
      let nearest = Suggestion.nearestKey(to: key.name, among: names + ViewKey.allNames)
      if let nearest { meant.insert(nearest) }
      let help =
        nearest.map { "did you mean \"\($0)\"?" }
        ?? (names.isEmpty ? "nothing in it is in braces" : "it reads \(names.joined(lastWith: "and"))")
      report.add(
        at: key.place,
        "the template \"\(name.escaped)\" has no parameter \"\(key.name.escaped)\", and no view has such a key; \(help)"
      )
    }
    var missing = names.filter { given[$0] == nil && !Self.alwaysGiven.contains($0) }
    guard !missing.isEmpty else { return true }
    // One that is given by a name with a slip in it has been reported.
    missing.removeAll(where: meant.contains)
    missing.removeAll { reportSlip(in: $0, template, name, given) }
    guard !missing.isEmpty else { return false }
    let place = entries.isEmpty ? place : entries[0].key.place
    let templatePlace = report.words(for: template.node.place, from: place)
    report.add(
      at: place,
      "the template \"\(name.escaped)\" (\(templatePlace)) "
        + "reads \(missing.map { "{\($0)}" }.joined(lastWith: "and")), which nothing here gives; "
        + "write \(missing[0]): and its value")
    return false
  }

  /// Reports a name that a template reads, where it is probably a slip for one that is given and not read: once, in the template.
  ///
  /// - Returns: whether it is a slip, and was reported.
  private func reportSlip(
    in missing: String, _ template: Template, _ name: String, _ given: [String: TemplateInstance.Parameter]
  ) -> Bool {
    let unread = given.keys.filter { !template.parameters.contains($0) }.sorted()
    guard let meant = Suggestion.nearest(to: missing, among: unread),
      let node = template.node.scalars.first(where: { Self.names(in: $0).contains(missing) })
    else { return false }
    report.add(
      at: node.place,
      "the template \"\(name.escaped)\" reads {\(missing)}, which no row gives; did you mean {\(meant.escaped)}?"
    )
    return true
  }

  /// What a template can read without that anybody gives it: its id, and in actions what the sender has.
  private static let alwaysGiven = Set(["id"] + Reference.SentPart.allCases.map(\.rawValue))

  /// A parameter as it is given; nil for what cannot be one, which is reported.
  private func parameter(_ node: YAMLNode, _ name: String) -> TemplateInstance.Parameter? {
    if node.items != nil || node.entries != nil { return .node(node) }
    guard case .text(let text) = node.scalar else { return .value(PropertyValue(node.scalar ?? .null)) }
    guard let inside = Formula.firstBraces(in: text) else { return .value(.text(Formula.shown(text))) }
    let isName =
      text == "{\(inside)}" && inside.first.map { $0.isLetter || $0 == "_" } ?? false
      && inside.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
    if isName { return .follows(inside, in: node.instance) }
    Value(name: name, node: node, report: report).complain(
      "\(name.escaped) is a parameter of a template, and {\(inside.escaped)} changes; give one value or one property "
        + "alone, such as {temperature} or {volume.value}, and compute in the template")
    return nil
  }

  // MARK: Ids

  /// The id of a view that is made of a template: its own, the one that the template makes of its parameters, or one that counts.
  private mutating func id(
    of view: UnreadView, _ entries: [(key: YAMLNode, value: YAMLNode)], _ template: Template, _ name: String,
    _ parameters: [String: TemplateInstance.Parameter]
  ) -> (String, Bool) {
    let outer = view.node.instance
    if let own = entries.first(where: { $0.key.text == "id" })?.value {
      return (identifier(Value(name: "id", node: own, report: report)) ?? "", false)
    }
    let written = template.node.entries?.first { $0.key.text == "id" }?.value
    if let written, written.written?.contains("{") ?? false {
      let scope = TemplateInstance(
        0, id: "", path: [], parameters: parameters, outer: nil, locale: configuration.locale)
      if let text = written.repeated(by: scope).text, Formula.firstBraces(in: text) == nil {
        return (within(outer, Formula.shown(text)), false)
      }
    }
    let prefix = outer.map { "\($0.id)-" } ?? ""
    // Rows have the template's name and a number or a key, so it is something else.
    namelessInstances["\(prefix)\(name)", default: 0] += 1
    return ("\(prefix)\(name)-view-\(namelessInstances["\(prefix)\(name)", default: 0])", true)
  }

  /// An id that is made in an instance becomes one of the ids in it.
  private func within(_ outer: TemplateInstance?, _ id: String) -> String {
    outer?.add(id)
    return outer?.global(id) ?? id
  }

  // MARK: Rows

  /// The rows of a `repeat`.
  private mutating func rows(_ value: Value) -> [WaitingView] {
    rowParameters(value).enumerated().map { index, row in
      var row = row
      row[Configuration.View.Rows.index] = .value(.number(Double(index)))
      return .row(mapping: value.node, parameters: row)
    }
  }

  /// What each row of a `repeat` has.
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
    // With no rows it is used all the same.
    if let name = entry("of")?.text { usedTemplates.insert(name) }
    guard let rows = entry("for") else {
      report.add(
        at: value.node.place, "a repeat needs \"for\": a number, a list, or the name of a value; \(advice)")
      return []
    }
    return parameters(Value(name: "for", node: rows, report: report))
  }

  /// What each row has: of a number nothing, of a mapping its entries, and of anything else `item`.
  private mutating func parameters(_ value: Value) -> [[String: TemplateInstance.Parameter]] {
    let advice = "give a number of rows, a list of mappings, or the name of a value that holds a list"
    var rows: [[String: TemplateInstance.Parameter]]
    if let items = value.node.items {
      rows = items.prefix(Self.mostRows + 1).map { item in
        guard let entries = item.entries else { return parameter(item, "item").map { ["item": $0] } ?? [:] }
        let given = entries.compactMap { entry in
          parameter(entry.value, entry.key.text ?? "").map { (entry.key.text ?? "", $0) }
        }
        return Dictionary(given, uniquingKeysWith: { $1 })
      }
    } else if case .text(let text) = value.node.scalar {
      guard let values = list(named: text, value, advice) else { return [] }
      rows = values.prefix(Self.mostRows + 1).map { row in
        guard case .map(let entries) = row else { return ["item": .value(row)] }
        return Dictionary(entries.map { ($0.key, .value($0.value)) }, uniquingKeysWith: { $1 })
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

  /// What a named value holds: `rooms` or `{rooms}`.
  private mutating func list(named text: String, _ value: Value, _ advice: String) -> [PropertyValue]? {
    let name = text.hasPrefix("{") && text.hasSuffix("}") ? String(text.dropFirst().dropLast()) : text
    guard let declared = configuration.values.first(where: { $0.name == name }) else {
      let meant = Suggestion.nearest(to: name, among: configuration.values.map(\.name))
      value.complain(
        "no value is called \"\(name.escaped)\"; "
          + (meant.map { "did you mean \"\($0)\"?" } ?? "declare it: values: {\(name.escaped): []}"))
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
  ///
  /// - Parameter named: what its id is made of.
  private mutating func row(
    _ mapping: YAMLNode, _ parameters: [String: TemplateInstance.Parameter],
    named: [String: TemplateInstance.Parameter]
  ) -> UnreadView? {
    let (outer, locale) = (mapping.instance, configuration.locale)
    func instance(
      _ number: Int32, _ id: String, _ parameters: [String: TemplateInstance.Parameter]
    ) -> TemplateInstance {
      TemplateInstance(
        number, id: id, path: outer?.path ?? [], parameters: parameters, outer: outer, locale: locale)
    }
    let node = mapping.repeated(by: instance(0, "", named))
    let entries = node.entries ?? []
    let view = entries.first { $0.key.text == "view" }?.value
    let id = rowID(entries, view, named, outer)
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

  /// The id of a row: that of the `repeat`, or of its view, where its parameters make it another one for each row; else the template's
  /// name with the key or the place of the row.
  private func rowID(
    _ entries: [(key: YAMLNode, value: YAMLNode)], _ view: YAMLNode?,
    _ parameters: [String: TemplateInstance.Parameter], _ outer: TemplateInstance?
  ) -> (id: String, place: SourceLocation?) {
    func entry(_ key: String) -> YAMLNode? { entries.first { $0.key.text == key }?.value }
    let ofView = view?.entries?.first { $0.key.text == "id" }?.value
    if let own = entry("id") ?? (ofView?.written?.contains("{") ?? false ? ofView : nil) {
      let value = Value(name: "id", node: own, report: report)
      guard let text = value.nonEmptyText("give a name with {index} or {key} in it") else { return ("", nil) }
      if let inside = Formula.firstBraces(in: text) {
        value.complain("the rows have nothing called {\(inside.escaped)}; put {index} or {key} in the id")
        return ("", nil)
      }
      return (within(outer, Formula.shown(text)), own.place)
    }
    let name = entry("of")?.text ?? ofView?.text ?? "row"
    let key: String
    switch parameters["key"] ?? parameters["index"] {
    case .value(.text(let text))?: key = text
    case .value(let value)?: key = value.description
    default: key = ""
    }
    return (within(outer, "\(name)-\(key)"), nil)
  }
}

/// Notes the names that expressions read. Everything is there.
private final class NameCollector: ExpressionScope {
  private(set) var names: Set<String> = []

  func resolve(_ name: String) -> Resolution? {
    // The reader asks for the longest name first, and a minus is none of a parameter's letters.
    guard !name.contains("-"), name != "now" else { return nil }
    names.insert(name)
    return .reads(.value(name), .any)
  }

  func resolve(_ owner: String, _ part: String) -> Resolution? {
    .reads(.property(view: owner, part), .any)
  }

  func advice(for name: String) -> String { "" }
}
