import CLinux.Loop
import Glibc
import SystemPackage
import TouchCore

/// The one loop of the one thread: epoll, one timerfd, one signalfd. Nothing wakes it while nothing happens.
package final class EventLoop {
  /// What a watched descriptor is known by. A descriptor number may be used again; a source never is.
  package struct Source: Hashable, Sendable {
    fileprivate var index: Int
    fileprivate var generation: UInt32
  }

  /// Runs after everything that was ready in a turn has been dealt with.
  package var onTurnEnd: () -> Void = {}

  private struct Watch {
    var generation: UInt32 = 0
    var descriptor: Int32 = -1
    var body: (() -> Void)?
  }

  /// In a structure, because an array of closures allocates for each that is put in or called.
  private struct LeftOver {
    var body: () -> Void
  }

  private let epoll: OwnedDescriptor
  private var watches: [Watch] = []
  /// Slots of `watches` that are free again; filled after a turn, so that no event of it meets a new source.
  private var free: [Int] = []
  private var removed: [Int] = []
  private var leftOver: [LeftOver] = []
  /// What was left over is moved here while it runs, so that it can leave something over itself.
  private var runningLeftOver: [LeftOver] = []
  private var isRunning = false
  private var stopIsRequested = false
  private var timers: TimerQueue
  private var signals: SignalReader?

  /// - Throws: `SystemError` when the kernel gives no epoll descriptor.
  package init() throws(SystemError) {
    epoll = OwnedDescriptor(try checked("epoll_create1") { epoll_create1(touchtree_epoll_cloexec) })
    timers = try TimerQueue()
    try watch(timers.descriptor) { [unowned self] in timers.fire() }
  }

  /// What a descriptor is watched for.
  package enum Readiness: Sendable {
    /// There is something to read, or the other end went away.
    case input
    /// Something new came, or the other end went away: the body takes all that there is. The kernel looks at the descriptor
    /// once a turn, not twice.
    case arrival
    /// There is room to write. A source that has nothing to write is to be unwatched, or the loop never rests.
    case output
    /// Either of them, for a descriptor that is both, such as a socket.
    case inputAndOutput
    /// The other end went away, and nothing else.
    case hangUp

    fileprivate var events: UInt32 {
      switch self {
      case .input: touchtree_epollin
      case .arrival: touchtree_epollin | touchtree_epollet
      case .output: touchtree_epollout
      case .inputAndOutput: touchtree_epollin | touchtree_epollout
      case .hangUp: 0
      }
    }
  }

  /// Calls `body` whenever the descriptor is ready.
  @discardableResult
  package func watch(
    _ descriptor: Int32, for readiness: Readiness = .input, _ body: @escaping () -> Void
  ) throws(SystemError) -> Source {
    let index = free.popLast() ?? watches.count
    if index == watches.count { watches.append(Watch()) }
    watches[index].descriptor = descriptor
    watches[index].body = body
    let source = Source(index: index, generation: watches[index].generation)
    var event = epoll_event()
    event.events = readiness.events
    event.data.u64 = UInt64(index) << 32 | UInt64(source.generation)
    do {
      try checked("epoll_ctl") { epoll_ctl(epoll.rawValue, EPOLL_CTL_ADD, descriptor, &event) }
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
    _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, watches[source.index].descriptor, nil)
    watches[source.index].generation &+= 1
    watches[source.index].body = nil
    removed.append(source.index)
    if !isRunning { recycle() }
  }

  /// Takes these signals away from their default action and calls `body` with each that arrives.
  package func watchSignals(_ numbers: [Int32], _ body: @escaping (Int32) -> Void) throws(SystemError) {
    let reader = try SignalReader(numbers)
    signals = reader
    try watch(reader.descriptor) { reader.read(body) }
  }

  /// Calls `body` after a time, once or again and again. The answer cancels it.
  ///
  /// - Parameter milliseconds: at least 1.
  package func addTimer(milliseconds: Int, repeats: Bool, _ body: @escaping () -> Void) -> Int {
    timers.add(milliseconds: milliseconds, repeats: repeats, body)
  }

  /// Calls `body` once, at a time on the monotonic clock.
  package func addTimer(at time: Timestamp, _ body: @escaping () -> Void) -> Int {
    timers.add(at: time, body)
  }

  /// - Parameter timer: what `addTimer` answered; one that is over already is ignored.
  package func cancelTimer(_ timer: Int) {
    timers.cancel(timer)
  }

  /// Calls `body` at the start of the next turn, which then does not wait. For work that is left over and that no
  /// descriptor shows.
  package func again(_ body: @escaping () -> Void) {
    leftOver.append(LeftOver(body: body))
  }

  /// Runs until `stop()`.
  package func run() throws(SystemError) {
    isRunning = true
    var events = Array(repeating: epoll_event(), count: 32)
    onTurnEnd()
    while !stopIsRequested {
      let count = try checked("epoll_wait") {
        epoll_wait(epoll.rawValue, &events, Int32(events.count), leftOver.isEmpty ? -1 : 0)
      }
      runLeftOver()
      for place in 0..<Int(count) {
        let source = events[place].data.u64
        let index = Int(source >> 32)
        guard watches[index].generation == UInt32(truncatingIfNeeded: source) else { continue }
        watches[index].body?()
      }
      onTurnEnd()
      recycle()
    }
    isRunning = false
    stopIsRequested = false
  }

  /// Lets `run()` return after this turn.
  package func stop() {
    stopIsRequested = true
  }

  private func runLeftOver() {
    guard !leftOver.isEmpty else { return }
    swap(&leftOver, &runningLeftOver)
    for index in runningLeftOver.indices { runningLeftOver[index].body() }
    runningLeftOver.clear()
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
