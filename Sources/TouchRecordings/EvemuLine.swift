import TouchSystem

struct EvemuLine {
  static let keys = "NIPBAELS".utf8

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes }

  var isBlankOrComment: Bool {
    guard let first = rest.first(where: { !Self.isSpace($0) }) else { return true }
    return first == UInt8(ascii: "#")
  }

  /// Takes the letter and the colon that begin every line with content, or returns nil.
  mutating func takeKey() -> UInt8? {
    guard rest.count >= 2, rest[rest.startIndex + 1] == UInt8(ascii: ":") else { return nil }
    let key = rest[rest.startIndex]
    rest = rest.dropFirst(2)
    return key
  }

  /// Returns the rest of the line, without the one space that follows the key.
  func text() -> String {
    String(decoding: rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest, as: UTF8.self)
  }

  /// Whether only a comment or nothing remains.
  mutating func isAtEnd() -> Bool {
    rest = rest.drop(while: Self.isSpace)
    return rest.isEmpty || rest.first == UInt8(ascii: "#")
  }

  mutating func hexadecimal(_ what: String, digits: Int) throws(Failure) -> UInt16 {
    let field = try field(what)
    guard field.count <= digits, let text = Self.ascii(field), text.first != "+",
      let number = UInt16(text, radix: 16)
    else {
      throw Failure("\(what) is \"\(Self.shown(field))\", not a hexadecimal number of \(digits) digits")
    }
    return number
  }

  /// Takes a decimal number of 32 bits; zeros may lead it. (evemu writes -1 as `-001`.)
  mutating func decimal(_ what: String) throws(Failure) -> Int32 {
    let field = try field(what)
    guard let text = Self.ascii(field), let number = Int32(text) else {
      throw Failure("\(what) is \"\(Self.shown(field))\", not a whole number of 32 bits")
    }
    return number
  }

  /// Takes seconds, a dot, and up to six digits of a second's fraction; the result is in microseconds.
  mutating func microseconds(_ what: String) throws(Failure) -> Int64 {
    let field = try field(what)
    let parts = field.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, (1...6).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }),
      let seconds = Self.ascii(parts[0]).flatMap({ Int64($0) }),
      let fraction = Self.ascii(parts[1]).flatMap({ Int64($0) })
    else { throw Failure("\(what) is \"\(Self.shown(field))\", not seconds with a fraction") }
    let scale = (parts[1].count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
    guard seconds <= RecordedFrames.latestSecond else {
      throw Failure("\(what) is \"\(Self.shown(field))\", later than \(RecordedFrames.latestSecond) seconds")
    }
    return seconds * 1_000_000 + fraction * scale
  }

  private mutating func field(_ what: String) throws(Failure) -> ArraySlice<UInt8> {
    if isAtEnd() { throw Failure("\(what) is missing") }
    let field = rest.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "#") }
    rest = rest.dropFirst(field.count)
    return field
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func ascii(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns a field for a message: short, and without anything that moves a terminal's cursor.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(
      decoding: bytes.prefix(24).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    return bytes.count > 24 ? text + "…" : text
  }
}
