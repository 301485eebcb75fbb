import Testing

@testable import TouchConfig

/// What is wrong with a file before anything in it has a meaning.
@Suite struct SyntaxTests {
  private static let empty = "1:1: error: file … version: 1"
  private static let noKey = "key … indentation"
  private static let comment = "comment … quotes"
  private static let colonInText = "\":\" … in quotes"
  private static let colon = "\":\" … indentation"
  private static let tab = "tab … spaces"
  private static let follows = "follow … quotes"
  private static let missing = "missing … remove"

  static let rows: [(String, String)] = [
    ("", empty), ("# only a comment\n", empty), ("---\n", empty), ("\u{FEFF}", empty),
    ("null", "1:1: error: file … version: 1"),
    ("[1]", "1:1: error: file … version: 1"),
    ("hello", "1:1: error: hello … window:"),
    (
      "a: b\n---\nc: d\n",
      "2:1: error: second … ---"
    ),
    (
      "window: {}\n...\nfoo: bar\n",
      "3:1: error: end of the document"
    ),
    ("%YAML 3.0\n---\na: b\n", "1:1: error: 1.1 … %YAML"),
    ("window:\n\tid: a\n", "2:1: error: \(tab)"),
    ("window:\n  id: a\n   b: c\n", "3:5: error: \(colon)"),
    ("window: a: b\n", "1:10: error: \(colon)"),
    (
      "window:\n  id: a\n b: c\n",
      "3:2: error: mapping … line 1"
    ),
    (
      "- a\nb: c\n",
      "2:1: error: list … line 1"
    ),
    ("window: \"a\" b\n", "1:13: error: \(follows)"),
    ("window: {id: a}}\n", "1:16: error: \(follows)"),
    ("window:\n  id: a\n  foo\n  bar: 1\n", "3:3: error: \(noKey)"),
    (
      "window: [a\n",
      "1:9: error: list … end"
    ),
    (
      "window: {id: a\n",
      "1:9: error: mapping … end"
    ),
    (
      "window: [a: b: c]\n",
      "1:14: error: \(colonInText)"
    ),
    (
      "window: [a,\n  b: c: d]\n",
      "2:7: error: \(colonInText)"
    ),
    ("window: {id: a, text: Temp: 21}\n", "1:27: error: \(colonInText)"),
    (
      "window: [a,\n  \"b\" c]\n",
      "2:7: error: list … line 1"
    ),
    ("window: {id: a, background: #112233}\n", "1:29: error: \(comment)"),
    ("window: {id: 'it''s # 1', colors: [#fff, red]}\nhandlers: {}\n", "1:36: error: \(comment)"),
    ("window:\n  - {id: a, background: #11223344}\n  - {id: b}\n", "2:25: error: \(comment)"),
    ("# background: #112233\nwindow: {id: \"# a: #fff\", # [ #fff\n", "2:35: error: \(missing)"),
    ("window: {id: \"a}\n", "1:14: error: quotes … end"),
    ("window: ]\n", "1:9: error: \(missing)"), ("window: {id: a, ,}\n", "1:17: error: \(missing)"),
    ("window: - a\n", "1:9: error: list … line of its own"),
    (
      "window: {a:}\n",
      "1:11: error: space … quotes"
    ),
    ("window: @a\n", "1:9: error: \"@\" … quotes"),
    ("é: `a`\n", "1:4: error: \"`\" … quotes"),
    (
      "window: \"\\q\"\n",
      "1:10: error: escape … backslash"
    ),
    (
      "window: & {}\n",
      "1:10: error: anchor … name"
    ),
    (
      "window: >x\n a\n",
      "1:10: error: not valid YAML … block scalar"
    ),
    (
      "a\u{1}: b\n",
      "1:2: error: U+0001 … remove"
    ),
  ]

  @Test(arguments: rows)
  func `A file that is no YAML is refused at the place that needs a change`(text: String, finding: String) {
    expect(findings(in: text), state: [finding])
  }

  @Test(arguments: [
    (
      "window: {}\nwindow: {}\nwindow: {}\n",
      [
        "2:1: error: window … twice … line 1, column 1",
        "3:1: error: window … twice … line 1, column 1",
      ]
    ),
    (
      "window: {passes: 3}\ninput: *x\n",
      [
        "1:18: error: passes … 1 to 2",
        "2:8: error: &x … alias",
      ]
    ),
    (
      "window: &w {subviews: [*w]}\n",
      ["1:24: error: *w … remove"]
    ),
    (
      "window: !foo {passes: 3}\n",
      [
        "1:9: error: !foo … remove",
        "1:23: error: passes … 1 to 2",
      ]
    ),
    (
      "window: {}\n? [a]\n: 1\n? \n: 2\n",
      [
        "2:3: error: list … key",
        "4:2: error: key … missing",
      ]
    ),
    ("window: {<<: 3}\n", ["1:14: error: mappings … alias"]),
    ("window: {<<: [{}, 3]}\n", ["1:19: error: mappings … alias"]),
  ])
  func `What is wrong with a part of the YAML does not hide the rest`(text: String, expected: [String]) {
    expect(findings(in: text), state: expected)
  }

  @Test(
    arguments: [
      ([0xff, 0xfe, 0x61, 0x00], "1:1: error: UTF-16 … UTF-8"),
      ([0xfe, 0xff, 0x00, 0x61], "1:1: error: UTF-16 … UTF-8"),
      (
        Array("window:\n  id: \"é".utf8) + [0xff, 0x22],
        "2:9: error: 0xFF … UTF-8"
      ),
      ([0x61, 0xe9, 0x61], "1:2: error: 0xE9 … UTF-8"),
      ([0x61, 0xc3], "1:2: error: 0xC3 … UTF-8"),
    ] as [([UInt8], String)])
  func `A file that is not UTF-8 is refused at the first wrong byte`(bytes: [UInt8], finding: String) {
    expect(findings(in: bytes), state: [finding])
  }

  @Test func `a byte order mark and windows line ends are fine`() throws {
    expect(
      findings(in: "\u{FEFF}version: 1\r\nwindow:\r\n  passes: 3\r\n"),
      state: [
        "3:11: error: passes … 1 to 2"
      ])
  }

  @Test func `a file beyond the size limit is not read`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: Configuration.largestFile + 1)
    expect(findings(in: bytes), state: ["1:1: error: 16 MiB … smaller"])
    expect(findings(in: Array(bytes.dropLast())), state: [Self.empty])
  }
}
