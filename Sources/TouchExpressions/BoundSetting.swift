import TouchCore
import TouchViews

/// A property, or a part of one, with its source: an expression, a text, or a list in which some items are
/// one.
package struct BoundSetting: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case constant(PropertyValue)
    case formula(Formula)
    case list([Content])

    /// The formulas, from first to last.
    package var formulas: [Formula] {
      switch self {
      case .constant: []
      case .formula(let formula): [formula]
      case .list(let items): items.flatMap(\.formulas)
      }
    }

    package var source: String {
      switch self {
      case .constant(let value): value.description
      case .formula(let formula): formula.source
      case .list(let items): "[" + items.map(\.source).joined(separator: ", ") + "]"
      }
    }
  }

  package let property: ViewProperty
  /// The part, such as `size` of `font`; nil for the whole property.
  package let part: String?
  package let content: Content
  /// Whether it is shown as a text, whatever its type.
  private let isText: Bool
  private let isTexts: Bool

  package init(_ property: ViewProperty, part: String? = nil, _ content: Content) {
    (self.property, self.part, self.content) = (property, part, content)
    let shape =
      part.flatMap { name in property.shape.parts?.parts.first { $0.name == name }?.shape } ?? property.shape
    isText = shape.isText
    if case .texts = shape { isTexts = true } else { isTexts = false }
  }

  /// The name with the part: `font.size`, or `hidden`.
  package var name: String { part.map { "\(property.name).\($0)" } ?? property.name }

  var isChoice: Bool { property == .rows || property == .segments }

  /// Whether the file fixes the number of texts. The chosen one then stays chosen when they change to another
  /// language.
  var keepsChoice: Bool {
    if isChoice, case .list = content { true } else { false }
  }

  /// The references that it reads, each once.
  package var references: [Reference] {
    content.formulas.flatMap(\.references).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the present value, as the property takes it.
  func value(
    in computation: inout Computation, for kind: ViewKind?, last: PropertyValue?,
    _ reading: some ReferenceReading
  ) -> PropertyValue {
    var reading = reading
    var isShown = isText
    if isTexts, case .formula = content { isShown = false }
    let value = Self.value(of: content, isShown, in: &computation, last, &reading)
    guard property == .value, let kind else { return value }
    // A switch is true or false, and a number takes true as 1 and false as 0.
    switch (kind.role, value) {
    case (.flag, .number(let number)): return .flag(number != 0)
    case (.flag, _): return value
    case (_, .flag(let flag)): return .number(flag ? 1 : 0)
    default: return value
    }
  }

  private static func value(
    of content: Content, _ isText: Bool, in computation: inout Computation, _ last: PropertyValue?,
    _ reading: inout some ReferenceReading
  ) -> PropertyValue {
    switch content {
    case .constant(let value): return value
    case .formula(let formula):
      defer { reading.ordinal += 1 }
      return computation.value(of: formula, asText: isText, last: last, reading)
    case .list(let items):
      var values: [PropertyValue] = []
      for item in items { values.append(Self.value(of: item, isText, in: &computation, nil, &reading)) }
      return .list(values)
    }
  }

  /// Returns the setting of the present value, for an action.
  package func setting(
    for kind: ViewKind, in computation: inout Computation, _ reading: some ReferenceReading
  ) throws(PropertyError) -> ViewSetting {
    try setting(of: value(in: &computation, for: kind, last: nil, reading), for: kind)
  }

  func setting(of value: PropertyValue, for kind: ViewKind) throws(PropertyError) -> ViewSetting {
    let whole = part.map { PropertyValue.map([PropertyValue.Entry(key: $0, value: value)]) } ?? value
    return try ViewSetting(property, whole, for: kind)
  }

  func value(of view: View) -> PropertyValue? { property.value(of: view, part: part) }
}

extension PropertyShape {
  /// Whether it is shown as it is, so that a text can have any number of expressions.
  package var isText: Bool {
    switch self {
    case .text, .texts, .name: true
    case .either(let shapes): takesText && !shapes.contains { $0.parts != nil }
    default: false
    }
  }

  /// Whether it accepts a text, such as the path of an image, which may also be a mapping.
  package var takesText: Bool {
    if case .either(let shapes) = self { shapes.contains { $0.isText } } else { isText }
  }

  /// The type of the property in an expression; any if several are possible.
  package var type: ExpressionType {
    switch self {
    case .flag: .flag
    case .number, .integer: .number
    case .text, .name, .words, .color: .text
    case .list, .texts: .list
    case .weight, .dayOrMinute, .gradient, .parts, .nothing: .any
    case .either(let shapes): Set(shapes.map(\.type).filter { $0 != .any }).count == 1 ? shapes[0].type : .any
    }
  }

  /// Whether an expression of a type can give a value that it accepts.
  package func takes(_ given: ExpressionType) -> Bool {
    if given == .any || given == .null { return true }
    return switch self {
    case .flag: given == .flag
    case .number, .integer: given == .number || given == .time
    case .list, .texts: given == .list
    case .weight: given == .text || given == .number
    case .text, .name, .words, .color, .gradient, .dayOrMinute: given == .text
    case .parts, .nothing: false
    case .either(let shapes): shapes.contains { $0.takes(given) }
    }
  }

  /// Returns the shape of an item of a list; nil if it is no list of so many values.
  package func item(_ index: Int, of count: Int) -> PropertyShape? {
    switch self {
    case .list(let shapes): shapes.count == count && index < count ? shapes[index] : nil
    case .either(let shapes): shapes.lazy.compactMap { $0.item(index, of: count) }.first
    default: nil
    }
  }
}

/// The values of a formula's references, by their indices in it.
package protocol ReferenceReading {
  /// The index of the formula among several, from 0.
  var ordinal: Int { get set }
  func value(of reference: Int, in formula: Formula) -> PropertyValue
  /// Returns the text of a reference without a format; nil for the form of the language.
  func shown(_ reference: Int, in formula: Formula) -> String?
}
