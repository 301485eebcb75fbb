import TouchViews

/// A value of the file with its name in messages. Every reading method returns nil for a wrong value, and has
/// reported it by then.
package struct Value {
  package let name: String
  package let node: YAMLNode
  /// The mappings of styles that give the keys which this mapping does not have, the strongest first.
  var styles: [YAMLNode] = []
  let report: Report

  /// Reports that the value is not what it should be: "alpha is 2; give a number from 0 to 1".
  package func refuse(_ advice: String) {
    guard !node.isBroken else { return }
    let odd = node.text?.oddSpace.map { ", with \($0) in it" } ?? ""
    let subject = node.isEmpty ? "\(name) has no value" : "\(name) is \(node.shown)\(odd)"
    report.add(at: node.place, "\(subject); \(advice)")
  }

  /// Reports a sentence about the value.
  package func complain(_ message: String) { report.add(at: node.place, message) }

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
  package func text(_ advice: String = "give a text") -> String? {
    switch node.scalar {
    case .text(let text): return withoutNUL(text)
    case .bool, .integer, .number: refuse("put it in quotes to make it a text")
    case .null, nil: refuse(node.unquotedBraces.map { "put it in quotes: \"\($0)\"" } ?? advice)
    }
    return nil
  }

  /// Text that names something, so it cannot be blank.
  package func nonEmptyText(_ advice: String = "give a text") -> String? {
    guard let text = text(advice) else { return nil }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      complain("\(name) is empty; \(advice)")
      return nil
    }
    return text
  }

  /// Text that is only passed on: numbers and truth values are taken as they are written.
  package func freeText(_ advice: String = "give a text") -> String? {
    guard let text = node.text, !node.isNull else {
      refuse(node.unquotedBraces.map { "put it in quotes: \"\($0)\"" } ?? advice)
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
    refuse(word: names, "give " + names.joined(lastWith: "or"))
    return nil
  }

  func refuse(word words: [String], _ advice: String) {
    let nearest = node.text.flatMap { Suggestion.nearest(to: $0, among: words) }
    refuse(nearest.map { "did you mean \"\($0)\"?" } ?? advice)
  }

  /// One of the numbers that a type has.
  func choice<Choice: RawRepresentable<Int> & CaseIterable>(
    _ type: Choice.Type = Choice.self, or word: String? = nil
  ) -> Choice? {
    if let number = finiteNumber, let integer = Int(exactly: number), let choice = Choice(rawValue: integer) {
      return choice
    }
    let names = [word].compactMap(\.self) + Choice.allCases.map { String($0.rawValue) }
    refuseNumber("give " + names.joined(lastWith: "or"))
    return nil
  }

  static let colorAdvice = "give " + Color.advice

  func color() -> Color? {
    guard case .text(let text) = node.scalar else {
      refuse(node.isEmpty ? "put the colour in quotes, since # starts a comment" : Self.colorAdvice)
      return nil
    }
    if let color = Color(report.palette[text] ?? text) { return color }
    refuse(Color.name(nearestTo: text).map { "did you mean \"\($0)\"?" } ?? Self.colorAdvice)
    return nil
  }

  /// The items of a list; nil and no report for null, which asks for nothing.
  /// - Parameter item: what each is in messages; nil for what the list is.
  package func list(_ advice: String, of item: String? = nil) -> [Value]? {
    if let items = node.items { return items.map { Value(name: item ?? name, node: $0, report: report) } }
    if !node.isNull { refuse(advice) }
    return nil
  }

  /// The keys of a mapping whose names are the file's own, each with its place and its value; nil for
  /// anything else, which was reported unless it is null.
  package func names(_ advice: String) -> [(name: String, place: SourceLocation, value: Value)]? {
    if let entries = node.entries {
      return entries.map { key, value in
        let name = key.text ?? ""
        return (name, key.place, Value(name: name, node: value, report: report))
      }
    }
    if !node.isNull { refuse(advice) }
    return nil
  }

  /// The keys of a mapping; nil and no report for null, which asks for nothing.
  package func fields(_ table: KeyTable, _ advice: String? = nil) -> Fields? {
    if let fields = Fields(node, table, styles: styles, report: report) { return fields }
    if !node.isNull { refuse(advice ?? "give a mapping with " + table.names.joined(lastWith: "or")) }
    return nil
  }

  /// The same for a mapping that has to be there.
  /// - Parameter missing: the advice for null.
  func fields(_ table: KeyTable, _ advice: String? = nil, missing: String) -> Fields? {
    if node.isNull { refuse(missing) }
    return fields(table, advice)
  }
}

extension NumberRange {
  /// In seconds; no gesture takes longer than a minute.
  static let duration = NumberRange(lower: 0, upper: 60)
}

extension Value {
  /// The value, if it is a number at all.
  package var finiteNumber: Double? {
    switch node.scalar {
    case .integer(let integer): Double(integer)
    case .number(let number) where number.isFinite: number
    default: nil
    }
  }

  package func number(in range: NumberRange) -> Double? {
    if let number = finiteNumber, range.contains(number) { return number }
    refuseNumber("give \(range.shown)", in: range)
    return nil
  }

  /// Reports that the value is not the number that it should be, or no number at all.
  /// - Parameter range: what it may be, where that is known.
  func refuseNumber(_ advice: String, in range: NumberRange? = nil) {
    refuse(isQuotedNumber ? "leave out the quotes to make it a number" : node.unitAdvice(in: range) ?? advice)
  }

  private var isQuotedNumber: Bool {
    guard case .text = node.scalar else { return false }
    switch node.unquoted {
    case .integer, .number: return true
    default: return false
    }
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    if case .integer(let integer) = node.scalar, range.contains(integer) { return integer }
    refuseNumber("give a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  /// A list of so many numbers, each with its own range.
  /// - Parameter parts: what each number is called in messages, and what it may be.
  /// - Parameter other: what may stand here instead of a list.
  package func numbers(_ parts: [(name: String, range: NumberRange)], or other: String? = nil) -> [Double]? {
    let list = "give [" + parts.map(\.name).joined(separator: ", ") + "]"
    let advice = other.map { "\(list) or \($0)" } ?? list
    guard let items = node.items else {
      refuse(advice)
      return nil
    }
    guard items.count == parts.count else {
      let values = items.count == 1 ? "1 value" : "\(items.count) values"
      complain("\(name) has \(values), not \(parts.count); \(advice)")
      return nil
    }
    let numbers = zip(items, parts).map { item, part in
      Value(name: "\(part.name) in \(name)", node: item, report: report).number(in: part.range)
    }
    return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
  }
}
