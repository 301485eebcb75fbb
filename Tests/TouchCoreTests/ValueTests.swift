import Testing
import TouchCore

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (5, 2, 3), (2, 5, -3), (.max, 0, .max), (.max, -1, .max), (.max, .min, .max), (.min, 1, .min),
      (.min, .max, .min), (.max, .max, 0),
    ] as [(Int64, Int64, Int64)])
  func `a difference that does not fit is the largest that does`(
    _ later: Int64, _ earlier: Int64, _ difference: Int64
  ) {
    let (later, earlier) = (Timestamp(microseconds: later), Timestamp(microseconds: earlier))
    #expect(later.microseconds(since: earlier) == difference)
    #expect(later.seconds(since: earlier) == Double(difference) / 1_000_000)
  }

  @Test(
    arguments: [
      (5, 2, 7), (5, -7, -2), (.max, 1, .max), (.max - 5, .max, .max), (.min, -1, .min), (.min, .min, .min),
      (.max, .min, -1),
    ] as [(Int64, Int64, Int64)])
  func `a moment that does not fit is the last that does`(_ time: Int64, _ distance: Int64, _ moment: Int64) {
    #expect(
      Timestamp(microseconds: time).advanced(byMicroseconds: distance).microseconds == moment)
  }

  @Test(
    arguments: [
      (0.0000014, 1), (1e300, 1_000_000_000_000_000_000), (.infinity, 1_000_000_000_000_000_000), (.nan, 0),
    ]
      as [(Double, Int64)])
  func `a wait without an end can still be added`(_ seconds: Double, _ microseconds: Int64) {
    #expect(Timestamp.zero.advanced(bySeconds: seconds).microseconds == microseconds)
    #expect(Timestamp(microseconds: .max).advanced(bySeconds: seconds).microseconds == .max)
  }
}

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
