import Testing

@testable import TouchMQTT

@Suite("Attempts to connect") struct BackoffTests {
  /// What happened after how many seconds, and how long the next attempt waits, in milliseconds.
  private enum Step {
    case accepted(at: Double)
    case lost(at: Double, wait: Int, shortLives: Int)
  }

  /// A broker that accepts and disconnects at once is no success.
  private static let rows: [(title: String, steps: [Step])] = [
    (
      "no broker",
      [
        .lost(at: 0, wait: 500, shortLives: 0), .lost(at: 1, wait: 1000, shortLives: 0),
        .lost(at: 3, wait: 2000, shortLives: 0), .lost(at: 6, wait: 4000, shortLives: 0),
        .lost(at: 11, wait: 5000, shortLives: 0), .lost(at: 17, wait: 5000, shortLives: 0),
      ]
    ),
    (
      "another client with the same id",
      [
        .accepted(at: 0), .lost(at: 0.3, wait: 500, shortLives: 1), .accepted(at: 0.8),
        .lost(at: 1, wait: 1000, shortLives: 2), .accepted(at: 2), .lost(at: 11.9, wait: 2000, shortLives: 3),
      ]
    ),
    (
      "ten seconds of life",
      [
        .lost(at: 0, wait: 500, shortLives: 0), .accepted(at: 1), .lost(at: 2, wait: 1000, shortLives: 1),
        .accepted(at: 3), .lost(at: 13, wait: 500, shortLives: 0), .lost(at: 14, wait: 1000, shortLives: 0),
      ]
    ),
  ]

  @Test(arguments: rows.indices)
  func `only a connection that lived makes the next attempt soon again`(row: Int) {
    var backoff = Backoff(longest: 5000)
    for step in Self.rows[row].steps {
      switch step {
      case .accepted(let time): backoff.connected(at: Int64(time * 1e9))
      case .lost(let time, let wait, let shortLives):
        let next = backoff.wait(at: Int64(time * 1e9))
        #expect(next == wait && backoff.shortLives == shortLives, "\(Self.rows[row].title), \(time) s")
      }
    }
  }
}
