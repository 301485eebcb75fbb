import TouchCore
import TouchViews

/// A moment as the clock on the wall shows it.
package struct LocalTime: Hashable, Sendable {
  package var year: Int
  /// From 1 to 12.
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// From 0, a Sunday, to 6.
  package var weekday: Int
  /// From 1 to 366.
  package var dayOfYear: Int
  /// Seconds since 1970 began in Greenwich.
  package var seconds: Int64
  /// The part of the next second that is over, from 0 up to 1.
  package var fraction: Double
  /// How far the clock is ahead of Greenwich's, in seconds.
  package var offset: Int

  package init(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int, dayOfYear: Int,
    seconds: Int64, fraction: Double = 0, offset: Int
  ) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
    (self.weekday, self.dayOfYear) = (weekday, dayOfYear)
    (self.seconds, self.fraction, self.offset) = (seconds, fraction, offset)
  }
}

/// How a time is shown: a format of strftime. (POSIX.1-2017, strftime; `%-d` without a leading zero as in GNU's.)
package struct ClockFormat: Hashable, Sendable {
  /// What the shown text changes with; the larger, the less often.
  package enum Step: Int, Comparable, Hashable, Sendable {
    case second, minute, hour, day

    package static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
  }

  private enum Part: Hashable, Sendable {
    case letters(String)
    case field(UInt8, isBare: Bool)
  }

  private let parts: [Part]
  /// How often the text changes.
  package let step: Step

  static let standard = "%H:%M"
  private static let fields = Array("aAbBdeHIjmMpSuyYZzswCDFRTxX%n".utf8)

  init(_ text: Substring, at offset: Int) throws(ExpressionError) {
    var (parts, letters, step): ([Part], String, Step) = ([], "", .day)
    var rest = text
    func finish() {
      if !letters.isEmpty { parts.append(.letters(letters)) }
      letters = ""
    }
    while let letter = rest.popFirst() {
      guard letter == "%" else {
        letters.append(letter)
        continue
      }
      let isBare = rest.first == "-"
      if isBare { rest = rest.dropFirst() }
      guard let field = rest.popFirst(), let code = field.asciiValue, Self.fields.contains(code) else {
        throw ExpressionError(
          offset,
          "\"\(text.prefix(40))\" is no format of strftime; write %H:%M for the time, %d.%m.%Y for the date, %A for the day"
        )
      }
      switch field {
      case "S", "s", "T", "X": step = .second
      case "M", "R": step = min(step, .minute)
      case "H", "I", "p", "Z", "z": step = min(step, .hour)
      default: break
      }
      finish()
      parts.append(.field(code, isBare: isBare))
    }
    finish()
    let hasFields = parts.contains { if case .field = $0 { true } else { false } }
    guard hasFields else {
      let help = Self.meant(by: text) ?? "%H:%M for the time, %d.%m.%Y for the date, %A for the day"
      throw ExpressionError(
        offset, "\"\(text.prefix(40))\" has no % in it, so it would be shown as it is; write \(help)")
    }
    (self.parts, self.step) = (parts, step)
  }

  /// The format that was probably meant by one without a %: `HH:mm`, as Java, Swift and JavaScript have it, or `H:M`; nil where that
  /// is not known.
  private static func meant(by text: Substring) -> String? {
    var (others, bare) = ("", "")
    var (isOther, isBare) = (true, true)
    // MM are months, unless hours are before them.
    var isAfterHours = false
    var rest = text.drop { $0 == " " }
    while let letter = rest.first {
      let run = rest.prefix { $0 == letter }
      rest = rest.dropFirst(run.count)
      guard letter.isLetter else {
        others += run
        bare += run
        continue
      }
      if isAfterHours, letter == "M" {
        others += "%M"
      } else if let field = otherFields[String(run)] {
        others += field
      } else {
        isOther = false
      }
      isAfterHours = letter == "H" || letter == "h"
      if run.count == 1, letter.asciiValue.map(fields.contains) ?? false {
        bare += "%\(letter)"
      } else {
        isBare = false
      }
    }
    return isBare ? bare : isOther ? others : nil
  }

  /// Unicode's technical standard 35, as far as panels need it.
  private static let otherFields = [
    "HH": "%H", "H": "%-H", "hh": "%I", "h": "%-I", "mm": "%M", "ss": "%S", "a": "%p", "EEEE": "%A",
    "EEE": "%a", "dd": "%d", "DD": "%d", "d": "%-d", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%-m",
    "yyyy": "%Y", "YYYY": "%Y", "yy": "%y",
  ]

  func append(_ time: LocalTime, _ locale: Locale, to text: inout [UInt8]) {
    for part in parts {
      switch part {
      case .letters(let letters): text.append(contentsOf: letters.utf8)
      case .field(let code, let isBare):
        append(Character(Unicode.Scalar(code)), isBare, time, locale, to: &text)
      }
    }
  }

  private func append(
    _ field: Character, _ isBare: Bool, _ time: LocalTime, _ locale: Locale, to text: inout [UInt8]
  ) {
    func number(_ number: Int, _ count: Int) {
      let digits = isBare ? 1 + (number > 9 ? 1 : 0) + (number > 99 ? 1 : 0) + (number > 999 ? 1 : 0) : count
      Digits.appendPadded(UInt64(max(0, number)), count: digits, to: &text)
    }
    func name(_ names: [String], _ index: Int) {
      if names.indices.contains(index) { text.append(contentsOf: names[index].utf8) }
    }
    func several(_ format: String) {
      var isField = false
      for letter in format {
        if isField {
          append(letter, false, time, locale, to: &text)
        } else if letter != "%" {
          text.append(contentsOf: String(letter).utf8)
        }
        isField = !isField && letter == "%"
      }
    }
    switch field {
    case "a": name(locale.shortDays, time.weekday)
    case "A": name(locale.days, time.weekday)
    case "b": name(locale.shortMonths, time.month - 1)
    case "B": name(locale.months, time.month - 1)
    case "C": number(time.year / 100, 2)
    case "d": number(time.day, 2)
    case "D": several("%m/%d/%y")
    case "e":
      if time.day < 10, !isBare { text.append(UInt8(ascii: " ")) }
      number(time.day, time.day < 10 ? 1 : 2)
    case "F": several("%Y-%m-%d")
    case "H": number(time.hour, 2)
    case "I": number((time.hour + 11) % 12 + 1, 2)
    case "j": number(time.dayOfYear, 3)
    case "m": number(time.month, 2)
    case "M": number(time.minute, 2)
    case "p": text.append(contentsOf: (time.hour < 12 ? "AM" : "PM").utf8)
    case "R": several("%H:%M")
    case "s": text.append(contentsOf: String(time.seconds).utf8)
    case "S": number(time.second, 2)
    case "T", "X": several("%H:%M:%S")
    case "u": number((time.weekday + 6) % 7 + 1, 1)
    case "w": number(time.weekday, 1)
    case "x": several(locale.date)
    case "y": number(time.year % 100, 2)
    case "Y": number(time.year, 4)
    case "z", "Z":
      text.append(UInt8(ascii: time.offset < 0 ? "-" : "+"))
      Digits.appendPadded(UInt64(abs(time.offset) / 3600), count: 2, to: &text)
      Digits.appendPadded(UInt64(abs(time.offset) / 60 % 60), count: 2, to: &text)
    case "n": text.append(0x0A)
    default: text.append(UInt8(ascii: "%"))
    }
  }
}

extension LocalTime {
  /// Grows by one with each step.
  func moment(_ step: ClockFormat.Step) -> Int64 {
    let local = seconds + Int64(offset)
    switch step {
    case .second: return local
    case .minute: return local / 60
    case .hour: return local / 3600
    case .day: return local / 86_400
    }
  }

  /// When the next step begins, in seconds since 1970. After an hour at most: a day may be longer or shorter than 24 hours.
  func next(_ step: ClockFormat.Step) -> Int64 {
    switch step {
    case .second: seconds + 1
    // A minute may have a second more.
    case .minute: seconds + Int64(max(1, 60 - second))
    case .hour, .day: seconds + Int64(max(1, 3600 - minute * 60 - second))
    }
  }
}
