import TouchCore

/// Wakes the loop when a gesture waits for time to pass: a finger that rests makes no frames, and a second tap may never
/// come. No timer runs while no gesture waits.
final class GestureTimer {
  private let loop: EventLoop
  private let dispatcher: Dispatcher
  private var armed: (deadline: Timestamp, timer: Int)?

  init(loop: EventLoop, dispatcher: Dispatcher) {
    self.loop = loop
    self.dispatcher = dispatcher
  }

  /// Lets time pass, and sees to the next deadline. At the end of a turn, when every frame that is there was read: one
  /// of them may say that the finger lifted in time.
  func update() {
    guard dispatcher.deadline != nil || armed != nil else { return }
    let now = MonotonicClock.now()
    dispatcher.advance(to: now)
    let deadline = dispatcher.deadline
    guard deadline != armed?.deadline || armed == nil else { return }
    if let armed { loop.cancelTimer(armed.timer) }
    armed = deadline.map { ($0, wait(until: $0, from: now)) }
  }

  private func wait(until deadline: Timestamp, from now: Timestamp) -> Int {
    let milliseconds = Int((max(0, deadline.seconds(since: now)) * 1000).rounded(.up))
    // The end of the turn does the work.
    return loop.addTimer(milliseconds: max(1, milliseconds), repeats: false) { [unowned self] in armed = nil }
  }
}
