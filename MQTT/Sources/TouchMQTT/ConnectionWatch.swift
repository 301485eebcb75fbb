import TouchSystem

/// The wait before each attempt to connect: 0.5 s, doubled up to a limit, and short again after ten seconds
/// of a connection: of two clients with one id, a broker accepts each in turn.
struct Backoff {
  /// The longest wait in milliseconds.
  private let longest: Int
  private var step = Backoff.shortest
  /// The time of the connection in nanoseconds; nil while there is none.
  private var connectedAt: Int64?
  /// The number of connections in a row that were lost within ten seconds.
  private(set) var shortLives = 0

  /// The shortest wait in milliseconds.
  private static let shortest = 500
  /// The life of a successful connection, in nanoseconds.
  private static let life: Int64 = 10_000_000_000

  /// - Parameter longest: the longest time between two attempts, in milliseconds.
  init(longest: Int) { self.longest = longest }

  /// - Parameter time: the time of a clock that does not go back, in nanoseconds, as everywhere here.
  mutating func connected(at time: Int64) { connectedAt = time }

  /// Records a lost or failed connection, and returns the milliseconds to wait.
  mutating func wait(at time: Int64) -> Int {
    if let connectedAt {
      let isSuccess = time - connectedAt >= Self.life
      shortLives = isSuccess ? 0 : shortLives + 1
      if isSuccess { step = Self.shortest }
    }
    connectedAt = nil
    defer { step = min(step * 2, longest) }
    return step
  }
}

/// Watches a connection's socket, or the time until the next attempt, shortened by up to a quarter at random,
/// so that a house's boards do not all come at once.
final class ConnectionWatch {
  private let loop: EventLoop
  private var backoff: Backoff
  private var timer: Int?
  private var watched: (source: EventLoop.Source, descriptor: Int32, readiness: EventLoop.Readiness)?
  /// The time of the first failed attempt, or of the connection's loss, in nanoseconds.
  private(set) var lostAt: Int64?

  /// - Parameter longest: the longest time between two attempts, in milliseconds.
  init(loop: EventLoop, longest: Int) {
    self.loop = loop
    backoff = Backoff(longest: longest)
  }

  /// The number of connections in a row that were lost within ten seconds.
  var shortLives: Int { backoff.shortLives }

  /// Calls `body` whenever the descriptor is ready, from now on.
  func watch(
    _ descriptor: Int32, for readiness: EventLoop.Readiness, _ body: @escaping () -> Void
  ) throws(SystemError) {
    if let watched {
      guard watched.descriptor != descriptor || watched.readiness != readiness else { return }
      loop.unwatch(watched.source)
      self.watched = nil
    }
    watched = (try loop.watch(descriptor, for: readiness, body), descriptor, readiness)
  }

  func unwatch() {
    if let watched { loop.unwatch(watched.source) }
    watched = nil
  }

  /// Calls `body` after a wait, which it returns in milliseconds.
  @discardableResult
  func retry(_ body: @escaping () -> Void) -> Int {
    unwatch()
    let now = MonotonicClock.nanoseconds()
    if lostAt == nil { lostAt = now }
    let step = backoff.wait(at: now)
    let wait = step - Int.random(in: 0...step / 4)
    after(wait, body)
    return wait
  }

  /// Calls `body` after a time, in place of an earlier call that waits.
  func after(_ milliseconds: Int, repeats: Bool = false, _ body: @escaping () -> Void) {
    cancel()
    timer = loop.addTimer(milliseconds: milliseconds, repeats: repeats, body)
  }

  func cancel() {
    if let timer { loop.cancelTimer(timer) }
    timer = nil
  }

  /// Records a connection, and returns the seconds without one; nil if the first attempt succeeded.
  func succeeded() -> Double? {
    let now = MonotonicClock.nanoseconds()
    backoff.connected(at: now)
    defer { lostAt = nil }
    return lostAt.map { Double((now - $0) / 1_000_000) / 1000 }
  }
}
