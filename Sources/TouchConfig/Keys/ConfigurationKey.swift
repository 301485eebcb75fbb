import TouchViews

/// One key of a mapping: a row of its table. The reader, the schema and the tables of docs/configuration.md
/// are made of the rows. A key that several kinds of a mapping take in different ways has a row for each.
package struct ConfigurationKey: Sendable {
  package let name: String
  package let shape: KeyShape
  /// The value of a mapping without the key; nil where that differs. Only documents and editors ask for it,
  /// and to make all of them would be a tenth of reading a file.
  package var standard: PropertyValue? { makeStandard() }
  private let makeStandard: @Sendable () -> PropertyValue?
  /// The kinds of the mapping that have the key; empty for all.
  package let kinds: [String]
  /// The advice for a mapping without the key; nil for a key that may be left out.
  let required: String?
  /// The sentence for the documents, in Markdown.
  package let sentence: String

  init(
    _ name: String, _ shape: KeyShape,
    default standard: @autoclosure @escaping @Sendable () -> PropertyValue? = nil, of kinds: [String] = [],
    required: String? = nil, _ sentence: String
  ) {
    (self.name, self.shape, makeStandard, self.kinds) = (name, shape, standard, kinds)
    (self.required, self.sentence) = (required, sentence)
  }

  /// Whether `null` asks for the default.
  var isNullable: Bool { if case .nullable = shape { true } else { false } }
}

/// The shape of what a key takes, as the schema has it.
package indirect enum KeyShape: Sendable {
  /// Any value that a property of views could take.
  case value(PropertyShape)
  /// Null, or something else.
  case nullable(KeyShape)
  /// Text, which may be empty.
  case string
  /// Text that matches a regular expression of ECMA-262.
  case pattern(String)
  case values([PropertyValue])
  case list(of: KeyShape, ClosedRange<Int> = 0...Int.max)
  case mapping(KeyTable)
  /// Mappings from names, which match a regular expression, to values.
  case names(of: KeyShape, like: String? = nil, atLeast: Int = 0)
  case either([KeyShape])
  case definition(String)
  case anything

  package static let flag = KeyShape.value(.flag)
  package static let name = KeyShape.value(.name)
  package static let text = KeyShape.value(.text)
  package static let color = KeyShape.value(.color)
  /// `[x, y]`
  package static let point = KeyShape.value(.list([.number(.coordinate), .number(.coordinate)]))
  static let id = KeyShape.definition("id")
  static let steps = KeyShape.nullable(.definition("steps"))
  static let handlerNames = KeyShape.nullable(.definition("handlerNames"))
  static let gestureIDs = KeyShape.nullable(.definition("gestureIDs"))
  package static func number(_ range: NumberRange) -> KeyShape { .value(.number(range)) }
  package static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> KeyShape {
    .value(.words(type.allCases.map(\.rawValue)))
  }
}
