import Foundation

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
