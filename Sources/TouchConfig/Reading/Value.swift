import TouchCore
import TouchViews

/// A value of the file with its name in messages.
///
/// Every reading method returns nil for a wrong value, and has reported it by then.
struct Value {
  let name: String
  let node: YAMLNode
  /// The mappings of styles that give the keys which this mapping does not have, the strongest first.
  var styles: [YAMLNode] = []
  let report: Report

  /// Reports that the value is not what it should be: "alpha is 2; give a number from 0 to 1".
  func refuse(_ advice: String) {
    guard !node.isBroken else { return }
    let odd = node.text?.oddSpace.map { ", with \($0) in it" } ?? ""
    let subject = node.isEmpty ? "\(name) has no value" : "\(name) is \(node.shown)\(odd)"
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
    case .null, nil: refuse(node.unquotedBraces.map { "put it in quotes: \"\($0)\"" } ?? advice)
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

  /// Reports that the value is none of these words.
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
  func list(_ advice: String) -> [Value]? {
    if let items = node.items {
      return items.map { Value(name: name, node: $0, report: report) }
    }
    if !node.isNull { refuse(advice) }
    return nil
  }

  /// The keys of a mapping; nil and no report for null, which asks for nothing.
  func fields<Key: ConfigurationKey>(_ keys: Key.Type = Key.self, _ advice: String? = nil) -> Fields<Key>? {
    if let fields = Fields<Key>(node, styles: styles, report: report) { return fields }
    if !node.isNull {
      refuse(advice ?? "give a mapping with " + Key.allNames.joined(lastWith: "or"))
    }
    return nil
  }
}

extension NumberRange {
  /// Larger than any display. A picture of the largest takes 256 MiB.
  static let canvas = NumberRange(lower: 0, upper: 8_192, isAboveLower: true)
  /// In seconds; no gesture takes longer than a minute.
  static let duration = NumberRange(lower: 0, upper: 60)
}

extension Value {
  /// The value, if it is a number at all.
  var finiteNumber: Double? {
    switch node.scalar {
    case .integer(let integer): Double(integer)
    case .number(let number) where number.isFinite: number
    default: nil
    }
  }

  func number(in range: NumberRange) -> Double? {
    if let number = finiteNumber, range.contains(number) { return number }
    refuseNumber("give \(range.shown)", in: range)
    return nil
  }

  /// Reports that the value is not the number that it should be, or no number at all.
  ///
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
  ///
  /// - Parameters:
  ///   - parts: what each number is called in messages, and what it may be.
  ///   - other: what may stand here instead of a list.
  func numbers(_ parts: [(name: String, range: NumberRange)], or other: String? = nil) -> [Double]? {
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

/// The keys and values of a mapping, after the keys were checked.
struct Fields<Key: ConfigurationKey> {
  let node: YAMLNode
  let report: Report
  /// A key, where it stands, and its value.
  struct Entry {
    let key: Key
    let place: SourceLocation
    fileprivate let value: YAMLNode
    /// The mappings that styles have for the same key, the strongest first. Empty unless `value` is a mapping.
    fileprivate var styles: [YAMLNode] = []
    /// Whether a style has the key, and this mapping does not.
    let isOfStyle: Bool
  }

  /// The keys that the mapping or one of its styles has.
  private(set) var entries: [Entry] = []

  /// Nil when the node is no mapping. Reports keys that do not belong.
  ///
  /// - Parameter styles: mappings that give the keys which this one does not have, the strongest first. Where both have a
  ///   mapping for a key, the two are merged in the same way.
  init?(_ node: YAMLNode, styles: [YAMLNode] = [], report: Report) {
    guard let entries = node.entries else { return nil }
    self.init(node, layers: [entries], styles: styles, report: report)
  }

  /// - Parameters:
  ///   - node: what messages about the whole mapping name.
  ///   - layers: the keys; where several have one the first counts, and mappings are merged as those of styles are.
  ///   - advice: what to write instead of a key that there is not, where what is around the mapping says it.
  init(
    _ node: YAMLNode, layers: [[(key: YAMLNode, value: YAMLNode)]], styles: [YAMLNode] = [], report: Report,
    advice: (String) -> String? = { _ in nil }
  ) {
    self.node = node
    self.report = report
    self.entries.reserveCapacity(layers.reduce(0) { $0 + $1.count })
    for (depth, layer) in layers.enumerated() {
      for (keyNode, value) in layer { add(keyNode, value, isOfStyle: false, isUnder: depth > 0, advice) }
    }
    for style in styles {
      for (keyNode, value) in style.entries ?? [] { add(keyNode, value, isOfStyle: true, advice) }
    }
  }

  private mutating func add(
    _ keyNode: YAMLNode, _ value: YAMLNode, isOfStyle: Bool, isUnder: Bool = false,
    _ advice: (String) -> String?
  ) {
    let name = keyNode.text ?? ""
    guard let key = Key.named(name, report) else {
      if !Key.isIgnored(name) {
        report.refuse(name, at: keyNode.place, of: Key.table(report), otherwise: advice(name))
      }
      return
    }
    if isOfStyle || isUnder, let index = entries.firstIndex(where: { $0.key == key }) {
      if value.entries != nil, entries[index].value.entries != nil { entries[index].styles.append(value) }
    } else {
      entries.append(Entry(key: key, place: keyNode.place, value: value, isOfStyle: isOfStyle))
    }
  }

  /// The value of a key, if the file has it.
  subscript(key: Key) -> Value? {
    entries.first { $0.key == key }.map { value(of: $0) }
  }

  func value(of entry: Entry) -> Value {
    Value(name: entry.key.rawValue, node: entry.value, styles: entry.styles, report: report)
  }

  /// As the subscript, for a key where `null` means the default.
  func unlessNull(_ key: Key) -> Value? {
    guard let value = self[key], !value.node.isNull || value.node.isEmpty else { return nil }
    return value
  }

  /// As `unlessNull`, for a key where `none` asks for nothing, too.
  func unlessNone(_ key: Key) -> Value? {
    guard let value = unlessNull(key), value.node.isQuoted || value.node.text != "none" else { return nil }
    return value
  }

  /// The value of a key that must be there, and have a value.
  func require(_ key: Key, _ advice: String) -> Value? {
    if let value = self[key] {
      if !value.node.isNull { return value }
      value.refuse(advice)
    } else {
      report.add(at: node.place, "\(Key.owner) needs \"\(key.rawValue)\"; \(advice)")
    }
    return nil
  }

  /// The keys that the file has, and where.
  var keys: [(key: Key, place: SourceLocation)] { entries.map { ($0.key, $0.place) } }

  /// Reports a key that only mappings of another kind have.
  ///
  /// - Parameters:
  ///   - owner: the kind that has the key.
  ///   - this: the kind of this mapping.
  ///   - choice: the key that decides which kind it is.
  func refuse(
    _ key: Key, at place: SourceLocation, of owner: String, in this: String, by choice: String = "kind"
  ) {
    report.add(
      at: place,
      "\"\(key.rawValue)\" is a key of \(owner), and this is \(this); change the \(choice) or remove it")
  }
}

extension Report {
  /// A person reads no longer list.
  private static let mostListed = 24

  /// Reports a key that a mapping does not have.
  ///
  /// - Parameter help: what to write instead; nil for what the table says, or words of other toolkits.
  func refuse(_ name: String, at place: SourceLocation, of table: KeyTable, otherwise help: String? = nil) {
    let unknown = "unknown key \"\(name.escaped)\" in \(table.owner)"
    if let space = name.oddSpace {
      return add(
        at: place, "\(unknown); it has \(space) in it, which is a letter to YAML: type an ordinary space",
        cosmetic: false)
    }
    if let advice = help ?? table.advice(name) ?? ForeignWords.advice(for: name, among: table.names) {
      return add(at: place, "\(unknown); \(advice)", cosmetic: false)
    }
    if let key = Suggestion.nearestKey(to: name, among: table.names) {
      return add(at: place, "\(unknown); did you mean \"\(key)\"?", cosmetic: false)
    }
    let owners = KeyTable.owners(of: name)
    let other = owners.isEmpty ? "" : "it belongs to \(owners.joined(lastWith: "or")), and "
    addUnknownKey(
      at: place, "\(unknown); \(other)", of: table.owner,
      takes: table.names.count > Self.mostListed
        ? "`man touchtree.yaml` lists the keys of \(table.owner)"
        : "the keys of \(table.owner) are " + table.names.joined(lastWith: "and"))
  }
}
