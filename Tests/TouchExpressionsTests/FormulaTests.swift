import Glibc
import Testing
import TouchViews

@testable import TouchExpressions

/// Texts with expressions in them, and how values are shown.
@Suite struct FormulaTests {
  private let scope = NamedScope()
  /// Tuesday, 5 March 2024, 09:07:03 in Vienna.
  private static let time = LocalTime(
    year: 2024, month: 3, day: 5, hour: 9, minute: 7, second: 3, weekday: 2, dayOfYear: 65,
    seconds: 1_709_626_023, offset: 3600)

  @Test(arguments: [
    ("{a} of {b}", "3 of 4"), ("{a:.1f} °C", "3.0 °C"), ("{{a}} {a}", "{a}} 3"), ("a { b", "a { b"),
    ("{", "{"),
    ("{\"a\": {a}}", "{\"a\": 3}"), ("{none:.1f}", "–"), ("{none}", "–"), ("{none:.1f?off}", "off"),
    ("{a:02d}", "03"),
    ("{a:+d}", "+3"), ("{-a:+d}", "-3"), ("{0.456:.0%}", "46%"), ("{name:8s}|", "   Küche|"),
    ("{name:-8s}|", "Küche   |"),
    ("{name:.3s}", "Küc"), ("{big:'.2f}", "1,234,567.89"), ("{a:6.2f}", "  3.00"), ("{-a:06.2f}", "-03.00"),
    ("{on}", "true"),
    ("{255:x}", "ff"), ("{255:X}", "FF"), ("{-0.04:.1f}", "0.0"), ("{on ? 'an' : 'aus'}", "an"),
    ("{a ==3 ? '}' : '{'}", "}"),
    ("{a:%.1f}", "3.0"), ("{1e300}", "1e+300"), ("{0.1}", "0.1"), ("{on ? a : b:.1f}", "3.0"),
    ("{big:'d} and {a:'d}", "1,234,567 and 3"), ("{a:'d} isn't {b}", "3 isn't 4"),
    ("{none:.1f?it's off}, {a}", "it's off, 3"), ("{on ? '}:' : 'b':'s} isn't {a}", "}: isn't 3"),
  ])
  func aTextIsFilledIn(_ text: String, _ shown: String) throws {
    #expect(try scope.value(text) == .text(shown), "\(text)")
  }

  @Test func aListIsJSONInAMessage() throws {
    var scope = scope
    scope.values["rows"] = .list([
      .map([.init(key: "a \"b\"", value: .text("c\"d")), .init(key: "n", value: .number(1.5))]),
      .flag(true), .null, .list([]), .number(.infinity),
    ])
    let message = try MessageFormula(#"{"r":"{rows}","s":"{a} rows"}"#, scope: scope)
    var computation = Computation()
    #expect(
      message.message(in: &computation, NamedScope.Reading(scope: scope)) {
        $0.replacing("\"", with: "\\\"")
      } == #"{"r":[{"a \"b\"":"c\"d","n":1.5},true,null,[],null],"s":"3 rows"}"#)
  }

  @Test func theLocaleDecidesHowNumbersAndDaysLook() throws {
    let german = try #require(Locale.named("de_AT.UTF-8"))
    #expect(try scope.value("{a:.1f}", locale: german) == .text("3,0"))
    #expect(try scope.value("{big:'.2f}", locale: german) == .text("1.234.567,89"))
    #expect(try scope.value("{2.5}", locale: german) == .text("2,5"))
    #expect(
      try scope.value("{now:%A, %-d. %B %x}", locale: german, time: Self.time)
        == .text("Dienstag, 5. März 05.03.2024"))
    #expect(Locale.named("tlh") == nil)
    #expect(
      Locale.names.allSatisfy { name in
        Locale.named(name).map {
          $0.days.count == 7 && $0.shortDays.count == 7 && $0.months.count == 12 && $0.shortMonths.count == 12
        } ?? false
      })
  }

  /// glibc's own, with its locale C.
  @Test(arguments: [
    "%H:%M", "%a %A %b %B", "%d.%m.%Y %e %j", "%I:%M %p", "%T %R %D %F", "%y %C %u %w %S", "%-d/%-m %-H",
    "%%%n%s", "%l:%M %P %k %r%t%h", "%c", "%V %G %g %U %W", "%_d %_m %0e %0k %-l %-j", "%^a %^B %^p",
  ])
  func aTimeIsShownAsStrftimeShowsIt(_ format: String) throws {
    var broken = tm()
    broken.tm_year = 124
    (broken.tm_mon, broken.tm_mday, broken.tm_hour, broken.tm_min) = (2, 5, 9, 7)
    (broken.tm_sec, broken.tm_wday, broken.tm_yday) = (3, 2, 64)
    var letters = [CChar](repeating: 0, count: 200)
    let count = strftime(&letters, letters.count, format, &broken)
    var expected = String(decoding: letters[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // strftime makes %s of the time zone of the process.
    if format.contains("%s") { expected = "%\n\(Self.time.seconds)" }
    #expect(try scope.value("{now:\(format)}", time: Self.time) == .text(expected))
  }

  @Test func `weeks of thirty years have the numbers that strftime gives them`() throws {
    let formula = try Formula("{now:%G %g %V %U %W %u}", scope: scope)
    var computation = Computation()
    for day in 10_500..<21_500 {
      var (moment, broken) = (time_t(day) * 86_400, tm())
      gmtime_r(&moment, &broken)
      var letters = [CChar](repeating: 0, count: 40)
      let count = strftime(&letters, letters.count, "%G %g %V %U %W %u", &broken)
      computation.time = LocalTime(
        year: Int(broken.tm_year) + 1900, month: Int(broken.tm_mon) + 1, day: Int(broken.tm_mday), hour: 0,
        minute: 0, second: 0, weekday: Int(broken.tm_wday), dayOfYear: Int(broken.tm_yday) + 1,
        seconds: Int64(moment), offset: 0)
      let shown = computation.value(of: formula, asText: true, NamedScope.Reading(scope: scope))
      let expected = String(decoding: letters[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(shown == .text(expected))
    }
  }

  @Test func `a time zone is shown by its name, and where it has none by its distance`() throws {
    var time = Self.time
    #expect(try scope.value("{now:%Z %z}", time: time) == .text("+0100 +0100"))
    time.zone = "CET"
    #expect(try scope.value("{now:%Z %z}", time: time) == .text("CET +0100"))
  }

  @Test func aTimeSaysHowOftenItsTextChanges() throws {
    let steps = try [
      "{now:%H:%M:%S}", "{now}", "{now:%H}", "{now:%A}", "{now > 5 ? 1 : 2}", "{a}", "{now:%V}", "{now:%c}",
      "{now:%r}", "{now:%l:%M %P}", "{now:%k}",
    ].map {
      try Formula($0, scope: scope).clockStep
    }
    #expect(
      steps == [.second, .minute, .hour, .day, .second, nil, .day, .second, .second, .minute, .hour])
  }

  /// glibc's printf rounds the exact value of a number.
  @Test func numbersAreShownAsPrintfShowsThem() {
    var generator = Seeded(state: 7)
    for round in 0..<50_000 {
      let decimals = Int(generator.next() % 16)
      let digits = Double(Int64(truncatingIfNeeded: generator.next()) % 2_000_000)
      let number =
        switch round % 4 {
        case 0: digits / 1000
        case 1: digits / 1024
        case 2: Double(bitPattern: generator.next() >> 2)
        default: digits * 1e6 + 0.5
        }
      guard number.isFinite, abs(number) < 1e18 else { continue }
      var letters = [CChar](repeating: 0, count: 400)
      let count = withVaList([Int32(decimals), number]) { vsnprintf(&letters, letters.count, "%.*f", $0) }
      var expected = String(decoding: letters[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // A zero has no sign here.
      if expected.hasPrefix("-"), expected.allSatisfy({ "-0.".contains($0) }) { expected.removeFirst() }
      var shown: [UInt8] = []
      if Digits.append(number, decimals: decimals, .english, false, to: &shown) { shown.insert(0x2D, at: 0) }
      #expect(String(decoding: shown, as: UTF8.self) == expected, "\(number) with \(decimals)")
    }
  }

  @Test func anArgumentOfAProgramKeepsItsOwnBraces() throws {
    func filled(_ text: String) throws -> PropertyValue {
      let formula = try Formula(text, by: .command, scope: scope)
      var computation = Computation()
      return computation.value(of: formula, asText: true, NamedScope.Reading(scope: scope))
    }
    #expect(try filled("{print $1; x = {}}") == .text("{print $1; x = {}}"))
    #expect(try filled("${HOME} {a}") == .text("${HOME} 3"))
    #expect(try filled("{round(a * 10)}%") == .text("30%"))
    #expect(try filled("{1,2}") == .text("{1,2}"))
    #expect(throws: ExpressionError.self) { try filled("{unknown}") }
  }

  @Test func aTextThatComesOutTheSameIsTheSameText() throws {
    let formula = try Formula("a text that is longer than fifteen bytes {a:.0f}", scope: scope)
    var computation = Computation()
    var scope = scope
    let first = computation.value(of: formula, asText: true, NamedScope.Reading(scope: scope))
    scope.values["a"] = .number(3.1)
    let second = computation.value(
      of: formula, asText: true, last: first, NamedScope.Reading(scope: scope))
    guard case .text(var one) = first, case .text(var other) = second else {
      throw ExpressionError(0, "no text")
    }
    // The same storage: nothing was made anew.
    #expect(one.withUTF8 { $0.baseAddress } == other.withUTF8 { $0.baseAddress })
  }
}

/// SplitMix64.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
