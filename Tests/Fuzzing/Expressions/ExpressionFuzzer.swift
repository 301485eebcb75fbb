import DispatchFuzzing
import TouchExpressions
import TouchViews

/// Senseless expressions, by seeds: each is an error in its place, or is computed.
public enum ExpressionFuzzer {
  /// - Returns: the first rule that was broken, and how many texts were read.
  public static func run(seed: UInt64) -> (fault: String?, read: Int) {
    var random = RandomSource(seed: seed)
    let text = input(&random)
    let scope = Names()
    let formula: Formula
    do throws(ExpressionError) {
      formula = try Formula(text, by: random.oneIn(4) ? .command : .text, scope: scope)
    } catch {
      guard (0...text.utf8.count).contains(error.offset) else {
        return ("an error is outside of the text", 0)
      }
      return (error.message.isEmpty ? "an error says nothing" : nil, 0)
    }
    var computation = Computation(locale: Locale.named(random.oneIn(2) ? "de" : "en") ?? .english, time: time)
    let reading = Reading(seed: random.next())
    let value = computation.value(of: formula, asText: false, reading)
    let again = computation.value(of: formula, asText: false, last: value, reading)
    guard value == again else { return ("it is computed otherwise the second time", 0) }
    if case .number(let number) = value, !number.isFinite { return ("a number is not finite", 0) }
    guard case .text(let shown) = computation.value(of: formula, asText: true, reading) else {
      return ("a text is none", 0)
    }
    return (shown.utf8.count > 1 << 20 ? "a text of \(shown.utf8.count) bytes" : nil, 1)
  }

  private static let time = LocalTime(
    year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 60, weekday: 4, dayOfYear: 60,
    seconds: 1_709_251_200, offset: -12_600)

  // MARK: Texts

  private static let pieces = [
    "a", "b", "name", "none", "on", "label.text", "label.value", "my label.text", "a-b", "now", "value",
    "t.hello",
    "1", "0.5", "1e308", "'x'", "''''", "'", "true", "false", "null", "(", ")", "[", "not ", " and ", " or ",
    " ? ", " : ",
    " + ", "-", " * ", " / ", " % ", " == ", " != ", " < ", ">=", "=", "!", "&&", "round(", "min(", "clamp(",
    "left(",
    "length(", "upper(", "number(", ", ", ":.1f", ":02d", ":%H:%M", ":+.15f?off", ":64s", ":.0%", ":'d", ":%",
    "{", "}", "{{",
    "\"", "\\", "é", "\u{0}", "\u{1F469}\u{200D}\u{1F680}", " ", ".", ":", "$",
  ]

  private static func input(_ random: inout RandomSource) -> String {
    var text = ""
    // Now and then one thing a thousand times: depth and length.
    if random.oneIn(50) {
      let piece = pieces.randomElement(using: &random) ?? "("
      text = "{" + String(repeating: piece, count: Int.random(in: 1...3000, using: &random)) + "1}"
    }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      text += random.oneIn(3) ? "text " : ""
      text += "{"
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      text += random.oneIn(8) ? "" : "}"
    }
    guard random.oneIn(4) else { return text }
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8(truncatingIfNeeded: random.next())
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: What they read

  private struct Names: ExpressionScope {
    func resolve(_ name: String) -> Resolution? {
      switch name {
      case "a", "b", "a-b": .reads(.value(name), .number)
      case "name": .reads(.value(name), .text)
      case "none": .reads(.value(name), .any)
      case "on": .reads(.value(name), .flag)
      case "value": .reads(.sent(.value), .number)
      case "text": .constant(.text("constant"))
      default: nil
      }
    }
    func resolve(_ owner: String, _ part: String) -> Resolution? {
      guard owner.hasSuffix("label") else { return nil }
      return part == "text" ? .reads(.property(view: owner, part), .text) : .unknown("nothing")
    }
    func advice(for name: String) -> String { "give another name" }
  }

  /// Any value for each name, whatever its type was to be.
  private struct Reading: ReferenceReading {
    let seed: UInt64
    var ordinal = 0

    func value(of reference: Int, in formula: Formula) -> PropertyValue {
      var random = RandomSource(seed: seed &+ UInt64(reference))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return .null
      case 1: return .flag(random.oneIn(2))
      case 2: return .text(String(repeating: "é", count: Int.random(in: 0...40, using: &random)))
      case 3: return .list([.number(1), .text("x")])
      case 4: return .number(Double(Int.random(in: -100...100, using: &random)) / 4)
      default:
        let number = Double(bitPattern: random.next())
        return number.isFinite ? .number(number) : .number(-0.0)
      }
    }

    func shown(_ reference: Int, in formula: Formula) -> String? { seed % 5 == 0 ? "21.50" : nil }
  }
}
