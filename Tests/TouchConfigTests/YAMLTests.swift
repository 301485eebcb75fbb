import Testing
import TouchCore

@testable import TouchConfig
@testable import TouchYAML

@Suite struct YAMLTests {
  @Test(
    arguments: [
      ("null", .null), ("~", .null), ("", .null), ("Null", .null), ("nULL", .text("nULL")),
      ("true", .bool(true)), ("FALSE", .bool(false)), ("yes", .text("yes")), ("on", .text("on")),
      ("0", .integer(0)), ("-12", .integer(-12)), ("+7", .integer(7)), ("010", .integer(10)),
      ("0x0eef", .integer(0x0eef)), ("0o17", .integer(15)), ("0x", .text("0x")), ("0x-1", .text("0x-1")),
      ("-0x1", .text("-0x1")), ("0b1", .text("0b1")), ("1_000", .text("1_000")),
      ("1.", .number(1)), (".5", .number(0.5)), ("-.5", .number(-0.5)), ("1e3", .number(1000)),
      ("1.5E-1", .number(0.15)), (".", .text(".")), ("-", .text("-")), ("+", .text("+")), ("e3", .text("e3")),
      ("1e", .text("1e")), ("1e+", .text("1e+")), ("1.2.3", .text("1.2.3")), ("12:30", .text("12:30")),
      (".inf", .number(.infinity)), ("-.Inf", .number(-.infinity)), ("inf", .text("inf")),
      ("nan", .text("nan")), ("1e999", .number(.infinity)), ("99999999999999999999", .number(1e20)),
      ("١", .text("١")), ("0x1p3", .text("0x1p3")),
    ] as [(String, YAMLScalar)])
  func `A plain scalar is read by the core schema`(text: String, value: YAMLScalar) {
    #expect(YAMLScalar(plain: text) == value)
  }

  @Test func `a value that is not a number is reported`() {
    guard case .number(let number) = YAMLScalar(plain: ".NaN") else { return #expect(Bool(false)) }
    #expect(number.isNaN)
  }

  @Test func `every node and key knows its place`() throws {
    let document = try build("a: 1\nb:\n  - x\n  - {é: \"z\", w: }\n")
    let root = try #require(document.root.entries)
    #expect(document.root.place == SourceLocation(line: 1, column: 1))
    #expect(
      root.map(\.key.place) == [SourceLocation(line: 1, column: 1), SourceLocation(line: 2, column: 1)])
    #expect(root[0].value.place == SourceLocation(line: 1, column: 4))
    let items = try #require(root[1].value.items)
    #expect(items.map(\.place) == [SourceLocation(line: 3, column: 5), SourceLocation(line: 4, column: 5)])
    let inner = try #require(items[1].entries)
    #expect(inner[0].value.place == SourceLocation(line: 4, column: 9), "columns are characters, not bytes")
    #expect(inner[1].key.place == SourceLocation(line: 4, column: 14))
    #expect(inner[1].value.isEmpty)
  }

  @Test func `quoted scalars are text whatever they say`() throws {
    let items = try #require(
      try build("[\"1\", 'true', \"null\", !!str 2, ! 3, !!int \"4\"]").root.items)
    #expect(
      items.map(\.scalar) == [
        .text("1"), .text("true"), .text("null"), .text("2"), .text("3"), .integer(4),
      ])
  }

  @Test func `an alias is the node it names`() throws {
    let items = try #require(try build("[&a {x: 1}, *a, &a 2, *a]").root.items)
    #expect(items[1].entries?.first?.value.scalar == .integer(1))
    #expect(items[1].place == SourceLocation(line: 1, column: 2), "an alias stands where its anchor is")
    #expect(items[3].scalar == .integer(2), "a later anchor of the same name counts")
  }

  @Test(arguments: [
    ("- &a {x: 1, y: 2}\n- {<<: *a, y: 3}", #"{"y":3,"x":1}"#),
    ("- &a {x: 1, y: 2}\n- {y: 3, <<: *a}", #"{"y":3,"x":1}"#),
    ("- [&a {x: 1}, &b {x: 2, y: 2}]\n- {<<: [*a, *b]}", #"{"x":1,"y":2}"#),
    ("- [&a {x: 1}, &b {<<: *a, y: 2}]\n- {<<: *b, z: 3}", #"{"z":3,"y":2,"x":1}"#),
    ("- 0\n- {\"<<\": 1}", #"{"<<":1}"#),
  ])
  func `Merge keys bring in what the mapping does not have itself`(text: String, json: String) throws {
    let items = try #require(try build(text).root.items)
    #expect(items[1].json { _ in } == json)
  }

  @Test(
    arguments: [
      ("{b: 1, a: [true, ~, 1.5, x], c: {}}", #"{"b":1,"a":[true,null,1.5,"x"],"c":{}}"#),
      ("[]", "[]"), ("[[], [[]]]", "[[],[[]]]"), ("0x10", "16"), ("1e20", "1e+20"), ("-0.0", "0"),
      (#""a\"b\\c\n\t\r\0\u0007é\U0001F600""#, #""a\"b\\c\n\t\r\u0000\u0007é😀""#),
      ("{1: a, true: b}", #"{"1":"a","true":"b"}"#),
    ])
  func `a node becomes compact JSON with its keys in the file's order`(text: String, json: String) throws {
    #expect(try build(text).root.json { _ in } == json)
  }

  @Test func `a small file that expands beyond the limit is refused`() {
    var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for level in 1...9 {
      text += "a\(level): &a\(level) [" + String(repeating: "*a\(level - 1), ", count: 10) + "]\n"
    }
    expect(findings(in: text), state: ["5:45: error: aliases … 100000 values"])
  }

  @Test func `long texts count for the limit too`() {
    let text =
      "a: &a \"\(String(repeating: "x", count: 1 << 20))\"\nb: ["
      + String(repeating: "*a,", count: 200) + "]"
    #expect(findings(in: text).first?.contains("more than 100000 values") == true)
  }

  @Test func `depth is limited whether it is written or aliased`() {
    let deepest = YAMLBuilder.deepest
    let fits = "a: " + String(repeating: "[", count: deepest - 1) + String(repeating: "]", count: deepest - 1)
    #expect(!findings(in: fits).contains { $0.contains("deep") })
    let tooDeep = "a: " + String(repeating: "[", count: deepest)
    expect(findings(in: tooDeep), state: ["1:8195: error: 8192 deep"])
    let half = deepest / 2
    let aliased =
      "a: &a " + String(repeating: "[", count: half) + String(repeating: "]", count: half)
      + "\nb: " + String(repeating: "[", count: half) + "*a"
    expect(findings(in: aliased), state: ["2:4100: error: 8192 deep"])
  }

  private func build(_ text: String) throws -> YAMLDocument {
    var builder = YAMLBuilder()
    let bytes = Array(text.utf8)
    let document = try bytes.withUnsafeBufferPointer { try builder.build(YAMLParser($0)) }
    #expect(builder.problems.isEmpty)
    return try #require(document)
  }
}
