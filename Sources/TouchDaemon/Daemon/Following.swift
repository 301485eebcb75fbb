import Logging
import TouchConfig
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
  /// Comes at the next change of a clock, and when the time is set: the turn that it begins does the rest.
  private let alarm: WallClockAlarm
  /// Makes the rows of values that hold other lists than before.
  package var repeatRows: () -> Void = {}
  /// How often values had changed when the language was looked at.
  private var seen = -1

  /// - Throws: `SystemError` when the kernel gives no timer.
  package init(_ host: Host, _ presentation: Presentation, in loop: EventLoop) throws(SystemError) {
    (self.host, self.presentation, self.loop) = (host, presentation, loop)
    let alarm = try WallClockAlarm()
    self.alarm = alarm
    try loop.watch(alarm.descriptor) {
      alarm.take()
      LocalTime.readTimeZone()
    }
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
    // A clock that was set after it was read is read again.
    if !alarm.wait(for: bindings.nextChange(isSeen: isSeen)) { loop.again {} }
  }
}
