import TouchCore
import TouchExpressions
import TouchViews

/// A property that has expressions in it, to be read when all views are known.
struct UnreadBinding {
  let view: Int?
  let property: ViewProperty
  let part: String?
  let value: Value
}

// MARK: Finding

extension Value {
  /// Whether an expression stands in it: in a text anywhere, in everything else as the whole value.
  /// - Parameter shape: of what it is the value.
  func hasExpression(_ shape: PropertyShape) -> Bool {
    if let items = node.items {
      return items.prefix(Self.mostItems).contains {
        Value(name: name, node: $0, report: report).hasExpression(shape)
      }
    }
    guard let text = node.text, text.utf8.contains(UInt8(ascii: "{")) else { return false }
    return shape.takesText
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
    } else if shape.takesText, let text = node.text, let double = Formula.doubleBraces(in: text) {
      let inside = double.inside.trimmed
      let isName = inside.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
      report.add(
        .warning, at: report.place(ofByte: double.offset, in: node),
        "{{ is shown as one brace, and nothing is computed here; write "
          + (isName ? "{\(inside.escaped)}" : "an expression in one brace, such as {temperature:.1f}"))
    } else if shape.takesText, let text = node.text, let open = Formula.openBrace(in: text) {
      report.add(
        .warning, at: report.place(ofByte: open.offset, in: node),
        open.isEndedByQuote
          ? "what follows the brace is shown as it is, since a text in an expression stands between ' and '; write '...' in place of \"...\""
          : "the brace has no end, so it is shown as it is; write } behind what it computes, or {{ for a brace"
      )
    }
  }

  /// Warns of what looks like an expression, where none is computed: it is shown with its braces.
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

  /// Warns of braces in a text within an expression if what is in them refers to something in the file: it is
  /// not computed, and the braces are shown.
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
    -> BoundSetting.Content?
  {
    let shape =
      part.flatMap { name in property.shape.parts?.parts.first { $0.name == name }?.shape } ?? property.shape
    if let items = node.items {
      let contents = items.enumerated().map { index, node -> BoundSetting.Content? in
        let item = Value(name: "value \(index + 1) in \(name)", node: node, report: report)
        guard item.hasExpression(shape) || shape.isText else {
          return .constant(item.node.scalar.map(PropertyValue.init) ?? .null)
        }
        guard let formula = item.formula(scope) else { return nil }
        if let wanted = shape.item(index, of: items.count), !item.check(formula, gives: wanted) { return nil }
        return .formula(formula)
      }
      return contents.contains(nil) ? nil : .list(contents.compactMap(\.self))
    }
    guard let formula = formula(scope) else { return nil }
    if shape.isText, shape.type != .list { return .formula(formula) }
    // Times and dates are texts.
    if !kind.traits.contains(.times), [ViewProperty.value, .minimum, .maximum].contains(property),
      (formula.whole?.type ?? .text) == .text
    {
      _ = check(formula, is: kind.role == .flag ? .flag : .number)
      return nil
    }
    let advice = { expected($0, property, part, for: kind) }
    guard check(formula, gives: shape, otherwise: advice) else { return nil }
    guard check(outcomesOf: formula, property, part, for: kind) else { return nil }
    return .formula(formula)
  }

  /// Whether the expression can give what a property, a part of one or an item takes; reported if not.
  /// - Parameter advice: what to give in place of a value of a type, where the type that is wanted does not
  ///   say it.
  private func check(
    _ formula: Formula, gives shape: PropertyShape,
    otherwise advice: (ExpressionType) -> String? = { _ in nil }
  ) -> Bool {
    let given = formula.whole?.type ?? .text
    if shape.takes(given) { return true }
    let simple: Set<ExpressionType> = [.number, .flag, .text]
    guard !simple.contains(shape.type), let help = advice(given) else {
      return check(formula, is: shape.type)
    }
    let subject = formula.whole.map { "{\($0.source.escaped)} is \(given.words)" }
    complain("\(subject ?? "this is a text with an expression in it"), which \(name) cannot be; give \(help)")
    return false
  }

  /// Returns the types that a property, or a part of it, takes, for one that does not take a given type.
  private func expected(
    _ type: ExpressionType, _ property: ViewProperty, _ part: String?, for kind: ViewKind
  ) -> String? {
    let sample: PropertyValue =
      switch type {
      case .number, .time: .number(0)
      case .flag: .flag(true)
      case .list: .list([])
      case .text, .null, .any: .text("")
      }
    do throws(PropertyError) {
      let whole = part.map { PropertyValue.map([PropertyValue.Entry(key: $0, value: sample)]) } ?? sample
      _ = try ViewSetting(property, whole, for: kind)
      return nil
    } catch {
      guard case .badValue(let expected) = error.cause else { return nil }
      return expected.words
    }
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
    guard !unreadBindings.isEmpty || !unreadValues.isEmpty else { return }
    var bindings = readDerivedValues()
    let scope = FileScope(configuration, names)
    for unread in unreadBindings {
      let view = unread.view.map { (configuration.views[$0].id, configuration.views[$0].kind) }
      let (id, kind) = view ?? (configuration.window.id, .window)
      let isCosmetic = unread.property.isCosmetic && !lacksParameter(unread.value, scope)
      func read() -> BoundSetting.Content? {
        unread.value.content(unread.property, unread.part, for: kind, scope)
      }
      guard let content = isCosmetic ? report.cosmetic(read) : read() else { continue }
      if unread.property == .page, let view = unread.view {
        for page in content.outcomes(at: unread.value.node.place) { requirePage(page, of: view) }
      }
      bindings.append(
        Binding(
          view: id, BoundSetting(unread.property, part: unread.part, content),
          at: unread.value.node.place))
    }
    order(bindings)
  }

  /// Whether a row that was set at run time lacks a parameter that its view reads. Such a row is refused,
  /// since it would show the value of the row before it.
  private func lacksParameter(_ value: Value, _ scope: FileScope) -> Bool {
    guard !lists.isEmpty, let instance = value.node.instance else { return false }
    var scope = scope
    scope.instance = instance
    return Self.names(in: value.node).contains { scope.resolve($0) == nil }
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
}

extension Report {
  /// Returns the place of a byte of a scalar: in its line, if it is written there as it is; else where the
  /// scalar begins.
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
