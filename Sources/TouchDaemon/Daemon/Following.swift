import Logging
import TouchCore
import TouchExpressions
import TouchKit
import TouchSystem
import TouchViews

/// Has the properties that are expressions follow what they read, once a turn, and wakes the daemon when a clock's text changes that
/// is seen.
package final class Following: TurnHook {
  package var turnPlace: TurnPlace?
  private let host: Host
  private let presentation: Presentation
  private let loop: EventLoop
  /// Makes the rows of values that hold other lists than before.
  package var repeatRows: () -> Void = {}
  /// How often values had changed when the language was looked at.
  private var seen = -1
  /// The timer of the next change of a clock.
  private var armed: (deadline: Timestamp, timer: Int)?

  /// A change that is this near to the one that is waited for is the same: the wall clock and the monotonic one are read one after the
  /// other. In seconds.
  private static let nearness = 0.02

  package init(_ host: Host, _ presentation: Presentation, in loop: EventLoop) {
    (self.host, self.presentation, self.loop) = (host, presentation, loop)
    loop.addHook(self, at: .follow)
  }

  package func turnEnds(at now: Timestamp) {
    repeatRows()
    let bindings = host.bindings
    if bindings.values.changes != seen {
      seen = bindings.values.changes
      host.tree.followLanguage()
    }
    let isSeen = presentation.output.hiddenBecause == nil
    let window = presentation.window
    if window.isOnDisplay != isSeen {
      window.isOnDisplay = isSeen
      (window.firstResponder as? TextField)?.resumeBlinking()
    }
    // The rows that are seen now, before what follows them.
    if host.tree.hasRowLists { window.layoutIfNeeded() }
    bindings.settle(isSeen: isSeen)
    wait(seconds: bindings.secondsToNextChange(isSeen: isSeen), from: now)
  }

  private func wait(seconds: Double?, from now: Timestamp) {
    let deadline = seconds.map { now.advanced(bySeconds: $0 + 0.001) }
    if let deadline, let armed, armed.deadline > now,
      abs(deadline.seconds(since: armed.deadline)) < Self.nearness
    {
      return
    }
    if let armed { loop.cancelTimer(armed.timer) }
    // The turn that the timer begins does the rest.
    armed = deadline.map { ($0, loop.addTimer(at: $0) {}) }
  }
}
