import TouchCore
import TouchInput
import TouchInspection
import TouchMeasure

protocol MonitorWriter {
  mutating func added(_ device: DeviceDescription, _ use: MonitoredUse)
  mutating func removed(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome)
  mutating func frame(_ frame: MonitoredFrame)
  /// Time has passed, and a filter has released something, or a gesture was decided.
  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome)
  /// Writes the rate of a device. It is called whenever the last finger lifts.
  mutating func rate(_ rate: ReportRate, of device: DeviceDescription)
  /// Writes the delays until a device's frames were read, after `rate`.
  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription)
  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription)
  /// Writes a violation with its count for the device, if it has grown, when the last finger lifts.
  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription)
  /// Writes a notice about something that the device must not do.
  mutating func notice(_ notice: InputNotice, of device: DeviceDescription)
}

struct Spread {
  var value: Double
  /// Whether the value is in millimetres rather than in units of the device.
  var isInMillimetres: Bool
}

struct MonitoredFrame {
  var device: DeviceDescription
  var frame: InputFrame
  /// The time since the device's previous frame, in milliseconds; nil for the first one.
  var interval: Double?
  var outcome: MonitoredOutcome
}

/// The contacts and touches that a frame, or the passing of time, caused.
struct MonitoredOutcome {
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

  /// The filtered contacts in device units with their places; empty for a device that is not used.
  var contacts: [(device: ContactChange, window: TouchChange)] = []
  var touches: [TouchNews] = []

  var isEmpty: Bool { contacts.isEmpty && touches.isEmpty }
}

struct MonitoredUse {
  /// The kind; nil if the device is not used.
  var kind: DeviceKind?
  /// A sentence with the reason why the device is or is not used.
  var reason: String
  var filters: [ContactFilter] = []
  /// The end of the sentence: `, filtered by …`.
  var filterSentence = ""
  /// The parts of the configuration without effect, as sentences without their end.
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
