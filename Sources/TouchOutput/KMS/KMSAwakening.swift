import TouchSystem

/// A monitor that was switched off, and seems to be unplugged. Many do, as far as the driver knows, while they are off and until they are on
/// again: so it counts as gone only if it does not come back when it is switched on.
final class KMSAwakening {
  /// Called when it has had its time, to look again.
  var onEnd: () -> Void = {}
  /// Whether it seems to be unplugged.
  private var seemsGone = false
  private var timer: Int?
  private weak var loop: EventLoop?

  /// In milliseconds.
  private static let longest = 5000

  deinit {
    forget()
  }

  /// Whether it was switched on a moment ago.
  var isGoingOn: Bool { timer != nil }

  /// It seems to be unplugged.
  func note() { seemsGone = true }

  /// It was switched on.
  func begin(in loop: EventLoop?) {
    guard seemsGone, timer == nil else { return }
    self.loop = loop
    timer = loop?.addTimer(milliseconds: Self.longest, repeats: false) { [unowned self] in
      forget()
      onEnd()
    }
  }

  /// It is plugged in, or not waited for any longer.
  func forget() {
    if let timer { loop?.cancelTimer(timer) }
    (timer, seemsGone) = (nil, false)
  }
}
