import TouchCore
import TouchExpressions
import TouchKit
import TouchSystem
import TouchViews

/// Updates properties that follow expressions, once a turn, and wakes the daemon for visible clocks.
package final class Following: TurnHook {
  package var turnPlace: TurnPlace?
  private let host: Host
  private let presentation: Presentation
  private let loop: EventLoop
  /// The alarm at the next change of a clock, and at a change of the system's time, begins a turn.
  private let alarm: WallClockAlarm
  /// Makes the rows of values whose lists may have changed.
  package var repeatRows: () -> Void = {}
  /// The count of changed values at the last look at the language.
  private var seen = -1

  /// - Throws: `SystemError` if the kernel provides no timer.
  package init(_ host: Host, _ presentation: Presentation, in loop: EventLoop) throws(SystemError) {
    (self.host, self.presentation, self.loop) = (host, presentation, loop)
    let alarm = try WallClockAlarm()
    self.alarm = alarm
    try loop.watch(alarm.descriptor) {
      alarm.take()
      LocalTime.readTimeZone()
    }
    presentation.window.timeOfDay = {
      let time = LocalTime.now()
      return Double(3600 * time.hour + 60 * time.minute + time.second)
    }
    loop.addHook(self, at: .follow)
  }

  package func turnEnds(at now: Timestamp) {
    if host.mayHaveOtherViews { repeatRows() }
    let bindings = host.bindings
    if bindings.values.changes != seen {
      seen = bindings.values.changes
      host.tree.followLanguage()
    }
    let isSeen = presentation.output.isShown
    if presentation.window.isOnDisplay != isSeen {
      presentation.window.isOnDisplay = isSeen
      presentation.window.editedInput?.resumeBlinking()
    }
    // Visible rows come before the properties that follow them.
    if host.tree.hasRowLists { presentation.window.layoutIfNeeded() }
    bindings.settle(isSeen: isSeen, at: now)
    // A clock that was set after the last reading is read again.
    if !alarm.wait(for: bindings.nextChange(isSeen: isSeen)) { loop.again {} }
  }
}
