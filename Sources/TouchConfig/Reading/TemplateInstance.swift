import TouchCore
import TouchExpressions
import TouchViews

/// One use of a template, or one row of a `repeat`: the parameters that stand in the braces of its view, and
/// the ids in it.
///
/// The nodes of the template are read again for each instance. What stands in braces and needs nothing but
/// parameters is filled in before anything else sees it; every other expression reads its parameters through
/// `FileScope`.
final class TemplateInstance {
  /// The meaning of a name in braces.
  enum Parameter {
    case value(PropertyValue)
    /// The same, of a row that was set from outside while the tree is shown.
    case given(PropertyValue)
    case node(YAMLNode)
    /// A named value or a property, by the name that it has where it was given: it changes.
    case follows(String, in: TemplateInstance?)
    /// An expression, or a text with expressions in it.
    case live(LiveParameter)
    /// The values of the row that the instance shows.
    case row(RowField, ExpressionType)
  }

  let number: Int32
  let id: String
  /// Whether the id is made up by counting.
  let isNameless: Bool
  /// The templates that lead here, from the outermost to this one's.
  let path: [String]
  private let parameters: [String: Parameter]
  /// The parameters that rows of named values have, with the names of these values.
  let lists: [String: String]
  /// The instance in whose view the template itself stands: its parameters and ids count here too.
  private let outer: TemplateInstance?
  private var rootID: String?
  private var ids: Set<String> = []
  private let locale: Locale
  private let report: Report
  /// The filled-in texts, by the text as it is written.
  private var fills: [String: Fill] = [:]
  /// The named values whose rows gave what was filled in, by the text as it is written.
  private var filledLists: [String: String] = [:]

  struct Fill {
    let text: String
    let isPlain: Bool
    var isGiven = false
  }

  init(
    _ number: Int32, id: String, isNameless: Bool = false, path: [String], parameters: [String: Parameter],
    lists: [String: String] = [:], outer: TemplateInstance?, locale: Locale, report: Report
  ) {
    (self.number, self.id, self.isNameless, self.path) = (number, id, isNameless, path)
    (self.parameters, self.lists, self.outer) = (parameters, lists, outer)
    (self.locale, self.report) = (locale, report)
  }

  // MARK: Parameters

  func parameter(_ name: String) -> Parameter? {
    parameters[name] ?? (name == "id" ? .value(.text(id)) : outer?.parameter(name))
  }

  var parameterNames: [String] { Set(parameters.keys).union(outer?.parameterNames ?? ["id"]).sorted() }

  func node(named text: String) -> YAMLNode? {
    guard text.hasSuffix("}"), case .node(let node)? = parameter(String(text.dropFirst().dropLast())) else {
      return nil
    }
    return node
  }

  /// A text of the template, with its parameters in it. Where one expression needs more than parameters the
  /// whole text is left as it is, and so is one with a variable of the shell's.
  func filled(_ text: String, isPlain: Bool, at place: SourceLocation) -> Fill {
    if let known = fills[text] { return known }
    let result = fill(text, at: place) ?? Fill(text: text, isPlain: isPlain)
    fills[text] = result
    return result
  }

  static func list(filledInto node: YAMLNode) -> String? {
    guard let instance = node.instance, !instance.allLists.isEmpty else { return nil }
    return node.scalars.lazy.compactMap { $0.written.flatMap { instance.filledLists[$0] } }.first
  }

  private var allLists: [String: String] { lists.isEmpty ? outer?.allLists ?? [:] : lists }

  private func list(of parameter: String) -> String? {
    parameters[parameter] == nil ? outer?.list(of: parameter) : lists[parameter]
  }

  private func fill(_ text: String, at place: SourceLocation) -> Fill? {
    guard Formula.firstBraces(in: text) != nil, !text.contains("${") else { return nil }
    let scope = ParameterScope(instance: self)
    guard let formula = try? Formula(text, scope: scope), formula.references.isEmpty else { return nil }
    filledLists[text] = scope.names.lazy.compactMap(list).first
    var computation = Computation(locale: locale)
    computation.longest = min(computation.longest, report.roomForFills)
    let value = computation.value(of: formula, asText: false, NoReferences())
    if computation.isTooLong {
      report.addTooLong(at: place)
      return Fill(text: "", isPlain: false)
    }
    switch value {
    // It is read once more, as a text that may have expressions.
    case .text(let text):
      report.roomForFills -= text.utf8.count
      return Fill(text: text.replacing("{", with: "{{"), isPlain: false, isGiven: scope.readsGiven)
    case .list, .map: return nil
    case let value: return Fill(text: value.description, isPlain: true, isGiven: scope.readsGiven)
    }
  }

  // MARK: Ids

  /// An id of the template, as it is in the whole file. One that the template does not have is the file's.
  func global(_ id: String) -> String {
    if id.first == "{", id.last == "}",
      case .follows(let name, let scope)? = parameter(String(id.dropFirst().dropLast()))
    {
      return scope?.global(name) ?? name
    }
    if id == rootID { return self.id }
    if ids.contains(id) { return "\(self.id)-\(id)" }
    return outer?.global(id) ?? id
  }

  func add(_ id: String) { ids.insert(id) }

  /// Notes the ids of the template.
  /// - Parameter view: the template's view, repeated by this instance.
  func readIDs(of view: YAMLNode) {
    var waiting = [view]
    var isRoot = true
    while let node = waiting.popLast() {
      for (key, value) in node.entries ?? [] {
        switch key.text {
        case "id":
          guard let id = value.text, !id.hasPrefix("\(self.id)-") else { continue }
          if isRoot { rootID = id } else { ids.insert(id) }
        case "controller":
          if let id = value.text { ids.insert(id) }
          if value.entries != nil { waiting.append(value) }
        case "subviews", "gestures": waiting += value.items ?? []
        default: break
        }
      }
      isRoot = false
    }
  }
}

/// A parameter that is an expression, or a text with expressions in it.
final class LiveParameter {
  /// The template's name for it, and a number, which no other one has.
  let name: String
  let value: Value
  private var type: ExpressionType?

  init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

  /// The type of its values. It is read once, since each template may name it for the next one several times.
  func type(in scope: FileScope) -> ExpressionType {
    if let type { return type }
    var giver = FileScope(scope.configuration, scope.names)
    giver.instance = value.node.instance
    let formula = try? Formula(value.node.text ?? "", scope: giver)
    let type = formula.map { $0.whole?.type ?? .text } ?? .any
    self.type = type
    return type
  }
}

extension YAMLNode {
  /// An id that stands here, as it is in the whole file.
  func global(_ id: String) -> String { instance?.global(id) ?? id }
}

private final class ParameterScope: ExpressionScope {
  private let instance: TemplateInstance
  private(set) var names: [String] = []
  /// Whether one was asked for that is of a row which was set from outside.
  private(set) var readsGiven = false

  init(instance: TemplateInstance) { self.instance = instance }

  func resolve(_ name: String) -> Resolution? {
    names.append(name)
    let parameter = instance.parameter(name)
    if case .given? = parameter { readsGiven = true }
    return parameter?.resolution(name)
  }
  func resolve(_ owner: String, _ part: String) -> Resolution? { nil }
  func advice(for name: String) -> String { "" }
}

extension TemplateInstance.Parameter {
  /// Returns the meaning of a name in an expression.
  /// - Parameter scope: of the file; nil where only what never changes counts.
  func resolution(_ name: String, in scope: FileScope? = nil) -> Resolution {
    switch self {
    case .value(.list), .value(.map), .given(.list), .given(.map), .node:
      return .unknown(
        "\(name) is a list or a mapping here, which no expression takes; give a number, a text, true or false"
      )
    case .value(let value), .given(let value): return .constant(value)
    case .row(let field, let type):
      return scope == nil ? .unknown("\(name) changes") : .reads(.row(field), type)
    case .live(let parameter):
      guard let scope else { return .unknown("\(name) changes") }
      return .reads(.parameter(parameter.name), parameter.type(in: scope))
    case .follows(let path, let giver):
      guard var scope else { return .unknown("\(name) changes") }
      scope.instance = giver
      let found =
        path.firstIndex(of: ".").map { dot in
          scope.resolve(String(path[..<dot]), String(path[path.index(after: dot)...]))
        } ?? scope.resolve(path)
      return found
        ?? .unknown("\(name) is {\(path.escaped)} here, and nothing is called so; \(scope.advice(for: path))")
    }
  }
}

private struct NoReferences: ReferenceReading {
  var ordinal = 0
  func value(of reference: Int, in formula: Formula) -> PropertyValue { .null }
  func shown(_ reference: Int, in formula: Formula) -> String? { nil }
}
