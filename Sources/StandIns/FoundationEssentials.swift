// What swift-argument-parser uses of FoundationEssentials: errors that describe themselves, and JSON for
// --experimental-dump-help, of which the man pages are made. The real module would be a third of the program,
// and its libraries for 64-bit ARM cannot be read by this compiler. scripts/stand-ins builds this, and
// release builds import it in its place.

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public struct Data {
  fileprivate let bytes: [UInt8]
}

extension String {
  public enum Encoding { case utf8 }

  public init?(data: Data, encoding: Encoding) { self.init(validating: data.bytes, as: UTF8.self) }
}

/// Writes JSON as Foundation does with both of its options: indented by two, keys in order.
public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    let writer = Writer()
    try value.encode(to: writer)
    var text = ""
    writer.node.write(to: &text, indentation: "")
    return Data(bytes: Array(text.utf8))
  }
}

/// One value of the JSON that is being put together.
private final class Node {
  enum Content {
    case plain(String)
    case list([Node])
    case object([String: Node])
  }

  var content: Content = .plain("null")

  func write(to text: inout String, indentation: String) {
    let deeper = indentation + "  "
    switch content {
    case .plain(let value): text += value
    case .list(let nodes):
      text += "["
      for (index, node) in nodes.enumerated() {
        text += (index == 0 ? "\n" : ",\n") + deeper
        node.write(to: &text, indentation: deeper)
      }
      text += nodes.isEmpty ? "\n\n\(indentation)]" : "\n\(indentation)]"
    case .object(let nodes):
      text += "{"
      for (index, (key, node)) in nodes.sorted(by: { $0.key < $1.key }).enumerated() {
        text += (index == 0 ? "\n" : ",\n") + deeper + Self.quoted(key) + " : "
        node.write(to: &text, indentation: deeper)
      }
      text += nodes.isEmpty ? "\n\n\(indentation)}" : "\n\(indentation)}"
    }
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "/": quoted += "\\/"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{c}": quoted += "\\f"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  func add(to key: String) -> Node {
    var nodes: [String: Node] = [:]
    if case .object(let existing) = content { nodes = existing }
    let node = Node()
    nodes[key] = node
    content = .object(nodes)
    return node
  }

  func append() -> Node {
    var nodes: [Node] = []
    if case .list(let existing) = content { nodes = existing }
    let node = Node()
    content = .list(nodes + [node])
    return node
  }
}

/// Encodes into one node, and is the container of a single value.
private struct Writer: Encoder, SingleValueEncodingContainer {
  var node = Node()
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.content = .object([:])
    return KeyedEncodingContainer(ObjectWriter<Key>(node: node))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.content = .list([])
    return ListWriter(node: node)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { node.content = .plain("null") }
  func encode(_ value: Bool) throws { node.content = .plain(value ? "true" : "false") }
  func encode(_ value: String) throws { node.content = .plain(Node.quoted(value)) }
  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as String: try encode(value)
    case let value as Bool: try encode(value)
    case let value as any BinaryInteger: node.content = .plain("\(value)")
    case let value as any BinaryFloatingPoint: node.content = .plain("\(value)")
    default: try value.encode(to: self)
    }
  }
}

private struct ObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  private func writer(_ key: some CodingKey) -> Writer { Writer(node: node.add(to: key.stringValue)) }

  func encodeNil(forKey key: Key) throws { try writer(key).encodeNil() }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try writer(key).encode(value) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    writer(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writer(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { Writer(node: node.add(to: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { writer(key) }
}

private struct ListWriter: UnkeyedEncodingContainer {
  let node: Node
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(node: Node) { self.node = node }

  private mutating func writer() -> Writer {
    count += 1
    return Writer(node: node.append())
  }

  mutating func encodeNil() throws { try writer().encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try writer().encode(value) }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<
    Nested
  > { writer().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { writer() }
}
