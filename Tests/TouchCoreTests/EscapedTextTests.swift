import Testing
import TouchCore

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
}
