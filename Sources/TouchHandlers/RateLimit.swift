import TouchCore

/// Keeps a message that could come with every touch from filling the log.
struct RateLimit {
  /// How often the message may be written, in seconds.
  let interval: Double
  private var last: Timestamp?
  private var suppressed = 0

  init(interval: Double) {
    self.interval = interval
  }

  /// Whether the message may be written now: how many were held back since the last one, or nil when this
  /// one is, too.
  mutating func admit(at time: Timestamp) -> Int? {
    if let last, time >= last, time.seconds(since: last) < interval {
      suppressed += 1
      return nil
    }
    defer { suppressed = 0 }
    last = time
    return suppressed
  }
}
