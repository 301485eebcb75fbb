import TouchCore
import TouchInput
import TouchSystem

/// Wakes the loop when the pipeline waits for time to pass.
///
/// A resting finger makes no frames. A second tap may never come, nor the event for which a filter holds a
/// lift back. No timer runs while nothing waits.
///
/// Reports of devices from before a deadline come before it, however late they are read. A finger that has
/// lifted in time makes no long press because the daemon was busy. So time passes only as far as everything
/// is known to be read. That is until the end of the previous turn, since a turn reads what was there when it
/// began. It is also until the deadline for which the timer woke the loop, since the kernel reports earlier
/// events with it. A device with more waiting frames than a turn reads is read to its last one.
package final class PipelineTimer: TurnHook {
  package var turnPlace: TurnPlace?
  private let loop: EventLoop
  private let pipeline: InputPipeline
  private var armed: (deadline: Timestamp, timer: Int)?
  /// The time until which all frames are read when this turn ends.
  private var known = Timestamp.zero
  private var lastEnd = Timestamp.zero
  private let arming = Arming()
  /// The timer's action. It is made once, because a filter may wait after every frame.
  private var expire: () -> Void = {}

  package init(loop: EventLoop, pipeline: InputPipeline) {
    (self.loop, self.pipeline) = (loop, pipeline)
    // The end of the turn does the work.
    expire = { [weak self] in
      guard let self else { return }
      if let armed { known = max(known, armed.deadline) }
      armed = nil
    }
    loop.addHook(self, at: .advance)
    arming.timer = self
    loop.addHook(arming, at: .count)
  }

  /// Arms the timer after painting, as charts and spinners set their deadlines when they are drawn.
  private final class Arming: TurnHook {
    var turnPlace: TurnPlace?
    unowned var timer: PipelineTimer?

    func turnEnds(at now: Timestamp) { timer?.arm() }
  }

  /// Lets time pass.
  package func turnEnds(at now: Timestamp) {
    known = max(known, lastEnd)
    lastEnd = now
    guard pipeline.deadline != nil || armed != nil else { return }
    pipeline.advance(to: min(known, pipeline.readUntil ?? known))
  }

  /// Arms the timer for the next deadline.
  private func arm() {
    let deadline = pipeline.deadline
    // A postponed deadline is checked again when the timer expires.
    if let deadline, let armed, armed.deadline <= deadline { return }
    if let armed { loop.cancelTimer(armed.timer) }
    armed = deadline.map { ($0, wait(until: $0)) }
  }

  private func wait(until deadline: Timestamp) -> Int {
    let milliseconds = Int((max(0, deadline.seconds(since: loop.now)) * 1000).rounded(.up))
    return loop.addTimer(milliseconds: max(1, milliseconds), repeats: false, expire)
  }
}
