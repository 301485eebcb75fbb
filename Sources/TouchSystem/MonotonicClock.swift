import Glibc
import TouchCore

/// The kernel's monotonic clock, on which input events are stamped.
package enum MonotonicClock {
  package static func now() -> Timestamp { Timestamp(microseconds: nanoseconds() / 1000) }

  package static func nanoseconds() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A clock that stands, from the monotonic clock's time, until it is moved, or released to run like that.
package final class ManualClock {
  private var held: Int64?
  private var lead: Int64 = 0

  package init() { held = MonotonicClock.nanoseconds() }

  package var isHeld: Bool { held != nil }

  package var nanoseconds: Int64 { held ?? MonotonicClock.nanoseconds() + lead }

  /// - Parameter time: in nanoseconds; a past one changes nothing.
  func advance(to time: Int64) { if let held { self.held = max(held, time) } }

  func release() {
    guard let held else { return }
    lead = held - MonotonicClock.nanoseconds()
    self.held = nil
  }

  /// Returns the monotonic clock's time at a time of this clock, once it runs.
  func monotonic(_ time: Int64) -> Int64 { max(1, time - lead) }
}
