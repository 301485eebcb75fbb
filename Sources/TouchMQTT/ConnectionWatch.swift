import TouchSystem

/// Watches the socket of a connection in the loop; and when the connection is gone, the time until the next attempt.
///
/// Attempts are made after 0.5 s, and then after twice the time of the one before, up to a limit. Each time is shortened by up to a
/// quarter by chance, so that the boards of a house do not all come back at once.
final class ConnectionWatch {
  private let loop: EventLoop
  /// In milliseconds.
  private let longest: Int
  private var step = ConnectionWatch.shortest
  private var timer: Int?
  private var watched: (source: EventLoop.Source, descriptor: Int32, readiness: EventLoop.Readiness)?
  /// When the first attempt failed, or the connection was lost, in nanoseconds.
  private(set) var lostAt: Int64?

  /// In milliseconds.
  private static let shortest = 500

  /// - Parameter longest: in milliseconds, between two attempts.
  init(loop: EventLoop, longest: Int) {
    self.loop = loop
    self.longest = longest
  }

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
    if lostAt == nil { lostAt = MonotonicClock.nanoseconds() }
    let wait = step - Int.random(in: 0...step / 4)
    step = min(step * 2, longest)
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

  /// The connection is good. The next time that it breaks, the first attempt is soon again.
  ///
  /// - Returns: for how many seconds there was none; nil if it is the first attempt that succeeded.
  func succeeded() -> Double? {
    step = Self.shortest
    defer { lostAt = nil }
    return lostAt.map { Double((MonotonicClock.nanoseconds() - $0) / 1_000_000) / 1000 }
  }
}
