import TouchViews

package struct LocalTime: Hashable, Sendable {
  package var year: Int
  /// The month, from 1 to 12.
  package var month: Int
  package var day, hour, minute, second: Int
  /// The day of the week, from 0, a Sunday, to 6.
  package var weekday: Int
  /// The day of the year, from 1 to 366.
  package var dayOfYear: Int
  /// The seconds since 1970 began in Greenwich.
  package var seconds: Int64
  /// The part of the next second that is over, from 0 up to 1.
  package var fraction: Double
  /// The lead over Greenwich's clock, in seconds.
  package var offset: Int
  /// The name of the time zone, such as CET; empty for none.
  package var zone: String

  package init(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int, dayOfYear: Int,
    seconds: Int64, fraction: Double = 0, offset: Int, zone: String = ""
  ) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
    (self.weekday, self.dayOfYear) = (weekday, dayOfYear)
    (self.seconds, self.fraction, self.offset) = (seconds, fraction, offset)
    self.zone = zone
  }
}

/// The form of a time: a format of strftime. (POSIX.1-2017, strftime; the flags and `%k`, `%l`, `%P` are the
/// GNU C library's.) It computes all fields itself: the names are those of the file's locale, which the C
/// library seldom has on a board.
package struct ClockFormat: Hashable, Sendable {
  /// The unit of time with which the text changes; the larger, the less often.
  package enum Step: Int, Comparable, Hashable, Sendable {
    case second, minute, hour, day

    package static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
  }

  private enum Part: Hashable, Sendable {
    case letters(String)
    case field(UInt8, Flag?)
  }

  private enum Flag: Character, Hashable {
    /// No leading zeros.
    case bare = "-"
    /// Leading blanks.
    case blank = "_"
    /// Leading zeros.
    case zero = "0"
    /// Capital letters.
    case capitals = "^"
  }

  private let parts: [Part]
  /// The unit of time with which the text changes.
  package let step: Step

  static let standard = "%H:%M"
  private static let fields = Array("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%".utf8)

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
      let flag = rest.first.flatMap(Flag.init)
      if flag != nil { rest = rest.dropFirst() }
      guard let field = rest.popFirst(), let code = field.asciiValue, Self.fields.contains(code) else {
        throw ExpressionError(
          offset,
          "\"\(text.prefix(40))\" is no format of strftime; write %H:%M for the time, %d.%m.%Y for the date, %A for the day"
        )
      }
      switch field {
      case "S", "s", "T", "X", "c", "r": step = .second
      case "M", "R": step = min(step, .minute)
      case "H", "I", "k", "l", "p", "P", "Z", "z": step = min(step, .hour)
      default: break
      }
      finish()
      parts.append(.field(code, flag))
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

  /// Returns the format that was probably meant by one without a %: `HH:mm`, as in Java, Swift and
  /// JavaScript, or `H:M`; nil for an unknown one.
  private static func meant(by text: Substring) -> String? {
    var (others, bare) = ("", "")
    var (isOther, isBare) = (true, true)
    // MM are months, unless hours precede them.
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

  /// The fields of Unicode's technical standard 35, as far as panels need them.
  private static let otherFields = [
    "HH": "%H", "H": "%-H", "hh": "%I", "h": "%-I", "mm": "%M", "ss": "%S", "a": "%p", "EEEE": "%A",
    "EEE": "%a", "dd": "%d", "DD": "%d", "d": "%-d", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%-m",
    "yyyy": "%Y", "YYYY": "%Y", "yy": "%y",
  ]

  func append(_ time: LocalTime, _ locale: Locale, to text: inout [UInt8]) {
    for part in parts {
      switch part {
      case .letters(let letters): text.append(contentsOf: letters.utf8)
      case .field(let code, .capitals):
        var field: [UInt8] = []
        append(Character(Unicode.Scalar(code)), nil, time, locale, to: &field)
        text.append(contentsOf: String(decoding: field, as: UTF8.self).uppercased().utf8)
      case .field(let code, let flag): append(Character(Unicode.Scalar(code)), flag, time, locale, to: &text)
      }
    }
  }

  private func append(
    _ field: Character, _ flag: Flag?, _ time: LocalTime, _ locale: Locale, to text: inout [UInt8]
  ) {
    func number(_ number: Int, _ count: Int, _ usual: Flag = .zero) {
      let bare = 1 + (number > 9 ? 1 : 0) + (number > 99 ? 1 : 0) + (number > 999 ? 1 : 0)
      let flag = flag ?? usual
      if flag == .blank { for _ in 0..<max(0, count - bare) { text.append(UInt8(ascii: " ")) } }
      Digits.appendPadded(UInt64(max(0, number)), count: flag == .zero ? count : bare, to: &text)
    }
    func name(_ names: [String], _ index: Int) {
      if names.indices.contains(index) { text.append(contentsOf: names[index].utf8) }
    }
    func several(_ format: String) {
      var isField = false
      for letter in format {
        if isField {
          append(letter, nil, time, locale, to: &text)
        } else if letter != "%" {
          text.append(contentsOf: String(letter).utf8)
        }
        isField = !isField && letter == "%"
      }
    }
    switch field {
    case "a": name(locale.shortDays, time.weekday)
    case "A": name(locale.days, time.weekday)
    case "b", "h": name(locale.shortMonths, time.month - 1)
    case "B": name(locale.months, time.month - 1)
    case "c": several(locale.name == "en" ? "%a %b %e %T %Y" : "%a %e %b %Y %T")
    case "C": number(time.year / 100, 2)
    case "d": number(time.day, 2)
    case "D": several("%m/%d/%y")
    case "e": number(time.day, 2, .blank)
    case "F": several("%Y-%m-%d")
    case "g": number(time.weekOfISO.year % 100, 2)
    case "G": number(time.weekOfISO.year, 4)
    case "H": number(time.hour, 2)
    case "I": number((time.hour + 11) % 12 + 1, 2)
    case "j": number(time.dayOfYear, 3)
    case "k": number(time.hour, 2, .blank)
    case "l": number((time.hour + 11) % 12 + 1, 2, .blank)
    case "m": number(time.month, 2)
    case "M": number(time.minute, 2)
    case "p": text.append(contentsOf: (time.hour < 12 ? "AM" : "PM").utf8)
    case "P": text.append(contentsOf: (time.hour < 12 ? "am" : "pm").utf8)
    case "r": several("%I:%M:%S %p")
    case "R": several("%H:%M")
    case "s": text.append(contentsOf: String(time.seconds).utf8)
    case "S": number(time.second, 2)
    case "t": text.append(0x09)
    case "T", "X": several("%H:%M:%S")
    case "U": number(time.week(from: 0), 2)
    case "V": number(time.weekOfISO.week, 2)
    case "W": number(time.week(from: 1), 2)
    case "u": number((time.weekday + 6) % 7 + 1, 1)
    case "w": number(time.weekday, 1)
    case "x": several(locale.date)
    case "y": number(time.year % 100, 2)
    case "Y": number(time.year, 4)
    case "Z" where !time.zone.isEmpty: text.append(contentsOf: time.zone.utf8)
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
  /// Returns the number of the week of its year, from the first one that begins in the year; 0 before that.
  /// - Parameter first: the day with which weeks begin, 0 for Sunday.
  fileprivate func week(from first: Int) -> Int { (dayOfYear + 6 - (weekday + 7 - first) % 7) / 7 }

  /// The week, and the year that has most of its days. (ISO 8601: the first week has 4 January, weeks begin
  /// on Monday.)
  fileprivate var weekOfISO: (year: Int, week: Int) {
    func days(_ year: Int) -> Int { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
    /// The day of the year of the week's Thursday, which decides.
    let thursday = dayOfYear + 3 - (weekday + 6) % 7
    if thursday < 1 { return (year - 1, (thursday + days(year - 1) + 6) / 7) }
    return thursday > days(year) ? (year + 1, 1) : (year, (thursday + 6) / 7)
  }

  func moment(_ step: ClockFormat.Step) -> Int64 {
    let local = seconds + Int64(offset)
    switch step {
    case .second: return local
    case .minute: return local / 60
    case .hour: return local / 3600
    case .day: return local / 86_400
    }
  }

  /// Returns the beginning of the next step, in seconds since 1970. It is at most an hour later: a day may be
  /// longer or shorter than 24 hours.
  func next(_ step: ClockFormat.Step) -> Int64 {
    switch step {
    case .second: seconds + 1
    // A minute may have a leap second.
    case .minute: seconds + Int64(max(1, 60 - second))
    case .hour, .day: seconds + Int64(max(1, 3600 - minute * 60 - second))
    }
  }
}
