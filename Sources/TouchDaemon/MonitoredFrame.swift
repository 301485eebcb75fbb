import TouchCore
import TouchInput

/// One frame of a device, and what touchtree makes of it.
struct MonitoredFrame {
  /// What happened to one touch.
  struct TouchNews {
    enum What: String { case began, moved, stationary, ended, cancelled, dropped }

    var touch: Int
    var what: What
    /// The hit view; nil for nothing.
    var view: String?
  }

  var device: DeviceDescription
  var frame: InputFrame
  /// Since the device's frame before, in milliseconds; nil for its first one.
  var interval: Double?
  /// Contacts in device units, each with its place in the window. Empty for a device that touchtree does not use.
  var contacts: [(device: ContactChange, window: TouchChange)]
  var touches: [TouchNews]
}

/// Writes what the monitor sees.
protocol MonitorWriter {
  /// A device is looked at from now on.
  mutating func came(_ device: DeviceDescription, _ verdict: DeviceVerdict)
  mutating func went(_ device: DeviceDescription, because reason: String)
  mutating func frame(_ frame: MonitoredFrame)
  /// How fast a device reports, told whenever the last finger lifts.
  mutating func rate(_ rate: ReportRate, of device: DeviceDescription)
  /// Something that the device must not do.
  mutating func notice(_ notice: InputNotice, of device: DeviceDescription)
}

/// Gathers what becomes of touches while a frame goes through the dispatcher.
final class TouchNewsObserver: DispatchObserver {
  private var news: [MonitoredFrame.TouchNews] = []

  func observe(_ step: DispatchStep) {
    if case .hit(let touch, let view) = step {
      news.append(.init(touch: touch.id, what: .began, view: view?.id))
    } else if case .dropped(let touch) = step {
      news.append(.init(touch: touch.id, what: .dropped, view: touch.view?.id))
    } else if case .touch(let touch, let responder, disposition: _, captured: false) = step,
      responder === touch.view, let what = MonitoredFrame.TouchNews.What(rawValue: touch.phase.rawValue),
      what != .began
    {
      news.append(.init(touch: touch.id, what: what, view: touch.view?.id))
    }
  }

  /// What was gathered since this was last asked.
  func take() -> [MonitoredFrame.TouchNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }
}
