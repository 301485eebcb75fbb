import DispatchFuzzing
import Glibc
import Testing

@testable import TouchCore
@testable import TouchSystem

@Suite struct EventLoopTests {
  @Test func `a readable descriptor calls its body and then the turn ends`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var diary: [String] = []
    try loop.watch(pipe.readEnd) {
      pipe.drain()
      diary.append("read")
      loop.stop()
    }
    pipe.fill()
    try loop.run(endingTurns: { diary.append("end") })
    #expect(diary == ["end", "read", "end"])
  }

  @Test func `a turn ends with its stages in their order, and a stage with its hooks as they were added`()
    throws
  {
    let loop = try EventLoop()
    var diary: [String] = []
    let stages: [TurnStage] = [.record, .paint, .send, .deliver, .share, .paint, .rest, .count, .advance]
    let hooks = stages.enumerated().map { index, stage in
      TurnEnd(of: loop, at: stage) { _ in diary.append("\(stage) \(index)") }
    }
    loop.endTurn()
    withExtendedLifetime(hooks) {}
    #expect(
      diary == [
        "deliver 3", "advance 8", "rest 6", "paint 1", "paint 5", "count 7", "send 2", "share 4", "record 0",
      ])
  }

  @Test func `the stages after the delivery share one time, which is read when that is over`() throws {
    var time: Int64 = 0
    let loop = try EventLoop {
      time += 1_000_000
      return time
    }
    var times: [Timestamp] = []
    let hooks = [TurnStage.deliver, .advance, .paint, .record].map { stage in
      TurnEnd(of: loop, at: stage) {
        times.append($0)
        if stage == .deliver { time = 50_000_000 }
      }
    }
    loop.endTurn()
    withExtendedLifetime(hooks) {}
    #expect(times == [.zero] + Array(repeating: Timestamp(microseconds: 51_000), count: 3))
  }

  @Test func `a hook that goes or comes while a turn ends keeps no other from its turn`() throws {
    let loop = try EventLoop()
    var diary: [String] = []
    var going: TurnEnd? = TurnEnd(of: loop, at: .advance) { _ in diary.append("going") }
    var coming: TurnEnd?
    let first = TurnEnd(of: loop, at: .paint) { _ in
      diary.append("paint")
      going = nil
      if coming == nil { coming = TurnEnd(of: loop, at: .deliver) { _ in diary.append("coming") } }
    }
    let last = TurnEnd(of: loop) { _ in diary.append("record") }
    loop.endTurn()
    loop.endTurn()
    withExtendedLifetime((first, last, going, coming)) {}
    #expect(diary == ["going", "paint", "record", "coming", "paint", "record"])
  }

  @Test func `a hook that is gone is not called`() throws {
    let loop = try EventLoop()
    var calls = 0
    let hook = TurnEnd(of: loop) { _ in calls += 1 }
    do {
      let gone = TurnEnd(of: loop) { _ in calls += 100 }
      withExtendedLifetime(gone, loop.endTurn)
    }
    loop.endTurn()
    withExtendedLifetime(hook) {}
    #expect(calls == 102)
  }

  @Test func `an arrival calls its body once, and again when more comes, whatever the body takes`() throws {
    let loop = try EventLoop()
    let pipe = TestPipe()
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
    let pipes = [TestPipe(), TestPipe()]
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
    let pipe = TestPipe()
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
    // A loop that forgot the stop ends by this.
    _ = loop.addTimer(milliseconds: 1000, repeats: false) { loop.stop() }
    loop.stop()
    try loop.run(endingTurns: { turns += 1 })
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

  @Test func `the loop wakes for the next timer, whichever was added last`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    for (name, milliseconds) in [("next", 1), ("last", 20_000)] {
      _ = loop.addTimer(milliseconds: milliseconds, repeats: false) {
        calls.append(name)
        loop.stop()
      }
    }
    try loop.run()
    #expect(calls == ["next"])
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

  @Test(arguments: [false, true])
  func `a timer that adds itself for a time that is past lets everything else go on`(isRepeated: Bool) throws
  {
    let loop = try EventLoop()
    let pipe = TestPipe()
    var diary: [String] = []
    func go() {
      diary.append("timer")
      if diary.count > 1000 { return loop.stop() }
      _ = loop.addTimer(at: .zero, go)
    }
    try loop.watch(pipe.readEnd) {
      diary.append("read")
      loop.stop()
    }
    if isRepeated { _ = loop.addTimer(at: .zero) { diary.append("other") } }
    _ = loop.addTimer(at: .zero, go)
    pipe.fill()
    try loop.run()
    #expect(diary.contains("read") && diary.count < 10, "\(diary.prefix(20))")
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `timers are called as a list that is sorted would call them, whatever is added and cancelled`(
    seed: UInt64
  ) throws {
    struct Model {
      var due: Int64
      var id: Int
    }
    var random = RandomSource(seed: seed)
    let queue = try TimerQueue()
    var (model, called, added): ([Model], [Int], Int) = ([], [], 0)
    for _ in 0..<2000 {
      if model.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
        let (due, number) = (Int64.random(in: 0..<500, using: &random), added)
        added += 1
        let id = queue.add(at: Timestamp(microseconds: due)) { called.append(number) }
        model.append(Model(due: due << 32 | Int64(number), id: id))
      } else {
        queue.cancel(model.remove(at: .random(in: model.indices, using: &random)).id)
      }
    }
    // One that is over is ignored, also when its place has been taken.
    let over = queue.add(at: .zero) { called.append(-1) }
    queue.cancel(over)
    queue.cancel(over)
    var left = 7
    queue.fire {
      left -= 1
      return left > 0
    }
    #expect(called.count == 7)
    queue.fire { true }
    #expect(called == model.sorted { $0.due < $1.due }.map { Int($0.due & 0xffff_ffff) })
  }

  @Test func `a timer that was cancelled does not wake the loop`() throws {
    let loop = try EventLoop()
    var turns = 0
    _ = loop.addTimer(milliseconds: 50, repeats: false, loop.stop)
    loop.cancelTimer(loop.addTimer(milliseconds: 1, repeats: false) { Issue.record("it came") })
    try loop.run(endingTurns: { turns += 1 })
    // The one with which the loop begins, and that of the timer that is left.
    #expect(turns == 2)
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
