import TouchSystem

/// A monitor that was switched off and seems to be unplugged, as many do until they are on again. It counts
/// as gone only if it does not come back after it is switched on.
final class KMSAwakening {
  /// The handler of the end of the monitor's time, which looks again.
  var onEnd: () -> Void = {}
  private var seemsGone = false
  private var timer: Int?
  private weak var loop: EventLoop?

  /// The longest time that a monitor may take to come back, in milliseconds.
  private static let longest = 5000

  deinit { forget() }

  var isGoingOn: Bool { timer != nil }

  func note() { seemsGone = true }

  /// Gives the monitor its time after it was switched on.
  func begin(in loop: EventLoop?) {
    guard seemsGone, timer == nil else { return }
    self.loop = loop
    timer = loop?.addTimer(milliseconds: Self.longest, repeats: false) { [weak self] in
      guard let self else { return }
      forget()
      onEnd()
    }
  }

  /// Ends the wait: the monitor is plugged in, or not waited for any longer.
  func forget() {
    if let timer { loop?.cancelTimer(timer) }
    (timer, seemsGone) = (nil, false)
  }
}
