/// Writes JSON, one value after another, into a buffer that is reused.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  private mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  package mutating func key(_ key: String) {
    value(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func value(_ text: String?) {
    separate()
    guard let text else {
      bytes.append(contentsOf: "null".utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    if !appendPlain(text) { for scalar in text.unicodeScalars { append(scalar) } }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func value(_ number: Int) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes a whole number without a fraction, and a number that JSON does not have as null.
  package mutating func value(_ number: Double) {
    guard number.isFinite else { return value(nil as String?) }
    separate()
    bytes.append(contentsOf: number.plain.utf8)
  }

  package mutating func value(json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: self.value(nil as String?)
    case .boolean(let flag): self.value(flag)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .text(let text): self.value(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  // MARK: Fields of an object

  package mutating func field(_ key: String, _ text: String?) {
    self.key(key)
    value(text)
  }

  package mutating func field(_ key: String, _ number: Int?) {
    self.key(key)
    if let number { value(number) } else { value(nil as String?) }
  }

  package mutating func field(_ key: String, _ number: Double?) {
    self.key(key)
    value(number ?? .nan)
  }

  package mutating func field(_ key: String, _ flag: Bool) {
    self.key(key)
    value(flag)
  }

  package mutating func field(_ key: String, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  package mutating func field(_ key: String, _ texts: [String]) {
    self.key(key)
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  package mutating func field(_ key: String, _ numbers: [Int]) { field(key, numbers.map(Double.init)) }

  package mutating func field(_ key: String, _ numbers: [Double]) {
    self.key(key)
    value(numbers)
  }

  package mutating func field(_ key: String, _ rows: [[Double]]) {
    self.key(key)
    beginArray()
    for row in rows { value(row) }
    endArray()
  }

  private mutating func value(_ numbers: [Double]) {
    beginArray()
    for number in numbers { value(number) }
    endArray()
  }

  package mutating func object(_ key: String, _ fields: (inout JSONWriter) -> Void) {
    self.key(key)
    object(fields)
  }

  package mutating func objects<Element>(
    _ key: String, of elements: some Sequence<Element>, _ fields: (inout JSONWriter, Element) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { object { fields(&$0, element) } }
    endArray()
  }

  package mutating func object(_ fields: (inout JSONWriter) -> Void) {
    beginObject()
    fields(&self)
    endObject()
  }

  /// Writes one object and a line feed in place of the content; the first field is its subject.
  package mutating func line(
    _ key: String, _ what: String, _ fields: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    removeAll()
    object {
      $0.field(key, what)
      fields(&$0)
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Appends a text without escapes, as nearly all are; false for others, which are not appended.
  private mutating func appendPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard utf8.allSatisfy(\.isPlainInJSON) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    } ?? false
  }

  /// Appends a scalar with more escapes than RFC 8259, 7 requires, since terminals get the lines.
  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: scalar)])
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\u{20}"..<"\u{7f}": bytes.append(UInt8(ascii: scalar))
    case _ where scalar.isShown: bytes.append(contentsOf: scalar.utf8)
    default:
      for unit in scalar.utf16 {
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: unit.hex(digits: 4).utf8)
      }
    }
  }
}

extension UInt8 {
  /// Whether a byte of UTF-8 is a visible ASCII character that JSON does not escape.
  fileprivate var isPlainInJSON: Bool {
    (0x20..<0x7f).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
