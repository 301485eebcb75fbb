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
    last = time
    return takeSuppressed()
  }

  /// How many were held back since the last one; they are counted once.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}

/// Messages about what a program does wrong: each different one at once, one that comes again now and then, with a count.
package struct MistakeLog {
  /// Between two lines about the same mistake, in seconds.
  private let interval: Double
  private var limits: [String: RateLimit] = [:]
  /// For a program that makes another mistake each time: beyond the first ones they count as one.
  private var others: RateLimit

  /// How many different ones are told apart.
  static let mostKinds = 32
  /// What of a message tells it from others, in bytes: it may quote a whole line.
  private static let head = 256

  package init(interval: Double) {
    self.interval = interval
    others = RateLimit(interval: interval)
  }

  /// Whether the message may be written now: what is to be written behind it, or nil.
  package mutating func admit(_ message: String, at time: Timestamp) -> String? {
    let kind = String(decoding: message.utf8.prefix(Self.head), as: UTF8.self)
    guard limits[kind] != nil || limits.count < Self.mostKinds else {
      return others.admit(at: time).map {
        $0 == 0 ? "" : " (and \($0) other mistakes before, not logged)"
      }
    }
    return limits[kind, default: RateLimit(interval: interval)].admit(at: time).map {
      $0 == 0 ? "" : " (and \($0) times before, not logged)"
    }
  }

  /// How many were counted and not written, for a last line; they are counted once.
  mutating func takeUnlogged() -> Int {
    var count = others.takeSuppressed()
    for kind in limits.keys { count += limits[kind]?.takeSuppressed() ?? 0 }
    return count
  }
}
