import Testing

@testable import TouchConfig

/// What is wrong with a file before anything in it has a meaning.
@Suite struct SyntaxTests {
  private static let empty = "1:1: error: the file is empty; start it with \"version: 1\" and a \"window:\""
  private static let noKey = "this text is not a key; write \": \" after a key, and check the indentation"
  private static let comment =
    "# starts a comment, so the rest of this line is not read; put the colour in quotes"
  private static let colonInText = "a \":\" cannot stand here; put a text that has \": \" in it in quotes"
  private static let colon = "a \":\" cannot stand here; check the indentation, or put the text in quotes"
  private static let tab = "a tab cannot indent YAML; use spaces"
  private static let follows = "this cannot follow what stands before it; remove it, or check the quotes"
  private static let missing = "a value is missing here; write one, or remove what announces it"

  static let rows: [(String, String)] = [
    ("", empty), ("# only a comment\n", empty), ("---\n", empty), ("\u{FEFF}", empty),
    ("null", "1:1: error: the file is null; start it with \"version: 1\" and a \"window:\""),
    ("[1]", "1:1: error: the file is a list; start it with \"version: 1\" and a \"window:\""),
    ("hello", "1:1: error: the file is the text \"hello\"; start it with \"version: 1\" and a \"window:\""),
    (
      "a: b\n---\nc: d\n",
      "2:1: error: a second document starts here; a configuration is one document, so remove the \"---\""
    ),
    (
      "window: {}\n...\nfoo: bar\n",
      "3:1: error: nothing can follow the end of the document; remove this, or check the indentation"
    ),
    ("%YAML 3.0\n---\na: b\n", "1:1: error: this is not YAML 1.1 or 1.2; remove the %YAML line"),
    ("window:\n\tid: a\n", "2:1: error: \(tab)"),
    ("window:\n  id: a\n   b: c\n", "3:5: error: \(colon)"),
    ("window: a: b\n", "1:10: error: \(colon)"),
    (
      "window:\n  id: a\n b: c\n",
      "3:2: error: this does not fit the mapping that starts in line 1; "
        + "indent its keys by the same number of spaces"
    ),
    (
      "- a\nb: c\n",
      "2:1: error: this does not fit the list that starts in line 1; "
        + "start each item with \"- \" in the same column"
    ),
    ("window: \"a\" b\n", "1:13: error: \(follows)"),
    ("window: {id: a}}\n", "1:16: error: \(follows)"),
    ("window:\n  id: a\n  foo\n  bar: 1\n", "3:3: error: \(noKey)"),
    (
      "window: [a\n",
      "1:9: error: this list does not end; separate its items with \",\" and end it with \"]\""
    ),
    (
      "window: {id: a\n",
      "1:9: error: this mapping does not end; separate its keys with \",\" and end it with \"}\""
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
      "2:7: error: the list that starts in line 1 does not go on like this; "
        + "separate its items with \",\" and end it with \"]\""
    ),
    ("window: {id: a, background: #112233}\n", "1:29: error: \(comment)"),
    ("window: {id: 'it''s # 1', colors: [#fff, red]}\nhandlers: {}\n", "1:36: error: \(comment)"),
    ("window:\n  - {id: a, background: #11223344}\n  - {id: b}\n", "2:25: error: \(comment)"),
    ("# background: #112233\nwindow: {id: \"# a: #fff\", # [ #fff\n", "2:35: error: \(missing)"),
    ("window: {id: \"a}\n", "1:14: error: this text in quotes does not end; add the closing quote"),
    ("window: ]\n", "1:9: error: \(missing)"), ("window: {id: a, ,}\n", "1:17: error: \(missing)"),
    ("window: - a\n", "1:9: error: a \"- \" cannot stand here; start the list on a line of its own"),
    (
      "window: {a:}\n",
      "1:11: error: a \":\" needs a space after it here; write one, or put the text in quotes"
    ),
    ("window: @a\n", "1:9: error: a text cannot start with \"@\"; put the text in quotes"),
    ("é: `a`\n", "1:4: error: a text cannot start with \"`\"; put the text in quotes"),
    (
      "window: \"\\q\"\n",
      "1:10: error: the text in quotes has an escape that YAML does not know; "
        + "write \"\\\\\" for a backslash, or use single quotes"
    ),
    (
      "window: & {}\n",
      "1:10: error: an anchor or alias needs a name; write letters, digits, \"-\" or \"_\" after \"&\" or \"*\""
    ),
    (
      "window: >x\n a\n",
      "1:10: error: this is not valid YAML: did not find expected comment or line break "
        + "while scanning a block scalar; check the quotes and the indentation"
    ),
    (
      "a\u{1}: b\n",
      "1:2: error: the character U+0001 cannot be in YAML; "
        + "remove it, or write it as an escape in double quotes"
    ),
  ]

  @Test(arguments: rows)
  func `A file that is no YAML is refused at the place that needs a change`(text: String, finding: String) {
    #expect(findings(in: text) == [finding])
  }

  @Test(arguments: [
    (
      "window: {}\nwindow: {}\nwindow: {}\n",
      [
        "2:1: error: the key \"window\" is given twice, first in line 1, column 1; remove one of them",
        "3:1: error: the key \"window\" is given twice, first in line 1, column 1; remove one of them",
      ]
    ),
    (
      "window: {passes: 3}\ninput: *x\n",
      [
        "1:18: error: passes is 3; give a whole number from 1 to 2",
        "2:8: error: no anchor is called \"&x\" above this line; check the alias's name",
      ]
    ),
    (
      "window: &w {subviews: [*w]}\n",
      ["1:24: error: the alias \"*w\" stands inside of what it stands for; remove it"]
    ),
    (
      "window: !foo {passes: 3}\n",
      [
        "1:9: error: the tag \"!foo\" means nothing here; remove it",
        "1:23: error: passes is 3; give a whole number from 1 to 2",
      ]
    ),
    (
      "window: {}\n? [a]\n: 1\n? \n: 2\n",
      [
        "2:3: error: a list or mapping cannot be a key; write a text",
        "4:2: error: a key is missing here; write one before the \":\"",
      ]
    ),
    ("window: {<<: 3}\n", ["1:14: error: \"<<\" merges mappings only; give an alias of a mapping"]),
    ("window: {<<: [{}, 3]}\n", ["1:19: error: \"<<\" merges mappings only; give an alias of a mapping"]),
  ])
  func `What is wrong with a part of the YAML does not hide the rest`(text: String, expected: [String]) {
    #expect(findings(in: text) == expected)
  }

  @Test(
    arguments: [
      ([0xff, 0xfe, 0x61, 0x00], "1:1: error: the file is UTF-16 text; save it as UTF-8"),
      ([0xfe, 0xff, 0x00, 0x61], "1:1: error: the file is UTF-16 text; save it as UTF-8"),
      (
        Array("window:\n  id: \"é".utf8) + [0xff, 0x22],
        "2:9: error: the byte 0xFF is not UTF-8 text; save the file as UTF-8"
      ),
      ([0x61, 0xe9, 0x61], "1:2: error: the byte 0xE9 is not UTF-8 text; save the file as UTF-8"),
      ([0x61, 0xc3], "1:2: error: the byte 0xC3 is not UTF-8 text; save the file as UTF-8"),
    ] as [([UInt8], String)])
  func `A file that is not UTF-8 is refused at the first wrong byte`(bytes: [UInt8], finding: String) {
    #expect(findings(in: bytes) == [finding])
  }

  @Test func `a byte order mark and windows line ends are fine`() throws {
    #expect(
      findings(in: "\u{FEFF}version: 1\r\nwindow:\r\n  passes: 3\r\n") == [
        "3:11: error: passes is 3; give a whole number from 1 to 2"
      ])
  }

  @Test func `a file beyond the size limit is not read`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: Configuration.largestFile + 1)
    #expect(findings(in: bytes) == ["1:1: error: the file is larger than 16 MiB; make it smaller"])
    #expect(findings(in: Array(bytes.dropLast())) == [Self.empty])
  }
}
