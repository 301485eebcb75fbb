import CLinux.Loop
import Glibc

/// An alarm on the wall clock, readable at a time, and when the clock is set or resumes. (timerfd_create(2))
package final class WallClockAlarm {
  private let timerfd: OwnedDescriptor
  /// The time in seconds since 1970; nil while it waits for nothing.
  private var armed: Int64?

  /// - Throws: `SystemError` when the kernel gives no timer.
  package init() throws(SystemError) {
    timerfd = OwnedDescriptor(
      try checked("timerfd_create") { timerfd_create(CLOCK_REALTIME, touchtree_tfd_flags) })
  }

  package var descriptor: Int32 { timerfd.rawValue }

  /// Waits for a time, in place of the previous one.
  /// - Parameter time: in seconds since 1970; nil for none, when it does not matter either that the clock is
  ///   set.
  /// - Returns: false if the clock was set since it was last read: everything computed from that is outdated.
  package func wait(for time: Int64?) -> Bool {
    guard time != armed else { return true }
    armed = time
    var end = itimerspec()
    guard let time else {
      // All zero disarms.
      _ = timerfd_settime(timerfd.rawValue, 0, &end, nil)
      return true
    }
    end.it_value.tv_sec = Int(time)
    // It is armed in either case: ECANCELED means that the clock was set meanwhile.
    return timerfd_settime(timerfd.rawValue, touchtree_tfd_wall_clock, &end, nil) == 0 || errno != ECANCELED
  }

  /// Takes the event that made it readable. It waits for nothing then.
  package func take() {
    var expirations: UInt64 = 0
    _ = read(timerfd.rawValue, &expirations, MemoryLayout<UInt64>.size)
    armed = nil
  }
}
