import Glibc
import TouchCore
import TouchInput
import TouchInspection
import TouchJSON
import TouchSystem
import TouchViews

/// The figures of `ctl stats`: the devices' reports, and the delays until they were handled and shown, from
/// the kernel's time stamp of a device's oldest frame in a turn. Each device has one delay for each turn with
/// a frame, and each stage.
package final class InputStatistics: TurnHook {
  package enum Stage: Int, CaseIterable, Sendable {
    case handled
    /// The last pixel is written. Turns without painting do not count, here and in `shown`.
    case painted
    /// The display was asked to show the pixels, and the call has returned.
    case shown

    fileprivate var name: String { "\(self)" }

    fileprivate var sentence: String {
      switch self {
      case .handled: "handlers done"
      case .painted: "last pixel written"
      case .shown: "shown"
      }
    }
  }

  private struct Counts {
    var frames = 0
    var touches = 0
    /// The touches that no view was given: `multiple_touch`, `exclusive_touch`.
    var dropped = 0
    /// The overflows of the kernel's buffer.
    var overruns = 0

    static func + (left: Self, right: Self) -> Self {
      Self(
        frames: left.frames + right.frames, touches: left.touches + right.touches,
        dropped: left.dropped + right.dropped, overruns: left.overruns + right.overruns)
    }

    var sentence: String {
      "frames: \(frames), touches: \(touches), dropped: \(dropped), overruns: \(overruns)"
    }

    var figures: [(name: String, metric: String, help: String, number: Int)] {
      [
        ("frames", "frames_total", "Frames that a device sent.", frames),
        ("touches", "touches_total", "Touches that began.", touches),
        ("dropped", "touches_dropped_total", "Touches that no view was given.", dropped),
        ("overruns", "overruns_total", "Overflows of the kernel's buffer.", overruns),
      ]
    }

    func write(to json: inout JSONWriter) { for figure in figures { json.field(figure.name, figure.number) } }
  }

  /// The times of a turn's stages; nil for those not reached.
  private struct Turn {
    var handledAt, paintedAt, shownAt: Timestamp?
  }

  /// A device's counts. It is a class, so that they are changed in place.
  private final class Device {
    var id: DeviceID
    let name: String
    var counts = Counts()
    /// The delays by `Stage.rawValue`.
    var delays: [LatencyHistogram] {
      countPending()
      return histograms
    }
    private var histograms = Stage.allCases.map { _ in LatencyHistogram() }
    /// The turns that are not in the histograms yet: they are added many at once, since the display waits.
    private var pending: [(stamp: Timestamp, turn: Turn)] = []
    private static let mostPending = 64
    private var counted: [(stamp: Timestamp, turn: Turn)] = []
    /// The latest turns, at least the last `mostPending` if there were so many.
    var latest: [(stamp: Timestamp, turn: Turn)] { counted + pending }
    /// The time of the oldest frame of this turn; nil without one.
    var stamp: Timestamp?
    var overrunAt: Timestamp?

    /// Counts the delays from the oldest frame of this turn to each stage, and ends the turn.
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
      // Reading the figures must not make room for fewer turns than it takes to judge.
      if pending.count == Self.mostPending { swap(&pending, &counted) } else { keepPending() }
      pending.removeAll(keepingCapacity: true)
    }

    private func keepPending() {
      counted.removeFirst(max(0, counted.count + pending.count - Self.mostPending))
      counted += pending
    }

    private func count(_ time: Timestamp?, _ stage: Stage, since stamp: Timestamp) {
      if let time { histograms[stage.rawValue].add(time.microseconds(since: stamp)) }
    }

    init(id: DeviceID, name: String) {
      (self.id, self.name) = (id, name)
      pending.reserveCapacity(Self.mostPending)
      counted.reserveCapacity(Self.mostPending)
    }
  }

  /// The most devices, of which the oldest is then forgotten, so that the memory is bounded.
  private static let mostDevices = 32

  package var turnPlace: TurnPlace?
  private let start: Timestamp
  private let now: () -> Timestamp
  private var devices: [Device] = []
  private var paints = 0
  /// The times between pictures that replaced each other; nil where no display has told.
  private var intervals: LatencyHistogram?
  private var shownAt = Timestamp.zero
  /// The shortest pause between two motions, in microseconds.
  private static let pause: Int64 = 250_000
  /// A number that changes with every figure.
  package private(set) var revision = 0
  private var hasFrame = false
  private var turn = Turn()

  /// - Parameter now: the monotonic clock.
  package init(now: @escaping () -> Timestamp = MonotonicClock.now) {
    self.now = now
    start = now()
  }

  // MARK: Counting

  /// Counts a frame, after its changes were dispatched, at the kernel's time, or now for a recording, of the
  /// device with a name for people.
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

  /// Adds a device. One that was there before goes on with its figures.
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

  /// Records that the turn's last pixel is written. If it is not shown yet, the end of the turn counts.
  package func painted(isShown: Bool) {
    paints += 1
    revision &+= 1
    guard hasFrame, turn.paintedAt == nil else { return }
    turn.paintedAt = now()
    if isShown { turn.shownAt = turn.paintedAt }
  }

  /// Records the time since which a display shows another picture.
  package func showed(at time: Timestamp) {
    let interval = time.microseconds(since: shownAt)
    shownAt = time
    guard (1..<Self.pause).contains(interval) else { return }
    if intervals == nil { intervals = LatencyHistogram() }
    intervals?.add(interval)
  }

  /// Records that the turn's pixels are on their way, and when every handler had returned.
  package func turnEnds(at handled: Timestamp) {
    guard hasFrame else { return }
    turn.handledAt = handled
    if turn.paintedAt != nil && turn.shownAt == nil { turn.shownAt = now() }
    for index in devices.indices where devices[index].stamp != nil { devices[index].end(turn) }
    hasFrame = false
    turn = Turn()
  }

  // MARK: The latest

  private static let fewestJudged = 4

  /// Returns a device whose turns since a time took longer than a bound, half of them or more, with their
  /// number and the longest delay, all in microseconds; nil if there is none.
  func slowest(since oldest: Timestamp, longerThan bound: Int64) -> (
    device: String, count: Int, longest: Int64
  )? {
    for device in devices {
      let delays = device.latest.filter { $0.stamp >= oldest }.compactMap { stamp, turn in
        (turn.shownAt ?? turn.handledAt)?.microseconds(since: stamp)
      }
      guard delays.count >= Self.fewestJudged, delays.count(where: { $0 > bound }) * 2 >= delays.count else {
        continue
      }
      return (device.name, delays.count, delays.max() ?? 0)
    }
    return nil
  }

  // MARK: Reports

  private var uptime: Int { Int(now().microseconds(since: start) / 1_000_000) }

  private var total: Counts { devices.map(\.counts).reduce(Counts(), +) }

  /// The figures for people: the totals, and a table for each device.
  package var lines: [String] {
    ["up \(uptime) s, \(total.sentence), paints: \(paints)"]
      + devices.flatMap { device in
        ["", device.name, "  \(device.counts.sentence)"]
          + Self.table(
            zip(Stage.allCases, device.delays).map { [$0.sentence] + $1.cells },
            heads: ["from the kernel's time stamp to"] + LatencyHistogram.heads)
      }
      + (intervals.map {
        [""]
          + Self.table(
            [["in motion"] + $0.cells], heads: ["between two pictures shown"] + LatencyHistogram.heads)
      } ?? [])
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

  /// Writes the figures for programs, as members of an object.
  ///
  /// ```
  /// {"uptime_s":12,"frames":4,"touches":1,"dropped":0,"overruns":0,"paints":3,
  ///  "devices":[{"device":"Panel (/dev/input/event3)","frames":4,"touches":1,"dropped":0,"overruns":0,
  ///   "latency_us":{"handled":{"count":4,"p50":180,"p90":210,"p99":230,"max":230},"painted":{…},"shown":{…}}}],
  ///  "intervals_us":{…}}
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
    if let intervals { json.object("intervals_us", intervals.write) }
  }

  /// Writes the figures for Prometheus.
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
