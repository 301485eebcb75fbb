import TouchViews

package enum Function: String, Hashable, Sendable, CaseIterable {
  case round, floor, ceil, abs, min, max, clamp, length, left, upper, lower, number

  /// The longest text that an expression makes, in bytes. It bounds a text that is repeatedly appended to
  /// itself.
  static let longestText = 65_536

  /// The parameters, for messages: one type for each argument.
  var parameters: [ExpressionType] {
    switch self {
    case .round, .floor, .ceil, .abs: [.number]
    case .min, .max: [.number, .number]
    case .clamp: [.number, .number, .number]
    case .length: [.any]
    case .left: [.text, .number]
    case .upper, .lower: [.text]
    case .number: [.text]
    }
  }

  var result: ExpressionType {
    switch self {
    case .round, .floor, .ceil, .abs, .min, .max, .clamp, .length, .number: .number
    case .left, .upper, .lower: .text
    }
  }

  var takesMore: Bool { self == .min || self == .max }

  /// The function with its parameters: `clamp(number, number, number)`.
  var signature: String {
    let names = parameters.map { $0 == .any ? "text" : $0 == .text ? "text" : "number" }
    return "\(rawValue)(\(names.joined(separator: ", "))\(takesMore ? ", ..." : ""))"
  }

  func value(_ first: PropertyValue, _ second: PropertyValue, _ third: PropertyValue) -> PropertyValue {
    switch self {
    case .length: return Self.length(of: first)
    case .left, .upper, .lower, .number:
      guard case .text(let text) = first else {
        return self == .number && first.number != nil ? first : .null
      }
      return of(text, second)
    case .round, .floor, .ceil, .abs, .min, .max, .clamp:
      guard let number = first.number else { return .null }
      return of(number, second.number, third.number)
    }
  }

  private static func length(of value: PropertyValue) -> PropertyValue {
    switch value {
    case .text(let text): .number(Double(text.count))
    case .list(let items): .number(Double(items.count))
    case .null, .flag, .number, .map: .null
    }
  }

  private func of(_ text: String, _ second: PropertyValue) -> PropertyValue {
    switch self {
    case .upper, .lower:
      let text = self == .upper ? text.uppercased() : text.lowercased()
      return text.utf8.count > Self.longestText ? .null : .text(text)
    case .number: return Self.number(in: text).map { .number($0) } ?? .null
    default:
      guard let count = second.number else { return .null }
      return .text(String(text.prefix(Int(Swift.max(0, Swift.min(count, 1_000_000))))))
    }
  }

  /// Reads a number with a point or a comma before the decimals, as a keypad of any country has it.
  private static func number(in text: String) -> Double? {
    guard text.utf8.count <= 64 else { return nil }
    let plain = text.contains(",") && !text.contains(".") ? String(text.map { $0 == "," ? "." : $0 }) : text
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }

  private func of(_ number: Double, _ second: Double?, _ third: Double?) -> PropertyValue {
    switch self {
    case .round: return .finite(number.rounded())
    case .floor: return .finite(number.rounded(.down))
    case .ceil: return .finite(number.rounded(.up))
    case .abs: return .finite(Swift.abs(number))
    case .min: return second.map { .number(Swift.min(number, $0)) } ?? .null
    case .max: return second.map { .number(Swift.max(number, $0)) } ?? .null
    default:
      guard let second, let third else { return .null }
      // The lower limit wins if the two are exchanged.
      return .number(Swift.max(second, Swift.min(number, third)))
    }
  }
}
