import TouchCore

/// A value for a property of a view, as a file, a program or a command line gives it.
///
/// It has the shapes that JSON has. `ViewProperty` says which of them a property takes.
public enum PropertyValue: Hashable, Sendable {
  /// Nothing: the property goes back to painting nothing, where it can.
  case null
  case flag(Bool)
  /// Finite or not; a property refuses what it cannot be.
  case number(Double)
  case text(String)
  case list([PropertyValue])
  /// In the order in which it was written.
  case map([Entry])

  /// A key with its value: a property of a view, or a part of one, such as `size` in `font`.
  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: PropertyValue

    /// A key may name a part of a property: `font.size`.
    public init(key: String, value: PropertyValue) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyValue {
  /// The value that was set, if this one is still what it was set in place of. Parts of a value, such as the size of a font,
  /// count one by one.
  func keeping(_ set: PropertyValue, insteadOf made: PropertyValue) -> PropertyValue {
    guard case .map(let own) = self, case .map(let set) = set, case .map(let made) = made,
      own.map(\.key) == set.map(\.key), own.map(\.key) == made.map(\.key)
    else { return self == made ? set : self }
    return .map(
      own.indices.map { part in
        let value = own[part].value.keeping(set[part].value, insteadOf: made[part].value)
        return Entry(key: own[part].key, value: value)
      })
  }
}

extension PropertyValue: CustomStringConvertible {
  /// For messages: as it is written in a configuration, in one line.
  public var description: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): number.numeral
    case .text(let text): "\"\(text)\""
    case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }
}

extension Double {
  /// The shortest text that reads back as this number, without `.0` after a whole one.
  var numeral: String {
    guard self == rounded(), abs(self) < 1e15 else { return String(self) }
    return String(Int(self))
  }
}

/// The numbers that a value may be.
public struct NumberRange: Hashable, Sendable {
  /// The smallest number, unless `isAboveLower`.
  public var lower: Double
  /// The largest number.
  public var upper: Double
  /// Whether `lower` itself is too small.
  public var isAboveLower: Bool

  /// From `lower` to `upper`, or only to what is above `lower`.
  public init(lower: Double, upper: Double, isAboveLower: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isAboveLower = isAboveLower
  }

  /// More than any screen or scroll area has; beyond it the arithmetic of 64-bit floats gets coarse.
  public static let farthest = 10_000_000.0

  /// A place, in units of any space.
  public static let coordinate = NumberRange(lower: -farthest, upper: farthest)
  /// A distance, in units of any space.
  public static let length = NumberRange(lower: 0, upper: farthest)
  /// Of something that cannot be empty.
  public static let extent = NumberRange(lower: 0, upper: farthest, isAboveLower: true)
  /// Such as an opacity.
  public static let fraction = NumberRange(lower: 0, upper: 1)
  /// An em size, in units of the view.
  public static let fontSize = NumberRange(lower: 0, upper: 1_000, isAboveLower: true)

  /// Whether the number is in the range; NaN is in none.
  public func contains(_ number: Double) -> Bool {
    number <= upper && (isAboveLower ? number > lower : number >= lower)
  }

  /// "a number from 0 to 1"
  public var shown: String {
    isAboveLower
      ? "a number above \(lower.numeral), up to \(upper.numeral)"
      : "a number from \(lower.numeral) to \(upper.numeral)"
  }
}

/// Why properties of a view were not set.
public struct PropertyError: Error, Hashable, CustomStringConvertible {
  /// What is wrong; the text with it is for the message.
  public enum Cause: Hashable, Sendable {
    case noSuchView
    /// The properties that there are, or the parts that the property has.
    case noSuchProperty(known: [String])
    /// The kinds of view that have it, in the plural.
    case notOfThisView(has: String)
    /// What to give instead.
    case badValue(expected: String)
    /// What is wrong with what the value names, such as a file, and what to do.
    case unusable(String)
  }

  /// A step into a value.
  public enum Step: Hashable, Sendable {
    case key(String)
    /// The place in a list, and what stands there: "width".
    case item(Int, name: String)
  }

  /// The id of the view; nil where only a kind of view is known.
  public var view: String?
  /// As it was given, even if the property does not exist.
  public var key: String
  /// Where in the value.
  public var path: [Step] = []
  /// The wrong value at that place; nil where the key is wrong.
  public var value: PropertyValue?
  public var cause: Cause

  /// - Parameter path: from the property's value to the wrong part of it.
  public init(
    view: String? = nil, key: String, path: [Step] = [], value: PropertyValue? = nil, cause: Cause
  ) {
    self.view = view
    self.key = key
    self.path = path
    self.value = value
    self.cause = cause
  }

  /// What the wrong part is called: `font.size`, `width in frame`.
  public var name: String {
    var name = key
    for step in path {
      switch step {
      case .key(let key): name += ".\(key)"
      case .item(_, let item): name = "\(item) in \(name)"
      }
    }
    return name
  }

  /// The key that is wrong, where the path ends in one.
  private var lastKey: String {
    if case .key(let key)? = path.last { key } else { key }
  }

  /// What to write instead of a name that does not exist.
  private static func advice(for key: String, among known: [String]) -> String {
    if let meant = ForeignWords.property(for: key, among: known) { return meant }
    if let meant = Suggestion.nearestKey(to: key, among: known) { return "did you mean \"\(meant)\"?" }
    return "there are \(known.joined(separator: ", "))"
  }

  public var description: String {
    let subject = view.map { "view \($0): " } ?? ""
    switch cause {
    case .noSuchView:
      return "there is no view \"\(view ?? "")\""
    case .noSuchProperty(let known):
      let whole = path.isEmpty ? "no property \"\(key)\" can be set" : "no \"\(name)\" can be set"
      return "\(subject)\(whole); \(Self.advice(for: path.isEmpty ? key : lastKey, among: known))"
    case .notOfThisView(let owners):
      return "\(subject)has no property \(key); only \(owners) have"
    case .unusable(let problem):
      return "\(subject)\(name): \(problem)"
    case .badValue(let expected):
      let what = value.map { " cannot be \($0)" } ?? " is not set"
      return "\(subject)\(name)\(what); give \(expected)"
    }
  }
}

/// Reads one value, or throws what it should have been.
struct PropertyReader {
  let key: String
  let value: PropertyValue
  /// Whether every value is a text, as a command line or a plugin gives it.
  let isText: Bool
  private(set) var path: [PropertyError.Step] = []

  init(key: String, value: PropertyValue, isText: Bool) {
    self.key = key
    self.value = value
    self.isText = isText
  }

  private func at(_ step: PropertyError.Step, _ value: PropertyValue) -> PropertyReader {
    var part = PropertyReader(key: key, value: value, isText: isText)
    part.path = path + [step]
    return part
  }

  func failure(_ expected: String) -> PropertyError {
    PropertyError(key: key, path: path, value: value, cause: .badValue(expected: expected))
  }

  /// Whether the value asks for nothing: null, or the text `none`.
  var isNothing: Bool { value == .null || value == .text("none") }

  func flag() throws(PropertyError) -> Bool {
    switch value {
    case .flag(let flag): return flag
    case .text("true") where isText: return true
    case .text("false") where isText: return false
    default: throw failure("true or false")
    }
  }

  func number(in range: NumberRange) throws(PropertyError) -> Double {
    guard let number, range.contains(number) else { throw failure(range.shown) }
    return number
  }

  /// The value, if it is a number at all.
  private var number: Double? {
    switch value {
    case .number(let number): number
    case .text(let text) where isText: Double(text)
    default: nil
    }
  }

  func integer(in range: ClosedRange<Int>) throws(PropertyError) -> Int {
    guard let number, let integer = Int(exactly: number), range.contains(integer) else {
      throw failure("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// A number or a truth value is taken as it is written.
  func text() throws(PropertyError) -> String {
    switch value {
    case .text(let text) where !text.unicodeScalars.contains("\0"): return text
    case .number(let number) where number.isFinite: return number.numeral
    case .flag(let flag): return flag ? "true" : "false"
    default: throw failure("a text")
    }
  }

  func nonEmptyText(_ expected: String) throws(PropertyError) -> String {
    guard case .text(let text) = value, text.contains(where: { !$0.isWhitespace }),
      !text.unicodeScalars.contains("\0")
    else { throw failure(expected) }
    return text
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type = Choice.self, or other: String? = nil
  ) throws(PropertyError) -> Choice {
    if case .text(let text) = value, let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue) + (other.map { [$0] } ?? [])
    throw failure(names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
  }

  /// - Parameter other: what may stand here instead of a colour.
  func color(or other: String = "") throws(PropertyError) -> Color {
    guard case .text(let text) = value else { throw failure(Color.advice + other) }
    guard let color = Color(text) else {
      throw failure(
        Color.name(nearestTo: text).map { "a colour; did you mean \($0)?" } ?? Color.advice + other)
    }
    return color
  }

  /// A word, or one of CSS's numbers.
  func weight() throws(PropertyError) -> TextStyle.Weight {
    if let number, let weight = TextStyle.Weight(css: number) { return weight }
    return try choice(or: TextStyle.Weight.numbersAdvice)
  }

  /// A list of so many numbers, each with its own range. As a text: with commas between them, in brackets or not.
  func numbers(_ parts: [(name: String, range: NumberRange)], or other: String = "") throws(PropertyError)
    -> [Double]
  {
    let items = items
    guard items.count == parts.count else {
      throw failure("[" + parts.map(\.name).joined(separator: ", ") + "]" + other)
    }
    var numbers: [Double] = []
    for (index, part) in parts.enumerated() {
      numbers.append(try at(.item(index, name: part.name), items[index]).number(in: part.range))
    }
    return numbers
  }

  /// A list of so many lengths, of which each may be nothing.
  func lengths(_ names: String...) throws(PropertyError) -> [Double?] {
    let items = items
    guard items.count == names.count else {
      throw failure("[" + names.joined(separator: ", ") + "], or none for one of them")
    }
    var lengths: [Double?] = []
    for (index, name) in names.enumerated() {
      let item = at(.item(index, name: name), items[index])
      lengths.append(item.isNothing ? nil : try item.number(in: .length))
    }
    return lengths
  }

  /// Any number of texts. As one text: as in JSON, or with commas between them.
  func texts() throws(PropertyError) -> [String] {
    let expected = "a list of texts"
    if case .text(let text) = value, isText {
      guard let texts = Self.texts(in: text) else { throw failure(expected + ": [\"one\", \"two\"]") }
      return texts
    }
    guard case .list(let items) = value else { throw failure(expected) }
    var texts: [String] = []
    for (index, item) in items.enumerated() {
      texts.append(try at(.item(index, name: "text \(index + 1)"), item).text())
    }
    return texts
  }

  /// Nil for a quote without its end. A text in quotes may have commas, and quotes after a backslash.
  private static func texts(in text: String) -> [String]? {
    var rest = text.drop { $0 == " " }
    if rest.first == "[", rest.last == "]" { rest = rest.dropFirst().dropLast().drop { $0 == " " } }
    var texts: [String] = []
    while !rest.isEmpty {
      if rest.first == "\"" {
        rest.removeFirst()
        guard let quoted = quoted(&rest) else { return nil }
        texts.append(quoted)
        rest = rest.drop { $0 != "," }
      } else {
        let item = rest.prefix { $0 != "," }
        rest = rest[item.endIndex...]
        texts.append(String(item.reversed().drop { $0 == " " }.reversed()))
      }
      rest = rest.dropFirst().drop { $0 == " " }
    }
    return texts
  }

  /// Takes what stands before the closing quote, and the quote.
  private static func quoted(_ rest: inout Substring) -> String? {
    var quoted = ""
    while let next = rest.popFirst(), next != "\"" {
      guard let literal = next == "\\" ? rest.popFirst() : next else { return nil }
      quoted.append(literal)
      if rest.isEmpty { return nil }
    }
    return quoted
  }

  /// What a list consists of; empty where there is no list.
  private var items: [PropertyValue] {
    switch value {
    case .list(let list): list
    case .text(let text) where isText: Self.items(of: text)
    default: []
    }
  }

  private static func items(of text: String) -> [PropertyValue] {
    var rest = text[...]
    if rest.first == "[", rest.last == "]" { rest = rest.dropFirst().dropLast() }
    return rest.split(separator: ",", omittingEmptySubsequences: false).map { item in
      .text(String(item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
    }
  }

  /// Reads each key of a mapping.
  ///
  /// - Parameters:
  ///   - keys: those that there are.
  ///   - read: called with each key of the value and what stands there.
  /// - Throws: for another key, and when there is no mapping.
  func fields(
    _ keys: [String], or other: String = "",
    _ read: (String, PropertyReader) throws(PropertyError) -> Void
  ) throws(PropertyError) {
    guard case .map(let entries) = value else {
      throw failure("{" + keys.map { "\($0): ..." }.joined(separator: ", ") + "}" + other)
    }
    for entry in entries {
      guard keys.contains(entry.key) else {
        throw PropertyError(
          key: key, path: path + [.key(entry.key)], cause: .noSuchProperty(known: keys))
      }
      try read(entry.key, at(.key(entry.key), entry.value))
    }
  }
}
