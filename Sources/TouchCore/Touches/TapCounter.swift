/// Counts taps that follow each other closely. (`UITouch.tapCount`.)
struct TapCounter {
  private var last: (count: Int, end: Timestamp, location: WindowPoint)?
  private var began: [(touch: Int, time: Timestamp, location: WindowPoint)] = []

  /// Returns a new touch's tap count: one more than the last tap's, if near in space and time.
  mutating func count(for touch: Touch, settings: Dispatcher.TapSettings) -> Int {
    began.append((touch.id, touch.timestamp, touch.location))
    guard let last, touch.timestamp.seconds(since: last.end) <= settings.interval,
      touch.location.distance(to: last.location) <= settings.distance
    else { return 1 }
    return last.count + 1
  }

  /// Counts a touch that ended. One that was held or dragged is not a tap, and resets the count.
  mutating func note(_ touch: Touch, settings: Dispatcher.TapSettings) {
    guard let index = began.firstIndex(where: { $0.touch == touch.id }) else { return }
    let start = began.remove(at: index)
    let isTap =
      touch.timestamp.seconds(since: start.time) <= settings.interval
      && touch.location.distance(to: start.location) <= settings.distance
    last = isTap ? (touch.tapCount, touch.timestamp, start.location) : nil
  }

  mutating func forget(_ touch: Touch) { began.removeAll { $0.touch == touch.id } }
}

extension Dispatcher {
  /// The limits of a repeated tap.
  public struct TapSettings: Hashable, Sendable {
    /// The longest tap, and the longest wait between two, in seconds.
    public var interval = 0.35
    /// The longest distance between two taps, in window units.
    public var distance = 45.0

    /// Makes the default limits. Apple publishes no figures.
    public init() {}
  }
}
