/// A day of the Gregorian calendar, extended to all times, as in ISO 8601.
struct CivilDate: Hashable, Sendable {
  var year: Int
  /// The month, from 1 to 12.
  var month: Int
  /// The day, from 1 to 31.
  var day: Int

  init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// - Parameter days: the days since 1 January 1970.
  init(days: Int) {
    // A year that begins in March ends with the day that may be missing.
    // (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Reads `2026-11-23`; nil for any other text, and for a day that does not exist.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      parts.allSatisfy(isNumber),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1,
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The days since 1 January 1970.
  var days: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The text, such as `2026-11-23`.
  var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
}

struct TimeOfDay: Hashable, Sendable {
  /// The minutes since midnight, from 0 to 1439.
  var minutes: Int

  init(minutes: Int) { self.minutes = minutes }

  /// Reads `21:30`; nil for any other text.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2, parts.allSatisfy(isNumber),
      let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { return nil }
    self.minutes = Int(hours) * 60 + Int(minutes)
  }

  /// The text, such as `21:30`.
  var text: String { "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))" }
}

/// Returns whether a text contains only digits.
private func isNumber(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

extension Int {
  /// Returns the number with zeros in front, for a least number of digits.
  func padded(to digits: Int) -> String {
    let text = String(abs(self))
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
