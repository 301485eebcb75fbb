/// The type of a property: how a value is read and written, and what the documents and the schema say of it.
struct PropertyType<Value: Hashable & Sendable>: Sendable {
  let shape: PropertyShape
  let read: @Sendable (PropertyReader) throws(PropertyError) -> Value
  let write: @Sendable (Value) -> PropertyValue

  init(
    _ shape: PropertyShape, read: @escaping @Sendable (PropertyReader) throws(PropertyError) -> Value,
    write: @escaping @Sendable (Value) -> PropertyValue = { _ in .null }
  ) {
    (self.shape, self.read, self.write) = (shape, read, write)
  }

  /// The same, or nothing: null, and the text `none`.
  var orNone: PropertyType<Value?> {
    PropertyType<Value?>(.either([shape, .nothing])) { (reader) throws(PropertyError) in
      if reader.isNothing { return nil }
      do throws(PropertyError) {
        return try read(reader)
      } catch {
        throw error.orNone
      }
    } write: {
      $0.map(write) ?? .null
    }
  }
}

/// The shape of the values that a property takes, as a schema has it.
package indirect enum PropertyShape: Sendable {
  case flag
  case number(NumberRange)
  case integer(ClosedRange<Int>)
  /// Numbers and truth values are texts too.
  case text
  /// A text that is not blank.
  case name
  case words([String])
  case weight, color
  /// Colours that blend into each other: a mapping, or CSS's notation.
  case gradient
  /// A date, `2026-11-23`, or a time, `21:30`.
  case dayOrMinute
  /// The values of a list, as many as there are shapes.
  case list([PropertyShape])
  /// So many texts.
  case texts(ClosedRange<Int>)
  /// A mapping, and what it is in a sentence.
  case parts(of: String, [Part])
  case either([PropertyShape])
  case nothing

  /// A part of a property, by its name.
  package struct Part: Sendable {
    package let name: String
    package let shape: PropertyShape
    package let sentence: String
    /// Whether a file has to give it, where it gives the property.
    package let isRequired: Bool
    /// The part in whose presence it need not; nil for none.
    package let alternative: String?
    /// The default; nil where that differs.
    package let standard: PropertyValue?
  }

  /// The value of the parts together, and the parts; nil for a shape without parts.
  package var parts: (whole: String, parts: [Part])? {
    switch self {
    case .parts(of: let whole, let parts): (whole, parts)
    case .either(let shapes): shapes.lazy.compactMap(\.parts).first
    default: nil
    }
  }
}

/// A value that a property takes, of whichever type.
package struct CheckedValue: Hashable, Sendable {
  let base: any Hashable & Sendable

  init(_ base: any Hashable & Sendable) { self.base = base }

  package static func == (one: CheckedValue, other: CheckedValue) -> Bool {
    func equals<Value: Equatable>(_ value: Value) -> Bool { value == other.base as? Value }
    return equals(one.base)
  }

  package func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

// MARK: Parts

/// A part of a property that a value can give by itself, such as the size of a font.
struct PropertyPart<Whole>: Sendable {
  let name: String
  let shape: PropertyShape
  let sentence: String
  let isRequired: Bool
  /// The part in whose presence this one is not required; nil for none.
  let alternative: String?
  let read: @Sendable (PropertyReader) throws(PropertyError) -> CheckedValue
  let set: @Sendable (inout Whole, CheckedValue) -> Void
  let value: @Sendable (Whole) -> PropertyValue

  /// - Parameter path: where the part is.
  /// - Parameter sentence: for the documents.
  init<Value>(
    _ name: String, _ path: WritableKeyPath<Whole, Value> & Sendable, _ type: PropertyType<Value>,
    isRequired: Bool = false, unless alternative: String? = nil, _ sentence: String
  ) {
    (self.name, shape, self.sentence, self.isRequired) = (name, type.shape, sentence, isRequired)
    self.alternative = alternative
    read = { (reader) throws(PropertyError) in CheckedValue(try type.read(reader)) }
    set = { whole, value in if let value = value.base as? Value { whole[keyPath: path] = value } }
    value = { type.write($0[keyPath: path]) }
  }

  /// - Parameter whole: what has the part, where nothing is set; nil where that differs.
  func described(by whole: Whole?) -> PropertyShape.Part {
    PropertyShape.Part(
      name: name, shape: shape, sentence: sentence, isRequired: isRequired, alternative: alternative,
      standard: whole.map(value))
  }
}

/// New values for parts of a property; the other parts stay as they are.
package struct PartValues: Hashable, Sendable {
  private var values: [String: CheckedValue] = [:]

  init() {}

  subscript(name: String) -> CheckedValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  package func filled(with others: PartValues) -> PartValues {
    var filled = self
    filled.values.merge(others.values) { own, _ in own }
    return filled
  }

  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The new value of a part; nil where there is none of this type.
  package func value<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? {
    values[name]?.base as? Value
  }

  /// The same with a number that is larger by a factor.
  package func scaled(_ name: String, by factor: Double) -> PartValues {
    guard let number = value(name, as: Double.self) else { return self }
    var scaled = self
    scaled[name] = CheckedValue(number * factor)
    return scaled
  }

  func apply<Whole>(to whole: inout Whole, _ parts: [PropertyPart<Whole>]) {
    for part in parts { if let value = values[part.name] { part.set(&whole, value) } }
  }
}

// MARK: Plain values

extension PropertyType where Value == Bool {
  static var flag: Self {
    Self(.flag) { (reader) throws(PropertyError) in
      try reader.flag()
    } write: {
      .flag($0)
    }
  }
}

extension PropertyType where Value == Bool? {
  /// True or false, or nil for `auto`.
  static var flagOrAuto: Self {
    Self(.either([.flag, .words(["auto"])])) { (reader) throws(PropertyError) in
      if reader.value == .text("auto") { return nil }
      do throws(PropertyError) {
        return try reader.flag()
      } catch {
        throw reader.failure(.other, "auto, true or false")
      }
    } write: {
      $0.map { .flag($0) } ?? .text("auto")
    }
  }
}

extension PropertyType where Value == Double {
  static func number(_ range: NumberRange) -> Self {
    Self(.number(range)) { (reader) throws(PropertyError) in
      try reader.number(in: range)
    } write: {
      .number($0)
    }
  }

  static var coordinate: Self { number(.coordinate) }
  static var length: Self { number(.length) }
}

extension PropertyType where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.integer(range)) { (reader) throws(PropertyError) in
      try reader.integer(in: range)
    } write: {
      .number(Double($0))
    }
  }
}

extension PropertyType where Value == String {
  static var text: Self {
    Self(.text) { (reader) throws(PropertyError) in
      try reader.text()
    } write: {
      .text($0)
    }
  }

  /// A text that is not blank.
  /// - Parameter expected: what to give.
  static func name(_ expected: String) -> Self {
    Self(.name) { (reader) throws(PropertyError) in
      try reader.name(expected)
    } write: {
      .text($0)
    }
  }
}

extension PropertyType where Value == [String] {
  static func texts(_ count: ClosedRange<Int>) -> Self {
    Self(.texts(count)) { (reader) throws(PropertyError) in
      try reader.texts(count)
    } write: {
      .list($0.map { .text($0) })
    }
  }
}

extension PropertyType where Value: RawRepresentable<String> & CaseIterable {
  static var word: Self {
    Self(.words(Value.allCases.map(\.rawValue))) { (reader) throws(PropertyError) in
      try reader.word()
    } write: {
      .text($0.rawValue)
    }
  }
}

extension PropertyType where Value == TextStyle.Weight {
  static var weight: Self {
    Self(.weight) { (reader) throws(PropertyError) in
      try reader.weight()
    } write: {
      .text($0.rawValue)
    }
  }
}

extension PropertyType where Value == Color {
  static var color: Self {
    Self(.color) { (reader) throws(PropertyError) in
      try reader.color()
    } write: {
      .text($0.hex)
    }
  }
}

extension PropertyError {
  /// The same error, where `none` could be given too.
  fileprivate var orNone: PropertyError {
    guard path.isEmpty, case .badValue(var expected) = cause else { return self }
    if case .color(nearest: _?) = expected.form { return self }
    expected.words += ", or none"
    var error = self
    error.cause = .badValue(expected)
    return error
  }
}
