import TouchSystem

/// How long to wait before each attempt to connect: 0.5 s, and then twice the time before, up to a limit.
///
/// The next attempt is soon again after a connection that lived for ten seconds. One that was accepted is no success yet: of two
/// clients with one id a broker accepts each, and disconnects the other one.
struct Backoff {
  /// In milliseconds.
  private let longest: Int
  private var step = Backoff.shortest
  /// In nanoseconds; nil while there is no connection.
  private var connectedAt: Int64?
  /// How many connections in a row were lost within ten seconds.
  private(set) var shortLives = 0

  /// In milliseconds.
  private static let shortest = 500
  /// How long a connection that is a success lives, in nanoseconds.
  private static let life: Int64 = 10_000_000_000

  /// - Parameter longest: in milliseconds, between two attempts.
  init(longest: Int) {
    self.longest = longest
  }

  /// - Parameter time: of any clock that does not go back, in nanoseconds; so everywhere.
  mutating func connected(at time: Int64) {
    connectedAt = time
  }

  /// The connection is lost, or there is none.
  ///
  /// - Returns: how long to wait, in milliseconds.
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

/// Watches the socket of a connection in the loop; and when the connection is gone, the time until the next attempt.
///
/// Each time is shortened by up to a quarter by chance, so that the boards of a house do not all come back at once.
final class ConnectionWatch {
  private let loop: EventLoop
  private var backoff: Backoff
  private var timer: Int?
  private var watched: (source: EventLoop.Source, descriptor: Int32, readiness: EventLoop.Readiness)?
  /// When the first attempt failed, or the connection was lost, in nanoseconds.
  private(set) var lostAt: Int64?

  /// - Parameter longest: in milliseconds, between two attempts.
  init(loop: EventLoop, longest: Int) {
    self.loop = loop
    backoff = Backoff(longest: longest)
  }

  /// How many connections in a row were lost within ten seconds.
  var shortLives: Int { backoff.shortLives }

  /// Calls `body` when the descriptor is ready, from now on.
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

  /// The descriptor is closed, or is about to be.
  func unwatch() {
    if let watched { loop.unwatch(watched.source) }
    watched = nil
  }

  /// Calls `body` after a while.
  ///
  /// - Returns: after how many milliseconds.
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

  /// Calls `body` after a time, in place of what waits.
  func after(_ milliseconds: Int, repeats: Bool = false, _ body: @escaping () -> Void) {
    cancel()
    timer = loop.addTimer(milliseconds: milliseconds, repeats: repeats, body)
  }

  func cancel() {
    if let timer { loop.cancelTimer(timer) }
    timer = nil
  }

  /// There is a connection. If it lives for ten seconds, the first attempt after it is soon again.
  ///
  /// - Returns: for how many seconds there was none; nil if it is the first attempt that succeeded.
  func succeeded() -> Double? {
    let now = MonotonicClock.nanoseconds()
    backoff.connected(at: now)
    defer { lostAt = nil }
    return lostAt.map { Double((now - $0) / 1_000_000) / 1000 }
  }
}
