import TouchCore
import TouchInput
import TouchInspection
import TouchMeasure

/// The writer of the monitor's output.
protocol MonitorWriter {
  /// A device is monitored from now on.
  mutating func added(_ device: DeviceDescription, _ use: MonitoredUse)
  mutating func removed(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome)
  mutating func frame(_ frame: MonitoredFrame)
  /// Time has passed, and a filter has released something, or a gesture was decided.
  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome)
  /// Writes the rate of a device. It is called whenever the last finger lifts.
  mutating func rate(_ rate: ReportRate, of device: DeviceDescription)
  /// Writes the delays until a device's frames were read, since
  /// the device was added. It is called after `rate`.
  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription)
  /// Writes the spread of the reports of a finger that has rested on the device for a number of seconds.
  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription)
  /// Writes a violation of the input protocol, with its count since the device was added. It is called when
  /// the last finger lifts, for each kind whose count has grown.
  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription)
  /// Writes a notice about something that the device must not do.
  mutating func notice(_ notice: InputNotice, of device: DeviceDescription)
}

/// A distance on a device.
struct Spread {
  var value: Double
  /// Whether the value is in millimetres rather than in units of the device.
  var isInMillimetres: Bool
}

/// One frame of a device, with the touches that it caused.
struct MonitoredFrame {
  var device: DeviceDescription
  var frame: InputFrame
  /// The time since the device's previous frame, in milliseconds; nil for the first one.
  var interval: Double?
  var outcome: MonitoredOutcome
}

/// The contacts and touches that a frame, or the passing of time, caused.
struct MonitoredOutcome {
  /// A change of one touch.
  struct TouchNews {
    enum What: String { case began, moved, stationary, ended, cancelled, dropped }

    var device: DeviceID
    var touch: Int
    var what: What
    /// The hit view; nil for none.
    var view: String?

    init(_ touch: Touch, _ what: What) {
      device = touch.contact.device
      self.touch = touch.id
      self.what = what
      view = touch.view?.id
    }
  }

  /// The contacts in device units, after the device's filters, each with its place in the window. It is
  /// empty for a device that touchtree does not use.
  var contacts: [(device: ContactChange, window: TouchChange)] = []
  var touches: [TouchNews] = []

  var isEmpty: Bool { contacts.isEmpty && touches.isEmpty }
}

/// The use that touchtree makes of a device.
struct MonitoredUse {
  /// The kind; nil if the device is not used.
  var kind: DeviceKind?
  /// A sentence with the reason why the device is or is not used.
  var reason: String
  /// The filters in the order in which contacts pass them.
  var filters: [ContactFilter] = []
  /// The end of the sentence: `, filtered by …`.
  var filterSentence = ""
  /// The parts of the configuration without effect on the device,
  /// with the reasons: sentences without their end.
  var warnings: [String] = []
}

/// Collects the changes of touches while a frame goes through the dispatcher.
final class TouchNewsObserver: DispatchObserver {
  private var news: [MonitoredOutcome.TouchNews] = []

  func observe(_ step: DispatchStep) {
    if case .hit(let touch, let view) = step {
      news.append(.init(touch, .began))
      // The view is known only after this.
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

  /// Returns the changes since the last call.
  func take() -> [MonitoredOutcome.TouchNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }
}
