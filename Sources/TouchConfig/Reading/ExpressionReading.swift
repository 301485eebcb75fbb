import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// A property that has expressions in it, to be read when all views are known.
struct UnreadBinding {
  /// Its place in `views`.
  let view: Int
  let property: ViewProperty
  /// `size` of `font`; nil for the whole property.
  let part: String?
  let value: Value
}

// MARK: Finding

extension Value {
  /// Whether an expression stands in it: in a text anywhere, in everything else as the whole value.
  ///
  /// - Parameter shape: of what it is the value.
  func hasExpression(_ shape: PropertyShape) -> Bool {
    if let items = node.items {
      return items.prefix(Self.mostItems).contains {
        Value(name: name, node: $0, report: report).hasExpression(shape)
      }
    }
    guard let text = node.text, text.utf8.contains(UInt8(ascii: "{")) else { return false }
    return shape.isText
      ? Formula.firstBraces(in: text) != nil : text.first == "{" && text.last == "}" && !text.hasPrefix("{{")
  }

  private static let mostItems = 10_001

  /// The parts of a property in which there are expressions; the whole one by nil.
  func expressions(of property: ViewProperty) -> [(part: String?, value: Value)] {
    guard node.entries != nil, let parts = property.shape.parts?.parts else {
      return hasExpression(property.shape) ? [(nil, self)] : []
    }
    return parts.compactMap { part in
      guard let node = self.part(part.name)?.value else { return nil }
      let value = Value(name: "\(part.name) in \(name)", node: node, report: report)
      return value.hasExpression(part.shape) ? (part.name, value) : nil
    }
  }
}

// MARK: Reading

extension Value {
  /// Warns of a brace that begins a name and has no end, so that it would be shown as it is.
  ///
  /// - Parameter shape: of what it is the value.
  func warnOfOpenBraces(_ shape: PropertyShape) {
    if let parts = shape.parts?.parts, node.entries != nil {
      for part in parts {
        guard let node = self.part(part.name)?.value else { continue }
        Value(name: name, node: node, report: report).warnOfOpenBraces(part.shape)
      }
    } else if let items = node.items {
      for item in items.prefix(Self.mostItems) {
        Value(name: name, node: item, report: report).warnOfOpenBraces(shape)
      }
    } else if shape.isText, let text = node.text, let open = Formula.openBrace(in: text) {
      report.add(
        .warning, at: report.place(ofByte: open.offset, in: node),
        open.isEndedByQuote
          ? "what follows the brace is shown as it is, since a text in an expression stands between ' and '; write '...' in place of \"...\""
          : "the brace has no end, so it is shown as it is; write } behind what it computes, or {{ for a brace"
      )
    }
  }

  /// A list that a named value holds, for the rows of a repeat.
  func rows() -> PropertyValue? {
    let isPlain = (node.items ?? []).allSatisfy { item in
      item.items == nil
        && (item.entries ?? []).allSatisfy { $0.value.items == nil && $0.value.entries == nil }
    }
    if isPlain { return node.propertyValue(isText: false) }
    refuse("give rows of plain values: [{name: Kitchen, on: true}, {name: Hall, on: false}]")
    return nil
  }

  /// Warns of what looks like an expression, where none is computed: it is shown with its braces.
  ///
  /// - Parameter advice: what to write instead.
  func warnOfBraces(_ advice: String) {
    for text in node.innerTexts {
      guard let content = text.text.flatMap({ $0.firstIndex(of: "{").map($0.suffix(from:)) }),
        content.dropFirst().first?.isLetter == true, content.contains("}")
      else { continue }
      report.add(
        .warning, at: text.place,
        "\(name) is shown with its braces: no expression is computed here; \(advice)")
    }
  }

  /// Reads a text that may have expressions in it, and reports what is wrong where it stands.
  func formula(_ scope: FileScope, by rule: Formula.Rule = .text) -> Formula? {
    guard let text = freeText() else { return nil }
    var scope = scope
    scope.instance = node.instance
    do throws(ExpressionError) {
      let formula = try Formula(text, by: rule, scope: scope)
      if case .text = rule { warnOfInnerBraces(text, scope) }
      return formula
    } catch {
      for error in [error] + Formula.errors(in: text, by: rule, scope: scope) {
        report.add(at: report.place(ofByte: error.offset, in: node), error.message)
      }
      return nil
    }
  }

  /// Warns of braces in a text within an expression if what is in them refers to something in the file: it is not computed, and the
  /// braces are shown.
  private func warnOfInnerBraces(_ text: String, _ scope: FileScope) {
    for braces in Formula.innerBraces(in: text) {
      guard let inner = try? Formula("{\(braces.inside)}", scope: scope), !inner.references.isEmpty else {
        continue
      }
      let inside = braces.inside.escaped
      report.add(
        .warning, at: report.place(ofByte: braces.offset, in: node),
        "{\(inside)} is shown with its braces, since it stands between ' and '; "
          + (inner.whole?.type == .text
            ? "join the texts with +, as in 'Hello ' + \(inside)"
            : "write it in braces of its own, before or behind those around it"))
    }
  }

  /// Reads what a property, or a part of one, is set to.
  func content(_ property: ViewProperty, _ part: String?, for kind: ViewKind, _ scope: FileScope)
    -> BoundSetting
    .Content?
  {
    let shape =
      part.flatMap { name in property.shape.parts?.parts.first { $0.name == name }?.shape } ?? property.shape
    if let items = node.items {
      let contents = items.map { item -> BoundSetting.Content? in
        let item = Value(name: name, node: item, report: report)
        guard item.hasExpression(shape) || shape.isText else {
          return .constant(item.node.scalar.map(PropertyValue.init) ?? .null)
        }
        return item.formula(scope).map { .formula($0) }
      }
      return contents.contains(nil) ? nil : .list(contents.compactMap(\.self))
    }
    guard let formula = formula(scope) else { return nil }
    let wanted = property == .value ? ExpressionType.any : shape.type
    guard !shape.isText, check(formula, is: wanted) else { return shape.isText ? .formula(formula) : nil }
    guard check(outcomesOf: formula, property, part, for: kind) else { return nil }
    return .formula(formula)
  }

  /// Whether the expression can be of a type; reported if not.
  func check(_ formula: Formula, is wanted: ExpressionType) -> Bool {
    guard let whole = formula.whole else {
      guard wanted == .text || wanted == .any else {
        complain(
          "\(name) is \(wanted.words), and this is a text with an expression in it; give one expression alone"
        )
        return false
      }
      return true
    }
    switch (wanted, whole.type) {
    case (.any, _), (_, .any), (_, .null): return true
    case (.number, .time): return true
    case (let one, let other) where one == other: return true
    default:
      complain("{\(whole.source.escaped)} is \(whole.type.words), and \(name) is \(wanted.words)")
      return false
    }
  }

  /// Reports what an expression can become that the property does not take: a colour that is none.
  private func check(
    outcomesOf formula: Formula, _ property: ViewProperty, _ part: String?, for kind: ViewKind
  ) -> Bool {
    for outcome in formula.whole?.outcomes ?? [] where outcome != .null {
      do throws(PropertyError) {
        let whole = part.map { PropertyValue.map([PropertyValue.Entry(key: $0, value: outcome)]) } ?? outcome
        _ = try ViewSetting(property, whole, for: kind)
      } catch {
        complain("the expression can become \(outcome): \(error)")
        return false
      }
    }
    return true
  }
}

extension BoundSetting.Content {
  /// The pages that an expression can name as they are written in it.
  func outcomes(at place: SourceLocation) -> [Names.Reference] {
    formulas.flatMap { $0.whole?.outcomes ?? [] }.compactMap { outcome in
      if case .text(let page) = outcome { Names.Reference(name: page, place: place) } else { nil }
    }
  }
}

extension PropertyValue {
  init(_ scalar: YAMLScalar) {
    switch scalar {
    case .null: self = .null
    case .bool(let flag): self = .flag(flag)
    case .integer(let number): self = .number(Double(number))
    case .number(let number): self = .number(number)
    case .text(let text): self = .text(text)
    }
  }
}

extension ConfigurationReader {
  /// Reads the expressions of all views, after the views, and finds the order in which they are computed.
  mutating func readBindings() {
    guard !unreadBindings.isEmpty else { return }
    let scope = FileScope(configuration, names)
    var bindings: [Binding] = []
    for unread in unreadBindings {
      let view = configuration.views[unread.view]
      let isCosmetic = unread.property.isCosmetic
      func read() -> BoundSetting.Content? {
        unread.value.content(unread.property, unread.part, for: view.kind, scope)
      }
      guard let content = isCosmetic ? report.cosmetic(read) : read() else { continue }
      if unread.property == .page {
        for page in content.outcomes(at: unread.value.node.place) { requirePage(page, of: unread.view) }
      }
      bindings.append(
        Binding(
          view: view.id, BoundSetting(unread.property, part: unread.part, content),
          at: unread.value.node.place))
    }
    order(bindings)
  }

  private mutating func order(_ bindings: [Binding]) {
    var bindings = bindings
    // Each circle is found by a search of its own.
    for _ in 0..<Self.mostCircles {
      do throws(BindingCircle) {
        configuration.bindings = try Binding.ordered(bindings)
        return
      } catch {
        report.add(
          at: error.path.map(\.place).min() ?? .start,
          "these follow each other in a circle: \(error.description.escaped); let one of them follow a value")
        let names = Set(error.path.map(\.name))
        bindings.removeAll { names.contains($0.name) }
      }
    }
  }

  /// Of a file with more, the others are reported when these are mended.
  private static let mostCircles = 20

  // MARK: Values

  /// Reads `values:`.
  mutating func readValues(_ value: Value?) {
    let advice = "give names and what they are at first: {temperature: 21.5, target: {value: 22, keep: true}}"
    guard let value, !value.node.isNull else { return }
    guard let entries = value.node.entries else { return value.refuse(advice) }
    for (key, node) in entries {
      let name = key.text ?? ""
      guard let problem = Self.problem(withName: name) else {
        let item = Value(name: "the value \"\(name.escaped)\"", node: node, report: report)
        if let declared = namedValue(name, item) {
          configuration.values.append(declared)
          // Topics, and what actions set, have both.
          names.add(name, .value, at: key.place)
        } else {
          refusedValues.insert(name)
        }
        continue
      }
      report.add(at: key.place, problem)
      refusedValues.insert(name)
    }
  }

  /// A chart shows what is kept of named values.
  func checkHistories(_ names: Value?) {
    guard let names else { return }
    for node in names.node.items ?? [names.node] {
      // What is no text is reported as the property's value.
      guard let name = node.text else { continue }
      let value = Value(name: names.name, node: node, report: report)
      guard let declared = configuration.values.first(where: { $0.name == name }) else {
        // It is declared, and its error is reported there.
        if refusedValues.contains(name) { continue }
        let meant = Suggestion.nearest(to: name, among: configuration.values.map(\.name))
        value.complain(
          "no value is called \"\(name.escaped)\"; "
            + (meant.map { "did you mean \"\($0)\"?" }
              ?? "declare it: values: {\(name.escaped): {value: null, history: 3600}}"))
        continue
      }
      if declared.history == nil {
        value.complain(
          "nothing is kept of \"\(name)\", so the chart would stay empty; declare it as "
            + "\(name): {value: \(declared.initial), history: 3600}, in seconds")
      }
    }
  }

  private static func problem(withName name: String) -> String? {
    let isName =
      (name.first.map { $0.isLetter || $0 == "_" } ?? false)
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      && name.last != "-"
    guard isName else {
      return
        "\"\(name.escaped)\" cannot be the name of a value; use letters, digits and _, and begin with a letter"
    }
    guard !Self.words.contains(name) else {
      return "\"\(name.escaped)\" has a meaning in expressions; give the value another name"
    }
    return nil
  }

  private static let words =
    Set(["and", "or", "not", "true", "false", "null", "now", "t"]).union(
      Reference.SentPart.allCases.map(\.rawValue))

  func namedValue(_ name: String, _ value: Value) -> NamedValue? {
    guard value.node.entries != nil else {
      return initial(value).map { NamedValue(name: name, initial: $0) }
    }
    guard let fields = value.fields(NamedValueKey.self) else { return nil }
    guard let given = fields[.value] else {
      report.add(at: value.node.place, "\(value.name) needs \"value\"; give what it is at first, or null")
      return nil
    }
    guard let initial = initial(given) else { return nil }
    var declared = NamedValue(name: name, initial: initial)
    declared.isKept = fields[.keep]?.bool() ?? false
    declared.history = fields.unlessNull(.history)?.number(in: .history)
    declared.unit = fields.unlessNull(.unit)?.text("give what it is measured in: \"°C\"")
    declared.deviceClass = fields.unlessNull(.deviceClass)?.text(
      "give a class of Home Assistant's: temperature")
    declared.limits = limits(of: fields, initial, given)
    return declared
  }

  /// The numbers that a value can be; nil where the file gives no limits, or wrong ones.
  private func limits(
    of fields: Fields<NamedValueKey>, _ initial: PropertyValue, _ given: Value
  ) -> ControlValue? {
    let keys = [NamedValueKey.minimum, .maximum, .step].compactMap(fields.unlessNull)
    guard let first = keys.first else { return nil }
    guard initial.number != nil || initial == .null else {
      first.complain("\(first.name) is for a number, and the value is \(initial)")
      return nil
    }
    guard let lower = fields.unlessNull(.minimum), let upper = fields.unlessNull(.maximum) else {
      first.complain("\(first.name) needs both limits: minimum: 5, maximum: 30")
      return nil
    }
    guard let minimum = lower.number(in: .coordinate), let maximum = upper.number(in: .coordinate) else {
      return nil
    }
    guard minimum <= maximum else {
      lower.refuse("give one that is not above maximum")
      return nil
    }
    let step = fields.unlessNull(.step)?.number(in: .length)
    let limits = ControlValue(initial.number ?? minimum, minimum: minimum, maximum: maximum, step: step ?? 0)
    if let number = initial.number, abs(limits.number - number) > 1e-9 * max(1, abs(number)) {
      given.refuse(
        "the limits do not allow it; the nearest that they do is \(PropertyValue.number(limits.number))")
    }
    return limits
  }

  private func initial(_ value: Value) -> PropertyValue? {
    value.warnOfBraces("put it into the text of a view")
    if value.node.items != nil { return value.rows() }
    guard let scalar = value.node.scalar, !value.node.isEmpty else {
      value.refuse(
        value.node.isEmpty
          ? "give a number, a text, true or false, or null"
          : "give a number, a text, true, false, null or a list")
      return nil
    }
    if case .number(let number) = scalar, !number.isFinite {
      value.refuse("give a finite number")
      return nil
    }
    return PropertyValue(scalar)
  }

  /// Reads `strings:` and `language:`. The language is a value, so that anybody can set it.
  mutating func readStrings(_ value: Value?, _ language: Value?) {
    let advice =
      "give languages, and in each the texts by their keys: {de: {hello: Hallo}, en: {hello: Hello}}"
    for (name, texts) in value.flatMap({ entries(of: $0, advice) }) ?? [] {
      let language = name.text ?? ""
      let of = Value(name: "the language \"\(language.escaped)\"", node: texts, report: report)
      configuration.translations.languages.append(language)
      for (key, node) in entries(of: of, "give texts by their keys: {hello: Hallo}") ?? [] {
        let key = key.text ?? ""
        let value = Value(name: "the text \"\(key.escaped)\"", node: node, report: report)
        value.warnOfBraces("put it beside {t.\(key.escaped)} in the text of a view")
        if let text = value.freeText() {
          configuration.translations.texts[language, default: [:]][key] = text
        }
      }
    }
    for (key, missing) in configuration.translations.gaps {
      let names = missing.map { "\"\($0.escaped)\"" }.joined(lastWith: "and")
      value.map {
        report.add(
          .warning, at: $0.node.place, "the text \"\(key.escaped)\" is missing in \(names); add it there")
      }
    }
    let languages = configuration.translations.languages
    let first = language?.nonEmptyText("give a language of strings")
    if let first, let language, !languages.contains(first) {
      let help = Suggestion.nearest(to: first, among: languages).map { "did you mean \"\($0.escaped)\"?" }
      language.refuse(
        help
          ?? (languages.isEmpty
            ? "declare it under \"strings:\"" : "give \(languages.joined(lastWith: "or"))"))
    }
    guard let shown = first ?? languages.first else { return }
    var declared = NamedValue(name: Translations.valueName, initial: .text(shown))
    declared.choices = languages
    configuration.values.append(declared)
    names.add(Translations.valueName, .value, at: (language ?? value)?.node.place ?? .start)
  }

  private func entries(of value: Value, _ advice: String) -> [(key: YAMLNode, value: YAMLNode)]? {
    if value.node.entries == nil, !value.node.isNull { value.refuse(advice) }
    return value.node.entries
  }

  /// Reads `locale:`. Without one it is that of the language.
  mutating func readLocale(_ value: Value?) {
    guard let value, !value.node.isNull else {
      let language = configuration.values.first { $0.name == Translations.valueName }?.initial
      guard case .text(let name)? = language else { return }
      configuration.localeFollowsLanguage = true
      configuration.locale = Locale.named(name) ?? .english
      return
    }
    let advice =
      "give one of \(Locale.names.joined(lastWith: "or")), or leave it out for that of the language"
    guard let name = value.nonEmptyText(advice) else { return }
    guard let locale = Locale.named(name) else { return value.refuse(advice) }
    configuration.locale = locale
  }
}

extension NumberRange {
  /// In seconds: a year at most.
  fileprivate static let history = NumberRange(lower: 0, upper: 31_622_400, isAboveLower: true)
}

extension Report {
  /// Where a byte of a scalar stands: in its line, if it is written there as it is; else where the scalar begins.
  func place(ofByte offset: Int, in node: YAMLNode) -> SourceLocation {
    guard let written = node.written.map({ Array($0.utf8) }), offset <= written.count else {
      return node.place
    }
    let place = node.place
    let line = line(of: place)
    // Columns count characters.
    let letters = Array(line.unicodeScalars)
    let start = place.column - 1
    let before = Array(String(decoding: written[..<offset], as: UTF8.self).unicodeScalars)
    for quote in 0...1 {
      let first = start + quote
      guard first + before.count <= letters.count, first >= 0 else { continue }
      if letters[first..<first + before.count].elementsEqual(before) {
        // Without a quote it must be one that is not quoted.
        if quote == 0, node.isQuoted { continue }
        return SourceLocation(
          line: place.line, column: first + before.count + 1, file: place.file, instance: place.instance)
      }
    }
    return node.place
  }
}

extension YAMLNode {
  /// The texts in it: itself, or those of a list and of its mappings.
  fileprivate var innerTexts: [YAMLNode] {
    if let items { return items.flatMap(\.innerTexts) }
    return entries?.flatMap(\.value.innerTexts) ?? [self]
  }
}
