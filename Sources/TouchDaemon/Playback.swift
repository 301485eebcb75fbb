import TouchCore

/// Goes through a schedule in the loop, a frame each turn.
final class Playback {
  private let schedule: PlaySchedule
  private let loop: EventLoop
  private let isPaced: Bool
  private let play: (PlaySchedule.Entry) -> Void
  private let onEnd: () -> Void
  private var next = 0
  private var start = Timestamp.zero
  /// Plays a frame and sees to the next one; made once.
  private var step: () -> Void = {}

  /// - Parameters:
  ///   - isPaced: whether the frames come when they are due, or as fast as they go.
  ///   - onEnd: called in the turn after the last frame's.
  init(
    _ schedule: PlaySchedule, in loop: EventLoop, isPaced: Bool,
    play: @escaping (PlaySchedule.Entry) -> Void, onEnd: @escaping () -> Void
  ) {
    self.schedule = schedule
    self.loop = loop
    self.isPaced = isPaced
    self.play = play
    self.onEnd = onEnd
  }

  func start(at start: Timestamp = MonotonicClock.now()) {
    self.start = start
    step = { [unowned self] in
      play(schedule.entries[next])
      next += 1
      goOn()
    }
    goOn()
  }

  private func goOn() {
    guard next < schedule.entries.count else { return loop.again(onEnd) }
    let due = Timestamp(microseconds: start.microseconds + schedule.entries[next].due)
    if isPaced && due > MonotonicClock.now() {
      _ = loop.addTimer(at: due, step)
    } else {
      loop.again(step)
    }
  }
}
