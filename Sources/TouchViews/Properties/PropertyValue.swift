/// A value for a property of a view, as a file, a program or a command line gives it.
///
/// It has the shapes that JSON has. `ViewProperty` says which of them a property takes.
public enum PropertyValue: Hashable, Sendable {
  /// Nothing: the property goes back to painting nothing, where it can.
  case null
  /// True or false.
  case flag(Bool)
  /// Finite or not; a property refuses what it cannot be.
  case number(Double)
  /// Letters.
  case text(String)
  /// Values in their order.
  case list([PropertyValue])
  /// In the order in which it was written.
  case map([Entry])

  /// A key with its value: a property of a view, or a part of one, such as `size` in `font`.
  public struct Entry: Hashable, Sendable {
    /// The property or the part.
    public var key: String
    /// The new value.
    public var value: PropertyValue

    /// A key may name a part of a property: `font.size`.
    public init(key: String, value: PropertyValue) { (self.key, self.value) = (key, value) }
  }
}

extension PropertyValue {
  /// The value that was set, if this one is still what it was set in place of. Parts of a value, such as the
  /// size of a font, count one by one.
  package func keeping(_ set: PropertyValue, insteadOf made: PropertyValue) -> PropertyValue {
    guard case .map(let own) = self, case .map(let set) = set, case .map(let made) = made,
      own.map(\.key) == set.map(\.key), own.map(\.key) == made.map(\.key)
    else { return self == made ? set : self }
    return .map(
      own.indices.map { part in
        let value = own[part].value.keeping(set[part].value, insteadOf: made[part].value)
        return Entry(key: own[part].key, value: value)
      })
  }
}

extension PropertyValue: CustomStringConvertible {
  /// For messages: as it is written in a configuration, in one line.
  public var description: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): number.numeral
    case .text(let text): "\"\(text)\""
    case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }
}

extension Double {
  /// The shortest text that reads back as this number, without `.0` after a whole one.
  package var numeral: String {
    guard self == rounded(), abs(self) < 1e15 else { return String(self) }
    return String(Int(self))
  }
}

package struct NumberRange: Hashable, Sendable {
  /// The smallest number, unless `isAboveLower`.
  package var lower: Double
  package var upper: Double
  /// Whether `lower` itself is too small.
  package var isAboveLower: Bool

  /// From `lower` to `upper`, or only to what is above `lower`.
  package init(lower: Double, upper: Double, isAboveLower: Bool = false) {
    (self.lower, self.upper, self.isAboveLower) = (lower, upper, isAboveLower)
  }

  /// More than any screen or scroll area has; beyond it the arithmetic of 64-bit floats gets coarse.
  package static let farthest = 10_000_000.0

  /// A place, in units of any space.
  package static let coordinate = NumberRange(lower: -farthest, upper: farthest)
  /// A distance, in units of any space.
  package static let length = NumberRange(lower: 0, upper: farthest)
  /// Of something that cannot be empty.
  package static let extent = NumberRange(lower: 0, upper: farthest, isAboveLower: true)
  /// Such as an opacity.
  package static let fraction = NumberRange(lower: 0, upper: 1)
  /// The scale of the content, as a multiple of its own size.
  package static let zoom = NumberRange(lower: 0, upper: 100, isAboveLower: true)
  /// The length of a chart's past: up to 400 days.
  package static let seconds = NumberRange(lower: 0, upper: 34_560_000, isAboveLower: true)
  /// The duration of a change of colours between states.
  package static let fade = NumberRange(lower: 0, upper: 10)
  /// In degrees, clockwise.
  package static let angle = NumberRange(lower: -360, upper: 360)
  /// Of a shadow's edge, in units of the view.
  package static let blur = NumberRange(lower: 0, upper: 250)
  /// The distance by which a shadow is larger than its view, in units of the view.
  package static let spread = NumberRange(lower: -1_000, upper: 1_000)
  /// An em size, in units of the view.
  package static let fontSize = NumberRange(lower: 0, upper: 1_000, isAboveLower: true)
  /// Between letters, in units of the view.
  package static let spacing = NumberRange(lower: -100, upper: 100)
  /// The height as a multiple of the font's.
  package static let lineHeight = NumberRange(lower: 0.5, upper: 4)

  /// Whether the number is in the range; NaN is in none.
  package func contains(_ number: Double) -> Bool {
    number <= upper && (isAboveLower ? number > lower : number >= lower)
  }

  /// "a number from 0 to 1"
  package var shown: String {
    isAboveLower
      ? "a number above \(lower.numeral), up to \(upper.numeral)"
      : "a number from \(lower.numeral) to \(upper.numeral)"
  }
}
