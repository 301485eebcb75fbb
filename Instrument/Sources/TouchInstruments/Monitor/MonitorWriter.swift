import TouchCore
import TouchInput
import TouchInspection
import TouchMeasure

/// Writes what the monitor sees.
protocol MonitorWriter {
  /// A device is monitored from now on.
  mutating func came(_ device: DeviceDescription, _ use: MonitoredUse)
  mutating func went(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome)
  mutating func frame(_ frame: MonitoredFrame)
  /// Time passed, and a filter let go of something, or a gesture was decided.
  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome)
  /// How fast a device reports; called whenever the last finger lifts.
  mutating func rate(_ rate: ReportRate, of device: DeviceDescription)
  /// How long its frames took until they were read, since the device came; called after `rate`.
  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription)
  /// A finger rested on the device for so many seconds, and its reports lie so far apart.
  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription)
  /// What the device has done against the input protocol since it came; called with each kind whose count has grown, when the
  /// last finger lifts.
  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription)
  /// Something that the device must not do.
  mutating func notice(_ notice: InputNotice, of device: DeviceDescription)
}

/// A distance on a device.
struct Spread {
  var value: Double
  /// Else in units of the device.
  var isInMillimetres: Bool
}

/// One frame of a device, and the touches that it led to.
struct MonitoredFrame {
  var device: DeviceDescription
  var frame: InputFrame
  /// Since the device's frame before, in milliseconds; nil for its first one.
  var interval: Double?
  var outcome: MonitoredOutcome
}

/// The contacts and touches that a frame, or time that passed, led to.
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
  /// A sentence: why it is or is not used.
  var reason: String
  /// In the order in which contacts go through them.
  var filters: [ContactFilter] = []
  /// `, filtered by …`
  var filterSentence = ""
  /// What of the configuration has no effect on the device, and why: sentences without their end.
  var warnings: [String] = []
}

/// Collects what happens to touches while a frame goes through the dispatcher.
final class TouchNewsObserver: DispatchObserver {
  private var news: [MonitoredOutcome.TouchNews] = []

  func observe(_ step: DispatchStep) {
    if case .hit(let touch, let view) = step {
      news.append(.init(touch, .began))
      // The touch learns of its view after this.
      news[news.count - 1].view = view?.id
    } else if case .dropped(let touch) = step {
      news.append(.init(touch, .dropped))
    } else if case .touch(let touch, let responder, disposition: _, captured: false) = step,
      responder === touch.view, let what = MonitoredOutcome.TouchNews.What(rawValue: touch.phase.rawValue),
      what != .began
    {
      news.append(.init(touch, what))
    }
  }

  /// What was collected since the last call.
  func take() -> [MonitoredOutcome.TouchNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }
}
