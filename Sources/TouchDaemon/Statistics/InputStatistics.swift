import Glibc
import TouchCore
import TouchInput
import TouchInspection
import TouchJSON
import TouchSystem
import TouchViews

/// What `ctl stats` reports: what the devices sent, and how long it took until it was handled and shown.
///
/// A delay is counted from the kernel's time stamp of the oldest frame that a device sent in a turn of the loop, so it has
/// the time in which the daemon was busy or not yet woken. Each device has one delay a turn and stage; turns without a frame
/// have none.
package final class InputStatistics: TurnHook {
  /// What a delay lasts up to.
  package enum Stage: Int, CaseIterable, Sendable {
    /// Every handler has returned.
    case handled
    /// The last pixel is written. Turns in which nothing is painted do not count, here and in `shown`.
    case painted
    /// The display has been asked to show the pixels, and that has returned.
    case shown

    /// The stage's key in JSON.
    fileprivate var name: String { "\(self)" }

    fileprivate var sentence: String {
      switch self {
      case .handled: "handlers done"
      case .painted: "last pixel written"
      case .shown: "shown"
      }
    }
  }

  /// What a device, or all of them, sent.
  private struct Counts {
    var frames = 0
    var touches = 0
    /// Touches that no view was given: `multiple_touch`, `exclusive_touch`.
    var dropped = 0
    /// How often the kernel's buffer overflowed.
    var overruns = 0

    static func + (left: Self, right: Self) -> Self {
      Self(
        frames: left.frames + right.frames, touches: left.touches + right.touches,
        dropped: left.dropped + right.dropped, overruns: left.overruns + right.overruns)
    }

    var sentence: String {
      "frames: \(frames), touches: \(touches), dropped: \(dropped), overruns: \(overruns)"
    }

    /// With the keys in JSON, and the names and the help of metrics.
    var figures: [(name: String, metric: String, help: String, number: Int)] {
      [
        ("frames", "frames_total", "Frames that a device sent.", frames),
        ("touches", "touches_total", "Touches that began.", touches),
        ("dropped", "touches_dropped_total", "Touches that no view was given.", dropped),
        ("overruns", "overruns_total", "Overflows of the kernel's buffer.", overruns),
      ]
    }

    func write(to json: inout JSONWriter) {
      for figure in figures { json.field(figure.name, figure.number) }
    }
  }

  /// When the stages of a turn were reached; nil for those that were not.
  private struct Turn {
    var handledAt: Timestamp?
    var paintedAt: Timestamp?
    var shownAt: Timestamp?
  }

  /// A class: counting changes it where it is.
  private final class Device {
    var id: DeviceID
    let name: String
    var counts = Counts()
    /// By `Stage.rawValue`.
    var delays: [LatencyHistogram] {
      countPending()
      return histograms
    }
    private var histograms = Stage.allCases.map { _ in LatencyHistogram() }
    /// Turns that are not in the histograms yet, each since its oldest frame. Many are added at once, since
    /// the display waits for the end of a turn where it shares a processor with the daemon.
    private var pending: [(stamp: Timestamp, turn: Turn)] = []
    private static let mostPending = 64
    /// Of the oldest frame of this turn; nil without one.
    var stamp: Timestamp?
    var overrunAt: Timestamp?

    /// Counts how long it took from the oldest frame of this turn until each stage, and ends the turn.
    func end(_ turn: Turn) {
      guard let stamp else { return }
      pending.append((stamp, turn))
      if pending.count == Self.mostPending { countPending() }
      self.stamp = nil
    }

    private func countPending() {
      for (stamp, turn) in pending {
        count(turn.handledAt, .handled, since: stamp)
        count(turn.paintedAt, .painted, since: stamp)
        count(turn.shownAt, .shown, since: stamp)
      }
      pending.removeAll(keepingCapacity: true)
    }

    private func count(_ time: Timestamp?, _ stage: Stage, since stamp: Timestamp) {
      if let time { histograms[stage.rawValue].add(time.microseconds(since: stamp)) }
    }

    init(id: DeviceID, name: String) {
      self.id = id
      self.name = name
      pending.reserveCapacity(Self.mostPending)
    }
  }

  /// Devices that come and go for months do not fill the memory: the one that came first is forgotten.
  private static let mostDevices = 32

  package var turnPlace: TurnPlace?
  private let start: Timestamp
  private let now: () -> Timestamp
  private var devices: [Device] = []
  /// How often something was painted, whatever changed it.
  private var paints = 0
  /// Changes with every figure.
  package private(set) var revision = 0
  /// Whether a frame came in this turn.
  private var hasFrame = false
  /// It is counted at its end.
  private var turn = Turn()

  /// - Parameter now: the monotonic clock.
  package init(now: @escaping () -> Timestamp = MonotonicClock.now) {
    self.now = now
    start = now()
  }

  // MARK: Counting

  /// A frame went through the pipeline.
  ///
  /// - Parameters:
  ///   - stamp: the kernel's; nil means now, for a recording, whose clock is another.
  ///   - changes: what it changed, after it was dispatched.
  ///   - name: the device's, for people.
  package func count(
    _ frame: InputFrame, of device: DeviceID, stamp: Timestamp?, changes: [TouchChange],
    dispatcher: Dispatcher, name: @autoclosure () -> String
  ) {
    let device = devices.first { $0.id == device } ?? add(device, name())
    device.counts.frames += 1
    // All frames of one overrun have its time.
    if case .resync = frame.cause, device.overrunAt != frame.time {
      device.overrunAt = frame.time
      device.counts.overruns += 1
    }
    for index in changes.indices where changes[index].kind == .began {
      device.counts.touches += 1
      let contact = changes[index].contact
      let touch = dispatcher.touches.first { $0.contact == contact }
      if let touch, touch.view != nil, touch.chain == nil { device.counts.dropped += 1 }
    }
    hasFrame = true
    revision &+= 1
    if device.stamp == nil { device.stamp = stamp ?? now() }
  }

  /// A device that was there before goes on with its figures.
  private func add(_ id: DeviceID, _ name: String) -> Device {
    if let known = devices.first(where: { $0.name == name }) {
      known.id = id
      return known
    }
    if devices.count == Self.mostDevices { devices.removeFirst() }
    let device = Device(id: id, name: name)
    devices.append(device)
    return device
  }

  // MARK: A turn's stages

  /// The last pixel of the turn is written.
  ///
  /// - Parameter isShown: whether the display shows it already; if not, the end of the turn is when it does.
  package func painted(isShown: Bool) {
    paints += 1
    revision &+= 1
    guard hasFrame, turn.paintedAt == nil else { return }
    turn.paintedAt = now()
    if isShown { turn.shownAt = turn.paintedAt }
  }

  /// The pixels of the turn are on their way.
  ///
  /// - Parameter handled: when every handler had returned.
  package func turnEnds(at handled: Timestamp) {
    guard hasFrame else { return }
    turn.handledAt = handled
    if turn.paintedAt != nil && turn.shownAt == nil { turn.shownAt = now() }
    for index in devices.indices where devices[index].stamp != nil { devices[index].end(turn) }
    hasFrame = false
    turn = Turn()
  }

  // MARK: Reports

  private var uptime: Int { Int(now().microseconds(since: start) / 1_000_000) }

  private var total: Counts { devices.map(\.counts).reduce(Counts(), +) }

  /// For people: the totals, and for each device a table.
  package var lines: [String] {
    ["up \(uptime) s, \(total.sentence), paints: \(paints)"]
      + devices.flatMap { device in
        ["", device.name, "  \(device.counts.sentence)"]
          + Self.table(
            zip(Stage.allCases, device.delays).map { [$0.sentence] + $1.cells },
            heads: ["from the kernel's time stamp to"] + LatencyHistogram.heads)
      }
  }

  private static func table(_ rows: [[String]], heads: [String]) -> [String] {
    ([heads] + rows).map { row in
      row.enumerated().map { column, cell in
        let width = column == 0 ? heads[0].count : 12
        let space = String(repeating: " ", count: max(0, width - cell.count))
        return column == 0 ? "  " + cell + space : space + cell
      }.joined()
    }
  }

  /// For programs: members of an object.
  ///
  /// ```
  /// {"uptime_s":12,"frames":4,"touches":1,"dropped":0,"overruns":0,"paints":3,
  ///  "devices":[{"device":"Panel (/dev/input/event3)","frames":4,"touches":1,"dropped":0,"overruns":0,
  ///    "latency_us":{"handled":{"count":4,"p50":180,"p90":210,"p99":230,"max":230},"painted":{…},"shown":{…}}}]}
  /// ```
  package func write(to json: inout JSONWriter) {
    json.field("uptime_s", uptime)
    total.write(to: &json)
    json.field("paints", paints)
    json.objects("devices", of: devices) { json, device in
      json.field("device", device.name)
      device.counts.write(to: &json)
      json.object("latency_us") {
        for (stage, delays) in zip(Stage.allCases, device.delays) { $0.object(stage.name, delays.write) }
      }
    }
  }

  /// For Prometheus.
  package func write(to metrics: inout MetricsText) {
    metrics.begin("start_time_seconds", .gauge, "When the daemon started, by the clock as it is now.")
    metrics.add(time(nil) - uptime)
    for index in Counts().figures.indices {
      let figure = Counts().figures[index]
      metrics.begin(figure.metric, .counter, figure.help)
      for device in devices {
        metrics.add(device.counts.figures[index].number, [.init("device", device.name)])
      }
    }
    metrics.begin("paints_total", .counter, "How often something was painted.")
    metrics.add(paints)
    metrics.begin("latency_seconds", .summary, "From the kernel's time stamp of a frame to each stage.")
    for device in devices {
      for (stage, delays) in zip(Stage.allCases, device.delays) {
        delays.write(to: &metrics, Self.labels(device, stage))
      }
    }
    metrics.begin("latency_longest_seconds", .gauge, "The longest of these delays since the start.")
    for device in devices {
      for (stage, delays) in zip(Stage.allCases, device.delays) {
        metrics.add(seconds: Double(delays.maximum) / 1e6, Self.labels(device, stage))
      }
    }
  }

  private static func labels(_ device: Device, _ stage: Stage) -> [MetricsText.Label] {
    [.init("device", device.name), .init("stage", stage.name)]
  }
}
