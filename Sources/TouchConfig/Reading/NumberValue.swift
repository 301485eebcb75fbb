/// The numbers that a value may be.
struct NumberRange {
  var lower: Double
  var upper: Double
  /// Whether `lower` itself is too small.
  var isAboveLower = false

  /// More than any screen or scroll area has; beyond it the arithmetic of 64-bit floats gets coarse.
  static let farthest = 10_000_000.0

  static let coordinate = NumberRange(lower: -farthest, upper: farthest)
  static let length = NumberRange(lower: 0, upper: farthest)
  static let extent = NumberRange(lower: 0, upper: farthest, isAboveLower: true)
  static let fraction = NumberRange(lower: 0, upper: 1)
  /// Larger than any display. A picture of the largest takes 256 MiB.
  static let canvas = NumberRange(lower: 0, upper: 8_192, isAboveLower: true)
  /// In seconds; a gesture that takes longer than a minute is none.
  static let duration = NumberRange(lower: 0, upper: 60)
  static let fontSize = NumberRange(lower: 0, upper: 1_000, isAboveLower: true)

  func contains(_ number: Double) -> Bool {
    number <= upper && (isAboveLower ? number > lower : number >= lower)
  }

  /// "a number from 0 to 1"
  var shown: String {
    isAboveLower
      ? "a number above \(lower.shown), up to \(upper.shown)"
      : "a number from \(lower.shown) to \(upper.shown)"
  }
}

extension Value {
  /// The value, if it is a number at all.
  var finiteNumber: Double? {
    switch node.scalar {
    case .integer(let integer): Double(integer)
    case .number(let number) where number.isFinite: number
    default: nil
    }
  }

  func number(in range: NumberRange) -> Double? {
    if let number = finiteNumber, range.contains(number) { return number }
    refuseNumber("give \(range.shown)")
    return nil
  }

  /// Reports that the value is not the number that it should be, or no number at all.
  func refuseNumber(_ advice: String) {
    refuse(isQuotedNumber ? "leave out the quotes to make it a number" : advice)
  }

  private var isQuotedNumber: Bool {
    guard case .text = node.scalar else { return false }
    switch node.unquoted {
    case .integer, .number: return true
    default: return false
    }
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    if case .integer(let integer) = node.scalar, range.contains(integer) { return integer }
    refuseNumber("give a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  /// A list of so many numbers, each with its own range.
  ///
  /// - Parameters:
  ///   - parts: what each number is called in messages, and what it may be.
  ///   - other: what may stand here instead of a list.
  func numbers(_ parts: [(name: String, range: NumberRange)], or other: String? = nil) -> [Double]? {
    let list = "give [" + parts.map(\.name).joined(separator: ", ") + "]"
    let advice = other.map { "\(list) or \($0)" } ?? list
    guard let items = node.items else {
      refuse(advice)
      return nil
    }
    guard items.count == parts.count else {
      let values = items.count == 1 ? "1 value" : "\(items.count) values"
      complain("\(name) has \(values), not \(parts.count); \(advice)")
      return nil
    }
    let numbers = zip(items, parts).map { item, part in
      Value(name: "\(part.name) in \(name)", node: item, report: report).number(in: part.range)
    }
    return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
  }
}
