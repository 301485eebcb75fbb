import CLinux.Loop
import Glibc
import TouchCore

/// The one loop of the one thread, on epoll, timerfd and signalfd. Nothing wakes it while nothing happens.
///
/// A turn serves everything `.first`: touches, signals, the display. Then it serves `.later`, which others
/// cause, in turn, for at most `slice`. The rest waits for the next turn, which begins at once. So a touch
/// waits for one slice, for the one piece of work in which the slice ends, and for the picture, however much
/// others ask for. Work in several pieces, such as the lines of a client, checks `hasTime` after each. The
/// turn ends with the hooks of `TurnStage`.
package final class EventLoop {
  /// The order in which sources and timers are served.
  package enum Priority: Sendable {
    /// In every turn, before everything else.
    case first
    /// While the turn has time, one after the other.
    case later
  }

  /// The identity of a watched descriptor. A descriptor number may be used again; a source never is.
  package struct Source: Hashable, Sendable {
    fileprivate var index: Int
    fileprivate var generation: UInt32
  }

  private struct Watch {
    var generation: UInt32 = 0
    var descriptor: Int32 = -1
    var priority = Priority.first
    var body: (() -> Void)?
  }

  /// Work for a later turn. It is a structure, because an array of closures allocates for each.
  private struct RemainingWork {
    var body: () -> Void
  }

  private struct Hook {
    let stage: TurnStage
    let id: Int
    /// The hook, which keeps its place here, and removes it when it is freed.
    unowned(unsafe) let object: any TurnHook
  }

  private let epoll: OwnedDescriptor
  /// The sources that are served later. It is ready while one of them is, and the kernel keeps them in turn.
  private let laterEpoll: OwnedDescriptor
  private var isLaterReady = false
  private var watches: [Watch] = []
  /// The free slots of `watches`. They are added after a turn, so that no event of it reaches a new source.
  private var free: [Int] = []
  private var removed: [Int] = []
  private var remainingWork: [RemainingWork] = []
  /// The remaining work of earlier turns while it runs. New work that it adds goes to the other list.
  private var runningWork: [RemainingWork] = []
  private var runningWorkDone = 0
  /// Whether a source is next, and not remaining work: neither keeps the other waiting.
  private var sourceIsNext = false
  /// Whether `run()` or `advance(byNanoseconds:)` is under way.
  package private(set) var isRunning = false
  private var stopIsRequested = false
  private let timers: (first: TimerQueue, later: TimerQueue)
  /// The clock that is advanced by hand; nil if time passes by itself.
  private let manualClock: ManualClock?
  private var signals: SignalReader?
  /// The hooks in the order in which they are called. Each access is over before a hook is called.
  @exclusivity(unchecked) private var hooks: [Hook] = []
  @exclusivity(unchecked) private var nextHook = 0
  private var lastHook = 0
  private let clock: () -> Int64
  /// The time at which the turn has no more time for `.later`.
  private var sliceEnd = Int64.max

  /// The time for `.later` in a turn, in nanoseconds: a quarter of a frame of 60 Hz.
  package static let slice: Int64 = 4_000_000

  /// Begins with the clock of slices in nanoseconds, and a manual clock of timers and turns in place of the
  /// monotonic one.
  package init(
    clock: @escaping () -> Int64 = MonotonicClock.nanoseconds, manualClock: ManualClock? = nil
  ) throws(SystemError) {
    if let manualClock { self.clock = { manualClock.nanoseconds } } else { self.clock = clock }
    self.manualClock = manualClock
    epoll = OwnedDescriptor(try checked("epoll_create1") { epoll_create1(touchtree_epoll_cloexec) })
    laterEpoll = OwnedDescriptor(try checked("epoll_create1") { epoll_create1(touchtree_epoll_cloexec) })
    timers = (try TimerQueue(clock: manualClock), try TimerQueue(clock: manualClock))
    try watch(laterEpoll.rawValue) { [weak self] in self?.isLaterReady = true }
    try watch(timers.first.descriptor) { [weak self] in self?.timers.first.fire { true } }
    try watch(timers.later.descriptor, as: .later) { [weak self] in
      guard let self else { return }
      timers.later.fire { self.hasTime }
    }
  }

  /// The time that the hooks of a turn would get if it ended now.
  package var now: Timestamp { Timestamp(microseconds: clock() / 1000) }

  package var hasTime: Bool { sliceEnd == .max || clock() < sliceEnd }

  package enum Readiness: Sendable {
    /// There is something to read, or the other end closed.
    case input
    /// Something arrived, or the other end closed: the body takes it all. The kernel checks once a turn.
    case arrival
    /// There is room to write. A source with nothing to write must be unwatched.
    case output
    /// There is more room to write than before.
    case moreRoom
    /// Either of them, for a descriptor that is both, such as a socket.
    case inputAndOutput
    /// The other end closed, and nothing else.
    case hangUp

    fileprivate var events: UInt32 {
      switch self {
      case .input: touchtree_epollin
      case .arrival: touchtree_epollin | touchtree_epollet
      case .output: touchtree_epollout
      case .moreRoom: touchtree_epollout | touchtree_epollet
      case .inputAndOutput: touchtree_epollin | touchtree_epollout
      case .hangUp: 0
      }
    }
  }

  /// Calls `body` whenever the descriptor is ready.
  @discardableResult
  package func watch(
    _ descriptor: Int32, for readiness: Readiness = .input, as priority: Priority = .first,
    _ body: @escaping () -> Void
  ) throws(SystemError) -> Source {
    let index = free.popLast() ?? watches.count
    if index == watches.count { watches.append(Watch()) }
    watches[index].descriptor = descriptor
    watches[index].priority = priority
    watches[index].body = body
    let source = Source(index: index, generation: watches[index].generation)
    var event = epoll_event()
    event.events = readiness.events
    event.data.u64 = UInt64(index) << 32 | UInt64(source.generation)
    do {
      let set = self.epoll(for: priority)
      try checked("epoll_ctl") { epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) }
    } catch {
      release(index)
      throw error
    }
    return source
  }

  /// Stops watching. The descriptor must still be open.
  package func unwatch(_ source: Source) {
    guard watches[source.index].generation == source.generation, watches[source.index].body != nil
    else { return }
    let watch = watches[source.index]
    _ = epoll_ctl(epoll(for: watch.priority), EPOLL_CTL_DEL, watch.descriptor, nil)
    watches[source.index].generation &+= 1
    watches[source.index].body = nil
    removed.append(source.index)
    if !isRunning { recycle() }
  }

  /// Replaces the default action of these signals, and calls `body` with each that arrives.
  package func watchSignals(_ numbers: [Int32], _ body: @escaping (Int32) -> Void) throws(SystemError) {
    let reader = try SignalReader(numbers)
    signals = reader
    try watch(reader.descriptor) { reader.read(body) }
  }

  /// Calls `body` after at least 1 ms, once or repeatedly, until `cancelTimer(_:)`.
  package func addTimer(
    milliseconds: Int, repeats: Bool, as priority: Priority = .first, _ body: @escaping () -> Void
  ) -> Int {
    switch priority {
    case .first: timers.first.add(milliseconds: milliseconds, repeats: repeats, body) << 1
    case .later: timers.later.add(milliseconds: milliseconds, repeats: repeats, body) << 1 | 1
    }
  }

  /// Calls `body` once, at a time on the monotonic clock.
  package func addTimer(at time: Timestamp, _ body: @escaping () -> Void) -> Int {
    timers.first.add(at: time, body) << 1
  }

  /// - Parameter timer: the result of `addTimer`; one that is over already is ignored.
  package func cancelTimer(_ timer: Int) { (timer & 1 == 0 ? timers.first : timers.later).cancel(timer >> 1) }

  /// Calls `body` as `.later`, after the remaining work, without waiting; from a source that is served later,
  /// in the next turn at the earliest.
  package func again(_ body: @escaping () -> Void) { remainingWork.append(RemainingWork(body: body)) }

  /// Calls an object at the end of each turn, as long as it lives, or until it gives its place up.
  package func addHook(_ hook: any TurnHook, at stage: TurnStage) {
    lastHook += 1
    let index = hooks.firstIndex { $0.stage.rawValue > stage.rawValue } ?? hooks.count
    hooks.insert(Hook(stage: stage, id: lastHook, object: hook), at: index)
    if index < nextHook { nextHook += 1 }
    hook.turnPlace = TurnPlace(lastHook, in: self)
  }

  func removeHook(_ id: Int) {
    guard let index = hooks.firstIndex(where: { $0.id == id }) else { return }
    hooks.remove(at: index)
    if index < nextHook { nextHook -= 1 }
  }

  /// Ends a turn. `run()` does this; a direct call shows something before the loop runs, or after it.
  package func endTurn() {
    var now = Timestamp.zero
    nextHook = 0
    while nextHook < hooks.count {
      let hook = hooks[nextHook]
      nextHook += 1
      if now == .zero, hook.stage != .deliver { now = Timestamp(microseconds: clock() / 1000) }
      hook.object.turnEnds(at: now)
    }
  }

  /// Runs until `stop()`.
  package func run() throws(SystemError) {
    isRunning = true
    var events = Array(repeating: epoll_event(), count: 32)
    endTurn()
    while !stopIsRequested { try turn(&events, waits: true) }
    isRunning = false
    stopIsRequested = false
  }

  /// The descriptor, readable while there is something to do, for a loop of another library that rules.
  package var descriptor: Int32 { epoll.rawValue }

  /// Runs the turns for which there is something to do now, without waiting. It takes the place of `run()` in
  /// a loop of another library.
  package func runReady() throws(SystemError) {
    isRunning = true
    defer { isRunning = false }
    var events = Array(repeating: epoll_event(), count: 32)
    repeat { try turn(&events, waits: false) } while !(remainingWork.isEmpty && runningWork.isEmpty)
  }

  /// Runs one turn, and may wait until there is something to do.
  @inline(__always)
  private func turn(_ events: inout [epoll_event], waits: Bool) throws(SystemError) {
    let isRested = remainingWork.isEmpty && runningWork.isEmpty
    let count = try checked("epoll_wait") {
      epoll_wait(epoll.rawValue, &events, Int32(events.count), isRested && waits ? -1 : 0)
    }
    for place in 0..<Int(count) { serve(events[place]) }
    if isLaterReady || !isRested { try serveLater() }
    endTurn()
    recycle()
  }

  /// Advances the manual clock, and serves everything that is due meanwhile: each timer at its own time, each
  /// in a turn of its own. In `run()` it does nothing, because time passes there by itself.
  package func advance(byNanoseconds wait: Int64) throws(SystemError) {
    guard let manualClock, !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    var events = Array(repeating: epoll_event(), count: 32)
    let (sum, isTooLong) = manualClock.nanoseconds.addingReportingOverflow(max(0, wait))
    let end = isTooLong ? Int64.max : sum
    try turn(&events, waits: false)
    while !stopIsRequested, let due = nextDue, due <= end {
      manualClock.advance(to: due)
      timers.first.fire { true }
      timers.later.fire { true }
      try turn(&events, waits: false)
    }
    manualClock.advance(to: end)
    try turn(&events, waits: false)
  }

  private var nextDue: Int64? {
    switch (timers.first.nextDue, timers.later.nextDue) {
    case (let first?, let later?): min(first, later)
    case (let first, let later): first ?? later
    }
  }

  /// Lets time pass by itself from now on.
  package func releaseClock() {
    guard let manualClock, manualClock.isHeld else { return }
    manualClock.release()
    timers.first.clockWasReleased()
    timers.later.clockWasReleased()
  }

  /// Makes `run()` return after this turn.
  package func stop() { stopIsRequested = true }

  private func serve(_ event: epoll_event) {
    let source = event.data.u64
    let index = Int(source >> 32)
    guard watches[index].generation == UInt32(truncatingIfNeeded: source) else { return }
    watches[index].body?()
  }

  /// Serves `.later` while the turn has time; at least one piece of it.
  private func serveLater() throws(SystemError) {
    sliceEnd = clock() + Self.slice
    defer { sliceEnd = .max }
    if runningWorkDone == runningWork.count {
      runningWork.clear()
      runningWorkDone = 0
      swap(&remainingWork, &runningWork)
    }
    repeat {
      let hasWork = runningWorkDone < runningWork.count
      guard hasWork || isLaterReady else { break }
      if sourceIsNext && isLaterReady || !hasWork {
        try serveNextSource()
      } else {
        runningWorkDone += 1
        runningWork[runningWorkDone - 1].body()
      }
      sourceIsNext.toggle()
    } while !stopIsRequested && hasTime
    // The next turn finds it out again.
    isLaterReady = false
    if runningWorkDone == runningWork.count {
      runningWork.clear()
      runningWorkDone = 0
    }
  }

  /// Serves one source, which the kernel then puts behind the other ready ones.
  private func serveNextSource() throws(SystemError) {
    var event = epoll_event()
    let count = try checked("epoll_wait") { epoll_wait(laterEpoll.rawValue, &event, 1, 0) }
    if count == 1 { serve(event) } else { isLaterReady = false }
  }

  private func epoll(for priority: Priority) -> Int32 {
    switch priority {
    case .first: epoll.rawValue
    case .later: laterEpoll.rawValue
    }
  }

  private func recycle() {
    guard !removed.isEmpty else { return }
    free.append(contentsOf: removed)
    removed.removeAll(keepingCapacity: true)
  }

  private func release(_ index: Int) {
    watches[index].body = nil
    watches[index].generation &+= 1
    free.append(index)
  }
}
