import TouchCore

/// A value of the file that is to be read as something, and the name that messages call it by.
///
/// Every reading answers nil where the value is wrong, and has reported that by then.
struct Value {
  let name: String
  let node: YAMLNode
  let report: Report

  /// Reports that the value is not what it should be: "alpha is 2; give a number from 0 to 1".
  func refuse(_ advice: String) {
    guard !node.isBroken else { return }
    let subject = node.isEmpty ? "\(name) has no value" : "\(name) is \(node.shown)"
    report.add(at: node.place, "\(subject); \(advice)")
  }

  /// Reports a sentence about the value.
  func complain(_ message: String) {
    report.add(at: node.place, message)
  }

  func bool() -> Bool? {
    if case .bool(let bool) = node.scalar { return bool }
    let quotes = node.isQuoted ? ", without quotes" : ""
    switch node.text?.lowercased() {
    case "yes", "on", "true": refuse("write true" + quotes)
    case "no", "off", "false": refuse("write false" + quotes)
    default: refuse("give true or false")
    }
    return nil
  }

  /// Text that names something. A number or a truth value must be in quotes to be text.
  func text(_ advice: String = "give a text") -> String? {
    switch node.scalar {
    case .text(let text): return withoutNUL(text)
    case .bool, .integer, .number: refuse("put it in quotes to make it a text")
    case .null, nil: refuse(advice)
    }
    return nil
  }

  /// Text that names something, so it cannot be blank.
  func nonEmptyText(_ advice: String = "give a text") -> String? {
    guard let text = text(advice) else { return nil }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      complain("\(name) is empty; \(advice)")
      return nil
    }
    return text
  }

  /// Text that is only passed on: numbers and truth values are taken as they are written.
  func freeText(_ advice: String = "give a text") -> String? {
    guard let text = node.text, !node.isNull else {
      refuse(advice)
      return nil
    }
    return withoutNUL(text)
  }

  private func withoutNUL(_ text: String) -> String? {
    guard text.hasNUL else { return text }
    complain("\(name) has a NUL character; remove the \"\\0\"")
    return nil
  }

  /// One of the words that a type has.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type = Choice.self, among choices: [Choice]? = nil
  ) -> Choice? {
    let choices = choices ?? Array(Choice.allCases)
    let names = choices.map(\.rawValue)
    if let text = node.text, let index = names.firstIndex(of: text) { return choices[index] }
    if let text = node.text, let name = Suggestion.nearest(to: text, among: names) {
      refuse("did you mean \"\(name)\"?")
    } else {
      refuse("give " + names.joined(lastWith: "or"))
    }
    return nil
  }

  /// One of the numbers that a type has.
  func choice<Choice: RawRepresentable<Int> & CaseIterable>(_ type: Choice.Type = Choice.self) -> Choice? {
    if let number = finiteNumber, let integer = Int(exactly: number), let choice = Choice(rawValue: integer) {
      return choice
    }
    refuseNumber("give " + Choice.allCases.map { String($0.rawValue) }.joined(lastWith: "or"))
    return nil
  }

  func color() -> Color? {
    if case .text(let text) = node.scalar, let color = Color(hex: text) { return color }
    refuse(
      node.isEmpty
        ? "put the colour in quotes, since # starts a comment"
        : "give a colour as \"#rrggbb\" or \"#rrggbbaa\"")
    return nil
  }

  /// The items of a list; nil and no report for null, which asks for nothing.
  func list(_ advice: String) -> [Value]? {
    if let items = node.items {
      return items.map { Value(name: name, node: $0, report: report) }
    }
    if !node.isNull { refuse(advice) }
    return nil
  }

  /// The keys of a mapping; nil and no report for null, which asks for nothing.
  func fields<Key: ConfigurationKey>(_ keys: Key.Type = Key.self, _ advice: String? = nil) -> Fields<Key>? {
    if let fields = Fields<Key>(node, report: report) { return fields }
    if !node.isNull {
      refuse(advice ?? "give a mapping with " + Key.builtNames.joined(lastWith: "or"))
    }
    return nil
  }
}
