import Testing
import TouchSystem

@testable import TouchMQTT

/// The time between two attempts to reach a broker.
@Suite struct ConnectionWatchTests {
  @Test func `attempts come ever later, up to the longest wait, and a quarter of it is chance`() throws {
    let watch = ConnectionWatch(loop: try EventLoop(), longest: 30_000)
    for most in [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000] {
      let wait = watch.retry {}
      #expect(wait <= most && wait >= most - most / 4, "\(wait) of \(most)")
    }
    watch.cancel()
  }
}
