/// A YAML document as a flat table of nodes, each with its place.
///
/// The table is flat so that no depth of nesting costs stack, here or when it is freed. An alias is the same
/// node once more, so aliases cost nothing until somebody walks the document; `YAMLBuilder` limits how much
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
