import TouchExpressions
import TouchViews

extension ConfigurationReader {
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
            + (meant.map { "did you mean \"\($0)\"?" } ?? Self.declaration(of: name)))
        continue
      }
      if declared.history == nil {
        value.complain(
          "nothing is kept of \"\(name)\", so the chart would stay empty; declare it as "
            + "\(name): {value: \(declared.initial), history: 3600}, in seconds")
      }
    }
  }

  private static func declaration(of name: String) -> String {
    guard problem(withName: name) != nil else {
      return "declare it: values: {\(name.escaped): {value: null, history: 3600}}"
    }
    let letters = String(name.prefix(40).map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_seen"
    let own = letters.first?.isLetter ?? false ? letters : "a" + letters
    return
      "a chart shows named values: declare one, values: {\(own): {value: null, history: 3600}}, and set it "
      + "where that changes, actions: {value_changed: [set: {\(own): \"{value}\"}]}"
  }

  static func problem(withName name: String) -> String? {
    let isName =
      (name.first.map { $0.isLetter || $0 == "_" } ?? false)
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } && name.last != "-"
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

  mutating func namedValue(_ name: String, _ value: Value) -> NamedValue? {
    guard value.node.entries != nil else {
      return derived(name, value) ?? initial(value).map { NamedValue(name: name, initial: $0) }
    }
    guard let fields = value.fields(NamedValue.keys.table) else { return nil }
    guard let given = fields["value"] else {
      report.add(at: value.node.place, "\(value.name) needs \"value\"; give what it is at first, or null")
      return nil
    }
    if var declared = derived(name, given) {
      fields.read(NamedValue.keys, into: &declared)
      for key in ["keep", "minimum", "maximum", "step", "source"] {
        fields[key]?.complain(
          "\"\(key)\" is for a value that is set, and this one follows an expression; remove it")
      }
      return declared
    }
    guard let initial = initial(given) else { return nil }
    var declared = NamedValue(name: name, initial: initial)
    fields.read(NamedValue.keys, into: &declared)
    declared.limits = limits(of: fields, initial, given)
    if let source = declared.source {
      checkSource(source, of: fields, initial)
      configuration.sensorLocations[name] =
        fields["source"]?.node.entries?.first { $0.key.text == "event" }?.value.place
    }
    return declared
  }

  /// A sensor sets numbers, and what is on or off.
  private func checkSource(_ source: SensorSource, of fields: Fields, _ initial: PropertyValue) {
    switch initial {
    case .number, .null: return
    case .flag where source.event.hasPrefix("ABS_") || source.isChannel:
      fields["value"]?.refuse("\(source.event) is a number; give one, or null")
    case .flag: return
    default: fields["value"]?.refuse("a sensor sets it; give a number, true, false or null")
    }
  }

  /// A value that follows an expression, which is read when all names are known; nil for one that is set.
  private mutating func derived(_ name: String, _ value: Value) -> NamedValue? {
    guard let text = value.node.text, Formula.firstBraces(in: text) != nil else { return nil }
    unreadValues.append((name, value))
    var declared = NamedValue(name: name, initial: .null)
    declared.formula = Formula(letters: text)
    return declared
  }

  /// Reads the expressions that named values and parameters of templates follow.
  mutating func readDerivedValues() -> [Binding] {
    var bindings: [Binding] = []
    for (name, value) in unreadValues {
      guard let formula = value.formula(FileScope(configuration, names)),
        let place = configuration.values.firstIndex(where: { $0.name == name })
      else { continue }
      configuration.values[place].formula = formula
      bindings.append(Binding(.value, name, formula, at: value.node.place))
    }
    for parameter in unreadParameters {
      guard let formula = parameter.value.formula(FileScope(configuration, names)) else { continue }
      bindings.append(Binding(.parameter, parameter.name, formula, at: parameter.value.node.place))
    }
    return bindings
  }

  /// The numbers that a value can be; nil where the file gives no limits, or wrong ones.
  private func limits(of fields: Fields, _ initial: PropertyValue, _ given: Value) -> ControlValue? {
    let keys = ["minimum", "maximum", "step"].compactMap { fields.unlessNull($0) }
    guard let first = keys.first else { return nil }
    guard initial.number != nil || initial == .null else {
      first.complain("\(first.name) is for a number, and the value is \(initial)")
      return nil
    }
    guard let lower = fields.unlessNull("minimum"), let upper = fields.unlessNull("maximum") else {
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
    let step = fields.unlessNull("step")?.number(in: .length)
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
}

extension Value {
  func rows() -> PropertyValue? {
    let isPlain = (node.items ?? []).allSatisfy { item in
      item.items == nil
        && (item.entries ?? []).allSatisfy { $0.value.items == nil && $0.value.entries == nil }
    }
    if isPlain { return node.propertyValue(isText: false) }
    refuse("give rows of plain values: [{name: Kitchen, on: true}, {name: Hall, on: false}]")
    return nil
  }
}
