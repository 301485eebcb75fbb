import TouchCore

/// The time of an instrument's observation, on the clock of the recording.
package struct InstrumentStamp: Sendable {
  /// The kind of observation. The raw value is the word of its mark.
  package enum Kind: String, CaseIterable, Sendable {
    /// A finger or probe touched the panel: a click, a contact on a GPIO line, WALT's shock.
    case finger
    /// A moving finger crossed a beam of light. (WALT's laser.)
    case beam
    /// A photodiode on the panel saw the patch change.
    case light
  }

  package var kind: Kind
  package var time: Timestamp

  package init(_ kind: Kind, at time: Timestamp) { (self.kind, self.time) = (kind, time) }
}

/// The delays from the finger until it was reported, and until it was seen.
struct LatencyFigures {
  /// The delays in milliseconds, sorted.
  private(set) var taps: [Double] = []
  private(set) var drags: [Double] = []
  private(set) var glass: [Double] = []

  /// The longest delay in microseconds. Later events belong to something else.
  private static let latest: Int64 = 500_000
  /// The longest lag of a dragged finger, in microseconds.
  private static let longestLag: Int64 = 200_000
  /// The fewest crossings in each direction that determine the beam's place.
  private static let fewestCrossings = 3

  init(_ stamps: [InstrumentStamp], _ contacts: [PanelTrace.Contact]) {
    func times(_ kind: InstrumentStamp.Kind) -> [Timestamp] {
      stamps.filter { $0.kind == kind }.map(\.time).sorted()
    }
    let (fingers, lights) = (times(.finger), times(.light))
    taps = Self.pairs(fingers, contacts.map(\.began).sorted())
    glass = Self.pairs(fingers, lights)
    drags = Self.drags(times(.beam), contacts)
  }

  /// Returns the milliseconds from each start to the first end before a later start.
  private static func pairs(_ starts: [Timestamp], _ ends: [Timestamp]) -> [Double] {
    starts.enumerated().compactMap { index, start in
      let next = index + 1 < starts.count ? starts[index + 1] : .init(microseconds: .max)
      guard let end = ends.first(where: { $0 >= start }), end < next, end.microseconds(since: start) <= latest
      else { return nil }
      return Double(end.microseconds(since: start)) / 1000
    }.sorted()
  }

  /// Returns the lags at a beam, where the reports of both directions agree after the same lag. (WALT)
  private static func drags(_ beams: [Timestamp], _ contacts: [PanelTrace.Contact]) -> [Double] {
    let ways = contacts.filter { contact in beams.contains { contact.began <= $0 && contact.last.time >= $0 }
    }
    .map { Way($0) }
    let crossings = beams.compactMap { time in ways.first { $0.holds(time) }.map { (time: time, way: $0) } }
    func places(_ lag: Int64) -> (up: [Double], down: [Double]) {
      var (up, down): ([Double], [Double]) = ([], [])
      for (time, way) in crossings {
        let (place, rises) = way.place(at: time.advanced(byMicroseconds: lag))
        if rises { up.append(place) } else { down.append(place) }
      }
      return (up, down)
    }
    func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(numbers.count) }
    var best: (difference: Double, beam: Double)?
    for lag in stride(from: 0, through: longestLag, by: 500) {
      let (up, down) = places(lag)
      guard up.count >= fewestCrossings, down.count >= fewestCrossings else { continue }
      let difference = abs(mean(up) - mean(down))
      if difference < best?.difference ?? .infinity { best = (difference, (mean(up) + mean(down)) / 2) }
    }
    guard let best else { return [] }
    return crossings.compactMap { time, way in
      way.crossing(of: best.beam, after: time, within: longestLag).map { Double($0) / 1000 }
    }.sorted()
  }

  /// The places of a contact along the axis on which it moves back and forth.
  private struct Way {
    private let reports: [(time: Timestamp, place: Double)]

    init(_ contact: PanelTrace.Contact) {
      let (x, y) = (contact.points.map(\.x), contact.points.map(\.y))
      func extent(_ numbers: [Double]) -> Double { (numbers.max() ?? 0) - (numbers.min() ?? 0) }
      let isAcross = extent(x) >= extent(y)
      reports = contact.reports.map { ($0.time, isAcross ? $0.point.x : $0.point.y) }
    }

    func holds(_ time: Timestamp) -> Bool {
      reports[0].time <= time && reports[reports.count - 1].time >= time
    }

    /// Returns the index of the first report not before a time; of the last one if all are earlier.
    private func index(at time: Timestamp) -> Int {
      var (low, high) = (0, reports.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if reports[middle].time < time { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func place(at time: Timestamp) -> (Double, rises: Bool) {
      let next = index(at: time)
      guard next > 0 else { return (reports[0].place, true) }
      let (before, after) = (reports[next - 1], reports[next])
      let length = Double(after.time.microseconds(since: before.time))
      let share = length > 0 ? min(1, Double(time.microseconds(since: before.time)) / length) : 1
      return (before.place + (after.place - before.place) * share, after.place >= before.place)
    }

    /// Returns the time from a moment to the report at a place, in microseconds; nil without such a report.
    func crossing(of place: Double, after time: Timestamp, within longest: Int64) -> Int64? {
      for next in max(1, index(at: time))..<max(1, reports.count) {
        let (before, after) = (reports[next - 1], reports[next])
        if before.time.microseconds(since: time) > longest { return nil }
        guard (before.place - place) * (after.place - place) <= 0 else { continue }
        let length = after.place - before.place
        guard length != 0 else { continue }
        let share = (place - before.place) / length
        let passed = share * Double(after.time.microseconds(since: before.time))
        guard let passed = Int64(exactly: passed.rounded()) else { continue }
        let lag = before.time.advanced(byMicroseconds: passed).microseconds(since: time)
        if lag >= 0 { return lag <= longest ? lag : nil }
      }
      return nil
    }
  }
}

extension PanelJudgement {
  /// Judges the delays from the kernel's stamp by the clock, and from the finger by an instrument.
  func judgeLatency(_ result: inout PanelResult) {
    let delays = measurement.marks.delays.sorted().map { Double($0) / 1000 }
    let stamped = LatencyFigures(measurement.marks.stamps, contacts(.latency))
    let series: [([Double], [Measure])] = [
      (delays, [.latencyP50, .latencyP90, .latencyP99]),
      (stamped.taps, [.tapLatencyP50, .tapLatencyP90, .tapLatencyP99]),
      (stamped.drags, [.dragLatencyP50, .dragLatencyP90, .dragLatencyP99]),
      (stamped.glass, [.glassLatencyP50, .glassLatencyP90, .glassLatencyP99]),
    ]
    for (figures, measures) in series where !figures.isEmpty {
      for (measure, percent) in zip(measures, [50, 90, 99]) {
        let value = figures.percentile(percent)
        guard value == nil else {
          result.figures.append(JudgedFigure(measure: measure, value: value))
          continue
        }
        // The largest of a few is no percentile of all.
        guard profile.limit(of: measure) != nil else { continue }
        result.figures.append(JudgedFigure(measure: measure))
        result.isPartial = true
        result.gaps.append(
          "\(measure.key) of \(figures.count) is no figure; it takes \([Double].fewest(forPercentile: percent))"
        )
      }
    }
    guard !result.figures.isEmpty else {
      result.gaps.append("a recording without a display has no latency; run `touchtree test --only latency`")
      return
    }
    if !delays.isEmpty { result.details.append("\(delays.count) frames from the kernel to the display") }
    guard measurement.marks.stamps.isEmpty else {
      result.details.append(
        "by the instrument: \(stamped.taps.count) taps, \(stamped.drags.count) crossings of the beam, "
          + "\(stamped.glass.count) changes of light")
      return
    }
    result.details.append(
      "from the finger to the kernel cannot be known without an instrument: a microphone, a line or WALT (--stamps)"
    )
  }
}
