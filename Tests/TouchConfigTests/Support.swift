import Foundation
import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig
@testable import TouchCore

/// The diagnostics of a text, without the file's name: `line:column: severity: message`.
func findings(in text: String) -> [String] { findings(in: Array(text.utf8)) }

func findings(in bytes: [UInt8]) -> [String] {
  diagnostics(in: bytes).map { String($0.description.dropFirst("f.yaml:".count)) }
}

func diagnostics(in bytes: [UInt8]) -> [Diagnostic] {
  do {
    return try Configuration.parse(bytes: bytes, file: "f.yaml", checksImages: false).warnings
  } catch .invalid(let diagnostics) {
    return diagnostics
  } catch {
    return [Diagnostic(file: "f.yaml", place: .start, message: "unexpected: \(error)")]
  }
}

/// Expects diagnostics by place, severity and the words that matter: `1:54: error: alpha … 0 to 1`.
///
/// Places and severities are exact. Of the message, the parts between the ellipses occur as whole words, in
/// this order. The text of messages is recorded in Tests/CommandLineTests/Golden/output.
func expect(
  _ found: [String], state expected: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let isExpected =
    found.count == expected.count && zip(found, expected).allSatisfy { states($0, $1) }
  #expect(isExpected, "\(found) instead of \(expected)", sourceLocation: sourceLocation)
}

private func states(_ finding: String, _ short: String) -> Bool {
  guard let head = short.firstMatch(of: #/^\d+:\d+: (error|warning): /#), finding.hasPrefix(head.0) else {
    return false
  }
  var rest = finding.dropFirst(head.0.count)
  for part in short.dropFirst(head.0.count).components(separatedBy: " … ") {
    let words = NSRegularExpression.escapedPattern(for: part)
    let pattern = "(?<![\\w])" + words + "(?![\\w])"
    guard let range = rest.range(of: pattern, options: .regularExpression) else { return false }
    rest = rest[range.upperBound...]
  }
  return true
}

func parse(_ text: String) throws -> Configuration {
  try Configuration.parse(text: text, file: "f.yaml")
}

/// A file with one view, `a`, that has these keys too. They start in line 1, column 47.
func withView(_ keys: String) -> String {
  "window: {subviews: [{id: a, frame: [0,0,1,1], \(keys)}]}"
}

/// The one view of such a file.
func view(_ keys: String) throws -> Configuration.View {
  let views = try parse(withView(keys)).views
  guard let view = views.first, views.count == 1 else { throw TestProblem("\(views.count) views") }
  return view
}

/// The same view as it is made.
func made<Class: View>(_ keys: String, as type: Class.Type = Class.self) throws -> Class {
  guard let view = try view(keys).makeView() as? Class else { throw TestProblem("no \(type)") }
  return view
}

/// What an action sets, by the property's name.
func setting(_ name: String, _ value: some Hashable & Sendable) -> ViewSetting {
  ViewSetting(ViewProperty.named(name) ?? .value, value)
}

/// What an action computes for a property. Everything that the expressions name is there.
func computed(_ name: String, _ text: String) -> BoundSetting {
  BoundSetting(
    ViewProperty.named(name) ?? .value,
    .formula((try? Formula(text, scope: EveryName())) ?? Formula(letters: "a wrong expression")))
}

/// Views with a value and a text, and the sender of an action.
struct EveryName: ExpressionScope {
  func resolve(_ name: String) -> Resolution? {
    Reference.SentPart(rawValue: name).map { .reads(.sent($0), $0 == .value ? .number : .text) }
  }
  func resolve(_ owner: String, _ part: String) -> Resolution? {
    .reads(.property(view: owner, part), part == "value" ? .number : .text)
  }
  func advice(for name: String) -> String { "" }
}

/// What an action sets of the parts of a property.
func setting(_ name: String, parts: PropertyValue) -> ViewSetting? {
  ViewProperty.named(name).flatMap { try? ViewSetting($0, parts, for: nil) }
}

struct TestProblem: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The repository's `config` folder.
let configFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "config")

/// A small generator of repeatable random numbers. (SplitMix64.)
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
