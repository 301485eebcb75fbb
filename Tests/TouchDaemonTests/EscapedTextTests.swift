import Testing
import TouchSystem

/// What comes from outside is written so that no terminal obeys it.
@Suite struct EscapedTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("ACME \"7\" panel: é, 中, 👆", "ACME \"7\" panel: é, 中, 👆"),
    ("\u{1b}[31mred", #"\u{1B}[31mred"#), ("two\n<0>lines\r", #"two\n<0>lines\r"#),
    ("\u{7f}", #"\u{7F}"#),
    ("\u{9b}2J", #"\u{009B}2J"#), ("\u{202e}gnp.exe", #"\u{202E}gnp.exe"#), ("\u{2066}", #"\u{2066}"#),
    ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\0", #"\0"#), ("\u{e0041}", #"\u{000E0041}"#),
  ])
  func `what a terminal obeys is escaped, and everything else is as it was`(_ text: String, _ shown: String) {
    #expect(text.onOneLine == shown)
  }

  @Test func `no character that is not shown is left, and a text is escaped once`() {
    let all = String(String.UnicodeScalarView((0...0x2fff).compactMap(Unicode.Scalar.init)))
    #expect(all.onOneLine.unicodeScalars.allSatisfy { $0.isShown })
    #expect(all.onOneLine.onOneLine == all.onOneLine)
  }

  @Test func `a quoted text is shortened`() {
    #expect(String(repeating: "a", count: 50).escaped == String(repeating: "a", count: 40) + "...")
    #expect(String(repeating: "a", count: 40).escaped.count == 40)
  }

  @Test(arguments: ["x", "é", "中", "👆", "ab👆中"])
  func `a long line loses its middle, and no character is cut`(letter: String) {
    for count in [1, 50, 99, 100, 101, 3000] {
      let text = "bad: " + String(repeating: letter, count: count) + "; do this"
      let shown = text.shortened(toBytes: 100)
      #expect(shown.utf8.count <= 100 && !shown.unicodeScalars.contains("\u{fffd}"))
      #expect(text.utf8.count > 100 || shown == text)
      #expect(shown.hasPrefix("bad: ") && shown.hasSuffix("; do this"))
    }
  }

  @Test(arguments: [
    ("Panel", #""Panel""#), (#"7" \ é中"#, #""7\" \\ é中""#), ("two\nlines", #""two\u000alines""#),
    ("\u{202e}", #""\u202e""#), ("\u{e0041}", #""\U000e0041""#),
  ])
  func `a text in YAML's double quotes is one scalar of printable characters`(
    _ text: String, _ quoted: String
  ) {
    #expect(text.inYAMLQuotes == quoted)
  }
}

@Suite struct NumberTextTests {
  @Test(arguments: [
    (12, "12"), (12.5, "12.5"), (-3, "-3"), (-0.0, "0"), (0.1, "0.1"), (1e300, "1e+300"), (.nan, "nan"),
    (-.infinity, "-inf"),
  ])
  func `a whole number is written without a fraction`(number: Double, text: String) {
    #expect(number.plain == text)
  }

  @Test(arguments: [(1.005, "1"), (2.0 / 3, "0.67"), (-0.001, "0"), (.nan, "nan")])
  func `for people it is rounded`(number: Double, text: String) {
    #expect(number.short == text)
  }
}
