import TouchJSON
import TouchSystem

/// A YAML document as a flat table of nodes, each with its place.
///
/// The table is flat so that no depth of nesting costs stack, here or when it is freed. An alias is the same
/// node once more, so aliases cost nothing until the document is read; `YAMLBuilder` limits how much
/// walking there can be.
final class YAMLDocument {
  enum Content {
    /// A scalar as it was written, without quotes; `isPlain` says that there were none.
    case scalar(text: String, isPlain: Bool)
    /// A stretch of `children`: the items.
    case list(Range<Int>)
    /// A stretch of `children`: key, value, key, value.
    case mapping(Range<Int>)
    /// Something that was reported already; to be passed over in silence.
    case broken
  }

  struct Record {
    var content: Content
    var line: Int32
    var column: Int32
  }

  fileprivate let records: [Record]
  fileprivate let children: [Int32]
  private let rootIndex: Int32

  init(records: [Record], children: [Int32], root: Int32) {
    self.records = records
    self.children = children
    rootIndex = root
  }

  var root: YAMLNode { YAMLNode(document: self, index: rootIndex) }
}

/// A node of a document.
struct YAMLNode {
  fileprivate let document: YAMLDocument
  fileprivate let index: Int32

  private var record: YAMLDocument.Record { document.records[Int(index)] }

  var place: SourceLocation { SourceLocation(line: Int(record.line), column: Int(record.column)) }

  var isBroken: Bool {
    if case .broken = record.content { true } else { false }
  }

  /// The scalar as it was written, without quotes; nil for lists and mappings.
  var text: String? {
    if case .scalar(let text, _) = record.content { text } else { nil }
  }

  /// Whether the scalar was written in quotes, or with a tag that makes it a text.
  var isQuoted: Bool {
    if case .scalar(_, let isPlain) = record.content { !isPlain } else { false }
  }

  /// The node without its quotes, if it has any: what the text would be as a plain scalar.
  var unquoted: YAMLScalar? { text.map(YAMLScalar.init(plain:)) }

  /// The scalar's value by the core schema; nil for lists and mappings.
  var scalar: YAMLScalar? {
    guard case .scalar(let text, let isPlain) = record.content else { return nil }
    return isPlain ? YAMLScalar(plain: text) : .text(text)
  }

  /// The items of a list; nil for anything else.
  var items: [YAMLNode]? {
    guard case .list(let range) = record.content else { return nil }
    return document.children[range].map { YAMLNode(document: document, index: $0) }
  }

  /// The keys and values of a mapping, in the file's order; nil for anything else. A key is always a scalar.
  var entries: [(key: YAMLNode, value: YAMLNode)]? {
    guard case .mapping(let range) = record.content else { return nil }
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
      (
        YAMLNode(document: document, index: document.children[$0]),
        YAMLNode(document: document, index: document.children[$0 + 1])
      )
    }
  }

  /// Whether nothing was written, or `null`.
  var isNull: Bool { scalar == .null }

  /// Whether nothing at all was written. `key: #fff` is such a case: the colour is a comment.
  var isEmpty: Bool { isNull && text == "" }
}

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

extension YAMLNode {
  /// Every scalar in it, keys too.
  var scalars: [YAMLNode] {
    var (found, rest) = ([YAMLNode](), [self])
    while let node = rest.popLast() {
      if let items = node.items {
        rest += items
      } else if let entries = node.entries {
        rest += entries.flatMap { [$0.key, $0.value] }
      } else {
        found.append(node)
      }
    }
    return found
  }

  /// The node as compact JSON, keys in the file's order.
  ///
  /// - Parameter refuse: called with each number that JSON cannot carry; it is written as null.
  func json(refuse: (YAMLNode) -> Void) -> String {
    var json = JSONWriter()
    // A stack of what is still to be written, so that depth costs no recursion.
    var rest: [JSONStep] = [.node(self)]
    while let step = rest.popLast() {
      switch step {
      case .endList: json.endArray()
      case .endMapping: json.endObject()
      case .key(let key): json.key(key)
      case .node(let node):
        if let items = node.items {
          json.beginArray()
          rest.append(.endList)
          for item in items.reversed() { rest.append(.node(item)) }
        } else if let entries = node.entries {
          json.beginObject()
          rest.append(.endMapping)
          for entry in entries.reversed() { rest += [.node(entry.value), .key(entry.key.text ?? "")] }
        } else {
          node.writeScalar(to: &json, refuse: refuse)
        }
      }
    }
    return json.string
  }

  private enum JSONStep {
    case node(YAMLNode)
    case key(String)
    case endList, endMapping
  }

  private func writeScalar(to json: inout JSONWriter, refuse: (YAMLNode) -> Void) {
    switch scalar {
    case .null, nil: json.value(nil as String?)
    case .bool(let bool): json.value(bool)
    case .integer(let integer): json.value(integer)
    case .number(let number):
      if !number.isFinite { refuse(self) }
      json.value(number)
    case .text(let text): json.value(text)
    }
  }
}
