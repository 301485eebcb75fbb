/// A contact's first and last report against where it settled, and its spread between. A panel whose first or
/// last report is elsewhere presses the neighbouring button.
package struct TouchEnds: Sendable {
  /// A distance in units of the panel, with its ends.
  package typealias Way = (distance: Double, from: PanelPoint, to: PanelPoint)

  /// The way from the settled place to the first report.
  package private(set) var landing: Way
  /// The way from the settled place to the last report; nil while the contact is down.
  package private(set) var lift: Way?
  /// The two reports that are farthest apart, without the first and the last one.
  package private(set) var wobble: Way

  /// The largest spread of a contact that stays in its place, in millimetres.
  private static let still = 5.0
  /// The shortest contact of one report that surely stayed, in microseconds: 25 reports a second.
  private static let shortest: Int64 = 40_000
  /// The number of steps that tell the pace of a moving contact.
  private static let pace = 3

  /// Fails for a contact that moves with too few reports, and for one that is over with its first, unless a
  /// tap was asked for. A moving contact's ends lie where its pace leads; only a longer part counts, since
  /// fingers get faster and slower.
  package init?(_ contact: PanelTrace.Contact, isTap: Bool, in geometry: PanelGeometry) {
    let reports = contact.reports
    let end = contact.end ?? contact.last.time
    guard reports.count > 1 || end.microseconds(since: contact.began) >= Self.shortest else { return nil }
    let (first, last, settled) = (reports[0].point, contact.last.point, contact.settled)
    let inner = PointSpread(reports.dropFirst().dropLast().map(\.point)).farthest
    wobble = inner ?? (0, settled, settled)
    func way(_ distance: Double, _ from: PanelPoint, _ to: PanelPoint) -> Way { (distance, from, to) }
    if isTap || wobble.distance <= geometry.length(Self.still) {
      landing = way(settled.distance(to: first), settled, first)
      lift = contact.end.map { _ in way(settled.distance(to: last), settled, last) }
      return
    }
    let count = reports.count
    guard count > Self.pace + 1 else { return nil }
    let (start, finish) = (
      Array(reports.prefix(Self.pace + 2)), Array(reports.suffix(Self.pace + 2).reversed())
    )
    landing = way(Self.excess(start), reports[1].point, first)
    lift = contact.end.map { _ in way(Self.excess(finish), reports[count - 2].point, last) }
  }

  /// Returns the part of the first step that the pace of the others does not explain.
  private static func excess(_ reports: [PanelTrace.Report]) -> Double {
    let steps = zip(reports, reports.dropFirst()).map { one, next in
      (
        distance: one.point.distance(to: next.point),
        time: abs(Double(next.time.microseconds(since: one.time)))
      )
    }
    let others = steps.dropFirst()
    let usual = others.map(\.time).sorted()[others.count / 2]
    let speed = others.map { $0.time > 0 ? $0.distance / $0.time : 0 }.max() ?? 0
    let longest = others.map(\.distance).max() ?? 0
    // A finger that rested is reported late, and has not gone on for all of that time.
    return max(0, steps[0].distance - max(longest, speed * min(steps[0].time, Double(pace) * usual)))
  }
}

extension PanelTest {
  var isOfTaps: Bool {
    switch self {
    case .mapping, .grid, .taps, .latency: true
    case .edge, .border, .line, .rate, .jitter, .start, .gaps, .contacts, .pairs, .deadzone, .ghost, .noise,
      .protocol:
      false
    }
  }
}

extension PanelJudgement {
  /// Returns the landings, lifts and wobbles of the contacts of a test, by the keys of their figures.
  package func touchWays(of test: PanelTest) -> [(key: String, ways: [TouchEnds.Way])] {
    let ends = contacts(test).compactMap { TouchEnds($0, isTap: test.isOfTaps, in: trace.geometry) }
    // A finger that leaves the panel over its edge, or comes back, neither lifts nor lands.
    let leaves = test == .edge || test == .deadzone
    func within(_ ways: [TouchEnds.Way]) -> [TouchEnds.Way] {
      leaves ? ways.filter { !trace.geometry.isAtEdge($0.to) } : ways
    }
    return [
      ("landing", within(ends.map(\.landing))), ("lift", within(ends.compactMap(\.lift))),
      ("wobble", ends.map(\.wobble)),
    ]
  }

  /// Judges how all contacts of a test land, lift, and wobble between.
  func judgeTouches(_ result: inout PanelResult) {
    for (key, ways) in touchWays(of: result.test) {
      guard let measure = Measure(rawValue: "\(result.test.rawValue).\(key)"),
        let worst = ways.max(by: { $0.distance < $1.distance })
      else { continue }
      result.figures.append(
        JudgedFigure(measure: measure, value: worst.distance, place: .segment(worst.from, worst.to)))
      guard let limit = profile.limit(of: measure)?.value, trace.geometry.isInMillimetres else { continue }
      let count = ways.count { $0.distance > limit }
      if count > 0 {
        result.details.append("\(key): \(count) of \(ways.count) touches are beyond \(Self.text(limit)) mm")
      }
    }
  }
}
