import Glibc
import Testing

@testable import TouchCore
@testable import TouchSystem

@Suite struct EventLoopTests {
  /// Both ends of a pipe, closed with the test.
  private final class Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      _ = pipe(&ends)
      (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
      close(readEnd)
      close(writeEnd)
    }

    func fill() {
      var byte: UInt8 = 1
      _ = write(writeEnd, &byte, 1)
    }

    func drain() {
      var byte: UInt8 = 0
      _ = read(readEnd, &byte, 1)
    }
  }

  @Test func `a readable descriptor calls its body and then the turn ends`() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var diary: [String] = []
    try loop.watch(pipe.readEnd) {
      pipe.drain()
      diary.append("read")
      loop.stop()
    }
    loop.onTurnEnd = { diary.append("end") }
    pipe.fill()
    try loop.run()
    #expect(diary == ["end", "read", "end"])
  }

  @Test func `an arrival calls its body once, and again when more comes, whatever the body takes`() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var (calls, ticks) = (0, 0)
    try loop.watch(pipe.readEnd, for: .arrival) { calls += 1 }
    _ = loop.addTimer(milliseconds: 1, repeats: true) {
      ticks += 1
      if ticks == 3 { pipe.fill() }
      if ticks == 6 { loop.stop() }
    }
    pipe.fill()
    try loop.run()
    #expect(calls == 2)
  }

  @Test func `a source that is unwatched in a turn is not called in it`() throws {
    let loop = try EventLoop()
    let pipes = [Pipe(), Pipe()]
    var sources: [EventLoop.Source] = []
    var calls = 0
    for index in pipes.indices {
      sources.append(
        try loop.watch(pipes[index].readEnd) {
          calls += 1
          loop.unwatch(sources[1 - index])
          pipes[index].drain()
          loop.stop()
        })
    }
    for pipe in pipes { pipe.fill() }
    try loop.run()
    #expect(calls == 1)
  }

  @Test func `a descriptor that is used again is a new source`() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var calls: [String] = []
    let old = try loop.watch(pipe.readEnd) { calls.append("old") }
    loop.unwatch(old)
    try loop.watch(pipe.readEnd) {
      calls.append("new")
      pipe.drain()
      loop.stop()
    }
    loop.unwatch(old)
    pipe.fill()
    try loop.run()
    #expect(calls == ["new"])
  }

  @Test func `work that is left over runs in the next turn without waiting`() throws {
    let loop = try EventLoop()
    var count = 0
    func work() {
      count += 1
      if count < 5 { loop.again(work) } else { loop.stop() }
    }
    loop.again(work)
    try loop.run()
    #expect(count == 5)
  }

  @Test func `a stop before the loop runs is not lost`() throws {
    let loop = try EventLoop()
    var turns = 0
    // Ends the loop if the stop was lost.
    loop.again {
      turns += 1
      loop.stop()
    }
    loop.stop()
    try loop.run()
    #expect(turns == 0)
    // It counts once.
    try loop.run()
    #expect(turns == 1)
  }

  @Test func `timers come in the order in which they are due`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    _ = loop.addTimer(milliseconds: 20, repeats: false) {
      calls.append("late")
      loop.stop()
    }
    _ = loop.addTimer(milliseconds: 1, repeats: false) { calls.append("early") }
    try loop.run()
    #expect(calls == ["early", "late"])
  }

  @Test func `a timer without an end waits, and the others come`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    _ = loop.addTimer(milliseconds: .max, repeats: true) { calls.append("never") }
    _ = loop.addTimer(at: Timestamp(microseconds: .max)) { calls.append("never") }
    _ = loop.addTimer(milliseconds: 2, repeats: false, loop.stop)
    _ = loop.addTimer(at: Timestamp(microseconds: .min)) { calls.append("long ago") }
    try loop.run()
    #expect(calls == ["long ago"])
  }

  @Test func `a timer may cancel itself and another that is due too`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    var ids: [Int] = []
    ids.append(
      loop.addTimer(milliseconds: 1, repeats: true) {
        calls.append("first")
        for id in ids { loop.cancelTimer(id) }
      })
    ids.append(loop.addTimer(milliseconds: 1, repeats: true) { calls.append("second") })
    _ = loop.addTimer(milliseconds: 30, repeats: false) { loop.stop() }
    // Both are due when the loop first looks.
    usleep(3000)
    try loop.run()
    #expect(calls == ["first"])
  }

  @Test func `a signal is read between turns`() throws {
    let loop = try EventLoop()
    var seen: Int32 = 0
    try loop.watchSignals([SIGUSR1]) {
      seen = $0
      loop.stop()
    }
    pthread_kill(pthread_self(), SIGUSR1)
    try loop.run()
    #expect(seen == SIGUSR1)
  }
}
