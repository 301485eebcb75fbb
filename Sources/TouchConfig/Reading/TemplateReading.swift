import TouchCore
import TouchExpressions
import TouchViews

/// A view of `templates:`.
struct Template {
  let node: YAMLNode
  /// The names that its braces read, and that are no values of the file: what an instance has to give.
  let parameters: Set<String>
}

struct UnreadView {
  /// The part of the file that messages about the whole view name.
  let node: YAMLNode
  /// Its keys: first its own, then those of the template under it, and of that one's template. The first that
  /// has a key counts.
  var layers: [[(key: YAMLNode, value: YAMLNode)]]
  /// The instance whose id the view has; nil for a view that stands for itself.
  var instance: TemplateInstance?
  var idPlace: SourceLocation?
  /// Whether it is the root of a row that a value makes, and that is in no list.
  var isRowOfValue = false
  /// For views that show one row of a list after the other: which of them it is the root of.
  var slot: Int?
}

/// The work that `readViews` still has: a view of the file, or a row of a `repeat`.
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
      else { continue }
      report.add(
        .warning, at: key.place,
        "nothing uses the template \"\(name.escaped)\", so it was not checked; make a view of it with of: "
          + "\(name.escaped), or remove it")
    }
  }

  static func names(in node: YAMLNode) -> Set<String> {
    var names: Set<String> = []
    for scalar in node.scalars {
      guard let text = scalar.written, text.utf8.contains(UInt8(ascii: "{")) else { continue }
      let scope = NameCollector()
      if (try? Formula(text, scope: scope)) != nil { names.formUnion(scope.names) }
    }
    return names
  }

  // MARK: Views

  /// The view that waits, with what its templates say; nil for what is wrong, and was reported, and for a
  /// `repeat`, whose rows are given to `wait`.
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
    case .row(let mapping, let parameters):
      var row = row(mapping, parameters, named: parameters)
      row?.isRowOfValue = Self.list(ofRows: mapping) != nil
      return row
    case .slot(let slot, let mapping, let parameters):
      let number = TemplateInstance.Parameter.value(.number(Double(slot)))
      var row = row(mapping, parameters, named: [Configuration.View.Rows.index: number])
      row?.slot = slot
      return row
    }
  }

  /// Puts the templates that a view names with `of` under it.
  /// - Parameter given: what a row has, for every template.
  mutating func layered(
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
      var lists = given.isEmpty ? [:] : view.node.instance?.lists ?? [:]
      for (key, node) in entries {
        guard let key = key.text, template.parameters.contains(key) else { continue }
        parameters[key] = parameter(node, key)
        lists[key] = TemplateInstance.list(filledInto: node)
      }
      guard takes(entries, template, name, parameters, at: view.node.place) else {
        let id = view.instance?.id ?? entries.first { $0.key.text == "id" }?.value.text
        if let id { names.unreadInstances.insert(id) }
        return nil
      }
      // What is neither a parameter nor a key of a view has been reported.
      view.layers.append(
        entries.filter { key, _ in
          let name = key.text ?? ""
          return name != "of" && name != "id" && !template.parameters.contains(name)
            && KeyTable.view.names.contains(name)
        })
      let known = view.instance
      let id = known.map { ($0.id, $0.isNameless) } ?? self.id(of: view, entries, template, name, parameters)
      if known == nil { view.idPlace = entries.first { $0.key.text == "id" }?.value.place }
      let instance = TemplateInstance(
        report.add(Origins.Instance(id: id.0, place: view.node.place)), id: id.0, isNameless: id.1,
        path: path,
        parameters: parameters, lists: lists, outer: nil, locale: configuration.locale, report: report)
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
      layer.contains { $0.key.text == "kind" && $0.value.text == ViewKind.chart.name }
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
      guard key.name != "of", !template.parameters.contains(key.name), !KeyTable.view.names.contains(key.name)
      else { continue }
      let nearest = Suggestion.nearestKey(to: key.name, among: names + KeyTable.view.names)
      if let nearest { meant.insert(nearest) }
      let help =
        nearest.map { "did you mean \"\($0)\"?" } ?? KeyTable.view.advice(key.name)
        ?? ForeignWords.advice(for: key.name, among: KeyTable.view.names)
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

  /// Reports a name that a template reads, where it is probably a slip for one that is given and not read:
  /// once, in the template.
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

  /// The names that a template can read without being given them: its id, and in actions what the sender has.
  private static let alwaysGiven = Set(["id"] + Reference.SentPart.allCases.map(\.rawValue))

  /// A parameter as it is given.
  mutating func parameter(_ node: YAMLNode, _ name: String) -> TemplateInstance.Parameter {
    if node.items != nil || node.entries != nil { return .node(node) }
    func held(_ value: PropertyValue) -> TemplateInstance.Parameter {
      node.isGiven ? .given(value) : .value(value)
    }
    guard case .text(let text) = node.scalar else { return held(PropertyValue(node.scalar ?? .null)) }
    guard let inside = Formula.firstBraces(in: text) else { return held(.text(Formula.shown(text))) }
    let isName =
      text == "{\(inside)}" && inside.first.map { $0.isLetter || $0 == "_" } ?? false
      && inside.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
    if isName { return .follows(inside, in: node.instance) }
    let value = Value(name: name, node: node, report: report)
    let parameter = LiveParameter("\(name) \(unreadParameters.count + 1)", value)
    unreadParameters.append(parameter)
    return .live(parameter)
  }

  // MARK: Ids

  /// The id of a view that is made of a template: its own, the one that the template makes of its parameters,
  /// or one that counts.
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
        0, id: "", path: [], parameters: parameters, outer: nil, locale: configuration.locale, report: report)
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
  func within(_ outer: TemplateInstance?, _ id: String) -> String {
    outer?.add(id)
    return outer?.global(id) ?? id
  }
}

final class NameCollector: ExpressionScope {
  private(set) var names: Set<String> = []

  func resolve(_ name: String) -> Resolution? {
    // The reader asks for the longest name first, and a minus is none of a parameter's letters.
    guard !name.contains("-"), name != "now" else { return nil }
    names.insert(name)
    return .reads(.value(name), .any)
  }

  func resolve(_ owner: String, _ part: String) -> Resolution? { .reads(.property(view: owner, part), .any) }

  func advice(for name: String) -> String { "" }
}
