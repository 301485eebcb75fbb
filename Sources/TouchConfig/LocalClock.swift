import Glibc
import TouchExpressions

extension LocalTime {
  /// The date and time of the wall clock, in the time zone of the process. (localtime_r(3),
  /// clock_gettime(2).)
  package static func now() -> LocalTime {
    var moment = timespec()
    clock_gettime(CLOCK_REALTIME, &moment)
    return at(seconds: moment.tv_sec, nanoseconds: moment.tv_nsec)
  }

  /// Returns a moment in the time zone of the process.
  ///
  /// - Parameter seconds: the seconds since 1970 began in Greenwich.
  package static func at(seconds: Int, nanoseconds: Int = 0) -> LocalTime {
    var (moment, broken) = (seconds, tm())
    localtime_r(&moment, &broken)
    return LocalTime(
      year: Int(broken.tm_year) + 1900, month: Int(broken.tm_mon) + 1, day: Int(broken.tm_mday),
      hour: Int(broken.tm_hour), minute: Int(broken.tm_min), second: Int(broken.tm_sec),
      weekday: Int(broken.tm_wday), dayOfYear: Int(broken.tm_yday) + 1, seconds: Int64(seconds),
      fraction: Double(nanoseconds) / 1e9, offset: broken.tm_gmtoff,
      zone: broken.tm_zone.map { String(cString: $0) } ?? "")
  }

  /// Reads the time zone of the machine again, where it has changed: `localtime_r` does not look. (tzset(3).)
  package static func readTimeZone() { tzset() }
}
