import Testing
import TouchInspection

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchSystem

@Suite struct PlaybackTests {
  private func frames(_ milliseconds: [Int64]) -> [InputFrame] {
    milliseconds.map { InputFrame(time: Timestamp(microseconds: $0 * 1000)) }
  }

  @Test func `frames of several devices come in the order of their times`() {
    var order = PlayOrder([frames([5, 7, 7]), [], frames([3, 7, 20])])
    var taken: [(Int, Int64)] = []
    while let time = order.nextTime, let next = order.next() {
      #expect(next.frame.time == time && order.now == time)
      taken.append((next.device, time.microseconds / 1000))
    }
    #expect(taken.map(\.0) == [2, 0, 0, 0, 2, 2])
    #expect(taken.map(\.1) == [3, 5, 7, 7, 7, 20])
    #expect(order.next() == nil && order.now.microseconds == 20_000)
  }

  @Test func `nothing to play is at its end`() {
    var order = PlayOrder([[], []])
    #expect(order.nextTime == nil && order.next() == nil)
  }

  @Test(
    arguments: [(nil, 5, 0), (5, 7, 2), (7, 7, 0), (9, 7, 0), (0, 200_000_000, 10_000)]
      as [(Int64?, Int64, Int64)])
  func `a gap of days is played as ten seconds`(_ last: Int64?, _ next: Int64, _ wait: Int64) {
    let last = last.map { Timestamp(microseconds: $0 * 1000) }
    #expect(Playback.wait(from: last, to: Timestamp(microseconds: next * 1000)) == wait * 1000)
  }

  @Test(
    arguments: [
      (Int64.min, .max, 10_000_000), (-1, .max, 10_000_000), (.max, .min, 0), (.max, .max, 0),
    ] as [(Int64, Int64, Int64)])
  func `a gap beyond all bounds is played as one`(_ last: Int64, _ next: Int64, _ wait: Int64) {
    #expect(
      Playback.wait(from: Timestamp(microseconds: last), to: Timestamp(microseconds: next)) == wait)
  }

  @Test(arguments: [true, false])
  func `everything is played in order, and then the end is reported`(_ isPaced: Bool) throws {
    let loop = try EventLoop()
    var times = [0, 0, 3, 9].map { Timestamp(microseconds: $0 * 1000) }
    var turns = 0
    var played: [Int] = []
    let start = MonotonicClock.now()
    let playback = Playback(
      in: loop, isPaced: isPaced, nextTime: { times.first },
      playNext: {
        times.removeFirst()
        played.append(turns)
      }, onEnd: loop.stop)
    playback.start()
    try loop.run(endingTurns: { turns += 1 })
    // No two of them share a turn.
    #expect(played.count == 4 && Set(played).count == 4)
    if isPaced { #expect(MonotonicClock.now().microseconds - start.microseconds >= 9000) }
  }
}
