/// Reads one expression, and checks its names and types while it reads. Operators are read by their
/// precedence, with a call of `operand` for each pair of parentheses, `?`, `not` and `-`. The depth has a
/// limit, and so has the length.
package struct ExpressionReader<Scope: ExpressionScope> {
  typealias Node = Expression.Node
  typealias Operator = Expression.Operator

  /// The longest text that is read, in bytes.
  package static var longest: Int { 4096 }
  /// The most parentheses, conditions and signs that may be open at once.
  package static var deepest: Int { 32 }

  let bytes: [UInt8]
  let scope: Scope
  /// The offset of the next byte in the whole text.
  package internal(set) var place: Int
  let end: Int
  var depth = 0
  var nodes: [Node] = []
  var types: [ExpressionType] = []
  var references: [Reference] = []

  /// - Parameter bytes: a text that contains the expression, as UTF-8.
  /// - Parameter range: the largest range of the expression; a `:` that belongs to nothing ends it.
  package init(_ bytes: [UInt8], in range: Range<Int>, scope: Scope) {
    (self.bytes, self.scope, place, end) = (bytes, scope, range.lowerBound, range.upperBound)
  }

  package static func read(_ text: String, scope: Scope) throws(ExpressionError) -> Expression {
    let bytes = Array(text.utf8)
    var reader = Self(bytes, in: 0..<bytes.count, scope: scope)
    let expression = try reader.read()
    guard reader.place == bytes.count else {
      throw ExpressionError(reader.place, "a format has no place here; it belongs into braces of a text")
    }
    return expression
  }

  /// Reads the expression, up to the end or to the colon of a format, which is then at `place`.
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

  mutating func skipSpaces() {
    while place < end, bytes[place] == 0x20 || bytes[place] == 0x0A || bytes[place] == 0x09 { place += 1 }
  }

  func peek(_ distance: Int = 0) -> UInt8? { place + distance < end ? bytes[place + distance] : nil }

  mutating func take(_ letter: Character) -> Bool {
    skipSpaces()
    guard let ascii = letter.asciiValue, peek() == ascii else { return false }
    place += 1
    return true
  }

  mutating func take(word: String) -> Bool {
    skipSpaces()
    let letters = Array(word.utf8)
    guard place + letters.count <= end, bytes[place..<place + letters.count].elementsEqual(letters),
      !(peek(letters.count)?.isOfName ?? false)
    else { return false }
    place += letters.count
    return true
  }

  func unexpected(_ position: String) -> ExpressionError {
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

  mutating func add(_ node: Node, _ type: ExpressionType) -> Int {
    nodes.append(node)
    types.append(type)
    return nodes.count - 1
  }

  mutating func reading(_ reference: Reference, _ type: ExpressionType) -> Int {
    let index: Int
    if let known = references.firstIndex(of: reference) {
      index = known
    } else {
      references.append(reference)
      index = references.count - 1
    }
    return add(.read(index), type)
  }

  mutating func descend<Result>(
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

  mutating func conditional() throws(ExpressionError) -> Int {
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

  mutating func binary(above precedence: Int) throws(ExpressionError) -> Int {
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

  /// Null fits every type, and a type that is not known yet may fit.
  func require(_ wanted: ExpressionType, _ type: ExpressionType, at place: Int)
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
      case (.number, .list): "length(list) is how many items it has"
      case (.text, _): "compare texts with texts, which stand between single quotes"
      default: "name another value"
      }
    throw ExpressionError(place, "this is \(type.words), where \(wanted.words) is wanted; \(help)")
  }
}

extension ExpressionType {
  /// The type of the other operand for which `==` makes sense; nil for any.
  fileprivate var compared: ExpressionType? {
    switch self {
    case .number, .time: .number
    case .text, .flag: self
    case .null, .list, .any: nil
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether it is a letter of any alphabet, a digit or `_`.
  var isOfName: Bool {
    isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
  }
}

extension String {
  /// The text without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
