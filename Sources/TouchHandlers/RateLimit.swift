import TouchCore

/// Keeps a message that could come with every touch from filling the log.
struct RateLimit {
  let interval: Double
  private var last: Timestamp?
  private var suppressed = 0

  init(interval: Double) { self.interval = interval }

  /// Admits a message, with the number held back since the last one; nil if it is held back too.
  mutating func admit(at time: Timestamp) -> Int? {
    if let last, time >= last, time.seconds(since: last) < interval {
      suppressed += 1
      return nil
    }
    last = time
    return takeSuppressed()
  }

  /// Returns the number of messages held back since the last one, and begins again with 0.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}

/// Messages about a program's mistakes. Each is written at once, and repeated at intervals with a count.
package struct MistakeLog {
  /// The time between two lines about the same mistake, in seconds.
  private let interval: Double
  private var limits: [String: RateLimit] = [:]
  private var others: RateLimit

  static let mostKinds = 32
  /// The part of a message that tells it from others, in bytes. A message may quote a whole line.
  private static let head = 256

  package init(interval: Double) {
    self.interval = interval
    others = RateLimit(interval: interval)
  }

  /// Admits a message. Returns the text to add to it, or nil if it is held back.
  package mutating func admit(_ message: String, at time: Timestamp) -> String? {
    let kind = String(decoding: message.utf8.prefix(Self.head), as: UTF8.self)
    guard limits[kind] != nil || limits.count < Self.mostKinds else {
      return others.admit(at: time).map { $0 == 0 ? "" : " (and \($0) other mistakes before, not logged)" }
    }
    return limits[kind, default: RateLimit(interval: interval)].admit(at: time).map {
      $0 == 0 ? "" : " (and \($0) times before, not logged)"
    }
  }

  /// Returns the number of unwritten messages for a last line, and begins again with 0.
  mutating func takeUnlogged() -> Int {
    var count = others.takeSuppressed()
    for kind in limits.keys { count += limits[kind]?.takeSuppressed() ?? 0 }
    return count
  }
}
