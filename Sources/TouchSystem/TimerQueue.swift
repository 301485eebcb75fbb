import CLinux.Loop
import Glibc
import SystemPackage
import TouchCore

/// Timers on one timerfd, which is armed only while a timer waits.
package final class TimerQueue {
  private struct Timer {
    var id: Int
    var due: Int64
    /// Nanoseconds between calls; nil for once.
    var period: Int64?
    var body: () -> Void
    /// The last firing in which it was called.
    var firing = 0
  }

  private let timerfd: OwnedDescriptor
  private var timers: [Timer] = []
  private var nextID = 1
  private var firing = 0

  /// A hundred years, in milliseconds: the sum of now and a wait without an end still fits.
  private static let longest = 100 * 366 * 86_400_000

  package init() throws(SystemError) {
    timerfd = OwnedDescriptor(
      try checked("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, touchtree_tfd_flags) })
  }

  package var descriptor: Int32 { timerfd.rawValue }

  package func add(milliseconds: Int, repeats: Bool, _ body: @escaping () -> Void) -> Int {
    let wait = Int64(min(max(1, milliseconds), Self.longest)) * 1_000_000
    return add(due: MonotonicClock.nanoseconds() + wait, period: repeats ? wait : nil, body)
  }

  package func add(at time: Timestamp, _ body: @escaping () -> Void) -> Int {
    add(due: min(max(0, time.microseconds), Int64(Self.longest) * 1000) * 1000, period: nil, body)
  }

  private func add(due: Int64, period: Int64?, _ body: @escaping () -> Void) -> Int {
    let id = nextID
    nextID += 1
    timers.append(Timer(id: id, due: due, period: period, body: body, firing: firing))
    arm()
    return id
  }

  package func cancel(_ id: Int) {
    timers.removeAll { $0.id == id }
    arm()
  }

  /// Calls what is due, and no timer twice.
  package func fire() {
    var expirations: UInt64 = 0
    _ = read(timerfd.rawValue, &expirations, MemoryLayout<UInt64>.size)
    let now = MonotonicClock.nanoseconds()
    firing += 1
    // What is called may add timers and cancel others, so the search starts again after each.
    while let index = timers.firstIndex(where: { $0.due <= now && $0.firing != firing }) {
      let body = timers[index].body
      timers[index].firing = firing
      if let period = timers[index].period {
        timers[index].due = max(timers[index].due + period, now)
      } else {
        timers.remove(at: index)
      }
      body()
    }
    arm()
  }

  private func arm() {
    var time = itimerspec()
    var due = Int64.max
    for timer in timers { due = min(due, timer.due) }
    if !timers.isEmpty {
      time.it_value.tv_sec = Int(due / 1_000_000_000)
      time.it_value.tv_nsec = max(1, Int(due % 1_000_000_000))
    }
    // TFD_TIMER_ABSTIME is 1; all zero disarms.
    _ = timerfd_settime(timerfd.rawValue, 1, &time, nil)
  }
}

/// The kernel's monotonic clock, on which input events are stamped.
package enum MonotonicClock {
  package static func now() -> Timestamp { Timestamp(microseconds: nanoseconds() / 1000) }

  package static func nanoseconds() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
