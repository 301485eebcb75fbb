import CLinux.Loop
import Glibc
import TouchCore

/// Timers on one timerfd, which is armed only while a timer waits.
package final class TimerQueue {
  private struct Timer {
    var due: Int64
    /// The order among timers that are due at the same time.
    var order = 0
    /// The nanoseconds between calls; nil for a single call.
    var period: Int64?
    /// The function; nil while the slot is free.
    var body: (() -> Void)?
    /// A part of the id: a slot may be used again, an id never is.
    var generation = 0
    var place = 0
  }

  private let timerfd: OwnedDescriptor
  private var timers: [Timer] = []
  private var free: [Int] = []
  /// The slots of timers: none comes before the one at half its index. (A binary heap.)
  private var heap: [Int] = []
  private var lastOrder = 0
  /// The time for which the timerfd is armed; nil while it is not.
  private var armed: Int64?
  /// The time of the latest firing. A timer that is added during it is due after it.
  private var firing = Int64.min
  private var isFiring = false

  /// A hundred years, in milliseconds: the sum of now and an endless wait still fits.
  private static let longest = 100 * 366 * 86_400_000

  private let clock: ManualClock?

  /// - Parameter clock: the clock of the timers; nil for the monotonic clock.
  package init(clock: ManualClock? = nil) throws(SystemError) {
    self.clock = clock
    timerfd = OwnedDescriptor(
      try checked("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, touchtree_tfd_flags) })
  }

  package var descriptor: Int32 { timerfd.rawValue }

  private var now: Int64 { clock?.nanoseconds ?? MonotonicClock.nanoseconds() }

  package var nextDue: Int64? { heap.first.map { timers[$0].due } }

  /// Arms the timerfd, since time passes by itself from now on.
  package func clockWasReleased() {
    armed = nil
    arm()
  }

  package func add(milliseconds: Int, repeats: Bool, _ body: @escaping () -> Void) -> Int {
    let wait = Int64(min(max(1, milliseconds), Self.longest)) * 1_000_000
    return add(due: now + wait, period: repeats ? wait : nil, body)
  }

  package func add(at time: Timestamp, _ body: @escaping () -> Void) -> Int {
    add(due: min(max(0, time.microseconds), Int64(Self.longest) * 1000) * 1000, period: nil, body)
  }

  private func add(due: Int64, period: Int64?, _ body: @escaping () -> Void) -> Int {
    let slot = free.popLast() ?? timers.count
    if slot == timers.count { timers.append(Timer(due: 0)) }
    // A timer that adds itself for a past time lets the others go on.
    timers[slot].due = isFiring ? max(due, firing + 1) : due
    timers[slot].order = nextOrder()
    timers[slot].period = period
    timers[slot].body = body
    heap.append(slot)
    rise(from: heap.count - 1)
    arm()
    return timers[slot].generation << 32 | slot
  }

  package func cancel(_ id: Int) {
    let slot = id & 0xffff_ffff
    guard timers.indices.contains(slot), timers[slot].generation == id >> 32, timers[slot].body != nil else {
      return
    }
    remove(slot)
    arm()
  }

  /// Calls the due timers, each once, the earliest first: at least one, and others while `goesOn` is true.
  package func fire(while goesOn: () -> Bool) {
    var expirations: UInt64 = 0
    _ = read(timerfd.rawValue, &expirations, MemoryLayout<UInt64>.size)
    firing = now
    isFiring = true
    armed = nil
    while let slot = heap.first, timers[slot].due <= firing, let body = timers[slot].body {
      if let period = timers[slot].period {
        timers[slot].due = max(timers[slot].due + period, firing + 1)
        timers[slot].order = nextOrder()
        sink(from: 0)
      } else {
        remove(slot)
      }
      body()
      guard goesOn() else { break }
    }
    isFiring = false
    arm()
  }

  private func arm() {
    guard !isFiring else { return }
    // While the clock is held, its owner asks for the next timer.
    if let clock, clock.isHeld { return }
    let next = nextDue
    guard next != armed else { return }
    armed = next
    var time = itimerspec()
    if let due = next.map({ clock?.monotonic($0) ?? $0 }) {
      time.it_value.tv_sec = Int(due / 1_000_000_000)
      time.it_value.tv_nsec = max(1, Int(due % 1_000_000_000))
    }
    // TFD_TIMER_ABSTIME is 1; all zero disarms.
    _ = timerfd_settime(timerfd.rawValue, 1, &time, nil)
  }

  // MARK: The heap

  private func nextOrder() -> Int {
    lastOrder += 1
    return lastOrder
  }

  private func comes(_ slot: Int, before other: Int) -> Bool {
    (timers[slot].due, timers[slot].order) < (timers[other].due, timers[other].order)
  }

  private func remove(_ slot: Int) {
    let place = timers[slot].place
    timers[slot].body = nil
    timers[slot].generation += 1
    free.append(slot)
    let last = heap.removeLast()
    guard last != slot else { return }
    put(last, at: place)
    rise(from: place)
    sink(from: timers[last].place)
  }

  private func put(_ slot: Int, at place: Int) {
    heap[place] = slot
    timers[slot].place = place
  }

  private func rise(from start: Int) {
    let slot = heap[start]
    var place = start
    while place > 0, comes(slot, before: heap[(place - 1) / 2]) {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(slot, at: place)
  }

  private func sink(from start: Int) {
    let slot = heap[start]
    var place = start
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, comes(heap[child + 1], before: heap[child]) { child += 1 }
      guard comes(heap[child], before: slot) else { break }
      put(heap[child], at: place)
      place = child
    }
    put(slot, at: place)
  }
}
