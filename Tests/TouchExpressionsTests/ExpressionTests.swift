import Testing
import TouchViews

@testable import TouchExpressions

/// What an expression is, and what is wrong with one.
@Suite struct ExpressionTests {
  private let scope = NamedScope()

  private func value(_ text: String) throws -> PropertyValue { try scope.value("{\(text)}", asText: false) }

  @Test(arguments: [
    ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("2 - 3 - 4", -5), ("-a + b", 1), ("--a", 3), ("7 / 2", 3.5),
    ("-1 % 24", 23), ("7 % -4", -1), ("min(a, b, 2)", 2), ("max(a, b)", 4), ("clamp(9, 0, b)", 4),
    ("round(2.5)", 3), ("floor(-0.5)", -1), ("ceil(0.2)", 1), ("abs(-a)", 3), ("length(name)", 5),
    ("on ? 1 : 2", 1), ("a > b ? 1 : a == 3 ? 2 : 3", 2), ("low-limit", 5), ("low-limit-limit", 3),
    ("b-a", 1), ("b -a", 1), ("limit-1", 1), ("1e3", 1000), (".5", 0.5), ("my view.value", 7),
    ("title.font.size", 18),
    ("number('21,5')", 21.5), ("number(pin.text) + 1", 1235), ("none == null ? 1 : 2", 1),
  ])
  func aNumberIsComputed(_ text: String, _ number: Double) throws {
    #expect(try value(text) == .number(number), "\(text)")
  }

  @Test(arguments: [
    ("a < b", true), ("a >= 3 and b != 3", true), ("not a == 3", false), ("not (a == 3) or on", true),
    ("pin.text == '1234'", true), ("'a' < 'b'", true), ("none > 1", false), ("none == null", true),
    ("a == 3 and not on or true", true), ("pin.hidden", false),
  ])
  func aTruthValueIsComputed(_ text: String, _ flag: Bool) throws {
    #expect(try value(text) == .flag(flag), "\(text)")
  }

  @Test(arguments: [
    ("'it''s'", "it's"), ("left(pin.text, length(pin.text) - 1)", "123"), ("upper(name)", "KÜCHE"),
    ("'a' + 'b'", "ab"), ("volume-text.text", "40 %"), ("left(name, -3)", ""), ("lower('ABC')", "abc"),
  ])
  func aTextIsComputed(_ text: String, _ letters: String) throws {
    #expect(try value(text) == .text(letters), "\(text)")
  }

  @Test(arguments: ["1 / 0", "a % 0", "none + 1", "number('x')", "1e308 * 10", "-none"])
  func whatHasNoValueIsNull(_ text: String) throws {
    #expect(try value(text) == .null, "\(text)")
  }

  /// The place is counted in bytes from the brace.
  @Test(
    arguments: [
      ("c + 1", 1, "nothing is called \"c\""), ("a - name", 5, "a text, where a number is wanted"),
      ("a + ", 5, "ends where a value is wanted"), ("(a + 1", 7, "\")\" is missing"),
      ("a = 3", 3, "write =="),
      ("a && on", 3, "write and"), ("rond(a)", 1, "did you mean round?"), ("clamp(a)", 1, "write clamp("),
      ("a == 'x'", 3, "never equal"), ("on + 1", 1, "write a ? 1 : 0"), ("a ? 1 : 2", 1, "compare it"),
      ("a and on", 1, "compare it"), ("pin.color", 5, "no color"),
      ("pen.text", 1, "no view has the id \"pen\""),
      ("a.text", 1, "no view has the id \"a\""), ("'x", 1, "no second quote"), ("1.2.3", 1, "is no number"),
      ("a b", 3, "has no meaning"), ("on ? 1", 7, "no \":\""), ("", 1, "braces are empty"), ("a:", nil, ""),
      ("name:.1f", 6, "format is for numbers"), ("a:.99f", 3, "more than 15 decimals"), ("a:q", 3, "is none"),
      ("now:%Q", 5, "no format of strftime"), ("min(a", 6, "has no \")\""),
      ("a < name", 1, "where a text is wanted"),
      ("name + 1", 6, "side by side"),
    ] as [(String, Int?, String)])
  func whatIsWrongIsReportedWhereItStands(_ text: String, _ offset: Int?, _ message: String) {
    do throws(ExpressionError) {
      _ = try Formula("{\(text)}", scope: scope)
      #expect(offset == nil, "\(text) was read")
    } catch {
      #expect(error.offset == offset && error.message.contains(message), "\(text): \(error.offset) \(error)")
    }
  }

  @Test func depthAndLengthHaveLimits() throws {
    func parentheses(_ count: Int) -> String {
      String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count)
    }
    #expect(try value(parentheses(30)) == .number(1))
    for text in [
      parentheses(3000), String(repeating: "-", count: 3000) + "1",
      String(repeating: "not ", count: 900) + "on",
      String(repeating: "on ? 1 : ", count: 400) + "1", String(repeating: "1 + ", count: 3000) + "1",
    ] {
      #expect(throws: ExpressionError.self) { try value(text) }
    }
    #expect(try value(String(repeating: "1 + ", count: 1000) + "1") == .number(1001))
  }

  @Test func whatAnExpressionReadsIsKnownBeforeItIsComputed() throws {
    let formula = try Formula("{a + b} {a} {pin.text}", scope: scope)
    #expect(formula.references == [.value("a"), .value("b"), .property(view: "pin", "text")])
  }
}
