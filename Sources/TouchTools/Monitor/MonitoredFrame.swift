import TouchCore
import TouchInput

/// One frame of a device, and what touchtree makes of it.
struct MonitoredFrame {
  var device: DeviceDescription
  var frame: InputFrame
  /// Since the device's frame before, in milliseconds; nil for its first one.
  var interval: Double?
  var outcome: MonitoredOutcome
}

/// What touchtree makes of what a device says, or of time that passed.
struct MonitoredOutcome {
  /// What happened to one touch.
  struct TouchNews {
    enum What: String { case began, moved, stationary, ended, cancelled, dropped }

    var device: DeviceID
    var touch: Int
    var what: What
    /// The hit view; nil for nothing.
    var view: String?

    init(_ touch: Touch, _ what: What) {
      device = touch.contact.device
      self.touch = touch.id
      self.what = what
      view = touch.view?.id
    }
  }

  /// Contacts in device units as the device's filters leave them, each with its place in the window. Empty for a device
  /// that touchtree does not use.
  var contacts: [(device: ContactChange, window: TouchChange)] = []
  var touches: [TouchNews] = []

  var isEmpty: Bool { contacts.isEmpty && touches.isEmpty }
}

/// Whether and how touchtree uses a device.
struct MonitoredUse {
  /// Nil when it is not used.
  var kind: DeviceKind?
  /// A sentence: what speaks for it or against it.
  var reason: String
  /// In the order in which contacts go through them.
  var filters: [ContactFilter] = []
  /// `, filtered by …`
  var filterSentence = ""
  /// What of the configuration has no effect on the device, and why: sentences without their end.
  var remarks: [String] = []
}
