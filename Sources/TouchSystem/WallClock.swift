import Glibc
import TouchCore

/// The clock on the wall: seconds since 1970, as files, databases and people have times.
package enum WallClock {
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the moment on the monotonic clock at a time of now and before. A moment before the boot is
  /// negative.
  package static func moment(of seconds: Double) -> Timestamp {
    MonotonicClock.now().advanced(bySeconds: seconds - now())
  }

  /// Returns the time of a moment.
  package static func seconds(of moment: Timestamp) -> Double {
    now() + moment.seconds(since: MonotonicClock.now())
  }

  /// Reads a time: seconds since 1970, or a date and a time of day as ISO 8601 has them,
  /// `2026-11-28T17:30:00`, in the time zone of the machine, or with `Z` behind it in UTC.
  ///
  /// - Returns: nil for any other text.
  package static func seconds(reading text: String) -> Double? {
    if let seconds = Double(text) { return seconds.isFinite ? seconds : nil }
    let isUTC = text.hasSuffix("Z")
    let parts = text.dropLast(isUTC ? 1 : 0).split(omittingEmptySubsequences: false) { "-T :".contains($0) }
    let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int32($0) : nil }
    guard parts.count == numbers.count, numbers.count == 5 || numbers.count == 6,
      (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
      (0...60).contains(numbers.dropFirst(5).first ?? 0)
    else { return nil }
    var broken = tm()
    (broken.tm_year, broken.tm_mon, broken.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (broken.tm_hour, broken.tm_min, broken.tm_sec) = (numbers[3], numbers[4], numbers.dropFirst(5).first ?? 0)
    broken.tm_isdst = -1
    return Double(isUTC ? timegm(&broken) : mktime(&broken))
  }
}
