import TouchCore

/// Reads one value, or throws what it should have been.
package struct PropertyReader {
  let key: String
  package let value: PropertyValue
  /// The kind of the view; nil where it is not known, and what any kind takes is right.
  let kind: ViewKind?
  /// Whether every value is a text, as a command line or a plugin gives it.
  let isText: Bool
  /// The further errors, for a caller that reports more than one; nil for one that stops at the first.
  let others: PropertyErrors?
  private var path: [PropertyError.Step] = []

  init(
    key: String, value: PropertyValue, kind: ViewKind?, isText: Bool = false, others: PropertyErrors? = nil
  ) {
    (self.key, self.value, self.kind, self.isText, self.others) = (key, value, kind, isText, others)
  }

  func at(_ step: PropertyError.Step, _ value: PropertyValue) -> PropertyReader {
    var part = PropertyReader(key: key, value: value, kind: kind, isText: isText, others: others)
    part.path = path + [step]
    return part
  }

  func failure(_ form: PropertyError.Expected.Form, _ words: String) -> PropertyError {
    PropertyError(key: key, path: path, value: value, cause: .badValue(.init(form, words)))
  }

  func failure(noSuchKey name: String, known: [String]) -> PropertyError {
    PropertyError(key: key, path: path + [.key(name)], cause: .noSuchProperty(known: known))
  }

  /// Whether the value asks for nothing: null, or the text `none`.
  var isNothing: Bool { value == .null || value == .text("none") }

  func flag() throws(PropertyError) -> Bool {
    switch value {
    case .flag(let flag): return flag
    case .text("true") where isText: return true
    case .text("false") where isText: return false
    default: throw failure(.flag, "true or false")
    }
  }

  func number(in range: NumberRange) throws(PropertyError) -> Double {
    guard let number, range.contains(number) else { throw failure(.number(range), range.shown) }
    return number
  }

  var number: Double? {
    switch value {
    case .number(let number): number
    case .text(let text) where isText: Double(text)
    default: nil
    }
  }

  func integer(in range: ClosedRange<Int>) throws(PropertyError) -> Int {
    guard let number, let integer = Int(exactly: number), range.contains(integer) else {
      throw failure(.number(nil), "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// A number or a truth value is taken as it is written.
  func text() throws(PropertyError) -> String {
    switch value {
    case .text(let text) where !text.unicodeScalars.contains("\0"): return text
    case .number(let number) where number.isFinite: return number.numeral
    case .flag(let flag): return flag ? "true" : "false"
    default: throw failure(.text, "a text")
    }
  }

  func name(_ expected: String) throws(PropertyError) -> String {
    guard case .text(let text) = value, text.contains(where: { !$0.isWhitespace }),
      !text.unicodeScalars.contains("\0")
    else { throw failure(.name, expected) }
    return text
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type = Word.self, or other: String? = nil
  ) throws(PropertyError) -> Word {
    if case .text(let text) = value, let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let names = words + (other.map { [$0] } ?? [])
    throw failure(.word(words), names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
  }

  /// - Parameter other: what may stand here instead of a colour.
  func color(or other: String = "") throws(PropertyError) -> Color {
    guard case .text(let text) = value else { throw failure(.color(nearest: nil), Color.advice + other) }
    guard let color = Color(text) else {
      if let hex = Color(function: text)?.hex { throw failure(.color(nearest: hex), hex) }
      let nearest = Color.name(nearestTo: text)
      throw failure(
        .color(nearest: nearest), nearest.map { "a colour; did you mean \($0)?" } ?? Color.advice + other)
    }
    return color
  }

  /// A word, or one of CSS's numbers.
  func weight() throws(PropertyError) -> TextStyle.Weight {
    guard let number else { return try word(or: TextStyle.Weight.numbersAdvice) }
    guard let weight = TextStyle.Weight(css: number) else {
      throw failure(.other, TextStyle.Weight.numbersAdvice + ", or a word such as bold")
    }
    return weight
  }

  /// A list of so many values.
  /// - Parameter names: what each is called.
  /// - Parameter other: what else may stand here.
  func list<Item>(
    of names: [String], or other: String = "", _ read: (Int, PropertyReader) throws(PropertyError) -> Item
  ) throws(PropertyError) -> [Item] {
    let items = items
    guard items.count == names.count else {
      throw failure(.list(count: names.count), "[" + names.joined(separator: ", ") + "]" + other)
    }
    return try each(items.count) { (index) throws(PropertyError) in
      try read(index, at(.item(index, name: names[index]), items[index]))
    }
  }

  /// A list of so many numbers, each with its own range. As a text: with commas between them, in brackets or
  /// not.
  func numbers(_ parts: [(name: String, range: NumberRange)], or other: String = "") throws(PropertyError)
    -> [Double]
  {
    try list(of: parts.map(\.name), or: other) { (index, item) throws(PropertyError) in
      try item.number(in: parts[index].range)
    }
  }

  /// Reads so many items, those after a wrong one too where more than one error can be reported.
  private func each<Item>(_ count: Int, _ read: (Int) throws(PropertyError) -> Item) throws(PropertyError)
    -> [Item]
  {
    var (items, wrong): ([Item], PropertyError?) = ([], nil)
    for index in 0..<count {
      do throws(PropertyError) {
        items.append(try read(index))
      } catch {
        guard let others else { throw error }
        if let wrong { others.add(wrong) }
        wrong = error
      }
    }
    if let wrong { throw wrong }
    return items
  }

  /// Any number of texts. As one text: as in JSON, or with commas between them.
  /// - Parameter count: how many there may be.
  func texts(_ count: ClosedRange<Int>) throws(PropertyError) -> [String] {
    func check(_ found: Int) throws(PropertyError) {
      if found < count.lowerBound { throw failure(.other, "one text at least, such as [Low, High]") }
      if found > count.upperBound { throw failure(.other, "\(count.upperBound) texts at most") }
    }
    if case .text(let text) = value, isText {
      guard let texts = Self.texts(in: text) else {
        throw failure(.other, "a list of texts: [\"one\", \"two\"]")
      }
      try check(texts.count)
      return texts
    }
    guard case .list(let items) = value else { throw failure(.other, "a list of texts, such as [Low, High]") }
    try check(items.count)
    return try each(items.count) { (index) throws(PropertyError) in
      try at(.item(index, name: "text \(index + 1)"), items[index]).text()
    }
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

  var hasItems: Bool {
    if case .list = value { true } else { items.count > 1 }
  }

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

  /// Parts of a property, each by its name. A wrong one is left out where more than one error can be
  /// reported.
  /// - Parameter other: what else may stand here.
  func parts<Whole>(_ parts: [PropertyPart<Whole>], or other: String = "") throws(PropertyError) -> PartValues
  {
    let names = parts.map(\.name)
    guard case .map(let entries) = value else {
      throw failure(.other, "{" + names.map { "\($0): ..." }.joined(separator: ", ") + "}" + other)
    }
    var values = PartValues()
    for entry in entries {
      do throws(PropertyError) {
        guard let part = parts.first(where: { $0.name == entry.key }) else {
          throw failure(noSuchKey: entry.key, known: names)
        }
        values[part.name] = try part.read(at(.key(entry.key), entry.value))
      } catch {
        guard let others else { throw error }
        others.add(error)
      }
    }
    return values
  }
}

/// The errors of one value after the first.
package final class PropertyErrors {
  package private(set) var all: [PropertyError] = []

  package init() {}

  func add(_ error: PropertyError) { all.append(error) }
}
