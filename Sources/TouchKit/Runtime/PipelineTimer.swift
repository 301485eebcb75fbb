import TouchCore
import TouchInput
import TouchSystem

/// Wakes the loop when the pipeline waits for time to pass: a finger that rests makes no frames, a second tap may never
/// come, and neither may what a filter holds a lift back for. No timer runs while nothing waits.
///
/// What devices have reported before a deadline comes before it, however late it is read: a finger that has lifted in time makes no long
/// press because the daemon was busy. So time passes only as far as everything is known to be read. That is until the end of the turn
/// before, since a turn reads what was there when it began; and until the deadline for which the timer woke the loop, since the kernel
/// reports what came before that with it. A device of which more frames wait than a turn reads is read until its last one.
package final class PipelineTimer: TurnHook {
  package var turnPlace: TurnPlace?
  private let loop: EventLoop
  private let pipeline: InputPipeline
  private var armed: (deadline: Timestamp, timer: Int)?
  /// Until when all frames are read when this turn ends.
  private var known = Timestamp.zero
  /// When the turn before ended.
  private var lastEnd = Timestamp.zero
  /// Made once: a filter may wait after every frame.
  private var goOff: () -> Void = {}

  package init(loop: EventLoop, pipeline: InputPipeline) {
    self.loop = loop
    self.pipeline = pipeline
    // The end of the turn does the work.
    goOff = { [unowned self] in
      if let armed { known = max(known, armed.deadline) }
      armed = nil
    }
    loop.addHook(self, at: .advance)
  }

  /// Lets time pass, and sees to the next deadline.
  package func turnEnds(at now: Timestamp) {
    known = max(known, lastEnd)
    lastEnd = now
    guard pipeline.deadline != nil || armed != nil else { return }
    pipeline.advance(to: min(known, pipeline.readUntil ?? known))
    let deadline = pipeline.deadline
    // A deadline that was put off is looked at again when the timer goes off.
    if let deadline, let armed, armed.deadline <= deadline { return }
    if let armed { loop.cancelTimer(armed.timer) }
    armed = deadline.map { ($0, wait(until: $0, from: now)) }
  }

  private func wait(until deadline: Timestamp, from now: Timestamp) -> Int {
    let milliseconds = Int((max(0, deadline.seconds(since: now)) * 1000).rounded(.up))
    return loop.addTimer(milliseconds: max(1, milliseconds), repeats: false, goOff)
  }
}
