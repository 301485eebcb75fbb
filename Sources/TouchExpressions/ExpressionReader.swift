import TouchCore
import TouchViews

/// Reads one expression, and checks its names and types while it reads.
///
/// Operators are read by their precedence, with a call of `operand` for each pair of parentheses, `?`, `not` and `-`: the depth has
/// a limit, and so has the length.
package struct ExpressionReader<Scope: ExpressionScope> {
  typealias Node = Expression.Node
  typealias Operator = Expression.Operator

  /// The longest text that is read, in bytes.
  package static var longest: Int { 4096 }
  /// How many parentheses, conditions and signs may be open at once.
  package static var deepest: Int { 32 }

  private let bytes: [UInt8]
  private let scope: Scope
  /// Where the next letter is, from the beginning of the whole text.
  package private(set) var place: Int
  private let end: Int
  private var depth = 0
  private var nodes: [Node] = []
  private var types: [ExpressionType] = []
  private var references: [Reference] = []

  /// - Parameters:
  ///   - bytes: a text that has the expression in it, as UTF-8.
  ///   - range: where in it the expression is, at most; a `:` that belongs to nothing ends it.
  package init(_ bytes: [UInt8], in range: Range<Int>, scope: Scope) {
    (self.bytes, self.scope, place, end) = (bytes, scope, range.lowerBound, range.upperBound)
  }

  /// Reads a text that is nothing but an expression.
  package static func read(_ text: String, scope: Scope) throws(ExpressionError) -> Expression {
    let bytes = Array(text.utf8)
    var reader = Self(bytes, in: 0..<bytes.count, scope: scope)
    let expression = try reader.read()
    guard reader.place == bytes.count else {
      throw ExpressionError(reader.place, "a format has no place here; it belongs into braces of a text")
    }
    return expression
  }

  /// Reads the expression, up to the end or to the colon of a format, where `place` is then.
  package mutating func read() throws(ExpressionError) -> Expression {
    let start = place
    guard end - start <= Self.longest else {
      throw ExpressionError(
        start,
        "the expression is longer than \(Self.longest) bytes; compute parts of it in values of their own")
    }
    skipSpaces()
    guard place < end, bytes[place] != UInt8(ascii: ":") else {
      throw ExpressionError(
        start, "the braces are empty; name a value or a property, or write {{ for a brace")
    }
    let root: Int
    if let whole = try wholeName() { root = whole } else { root = try conditional() }
    skipSpaces()
    if place < end, bytes[place] != UInt8(ascii: ":") { throw unexpected("here") }
    let source = String(decoding: bytes[start..<place], as: UTF8.self)
    return Expression(source.trimmed, type: types[root], references: references, nodes: nodes)
  }

  // MARK: Letters

  private mutating func skipSpaces() {
    while place < end, bytes[place] == 0x20 || bytes[place] == 0x0A || bytes[place] == 0x09 { place += 1 }
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < end ? bytes[place + distance] : nil
  }

  private mutating func take(_ letter: Character) -> Bool {
    skipSpaces()
    guard let ascii = letter.asciiValue, peek() == ascii else { return false }
    place += 1
    return true
  }

  /// Takes a word of letters, unless it goes on.
  private mutating func take(word: String) -> Bool {
    skipSpaces()
    let letters = Array(word.utf8)
    guard place + letters.count <= end, bytes[place..<place + letters.count].elementsEqual(letters),
      !(peek(letters.count)?.isOfName ?? false)
    else { return false }
    place += letters.count
    return true
  }

  private func unexpected(_ position: String) -> ExpressionError {
    guard place < end else {
      return ExpressionError(
        place, "the expression ends where a value is wanted; write one, or remove what comes before")
    }
    let letter = String(decoding: bytes[place..<end], as: UTF8.self).first ?? " "
    let help: String
    switch letter {
    case "=": help = "write == to compare"
    case "&": help = "write and"
    case "|": help = "write or"
    case "!": help = "write not, or != to compare"
    case "\"": help = "texts in an expression stand between single quotes"
    case "'": help = "an operator is missing before the text"
    case "^": help = "there are + - * / %"
    case ")": help = "no parenthesis is open"
    default: help = "there are + - * / %, comparisons, and, or, not, and a ? b : c"
    }
    return ExpressionError(place, "\"\(letter)\" has no meaning \(position); \(help)")
  }

  // MARK: Nodes

  private mutating func add(_ node: Node, _ type: ExpressionType) -> Int {
    nodes.append(node)
    types.append(type)
    return nodes.count - 1
  }

  private mutating func reading(_ reference: Reference, _ type: ExpressionType) -> Int {
    let index: Int
    if let known = references.firstIndex(of: reference) {
      index = known
    } else {
      references.append(reference)
      index = references.count - 1
    }
    return add(.read(index), type)
  }

  private mutating func descend<Result>(
    _ read: (inout Self) throws(ExpressionError) -> Result
  ) throws(ExpressionError) -> Result {
    guard depth < Self.deepest else {
      throw ExpressionError(
        place, "more than \(Self.deepest) levels are open here; compute parts of it in values of their own")
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  // MARK: Operators

  private mutating func conditional() throws(ExpressionError) -> Int {
    skipSpaces()
    let start = place
    let condition = try binary(above: 0)
    guard take("?") else { return condition }
    try require(.flag, types[condition], at: start)
    return try descend { (reader) throws(ExpressionError) in
      let yes = try reader.conditional()
      guard reader.take(":") else {
        throw ExpressionError(reader.place, "the condition has no \":\"; write a ? b : c")
      }
      let no = try reader.conditional()
      let (one, other) = (reader.types[yes], reader.types[no])
      let type = one == other || other == .null ? one : one == .null ? other : .any
      return reader.add(.conditional(condition, yes, no), type)
    }
  }

  private mutating func binary(above precedence: Int) throws(ExpressionError) -> Int {
    skipSpaces()
    var start = place
    var left = try operand()
    while true {
      skipSpaces()
      let before = place
      guard let symbol = symbol(), symbol.precedence > precedence else {
        place = before
        return left
      }
      skipSpaces()
      let right = place
      let other = try binary(above: symbol.precedence)
      let type = try check(symbol, (types[left], start), (types[other], right), at: before)
      left = add(.binary(symbol, left, other), type)
      start = min(start, right)
    }
  }

  private mutating func symbol() -> Operator? {
    Operator.allCases.first { symbol in
      symbol == .or || symbol == .and ? take(word: symbol.rawValue) : take(symbol: symbol.rawValue)
    }
  }

  private mutating func take(symbol: String) -> Bool {
    let letters = symbol.utf8
    guard place + letters.count <= end, bytes[place..<place + letters.count].elementsEqual(letters) else {
      return false
    }
    place += letters.count
    return true
  }

  private func check(
    _ symbol: Operator, _ left: (ExpressionType, Int), _ right: (ExpressionType, Int), at place: Int
  ) throws(ExpressionError) -> ExpressionType {
    switch symbol {
    case .or, .and:
      try require(.flag, left.0, at: left.1)
      try require(.flag, right.0, at: right.1)
      return .flag
    case .equal, .unequal:
      if let one = left.0.compared, let other = right.0.compared, one != other {
        throw ExpressionError(
          place,
          "this compares \(left.0.words) with \(right.0.words), which are never equal; compare values of one type"
        )
      }
      return .flag
    case .lessOrEqual, .moreOrEqual, .less, .more:
      if left.0 == .text || right.0 == .text {
        try require(.text, left.0, at: left.1)
        try require(.text, right.0, at: right.1)
        return .flag
      }
      try require(.number, left.0, at: left.1)
      try require(.number, right.0, at: right.1)
      return .flag
    case .plus where left.0 == .text && (right.0 == .text || right.0 == .any),
      .plus where right.0 == .text && left.0 == .any:
      return .text
    case .plus, .minus, .times, .over, .remainder:
      if symbol == .plus, left.0 == .text || right.0 == .text {
        throw ExpressionError(
          place,
          "+ adds two numbers, or puts two texts together; write a text and a number side by side, as in \"{a} {b}\""
        )
      }
      try require(.number, left.0, at: left.1)
      try require(.number, right.0, at: right.1)
      return symbol == .plus && left.0 == .any && right.0 == .any ? .any : .number
    }
  }

  /// Null fits every type, and what is not known yet may.
  private func require(_ wanted: ExpressionType, _ type: ExpressionType, at place: Int)
    throws(ExpressionError)
  {
    if type == wanted || type == .any || type == .null || wanted == .any { return }
    if wanted == .number, type == .time { return }
    let help =
      switch (wanted, type) {
      case (.flag, .number): "compare it, as in a > 0"
      case (.flag, .text): "compare it, as in a == 'on'"
      case (.number, .text): "number(text) is the number that a text shows"
      case (.number, .flag): "write a ? 1 : 0"
      case (.text, _): "compare texts with texts, which stand between single quotes"
      default: "name another value"
      }
    throw ExpressionError(place, "this is \(type.words), where \(wanted.words) is wanted; \(help)")
  }

  // MARK: Operands

  private mutating func operand() throws(ExpressionError) -> Int {
    skipSpaces()
    guard let letter = peek() else { throw unexpected("here") }
    if letter == UInt8(ascii: "-") {
      place += 1
      let start = place
      let operand = try descend { (reader) throws(ExpressionError) in try reader.operand() }
      try require(.number, types[operand], at: start)
      if case .constant(.number(let number)) = nodes[operand], operand == nodes.count - 1 {
        nodes[operand] = .constant(.number(-number))
        return operand
      }
      return add(.negative(operand), .number)
    }
    if letter == UInt8(ascii: "(") {
      place += 1
      let inside = try descend { (reader) throws(ExpressionError) in try reader.conditional() }
      guard take(")") else {
        throw place < end ? unexpected("in the parentheses") : ExpressionError(place, "a \")\" is missing")
      }
      return inside
    }
    if letter == UInt8(ascii: "'") { return try text() }
    if letter.isDigit || letter == UInt8(ascii: ".") && (peek(1)?.isDigit ?? false) { return try numeral() }
    if letter.isOfName { return try word() }
    throw unexpected("here")
  }

  /// A text between single quotes; two of them are one.
  private mutating func text() throws(ExpressionError) -> Int {
    let start = place
    place += 1
    var letters: [UInt8] = []
    while let letter = peek() {
      place += 1
      if letter == UInt8(ascii: "'") {
        guard peek() == letter else {
          return add(.constant(.text(String(decoding: letters, as: UTF8.self))), .text)
        }
        place += 1
      }
      letters.append(letter)
    }
    throw ExpressionError(start, "the text has no second quote; write 'text', and '' for a quote in it")
  }

  private mutating func numeral() throws(ExpressionError) -> Int {
    let start = place
    while let letter = peek(), letter.isDigit || letter == UInt8(ascii: ".") { place += 1 }
    if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
      let sign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+") ? 2 : 1
      if peek(sign)?.isDigit ?? false {
        place += sign
        while let letter = peek(), letter.isDigit { place += 1 }
      }
    }
    let written = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let number = Double(written), number.isFinite, !(peek()?.isOfName ?? false) else {
      throw ExpressionError(start, "\"\(written)\" is no number; write one such as 21.5")
    }
    return add(.constant(.number(number)), .number)
  }

  /// A word of the language, a function, a name, or `view.property`.
  private mutating func word() throws(ExpressionError) -> Int {
    let start = place
    if take(word: "not") {
      let inside = place
      let operand = try descend { (reader) throws(ExpressionError) in
        try reader.binary(above: Operator.precedenceOfNot)
      }
      try require(.flag, types[operand], at: inside + 1)
      return add(.not(operand), .flag)
    }
    if take(word: "true") { return add(.constant(.flag(true)), .flag) }
    if take(word: "false") { return add(.constant(.flag(false)), .flag) }
    if take(word: "null") { return add(.constant(.null), .null) }
    let name = longestName()
    if peek() == UInt8(ascii: "(") { return try call(name, at: start) }
    if peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false, !(peek(1)?.isDigit ?? true) {
      return try member(of: name, at: start)
    }
    if let node = try use(scope.resolve(name), at: start) { return node }
    if name == "now" { return reading(.now, .time) }
    throw ExpressionError(start, "nothing is called \"\(name)\"; \(scope.advice(for: name))")
  }

  private mutating func use(_ resolution: Resolution?, at start: Int) throws(ExpressionError) -> Int? {
    switch resolution {
    case .constant(let value)?: return add(.constant(value), ExpressionType(of: value))
    case .reads(let reference, let type)?: return reading(reference, type)
    case .unknown(let message)?: throw ExpressionError(start, message)
    case nil: return nil
    }
  }

  /// Takes a name. A `-` with a letter on both sides belongs to it, if such a name is there: `volume-text`.
  private mutating func longestName() -> String {
    let start = place
    var stop = place
    while stop < end, bytes[stop].isOfName || bytes[stop] == UInt8(ascii: "-") { stop += 1 }
    var candidate = stop
    while candidate > start {
      if bytes[candidate - 1] != UInt8(ascii: "-") {
        let name = String(decoding: bytes[start..<candidate], as: UTF8.self)
        guard name.contains("-") else { break }
        place = candidate
        if isKnown(name) { return name }
      }
      candidate -= 1
      while candidate > start, bytes[candidate] != UInt8(ascii: "-") { candidate -= 1 }
    }
    place = start
    while place < stop, bytes[place].isOfName { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Whether something has the name that ends at `place`.
  private func isKnown(_ name: String) -> Bool {
    guard peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false else { return scope.resolve(name) != nil }
    return scope.resolve(name, "id") != nil
  }

  /// `font.size` of `title.font.size`.
  private mutating func member(of name: String, at start: Int) throws(ExpressionError) -> Int {
    let part = place + 1
    while peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false {
      place += 1
      while peek()?.isOfName ?? false { place += 1 }
    }
    let path = String(decoding: bytes[part..<place], as: UTF8.self)
    let resolution = scope.resolve(name, path)
    if case .unknown(let message)? = resolution { throw ExpressionError(part, message) }
    if let node = try use(resolution, at: start) { return node }
    throw ExpressionError(start, "no view has the id \"\(name)\"; \(scope.advice(for: name))")
  }

  /// An id may have any letters: where a view's id and a property are all that stands here, they need not look like names.
  private mutating func wholeName() throws(ExpressionError) -> Int? {
    var stop = end
    while stop > place, bytes[stop - 1] == 0x20 { stop -= 1 }
    guard let dot = bytes[place..<stop].lastIndex(of: UInt8(ascii: ".")), dot > place, dot + 1 < stop,
      bytes[dot + 1..<stop].allSatisfy(\.isOfName), !bytes[dot + 1].isDigit
    else { return nil }
    let owner = String(decoding: bytes[place..<dot], as: UTF8.self)
    // Where it does look like one, the rest reads it, and reports it.
    guard !owner.utf8.allSatisfy(\.isOfName) || owner.utf8.first.map(\.isDigit) ?? false,
      let resolution = scope.resolve(owner, String(decoding: bytes[dot + 1..<stop], as: UTF8.self))
    else { return nil }
    defer { place = stop }
    if case .unknown(let message) = resolution { throw ExpressionError(dot + 1, message) }
    return try use(resolution, at: place)
  }

  // MARK: Functions

  private mutating func call(_ name: String, at start: Int) throws(ExpressionError) -> Int {
    place += 1
    if name == "now" {
      guard take(")") else { throw ExpressionError(place, "now takes nothing; write now") }
      return reading(.now, .time)
    }
    guard let function = Function(rawValue: name) else {
      let names = Function.allCases.map(\.rawValue) + ["now"]
      let help =
        Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        ?? "there are \(names.joined(separator: ", "))"
      throw ExpressionError(start, "there is no function \"\(name)\"; \(help)")
    }
    let arguments = try descend { (reader) throws(ExpressionError) in try reader.arguments(of: function) }
    let wanted = function.parameters.count
    guard arguments.count == wanted || function.takesMore && arguments.count > wanted else {
      throw ExpressionError(
        start,
        "\(name) is given \(arguments.count) value\(arguments.count == 1 ? "" : "s"); write \(function.signature)"
      )
    }
    // min(a, b, c) is min(min(a, b), c).
    guard function.takesMore else {
      let padded = arguments + [-1, -1]
      return add(.call(function, padded[0], padded[1], padded[2]), function.result)
    }
    return arguments.dropFirst().reduce(arguments[0]) { add(.call(function, $0, $1, -1), function.result) }
  }

  private mutating func arguments(of function: Function) throws(ExpressionError) -> [Int] {
    var arguments: [Int] = []
    guard !take(")") else { return arguments }
    let parameters = function.parameters
    repeat {
      skipSpaces()
      let start = place
      let argument = try conditional()
      let wanted = parameters[min(arguments.count, parameters.count - 1)]
      // What is a number already is left as it is.
      if function != .number || types[argument] != .number { try require(wanted, types[argument], at: start) }
      arguments.append(argument)
    } while take(",")
    guard take(")") else {
      throw place < end
        ? unexpected("in the call") : ExpressionError(place, "the call of \(function.rawValue) has no \")\"")
    }
    return arguments
  }
}

extension ExpressionType {
  /// The type that another one has to be for `==` to make sense; nil where every type does.
  fileprivate var compared: ExpressionType? {
    switch self {
    case .number, .time: .number
    case .text, .flag: self
    case .null, .any: nil
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Letters of every alphabet, digits and `_`.
  fileprivate var isOfName: Bool {
    isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
