import TouchCore
import TouchInput
import TouchSystem

/// Wakes the loop when the pipeline waits for time to pass: a finger that rests makes no frames, a second tap may never
/// come, and neither may what a filter holds a lift back for. No timer runs while nothing waits.
package final class PipelineTimer: TurnHook {
  package var turnPlace: TurnPlace?
  private let loop: EventLoop
  private let pipeline: InputPipeline
  private var armed: (deadline: Timestamp, timer: Int)?
  /// Made once: a filter may wait after every frame.
  private var goOff: () -> Void = {}

  package init(loop: EventLoop, pipeline: InputPipeline) {
    self.loop = loop
    self.pipeline = pipeline
    // The end of the turn does the work.
    goOff = { [unowned self] in armed = nil }
    loop.addHook(self, at: .advance)
  }

  /// Lets time pass, and sees to the next deadline.
  package func turnEnds(at now: Timestamp) {
    guard pipeline.deadline != nil || armed != nil else { return }
    pipeline.advance(to: now)
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
