/// The value of a scalar.
enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)

  /// Reads a plain scalar. (YAML 1.2.2, 10.3.2: the core schema.)
  init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    case ".nan", ".NaN", ".NAN": self = .number(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .number(.infinity)
    case "-.inf", "-.Inf", "-.INF": self = .number(-.infinity)
    default: self = Self.number(in: text) ?? .text(text)
    }
  }

  private static func number(in text: String) -> YAMLScalar? {
    var body = text.utf8[...]
    guard let first = body.first, first.isDigit || first == plus || first == minus || first == dot
    else { return nil }
    if let radix = radix(of: body) {
      let digits = Substring(body.dropFirst(2))
      // A sign is not a digit, though `Int(_:radix:)` would take one.
      guard let start = digits.utf8.first, start != plus, start != minus else { return nil }
      return Int(digits, radix: radix).map(YAMLScalar.integer)
    }
    if first == plus || first == minus { body.removeFirst() }
    guard isDecimal(body) else { return nil }
    if body.allSatisfy(\.isDigit), let integer = Int(text) { return .integer(integer) }
    return Double(text).map(YAMLScalar.number)
  }

  private static func radix(of body: Substring.UTF8View) -> Int? {
    if body.starts(with: "0x".utf8) { return 16 }
    if body.starts(with: "0o".utf8) { return 8 }
    return nil
  }

  /// Whether the text is `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    let whole = rest.removeDigits()
    var fraction = 0
    if rest.first == dot {
      rest.removeFirst()
      fraction = rest.removeDigits()
    }
    guard whole + fraction > 0 else { return false }
    guard let exponent = rest.first else { return true }
    guard exponent == UInt8(ascii: "e") || exponent == UInt8(ascii: "E") else { return false }
    rest.removeFirst()
    if rest.first == plus || rest.first == minus { rest.removeFirst() }
    return rest.removeDigits() > 0 && rest.isEmpty
  }

  private static let plus = UInt8(ascii: "+")
  private static let minus = UInt8(ascii: "-")
  private static let dot = UInt8(ascii: ".")
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Substring.UTF8View {
  /// Takes the digits off the front and says how many there were.
  fileprivate mutating func removeDigits() -> Int {
    let digits = prefix(while: \.isDigit).count
    removeFirst(digits)
    return digits
  }
}
