import TouchJSON

/// A YAML document as a flat table of nodes, each with its place. The table is flat so that no depth of
/// nesting costs stack, here or when it is freed. An alias is the same node once more, so aliases cost
/// nothing until the document is read. `YAMLBuilder` limits the length of a walk.
final class YAMLDocument: Sendable {
  enum Content: Sendable {
    /// A scalar as it was written, without quotes; `isPlain` if there were none.
    case scalar(text: String, isPlain: Bool)
    case list(Range<Int>)
    /// The range in `children`: key, value, key, value.
    case mapping(Range<Int>)
    /// A node whose fault was already reported; it is ignored silently.
    case broken
  }

  struct Record: Sendable {
    var content: Content
    var line, column: Int32
    /// The number of the file, as in `SourceLocation`.
    var file: Int32 = 0
  }

  fileprivate let records: [Record]
  fileprivate let children: [Int32]
  private let rootIndex: Int32

  init(records: [Record], children: [Int32], root: Int32) {
    (self.records, self.children, rootIndex) = (records, children, root)
  }

  var root: YAMLNode { YAMLNode(document: self, index: rootIndex, instance: nil) }

  func numbered(_ file: Int32) -> YAMLDocument {
    let records = records.map { record in
      var numbered = record
      numbered.file = file
      return numbered
    }
    return YAMLDocument(records: records, children: children, root: rootIndex)
  }

  /// Returns the document with others under it, as if they were one file. Of two mappings the entries count.
  /// Of two lists of views, gestures, devices or handlers the items of the lower one come first. Of anything
  /// else the upper one counts.
  /// - Parameter others: the strongest last. Their places are in successive files from `firstFile` on.
  func over(_ others: [(document: YAMLDocument, file: Int32)]) -> YAMLDocument {
    var (records, children) = (records, children)
    var root = rootIndex
    for (other, file) in others.reversed() {
      let (shift, start) = (Int32(clamping: records.count), children.count)
      records += other.records.map { record in
        var moved = record
        if moved.file == 0 { moved.file = file }
        switch record.content {
        case .list(let range): moved.content = .list(range.lowerBound + start..<range.upperBound + start)
        case .mapping(let range):
          moved.content = .mapping(range.lowerBound + start..<range.upperBound + start)
        case .scalar, .broken: break
        }
        return moved
      }
      children += other.children.map { $0 + shift }
      root = Self.merge(root, other.rootIndex + shift, of: "", &records, &children, depth: 0)
    }
    return YAMLDocument(records: records, children: children, root: root)
  }

  /// The deepest mapping to which two files may add: the keys of a file are at most four mappings deep there.
  private static let deepestMerge = 4
  private static let lists = ["subviews", "gestures", "devices", "handlers"]

  private static func merge(
    _ above: Int32, _ below: Int32, of key: String, _ records: inout [Record], _ children: inout [Int32],
    depth: Int
  ) -> Int32 {
    var record = records[Int(above)]
    switch (record.content, records[Int(below)].content) {
    case (.mapping(let own), .mapping(let other)) where depth < deepestMerge:
      func name(_ index: Int) -> String? {
        if case .scalar(let text, _) = records[Int(children[index])].content { text } else { nil }
      }
      var places: [String: Int] = [:]
      var entries = Array(children[own])
      for index in stride(from: own.lowerBound, to: own.upperBound, by: 2) {
        name(index).map { places[$0] = index - own.lowerBound }
      }
      for index in stride(from: other.lowerBound, to: other.upperBound, by: 2) {
        if let name = name(index), let place = places[name] {
          entries[place + 1] = merge(
            entries[place + 1], children[index + 1], of: name, &records, &children, depth: depth + 1)
        } else {
          entries += children[index...index + 1]
        }
      }
      record.content = .mapping(children.count..<children.count + entries.count)
      children += entries
    case (.list(let own), .list(let other)) where lists.contains(key):
      let items = Array(children[other]) + Array(children[own])
      record.content = .list(children.count..<children.count + items.count)
      children += items
    default: return above
    }
    records.append(record)
    return Int32(clamping: records.count - 1)
  }
}

/// A node of a document: as it is written, or with the parameters of an instance of a template filled in.
package struct YAMLNode {
  fileprivate let document: YAMLDocument
  fileprivate let index: Int32
  /// The instance that repeats the node; nil for a node that stands for itself.
  let instance: TemplateInstance?

  private var record: YAMLDocument.Record { document.records[Int(index)] }

  package var place: SourceLocation {
    let record = record
    return SourceLocation(
      line: Int(record.line), column: Int(record.column), file: record.file, instance: instance?.number ?? 0)
  }

  var isBroken: Bool {
    if case .broken = record.content { true } else { false }
  }

  func repeated(by instance: TemplateInstance) -> YAMLNode {
    YAMLNode(document: document, index: index, instance: instance)
  }

  /// The scalar in the file, without quotes; nil for lists and mappings.
  var written: String? {
    if case .scalar(let text, _) = record.content { text } else { nil }
  }

  private var filled: TemplateInstance.Fill? {
    guard case .scalar(let text, let isPlain) = record.content else { return nil }
    guard let instance, text.utf8.contains(UInt8(ascii: "{")) else {
      return TemplateInstance.Fill(text: text, isPlain: isPlain)
    }
    return instance.filled(text, isPlain: isPlain, at: place)
  }

  /// The scalar without quotes, with its parameters filled in; nil for lists and mappings.
  package var text: String? { filled?.text }

  /// Whether the scalar was written in quotes, or with a tag that makes it a text.
  var isQuoted: Bool { filled.map { !$0.isPlain } ?? false }

  /// Whether the scalar contains a parameter of a row that was set from outside.
  var isGiven: Bool { filled?.isGiven ?? false }

  /// The value of the text as a plain scalar, even if it has quotes.
  var unquoted: YAMLScalar? { text.map(YAMLScalar.init(plain:)) }

  /// The scalar's value by the core schema; nil for lists and mappings.
  package var scalar: YAMLScalar? {
    guard let filled else { return nil }
    return filled.isPlain ? YAMLScalar(plain: filled.text) : .text(filled.text)
  }

  /// Returns a child. A parameter that is a list or a mapping takes the place of its name.
  private func child(_ index: Int32) -> YAMLNode {
    let child = YAMLNode(document: document, index: index, instance: instance)
    guard let instance, let text = child.written, text.first == "{" else { return child }
    return instance.node(named: text) ?? child
  }

  /// The items of a list; nil for anything else.
  package var items: [YAMLNode]? {
    guard case .list(let range) = record.content else { return nil }
    return document.children[range].map(child)
  }

  /// The keys and values of a mapping, in the file's order; nil for anything else. A key is always a scalar.
  package var entries: [(key: YAMLNode, value: YAMLNode)]? {
    guard case .mapping(let range) = record.content else { return nil }
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
      (
        YAMLNode(document: document, index: document.children[$0], instance: instance),
        child(document.children[$0 + 1])
      )
    }
  }

  /// Whether nothing was written, or `null`.
  package var isNull: Bool { scalar == .null }

  /// Whether nothing at all was written. `key: #fff` is such a case: the colour is a comment.
  var isEmpty: Bool { isNull && text == "" }
}

package enum YAMLScalar: Equatable {
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
  fileprivate mutating func removeDigits() -> Int {
    let digits = prefix(while: \.isDigit).count
    removeFirst(digits)
    return digits
  }
}

extension YAMLNode {
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

  /// Returns the node as compact JSON, keys in the file's order.
  /// - Parameter refuse: called with each number that JSON does not have; it is written as null.
  func json(refuse: (YAMLNode) -> Void) -> String {
    var json = JSONWriter()
    // A stack in place of recursion, because a document may be deep.
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
