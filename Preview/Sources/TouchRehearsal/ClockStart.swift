import Glibc

/// The time at which the wall clock of a rehearsal begins.
package enum ClockStart {
  /// The start of a rehearsal that names none.
  static let standard = seconds("2026-01-01 12:00") ?? 0

  /// Returns the seconds since 1970 of a date and a time in the process's time zone: `2026-03-01 09:00`, with
  /// seconds or without; nil for any other text.
  static func seconds(_ text: String) -> Int? {
    let halves = text.split(whereSeparator: { $0 == " " || $0 == "T" })
    guard halves.count == 2 else { return nil }
    let date = halves[0].split(separator: "-").map { Int32($0) }
    let time = halves[1].split(separator: ":").map { Int32($0) }
    guard date.count == 3, (2...3).contains(time.count), let year = date[0], let month = date[1],
      let day = date[2], let hour = time[0], let minute = time[1], let second = time.count == 3 ? time[2] : 0,
      (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    var moment = tm()
    (moment.tm_year, moment.tm_mon, moment.tm_mday) = (year - 1900, month - 1, day)
    (moment.tm_hour, moment.tm_min, moment.tm_sec, moment.tm_isdst) = (hour, minute, second, -1)
    let seconds = mktime(&moment)
    // 31 February is another day.
    return moment.tm_mday == day && seconds != -1 ? seconds : nil
  }
}
