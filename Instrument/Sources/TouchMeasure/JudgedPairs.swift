import TouchCore

// MARK: Lines along the edges, two fingers, the way out of a rest, and disturbances

extension PanelJudgement {
  /// The distance of a drawn line from each edge, in millimetres.
  package static let borderDistance = 5.0

  /// Judges a line along each edge: its distance from the required place, and its bends.
  mutating func judgeBorders(_ result: inout PanelResult) {
    let geometry = trace.geometry
    let distance = geometry.length(Self.borderDistance)
    var offsets: [(value: Double, from: PanelPoint, to: PanelPoint)] = []
    var bends: [LineFigures] = []
    for edge in EdgeFigures.Edge.allCases {
      let steps = steps(.border).filter { $0.argument == edge.rawValue }
      let contact = trace.contacts.filter { contact in steps.contains { $0.holds(contact) } }
        .max { $0.extent < $1.extent }
      guard let contact, let line = LineFigures(contact.points, window: geometry.length(10)) else {
        result.gaps.append("no line was drawn along the \(edge.rawValue) edge")
        result.isPartial = true
        continue
      }
      // A fingertip rolls on the first and last tenth.
      let cut = contact.reports.count / 10
      let points = contact.points.dropFirst(cut).dropLast(cut)
      let mean =
        points.reduce(0) { $0 + EdgeFigures.distance(of: $1, from: edge, in: geometry) }
        / Double(points.count)
      let middle = points[points.startIndex + points.count / 2]
      let shift = distance - mean
      offsets.append((abs(shift), middle, edge.moved(middle, by: shift)))
      bends.append(line)
      if geometry.isInMillimetres {
        result.details.append(
          "\(edge.rawValue): \(Self.text(mean)) mm from the edge, where \(Self.text(distance)) were drawn; "
            + "bent by \(Self.text(line.largest)) mm")
      }
    }
    lines += bends
    guard let offset = offsets.max(by: { $0.value < $1.value }),
      let bend = bends.max(by: { $0.largest < $1.largest })
    else { return }
    result.figures = [
      JudgedFigure(measure: .borderOffset, value: offset.value, place: .segment(offset.from, offset.to)),
      JudgedFigure(
        measure: .borderBend, value: bend.largest, place: .segment(bend.worst.foot, bend.worst.point)),
    ]
  }

  /// Judges two fingers side by side, past each other, and one at rest beside the other.
  func judgePairs(_ result: inout PanelResult) {
    let steps = steps(.pairs)
    var separation: (value: Double, place: PanelPlace?)?
    for step in steps where ["across", "down", "slanting"].contains(step.argument) {
      let own = trace.contacts.filter(step.holds)
      guard !own.isEmpty else {
        result.gaps.append("no two fingers were drawn: \(step.argument)")
        result.isPartial = true
        continue
      }
      let merge = audit.merges(own).max { $0.distance < $1.distance }
      if let merge {
        if merge.distance > separation?.value ?? -1 { separation = (merge.distance, .cross(merge.place)) }
      } else if let nearest = audit.nearest(own) {
        result.details.append(
          "\(step.argument): two contacts, \(Self.text(nearest)) \(trace.geometry.isInMillimetres ? "mm" : "units") "
            + "apart at their nearest")
        if nearest > trace.geometry.length(Self.sideBySide) {
          result.gaps.append("the fingers were too far apart (\(step.argument)); hold them side by side")
          result.isPartial = true
        } else if separation == nil {
          separation = (0, nil)
        }
      }
    }
    if let separation {
      result.figures.append(
        JudgedFigure(measure: .pairSeparation, value: separation.value, place: separation.place))
    }
    let crossed = trace.contacts.contains { contact in
      contact.fingers > 1 && steps.contains { $0.argument == "crossing" && $0.holds(contact) }
    }
    if crossed {
      let swaps = trace.swaps.filter { swap in
        steps.contains { swap.time >= $0.start && swap.time < $0.end }
      }
      result.figures.append(
        JudgedFigure(
          measure: .pairSwaps, value: Double(swaps.count), place: swaps.first.map { .segment($0.from, $0.to) }
        ))
    }
    for step in steps where step.argument == "resting" { judgeResting(step, &result) }
  }

  /// The distance in millimetres up to which fingers are side by side.
  package static let sideBySide = 40.0

  /// Judges touches beside a resting finger, which is the one that was down for longest.
  private func judgeResting(_ step: TestStep, _ result: inout PanelResult) {
    let own = trace.contacts.filter(step.holds)
    let longest = own.max { duration($0) < duration($1) }
    guard let longest, own.count > 1, let spread = longest.rest.flatMap({ PointSpread($0).farthest }) else {
      result.gaps.append("no finger rested while another one tapped")
      result.isPartial = true
      return
    }
    result.details.append("resting: \(own.count - 1) touches beside a resting finger")
    result.figures.append(
      JudgedFigure(measure: .pairResting, value: spread.distance, place: .segment(spread.from, spread.to)))
  }

  private func duration(_ contact: PanelTrace.Contact) -> Int64 {
    (contact.end ?? trace.end).microseconds(since: contact.began)
  }

  /// Judges the jump of a finger that rested. (ChromiumOS, HysteresisValidator, in millimetres)
  func judgeStart(_ result: inout PanelResult) {
    var worst: (jump: Double, from: PanelPoint, to: PanelPoint)?
    for contact in contacts(.start) {
      guard let start = Self.leaving(contact.reports, in: trace.geometry) else { continue }
      let reports = contact.reports
      // The jump exceeds the following pace. A panel that falls back to the rest gets no farther.
      let later = min(start + Self.pacing, reports.count - 1)
      let pace = reports[later].point.distance(to: reports[start].point) / Double(later - start)
      let jump = max(0, reports[start].point.distance(to: reports[start - 1].point) - pace)
      if jump >= worst?.jump ?? 0 { worst = (jump, reports[start - 1].point, reports[start].point) }
    }
    guard let worst else {
      result.gaps.append("no finger rested for half a second and moved on")
      return
    }
    result.figures = [
      JudgedFigure(measure: .startJump, value: worst.jump, place: .segment(worst.from, worst.to))
    ]
  }

  /// The number of reports for the pace of a finger that leaves its rest.
  private static let pacing = 6

  /// Returns the report in which a finger left its rest; nil without rest or movement.
  package static func leaving(_ reports: [PanelTrace.Report], in geometry: PanelGeometry) -> Int? {
    guard let first = reports.first else { return nil }
    // A fingertip rolls when it lands, and a panel reports nothing for a still finger.
    func index(_ microseconds: Int64) -> Int {
      reports.lastIndex { $0.time.microseconds(since: first.time) <= microseconds } ?? 0
    }
    let settled = index(500_000)
    let rest = reports[index(300_000)...settled]
    let count = Double(rest.count)
    let place = PanelPoint(
      x: rest.reduce(0) { $0 + $1.point.x } / count, y: rest.reduce(0) { $0 + $1.point.y } / count)
    // A finger that moves on at once has no rest to leave.
    guard rest.allSatisfy({ $0.point.distance(to: place) <= geometry.length(5) }) else { return nil }
    // This is six times the tremble of a hand.
    let far = geometry.length(1.2)
    guard let start = reports[(settled + 1)...].firstIndex(where: { $0.point.distance(to: place) > far }),
      reports[start].time.microseconds(since: first.time) >= 500_000, start + 3 < reports.count,
      reports[reports.count - 1].point.distance(to: place) >= geometry.length(10)
    else { return nil }
    return start
  }

  /// Judges a resting finger on the disturbed and undisturbed panel.
  func judgeNoise(_ result: inout PanelResult) {
    var quiet: Double?
    for (condition, measure) in Self.conditions {
      let steps = steps(.noise).filter { $0.argument == condition }
      guard !steps.isEmpty else { continue }
      let spreads = trace.contacts.filter { contact in steps.contains { $0.holds(contact) } }
        .compactMap { $0.rest.flatMap { PointSpread($0).farthest } }
      guard let worst = spreads.max(by: { $0.distance < $1.distance }) else {
        result.gaps.append("no finger rested for half a second: \(condition)")
        result.isPartial = true
        continue
      }
      if measure == .noiseQuiet { quiet = worst.distance }
      result.figures.append(
        JudgedFigure(measure: measure, value: worst.distance, place: .segment(worst.from, worst.to)))
      if let quiet, measure != .noiseQuiet, trace.geometry.isInMillimetres {
        result.details.append(
          "\(condition): \(Self.text(worst.distance)) mm, undisturbed \(Self.text(quiet)) mm")
      }
    }
    judgeStrength(&result)
  }

  /// Judges the controller's own numbers, where its driver offers them.
  private func judgeStrength(_ result: inout PanelResult) {
    let measured = Self.conditions.compactMap { condition in
      measurement.marks.strengths[condition.name].map { (condition.name, $0) }
    }
    guard let least = measured.map(\.1.ratio).min() else { return }
    result.figures.append(JudgedFigure(measure: .noiseRatio, value: least))
    for (condition, strength) in measured {
      result.details.append(
        "\(condition): signal \(Self.text(strength.signal)), noise \(Self.text(strength.noise)) of the controller's units"
      )
    }
  }

  /// The disturbances of a panel, by the words of their steps.
  package static let conditions: [(name: String, measure: Measure)] = [
    ("quiet", .noiseQuiet), ("charger", .noiseCharger), ("pattern", .noisePattern), ("water", .noiseWater),
    ("glove", .noiseGlove),
  ]
}

extension PanelTrace {
  /// Returns the least distance of contacts, or that of a merge, in units of the panel; nil for no two.
  package func separation(of own: [Contact]) -> (distance: Double, isMerged: Bool)? {
    let audit = ContactAudit(self, TestMarks([], end: .zero), PanelProfile(name: ""))
    let merge = audit.merges(own).max { $0.distance < $1.distance }
    return merge.map { ($0.distance, true) } ?? audit.nearest(own).map { ($0, false) }
  }
}
