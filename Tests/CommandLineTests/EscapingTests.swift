import Foundation
import Testing

/// Names that a device, a recording or a file brings along are printed so that neither a terminal nor the
/// journal obeys them.
@Suite struct EscapingTests {
  /// Colours, clears, turns the line around, and forges a journal entry of the highest priority.
  private static let name = #"evil\e[31m\x9b2J\u202e\n<0>forged"#

  private static let tree = """
    version: 1
    display: {canvas: {size: [800, 480]}}
    window:
      id: "win\\u202edow"
      subviews:
        - {id: "left\\u202eview", frame: [0, 0, 400, 480]}
    """

  /// The bytes that were printed hold nothing but lines of characters that are shown.
  private func expectShown(_ text: String, lines: ClosedRange<Int>) {
    let isShown = text.unicodeScalars.allSatisfy {
      $0 == "\n"
        || ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    #expect(isShown, "\(text.debugDescription)")
    #expect(lines.contains(text.split(separator: "\n").count), "\(text)")
  }

  /// A recording of a device with the name, and a tree.
  private func withFiles(
    replacing other: String = "", with text: String = "",
    _ body: (_ recording: String, _ tree: String) throws -> Void
  ) throws {
    try Program.inFolder { folder in
      let slots = try String(
        contentsOfFile: Program.package.path + "/Tests/Recordings/slots.yml", encoding: .utf8)
      try slots.replacing("Recorded multitouch", with: Self.name).replacing(other, with: text)
        .write(toFile: folder + "/evil.yml", atomically: true, encoding: .utf8)
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      try body(folder + "/evil.yml", folder + "/tree.yaml")
    }
  }

  @Test func `a recorded device's name is escaped in what replay reports`() throws {
    try withFiles { recording, tree in
      let outcome = try Program.run(["replay", recording, "--config", tree])
      expectShown(outcome.errors, lines: 1...1)
      expectShown(outcome.output, lines: 10...10_000)
      #expect(outcome.errors.contains(#"evil\u{1B}[31m\u{009B}2J\u{202E}\n<0>forged reports every 8 ms"#))
    }
  }

  @Test func `it is escaped in the error that refuses it`() throws {
    try withFiles(replacing: "[0, 1, 47, 53, 54, 55, 57]", with: "[40]") { recording, tree in
      let outcome = try Program.run(["replay", recording, "--config", tree])
      #expect(outcome.status == 65)
      expectShown(outcome.errors, lines: 1...1)
    }
  }

  @Test func `it forges no entry of the journal`() throws {
    try withFiles { recording, tree in
      let outcome = try Program.run(
        "/bin/sh",
        [
          "-c", #"JOURNAL_STREAM=$(stat -Lc %d:%i /dev/stderr) exec "$0" replay "$1" --config "$2""#,
          Program.executable.path, recording, tree,
        ], in: Program.package.path)
      expectShown(outcome.errors, lines: 1...1)
      #expect(outcome.errors.hasPrefix("<5>evil"), "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    ["tree"], ["hit", "10,10"], ["hit", "10,10", "--explain"], ["hit", "10,10", "--json"],
    ["trace", "--tap", "10,10"],
  ])
  func `ids that a file brings along are escaped`(_ arguments: [String]) throws {
    try withFiles { _, tree in
      var arguments = arguments
      arguments.insert(tree, at: 1)
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 0)
      expectShown(outcome.output, lines: 1...20)
      #expect(outcome.output.lowercased().contains("202e"))
    }
  }

  @Test func `a file's name is escaped in what is wrong with it`() throws {
    try Program.inFolder { folder in
      let file = folder + "/a\u{1b}[31m\n<0>b.yaml"
      try "version: 1\nwindw: {}\n".write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", file])
      #expect(outcome.status == 78)
      expectShown(outcome.errors, lines: 1...3)
    }
  }
}
