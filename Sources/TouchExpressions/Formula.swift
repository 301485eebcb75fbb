import TouchViews

/// An expression in place of a value in a file, or a text with any number of them.
package struct Formula: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case letters(String)
    case number(Expression, NumberFormat)
    case clock(Expression, ClockFormat)
  }

  /// The text as it was written, with its braces.
  package let source: String
  let parts: [Part]
  /// The references that it reads, each once.
  package let references: [Reference]
  /// The indices in `references` of each part's references; empty for a part of letters.
  let places: [[Int]]

  /// - Parameter known: references that keep their indices.
  private init(_ source: String, _ parts: [Part], _ known: [Reference] = []) {
    var references = known
    places = parts.map { part in
      (part.expression?.references ?? []).map { reference in
        if let known = references.firstIndex(of: reference) { return known }
        references.append(reference)
        return references.count - 1
      }
    }
    (self.source, self.parts, self.references) = (source, parts, references)
  }

  /// The only expression, if it is all there is and has no format; nil for any other text.
  package var whole: Expression? {
    guard parts.count == 1, case .number(let expression, NumberFormat()) = parts[0] else { return nil }
    return expression
  }

  /// The parts as formulas of their own, with the same references.
  var split: [Formula] { parts.map { Formula(source, [$0], references) } }

  /// The text, if it has no expression.
  package var letters: String? {
    guard !parts.contains(where: { $0.expression != nil }) else { return nil }
    return parts.map { if case .letters(let letters) = $0 { letters } else { "" } }.joined()
  }

  /// Returns the index of the reference, if a part's expression only reads that; nil for any other.
  func onlyReference(of part: Int) -> Int? {
    guard let expression = parts[part].expression, expression.nodes.count == 1,
      case .read(let index) = expression.nodes[0], expression.references[index] != .now
    else { return nil }
    return places[part][index]
  }

  /// The results and their beginnings, as in `Expression.beginnings`.
  package var beginnings: [(text: String, isWhole: Bool)] {
    switch parts.first {
    case .letters(let letters)?: [(letters, parts.count == 1)]
    case .number(let expression, _)?: expression.beginnings.map { ($0.text, $0.isWhole && parts.count == 1) }
    case .clock?, nil: []
    }
  }

  /// The references of which the text is made, as in `Expression.content`.
  package var content: [Reference] { parts.compactMap(\.expression).flatMap(\.content) }

  /// The unit of time with which the text changes; nil if it does not read the time.
  package var clockStep: ClockFormat.Step? {
    parts.compactMap { part -> ClockFormat.Step? in
      switch part {
      case .letters: nil
      case .clock(_, let format): format.step
      case .number(let expression, _): expression.references.contains(.now) ? .second : nil
      }
    }.min()
  }
}

extension Formula.Part {
  var expression: Expression? {
    switch self {
    case .letters: nil
    case .number(let expression, _), .clock(let expression, _): expression
    }
  }
}

extension Formula: ExpressibleByStringLiteral {
  /// Makes a formula of letters, without an expression.
  package init(stringLiteral letters: String) { self.init(letters: letters) }

  /// Makes a formula of letters, without an expression.
  package init(letters: String) { self.init(letters, letters.isEmpty ? [] : [.letters(letters)]) }
}

// MARK: Reading

extension Formula {
  /// The longest text that is read, in bytes, and the most expressions in it.
  package static let longest = 65_536
  package static let mostParts = 256

  package enum Rule: Sendable {
    /// All braces with an end; `{{` is a brace.
    case text
    /// The braces in an argument of a program, which may have braces of its own, as `awk` does. Only a name
    /// that no `$` precedes counts, and an expression of names that exist.
    case command
  }

  /// Reads a text.
  /// - Throws: the first fault in one of its expressions.
  package init(
    _ text: String, by rule: Rule = .text, scope: some ExpressionScope
  ) throws(ExpressionError) {
    let bytes = Array(text.utf8)
    var (parts, letters): ([Part], [UInt8]) = ([], [])
    func finish() {
      if !letters.isEmpty { parts.append(.letters(String(decoding: letters, as: UTF8.self))) }
      letters = []
    }
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "{")) {
      guard bytes.count <= Self.longest else {
        throw ExpressionError(open, "a text with expressions has \(Self.longest) bytes at most")
      }
      letters += bytes[place..<open]
      place = open + 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "{") {
        letters.append(UInt8(ascii: "{"))
        place += 1
        continue
      }
      guard let close = Self.close(of: bytes, from: place),
        let part = try Self.part(
          bytes, place..<close, rule, afterDollar: letters.last == UInt8(ascii: "$"), scope)
      else {
        letters.append(UInt8(ascii: "{"))
        continue
      }
      guard parts.count < Self.mostParts else {
        throw ExpressionError(open, "a text has \(Self.mostParts) expressions at most")
      }
      finish()
      parts.append(part)
      place = close + 1
    }
    letters += bytes[place...]
    finish()
    self.init(text, parts)
  }

  /// Returns the faults in the expressions of a text, at most one for each.
  package static func errors(
    in text: String, by rule: Rule = .text, scope: some ExpressionScope
  ) -> [ExpressionError] {
    let bytes = Array(text.utf8)
    var errors: [ExpressionError] = []
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "{")), errors.count < mostParts {
      place = open + 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "{") {
        place += 1
      } else if let close = close(of: bytes, from: place) {
        do throws(ExpressionError) {
          let isVariable = open > 0 && bytes[open - 1] == UInt8(ascii: "$")
          _ = try part(bytes, place..<close, rule, afterDollar: isVariable, scope)
        } catch {
          errors.append(error)
        }
        place = close + 1
      }
    }
    return errors
  }

  /// Returns the index at which a brace is closed; nil for one that stands for itself. A `}` between single
  /// quotes closes nothing. In a format, which begins with a colon without a `?` before it, `'` is no quote.
  private static func close(of bytes: [UInt8], from start: Int) -> Int? {
    var (isQuoted, isFormat, conditions) = (false, false, 0)
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "'") where !isFormat: isQuoted.toggle()
      case UInt8(ascii: "?") where !isQuoted: conditions += 1
      case UInt8(ascii: ":") where !isQuoted:
        isFormat = isFormat || conditions == 0
        conditions -= 1
      case UInt8(ascii: "}") where !isQuoted: return place
      case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "\"") where !isQuoted: return nil
      default: break
      }
    }
    // An open quote is reported when it is read.
    return isQuoted ? bytes[start...].firstIndex(of: UInt8(ascii: "}")) : nil
  }

  /// - Returns: nil for braces of a program's own.
  private static func part(
    _ bytes: [UInt8], _ range: Range<Int>, _ rule: Rule, afterDollar: Bool, _ scope: some ExpressionScope
  ) throws(ExpressionError) -> Part? {
    guard rule == .command else { return try part(bytes, range, scope) }
    if afterDollar { return nil }
    let inside = String(decoding: bytes[range], as: UTF8.self)
    let isName =
      (inside.first?.isLetter ?? false)
      && inside.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-" }
    if isName { return try part(bytes, range, scope) }
    guard let part = try? part(bytes, range, scope), part.expression.map({ !$0.references.isEmpty }) ?? false
    else { return nil }
    return part
  }

  private static func part(
    _ bytes: [UInt8], _ range: Range<Int>, _ scope: some ExpressionScope
  ) throws(ExpressionError) -> Part {
    var reader = ExpressionReader(bytes, in: range, scope: scope)
    let expression = try reader.read()
    let start = min(reader.place + 1, range.upperBound)
    let format = String(decoding: bytes[start..<range.upperBound], as: UTF8.self)
    if expression.type == .time {
      let standard = ClockFormat.standard
      return .clock(expression, try ClockFormat(format.isEmpty ? standard[...] : format[...], at: start))
    }
    return .number(
      expression,
      reader.place < range.upperBound
        ? try NumberFormat(format[...], at: start, for: expression.type) : NumberFormat())
  }

  /// Returns a text without expressions as it is shown: `{{` is a brace.
  package static func shown(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    return (try? Formula(text, scope: NoScope()))?.letters ?? text
  }

  /// Finds the first brace of a text that begins a name but no expression, since it has no end; nil for none.
  /// - Returns: its offset in bytes, and whether a quote that no expression has ends a possible one.
  package static func openBrace(in text: String) -> (offset: Int, isEndedByQuote: Bool)? {
    let bytes = Array(text.utf8)
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "{")) {
      place = open + 1
      guard place < bytes.count else { return nil }
      if bytes[place] == UInt8(ascii: "{") {
        place += 1
      } else if let close = close(of: bytes, from: place) {
        place = close + 1
      } else if bytes[place] == UInt8(ascii: "_") || Unicode.Scalar(bytes[place]).properties.isAlphabetic {
        let end = bytes[place...].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\"") }
        return (open, end.map { bytes[$0] == UInt8(ascii: "\"") } ?? false)
      }
    }
    return nil
  }

  /// Finds two braces that stand for one, with two at their end, as other template languages have them: their
  /// offset in bytes, and the text in them. Nil for none.
  package static func doubleBraces(in text: String) -> (offset: Int, inside: String)? {
    let bytes = Array(text.utf8)
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var place = 0
    while let start = bytes[place...].firstIndex(of: open), start + 1 < bytes.count {
      place = start + 2
      guard bytes[start + 1] == open else { continue }
      guard let end = bytes[place...].firstIndex(where: { $0 == open || $0 == close }) else { return nil }
      if end > place, bytes[end...].starts(with: [close, close]) {
        return (start, String(decoding: bytes[place..<end], as: UTF8.self))
      }
    }
    return nil
  }

  /// Returns the braces in the texts of the expressions of a text, which are shown as they are: their offsets
  /// in bytes, and the text in them.
  package static func innerBraces(in text: String) -> [(offset: Int, inside: String)] {
    let bytes = Array(text.utf8)
    var found: [(offset: Int, inside: String)] = []
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "{")), found.count < mostParts {
      place = open + 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "{") {
        place += 1
        continue
      }
      guard let close = close(of: bytes, from: place) else { continue }
      while let inner = bytes[place..<close].firstIndex(of: UInt8(ascii: "{")) {
        place = inner + 1
        guard let end = bytes[place..<close].firstIndex(where: { endsInnerBraces.contains($0) }),
          bytes[end] == UInt8(ascii: "}")
        else { continue }
        found.append((inner, String(decoding: bytes[place..<end], as: UTF8.self)))
        place = end + 1
      }
      place = close + 1
    }
    return found
  }

  private static let endsInnerBraces = Array("{}'".utf8)

  /// Returns the first braces of a text that would be an expression; nil for none.
  package static func firstBraces(in text: String) -> String? {
    let bytes = Array(text.utf8)
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "{")) {
      place = open + 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "{") {
        place += 1
      } else if let close = close(of: bytes, from: place) {
        return String(decoding: bytes[place..<close], as: UTF8.self)
      }
    }
    return nil
  }
}

private struct NoScope: ExpressionScope {
  func resolve(_ name: String) -> Resolution? { nil }
  func resolve(_ owner: String, _ part: String) -> Resolution? { nil }
  func advice(for name: String) -> String { "" }
}

// MARK: Computing

/// The state for computing formulas, reused so that nothing is allocated.
package struct Computation {
  package var locale: Locale
  /// The time on the clock.
  package var time: LocalTime?
  /// The longest computed text, in bytes; a longer one is null.
  package var longest = Function.longestText
  /// Whether the last text would have been longer.
  package private(set) var isTooLong = false
  private var stack: [PropertyValue] = []
  private var bytes: [UInt8] = []

  package init(locale: Locale = .english, time: LocalTime? = nil) {
    (self.locale, self.time) = (locale, time)
  }

  /// Returns the present value of a formula: of any type for an expression alone, and a text for everything
  /// else.
  /// - Parameter asText: whether an expression alone is shown as a text too.
  /// - Parameter last: the previous value. A text that is still the same is not made again.
  /// - Parameter reading: returns the values of references; it is not asked for the time.
  package mutating func value(
    of formula: Formula, asText: Bool, last: PropertyValue? = nil, _ reading: some ReferenceReading
  ) -> PropertyValue {
    isTooLong = false
    if !asText, let whole = formula.whole {
      let value = value(of: whole, formula, 0, reading)
      isTooLong = value.textLength > longest
      return isTooLong ? .null : value
    }
    bytes.removeAll(keepingCapacity: true)
    for (index, part) in formula.parts.enumerated() where bytes.count <= longest {
      switch part {
      case .letters(let letters): bytes.append(contentsOf: letters.utf8)
      case .number(let expression, let format):
        if format == NumberFormat(), let reference = formula.onlyReference(of: index),
          let shown = reading.shown(reference, in: formula)
        {
          appendNumeral(shown)
        } else {
          format.append(value(of: expression, formula, index, reading), locale, to: &bytes)
        }
      case .clock(let expression, let format):
        guard let time, value(of: expression, formula, index, reading) != .null else {
          bytes.append(contentsOf: NumberFormat.dash.utf8)
          continue
        }
        format.append(time, locale, to: &bytes)
      }
    }
    isTooLong = bytes.count > longest
    if isTooLong { return .null }
    if case .text(let text)? = last, text.utf8.elementsEqual(bytes) { return .text(text) }
    return .text(String(decoding: bytes, as: UTF8.self))
  }

  private mutating func value(
    of expression: Expression, _ formula: Formula, _ part: Int, _ reading: some ReferenceReading
  ) -> PropertyValue {
    let time = time
    return expression.value(in: &stack) { index in
      if expression.references[index] == .now { return time.map { .number(Double($0.seconds)) } ?? .null }
      return reading.value(of: formula.places[part][index], in: formula)
    }
  }

  /// Appends a number as a control shows it, with the decimals of its step.
  private mutating func appendNumeral(_ shown: String) {
    for letter in shown.utf8 {
      if letter == UInt8(ascii: ".") {
        bytes.append(contentsOf: locale.decimal.utf8)
      } else {
        bytes.append(letter)
      }
    }
  }
}
