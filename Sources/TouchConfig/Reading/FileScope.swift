import TouchCore
import TouchExpressions
import TouchViews

/// The names that expressions of a file can use: its values, and the properties of its views.
struct FileScope: ExpressionScope {
  let configuration: Configuration
  /// The places of the views, by their ids.
  let places: [String: Int]
  private let values: [String: NamedValue]
  /// Names that could not be read are known to them.
  let names: Names
  var isOfAction = false
  /// The control that sends the action; nil for any other view.
  var sender: Configuration.View?
  /// The instance of a template in which the expression stands: its parameters and ids come first.
  var instance: TemplateInstance?
  /// Whether what causes the steps is a text, as of a scanner.
  var sendsText = false

  init(_ configuration: Configuration, _ names: Names) {
    (self.configuration, self.names) = (configuration, names)
    places = Dictionary(
      configuration.views.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    values = Dictionary(configuration.values.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Names alone

  func resolve(_ name: String) -> Resolution? {
    if let parameter = instance?.parameter(name) { return parameter.resolution(name, in: self) }
    if let value = values[name] { return .reads(.value(name), value.type) }
    return Reference.SentPart(rawValue: name).map(sent)
  }

  private func sent(_ part: Reference.SentPart) -> Resolution {
    guard isOfAction else {
      return .unknown(
        "\(part.rawValue) stands for that of the control that sends an action, and no action is here; name the view, as in "
          + "ID.\(part.rawValue)")
    }
    switch part {
    case .value:
      guard let sender, sender.holdsValue else {
        return .unknown(
          "{value} stands for the value of the control that has these actions, and it has no value; give the control "
            + "a value, or name another view, as in {setpoint.value}")
      }
      return .reads(.sent(.value), type(ofValueOf: sender.kind))
    case .text where sendsText: return .reads(.sent(.text), .text)
    case .text:
      guard let sender, sender.kind.hasFont else {
        return .unknown(
          "{text} stands for the text of the control that has these actions, and it has none; name another view, as in "
            + "{title.text}")
      }
      return .reads(.sent(.text), .text)
    case .row, .rowAction:
      guard let sender, sender.kind == .list else {
        return .unknown(
          "{\(part.rawValue)} is about the row of a list that was swiped, and this is no action of a list; name a value or a property"
        )
      }
      return .reads(.sent(part), part == .row ? .number : .text)
    }
  }

  private func type(ofValueOf kind: ViewKind) -> ExpressionType {
    if case .flag = kind.role { .flag } else { .number }
  }

  func advice(for name: String) -> String {
    let words = Reference.SentPart.allCases.map(\.rawValue)
    let known =
      (instance?.parameterNames ?? []) + configuration.values.map(\.name) + ["now"]
      + (isOfAction ? words : [])
    if let meant = Suggestion.nearest(to: name, among: known) { return "did you mean {\(meant.escaped)}?" }
    if let view = view(instance?.global(name) ?? name) {
      let parts = commonParts(of: view)
      return parts.isEmpty
        ? "a view is there: name one of its properties, as in {\(name.escaped).hidden}"
        : "did you mean {\(name.escaped).\(parts[0])}?"
    }
    let ids = places.count < Self.mostCompared ? places.keys.sorted() : []
    if let meant = Suggestion.nearest(to: name, among: ids) { return "did you mean \"\(meant.escaped)\"?" }
    return
      "give the name of a value of the file, or a property of a view, such as {title.text}; \"{{\" is a brace"
  }

  /// Comparing more ids takes longer than a file with a slip in each text may.
  private static let mostCompared = 1000

  // MARK: Properties of views

  private struct Target {
    let kind: ViewKind
    let holdsValue: Bool
  }

  private func view(_ id: String) -> Target? {
    if let index = places[id] {
      let view = configuration.views[index]
      return Target(kind: view.kind, holdsValue: view.holdsValue)
    }
    return id == configuration.window.id ? Target(kind: .window, holdsValue: false) : nil
  }

  func resolve(_ owner: String, _ part: String) -> Resolution? {
    let owner = instance?.global(owner) ?? owner
    if owner == "t", view(owner) == nil { return translation(part) }
    guard let target = view(owner) else {
      return names.isUnread(owner) ? .reads(.property(view: owner, part), .any) : nil
    }
    if owner == "t", case .reads = translation(part) {
      return .unknown("a view has the id \"t\", which hides the texts of strings; give it another id")
    }
    if let index = places[owner], names.viewsOfUnknownKind.contains(index) {
      return .reads(.property(view: owner, part), .any)
    }
    let reference = Reference.property(view: owner, part)
    if part == ViewProperty.text.name, target.kind.hasFont { return .reads(reference, .text) }
    let name = String(part.prefix { $0 != "." })
    guard let property = ViewProperty.named(name, of: target.kind), target.kind.has(property),
      property != .value || target.holdsValue
    else { return unknown(part, owner, target) }
    if property == .value { return .reads(reference, type(ofValueOf: target.kind)) }
    let rest = part.dropFirst(name.count + 1)
    guard !rest.isEmpty else { return .reads(reference, property.shape.type) }
    let parts = property.shape.parts?.parts ?? []
    guard let row = parts.first(where: { $0.name == rest }) else {
      let help =
        parts.isEmpty
        ? "\(name) has no parts" : "the parts of \(name) are \(parts.map(\.name).joined(lastWith: "and"))"
      return .unknown("there is no {\(owner.escaped).\(part.escaped)}; \(help)")
    }
    return .reads(reference, row.shape.type)
  }

  private func translation(_ key: String) -> Resolution {
    let keys = Set(configuration.translations.texts.values.flatMap(\.keys))
    if keys.contains(key) { return .reads(.string(key), .text) }
    let help =
      Suggestion.nearest(to: key, among: keys.sorted()).map { "did you mean {t.\($0.escaped)}?" }
      ?? "declare it under \"strings:\""
    return .unknown("no text has the key \"\(key.escaped)\"; \(help)")
  }

  private func unknown(_ part: String, _ owner: String, _ target: Target) -> Resolution {
    if part == ViewProperty.value.name || part == ViewProperty.text.name {
      return .unknown(
        "\"\(owner.escaped)\" is \(target.kind.one) without a \(part), so {\(owner.escaped).\(part)} stands for nothing; name "
          + (part == ViewProperty.value.name
            ? "a control that has one" : "a label, a button, a segmented control or a list"))
    }
    let names = ViewProperty.table.filter { target.kind.has($0) }.map(\.name)
      .filter { $0 != ViewProperty.value.name || target.holdsValue }
    let common = commonParts(of: target)
    let meant =
      Suggestion.nearest(to: part, among: common) ?? Suggestion.nearestKey(to: part, among: names)
      ?? (common.count == 1 ? common[0] : nil)
    let help =
      meant.map { "did you mean {\(owner.escaped).\($0)}?" }
      ?? "\(target.kind.one) has \(names.prefix(12).joined(separator: ", ")) and others"
    return .unknown("\"{\(owner.escaped).\(part.escaped)}\" stands for nothing; \(help)")
  }

  private func commonParts(of target: Target) -> [String] {
    (target.holdsValue ? ["value"] : []) + (target.kind.hasFont ? ["text"] : [])
  }
}
