import TouchViews

/// The form of a number or a text: printf's, after the colon in braces.
/// `[flags][width][.precision][d|f|s|x|X|%]`: the flags are `+`, a space, `-`, `0` and `'`, which separates
/// the thousands; `%` is a number in hundredths. `?` and a text after it is shown for null.
package struct NumberFormat: Hashable, Sendable {
  enum Conversion: Hashable, Sendable {
    case shortest, integer, fixed, text
    case hexadecimal(upper: Bool)
    case percent
  }

  private var sign: UInt8?
  private var isLeft = false
  private var isZeroed = false
  private var isGrouped = false
  private var width = 0
  private var precision: Int?
  private(set) var conversion = Conversion.shortest
  private(set) var nothing: String?

  /// The widest field, and the most decimals: a double has no more than 17 digits of its own.
  static let widest = 64
  static let mostDecimals = 15

  /// The text for null in a format without one.
  static let dash = "–"

  init() {}

  /// - Parameter text: the text after the colon.
  /// - Parameter offset: the offset of its beginning.
  init(_ text: Substring, at offset: Int, for type: ExpressionType) throws(ExpressionError) {
    var rest = text
    if let mark = rest.firstIndex(of: "?") {
      nothing = String(rest[mark...].dropFirst())
      rest = rest[..<mark]
    }
    let written = rest
    func failure(_ what: String) -> ExpressionError {
      ExpressionError(
        offset,
        "the format \"\(written.prefix(40))\" \(what); give one of printf such as .1f, 02d, +.1f, .0% or 8s")
    }
    if rest.first == "%", rest.count > 1 { rest = rest.dropFirst() }
    flags: while let flag = rest.first {
      switch flag {
      case "+": sign = UInt8(ascii: "+")
      case " ": sign = sign ?? UInt8(ascii: " ")
      case "-": isLeft = true
      case "0": isZeroed = true
      case "'": isGrouped = true
      default: break flags
      }
      rest = rest.dropFirst()
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    if !digits.isEmpty {
      guard let width = Int(digits), width <= Self.widest else {
        throw failure("is wider than \(Self.widest)")
      }
      self.width = width
    }
    if rest.first == "." {
      rest = rest.dropFirst()
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard let precision = Int(digits.isEmpty ? "0" : digits),
        precision <= Self.mostDecimals || rest.first == "s"
      else { throw failure("has more than \(Self.mostDecimals) decimals") }
      self.precision = min(precision, 1_000_000)
    }
    switch rest {
    case "": conversion = precision == nil ? .shortest : .fixed
    case "d", "i": conversion = .integer
    case "f", "F": conversion = .fixed
    case "s": conversion = .text
    case "x": conversion = .hexadecimal(upper: false)
    case "X": conversion = .hexadecimal(upper: true)
    case "%": conversion = .percent
    default: throw failure("is none")
    }
    try check(type, at: offset)
  }

  private func check(_ type: ExpressionType, at offset: Int) throws(ExpressionError) {
    let isOfNumbers = conversion != .text && conversion != .shortest || sign != nil || isZeroed
    switch type {
    case .text where isOfNumbers, .flag where isOfNumbers:
      throw ExpressionError(
        offset,
        "this format is for numbers, and \(type.words) is shown with it; remove the format, or give a width such as 8s"
      )
    case .time: throw ExpressionError(offset, "a time is shown with a format of strftime; write {now:%H:%M}")
    default: break
    }
  }

  func append(_ value: PropertyValue, _ locale: Locale, to text: inout [UInt8]) {
    switch value {
    case .number(let number): append(number, locale, to: &text)
    case .null: text.append(contentsOf: (nothing ?? Self.dash).utf8)
    case .flag(let flag): append(flag ? "true" : "false", to: &text)
    case .text(let letters): append(letters, to: &text)
    case .list, .map: append(value.description, to: &text)
    }
  }

  private func append(_ letters: String, to text: inout [UInt8]) {
    guard width > 0 || precision != nil else { return text.append(contentsOf: letters.utf8) }
    let shown = letters.prefix(precision ?? .max)
    let missing = max(0, width - shown.count)
    if !isLeft { text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: missing)) }
    text.append(contentsOf: shown.utf8)
    if isLeft { text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: missing)) }
  }

  private func append(_ number: Double, _ locale: Locale, to text: inout [UInt8]) {
    guard number.isFinite else { return text.append(contentsOf: (nothing ?? Self.dash).utf8) }
    let start = text.count
    let isNegative: Bool
    switch conversion {
    case .shortest, .text: isNegative = Digits.appendShortest(number, locale, to: &text)
    case .integer:
      isNegative = Digits.append(number.rounded(.towardZero), decimals: 0, locale, isGrouped, to: &text)
    case .fixed: isNegative = Digits.append(number, decimals: precision ?? 6, locale, isGrouped, to: &text)
    case .percent:
      isNegative = Digits.append(number * 100, decimals: precision ?? 0, locale, isGrouped, to: &text)
    case .hexadecimal(let upper): isNegative = Digits.appendHexadecimal(number, upper: upper, to: &text)
    }
    if conversion == .percent { text.append(UInt8(ascii: "%")) }
    // Sign and padding are inserted before the digits: the field is short.
    var before = 0
    func insert(_ letter: UInt8, at place: Int) {
      text.insert(letter, at: start + place)
      before += 1
    }
    if let mark = isNegative ? UInt8(ascii: "-") : sign { insert(mark, at: 0) }
    let signs = before
    var length = text.count - start
    while length < width {
      if isLeft {
        text.append(UInt8(ascii: " "))
      } else {
        insert(UInt8(ascii: isZeroed ? "0" : " "), at: isZeroed ? signs : 0)
      }
      length += 1
    }
  }
}

/// The digits of numbers, without their signs. Nothing is allocated once the text has room.
enum Digits {
  private static let largest = 9.0e18

  /// Appends the decimals that printf shows: those of the exact value of the number, rounded to the even
  /// digit in the middle. Returns whether it is negative, and not shown as 0.
  static func append(
    _ number: Double, decimals: Int, _ locale: Locale, _ isGrouped: Bool, to text: inout [UInt8]
  ) -> Bool {
    let size = abs(number)
    guard size < largest else { return appendShortest(number, locale, to: &text) }
    var whole = size.rounded(.down)
    let scale = powers[decimals]
    let fraction = size - whole
    // The error of the product decides near the middle.
    let product = fraction * scale
    let error = (-product).addingProduct(fraction, scale)
    var digits = product.rounded(.down)
    let rest = product - digits
    let isOdd =
      decimals == 0
      ? whole.truncatingRemainder(dividingBy: 2) == 1 : digits.truncatingRemainder(dividingBy: 2) == 1
    if rest > 0.5 || rest == 0.5 && (error > 0 || error == 0 && isOdd) { digits += 1 }
    if digits >= scale {
      digits = 0
      whole += 1
    }
    append(UInt64(whole), grouped: isGrouped ? locale.group : nil, to: &text)
    if decimals > 0 {
      text.append(contentsOf: locale.decimal.utf8)
      appendPadded(UInt64(digits), count: decimals, to: &text)
    }
    return number < 0 && (whole != 0 || digits != 0)
  }

  static func appendShortest(_ number: Double, _ locale: Locale, to text: inout [UInt8]) -> Bool {
    let size = abs(number)
    if size == size.rounded(), size < 1e15 {
      append(UInt64(size), grouped: nil, to: &text)
    } else {
      for letter in size.description.utf8 {
        if letter == UInt8(ascii: ".") {
          text.append(contentsOf: locale.decimal.utf8)
        } else {
          text.append(letter)
        }
      }
    }
    return number < 0
  }

  static func appendHexadecimal(_ number: Double, upper: Bool, to text: inout [UInt8]) -> Bool {
    let size = abs(number).rounded(.towardZero)
    var rest = size < largest ? UInt64(size) : .max
    let start = text.count
    repeat {
      let digit = UInt8(rest & 15)
      text.insert(digit < 10 ? 0x30 + digit : (upper ? 0x37 : 0x57) + digit, at: start)
      rest >>= 4
    } while rest > 0
    return number < 0 && size > 0
  }

  static func appendPadded(_ number: UInt64, count: Int, to text: inout [UInt8]) {
    let start = text.count
    text.append(contentsOf: repeatElement(0x30, count: count))
    var (rest, place) = (number, start + count)
    while rest > 0, place > start {
      place -= 1
      text[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
  }

  private static func append(_ number: UInt64, grouped separator: String?, to text: inout [UInt8]) {
    var count = 1
    var rest = number / 10
    while rest > 0 {
      count += 1
      rest /= 10
    }
    let start = text.count
    appendPadded(number, count: count, to: &text)
    guard let separator else { return }
    var place = start + count - 3
    while place > start {
      text.insert(contentsOf: separator.utf8, at: place)
      place -= 3
    }
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
