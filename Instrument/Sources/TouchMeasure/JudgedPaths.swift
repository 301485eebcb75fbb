import TouchCore

// MARK: Drawn lines, rests, taps, and judgements without a mark

extension PanelJudgement {
  mutating func judgeLines(_ result: inout PanelResult) {
    let window = trace.geometry.length(10)
    let paths: [[PanelPoint]]
    if measurement.marks.plan == nil {
      paths = trace.contacts.map(\.points)
    } else {
      // The longest contact of each step counts. Others are accidental touches.
      paths = steps(.line).compactMap { step in
        let contact = trace.contacts.filter(step.holds).max { $0.reports.count < $1.reports.count }
        if contact == nil {
          result.gaps.append("no line was drawn: \(step.argument)")
          result.isPartial = true
        }
        return contact?.points
      }
    }
    lines = paths.compactMap { LineFigures($0, window: window) }
    guard let worst = lines.max(by: { $0.largest < $1.largest }) else {
      result.gaps.append("no line is longer than 10 mm")
      return
    }
    result.figures = [
      JudgedFigure(
        measure: .lineLargest, value: worst.largest, place: .segment(worst.worst.foot, worst.worst.point)),
      lines.max { $0.rms < $1.rms }.map { line in
        JudgedFigure(measure: .lineRMS, value: line.rms, place: .segment(line.worst.foot, line.worst.point))
      } ?? JudgedFigure(measure: .lineRMS),
      JudgedFigure(measure: .lineWave, value: lines.map(\.wave).max()),
    ]
  }

  func judgeRate(_ result: inout PanelResult) {
    var worst: RateFigures?
    var longest: RateFigures?
    var slow = 0.0
    var p99: [Double] = []
    var stalls = 0
    let contacts = contacts(.rate)
    for fingers in 1...max(1, contacts.map(\.fingers).max() ?? 1) {
      let contacts = contacts.filter { $0.fingers == fingers }
      guard let rate = RateFigures(contacts.map(\.reports), in: trace.geometry) else { continue }
      result.details.append(
        "\(fingers) finger\(fingers == 1 ? "" : "s"): \(Self.text(rate.mean)) Hz, longest gap "
          + "\(Self.text(rate.longest.gap)) ms, "
          + (rate.p99.map { "p99 \(Self.text($0)) ms, " } ?? "")
          + "\(Self.text(rate.slow * 100)) % of the gaps above 16.67 ms")
      if rate.mean < worst?.mean ?? .infinity { worst = rate }
      if rate.longest.gap > longest?.longest.gap ?? 0 { longest = rate }
      slow = max(slow, rate.slow)
      if let value = rate.p99 { p99.append(value) }
      stalls += rate.stalls
    }
    guard let worst, let longest else {
      result.gaps.append("no contact moved long enough to measure a rate")
      return
    }
    let gap = longest.longest
    let fastest = RateFigures.fastest(contacts.map(\.reports))
    if isPlain, let fastest, let limit = profile.limit(of: .rateFastest)?.value, fastest < limit {
      result.gaps.append(
        "the reports came slower than the \(Self.text(limit)) Hz of the profile; whether the panel or the recorder was slow, "
          + "`touchtree test --only rate` tells")
    }
    result.figures = [
      JudgedFigure(measure: .rateFastest, value: fastest),
      JudgedFigure(measure: .rateMean, value: worst.mean),
      JudgedFigure(measure: .rateMinimum, value: 1000 / gap.gap),
      JudgedFigure(measure: .rateGap, value: gap.gap, place: .segment(gap.from, gap.to)),
      JudgedFigure(measure: .rateP99, value: p99.max()),
      JudgedFigure(measure: .rateStalls, value: Double(stalls), place: .segment(gap.from, gap.to)),
      JudgedFigure(measure: .rateSlow, value: slow * 100),
    ]
  }

  func judgeJitter(_ result: inout PanelResult) {
    for (measure, isOne) in [(Measure.jitterOne, true), (.jitterSeveral, false)] {
      let spreads = contacts(.jitter).filter { ($0.fingers == 1) == isOne }
        .compactMap { $0.rest.flatMap { PointSpread($0).farthest } }
      guard let worst = spreads.max(by: { $0.distance < $1.distance }) else { continue }
      result.figures.append(
        JudgedFigure(measure: measure, value: worst.distance, place: .segment(worst.from, worst.to)))
    }
    if result.figures.isEmpty { result.gaps.append("no finger rested for half a second") }
  }

  func judgeTaps(_ result: inout PanelResult) {
    let taps = contacts(.taps).map { $0.reports[0].point }
    guard taps.count >= 3, let circle = PointSpread(taps).circle else {
      result.gaps.append("there are fewer than three taps")
      return
    }
    if let asked = steps(.taps).compactMap({ Int($0.argument) }).max(), 2 * taps.count < asked {
      result.gaps.append("\(taps.count) of \(asked) taps were made")
      result.isPartial = true
    }
    result.details.append("\(taps.count) taps")
    result.figures = [
      JudgedFigure(
        measure: .tapRadius, value: circle.radius, place: .circle(circle.center, radius: circle.radius)),
      Self.deviation(contacts(.taps).map(\.settled)),
    ]
  }

  /// Returns the standard deviation of one axis, from both, with its standard error.
  private static func deviation(_ points: [PanelPoint]) -> JudgedFigure {
    let count = Double(points.count)
    let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
    let squares = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) + ($1.y - y) * ($1.y - y) }
    let degrees = 2 * (count - 1)
    let deviation = (squares / degrees).squareRoot()
    // Of a normal distribution, one part in the root of twice the degrees of freedom.
    return JudgedFigure(measure: .tapSpread, value: deviation, error: deviation / (2 * degrees).squareRoot())
  }

  func judgeSwipes(_ result: inout PanelResult) {
    let swipes = contacts(.gaps).compactMap { SwipeFigures($0.reports, in: trace.geometry) }
    guard let worst = swipes.max(by: { $0.gap.ratio < $1.gap.ratio }) else {
      result.gaps.append("there is no swipe: a straight movement of 20 mm or more")
      return
    }
    result.details.append("\(swipes.count) swipe\(swipes.count == 1 ? "" : "s")")
    if let step = worst.worst {
      let milliseconds = step.time.microseconds(since: measurement.frames.first?.time ?? .zero) / 1000
      result.details.append(
        "at \(milliseconds) ms, a report came "
          + (step.isLate
            ? "late, after \(Self.text(step.milliseconds)) ms" : "in time, and the position jumped"))
    }
    result.figures = [
      JudgedFigure(measure: .gapRatio, value: worst.gap.ratio, place: .segment(worst.gap.from, worst.gap.to)),
      JudgedFigure(measure: .gapLate, value: swipes.map(\.late).max()),
      JudgedFigure(measure: .gapJump, value: swipes.map(\.jump).max()),
      JudgedFigure(measure: .reversedMotion, value: swipes.map(\.reversed).max()),
      JudgedFigure(measure: .firstStep, value: swipes.map(\.firstStep).max()),
    ]
  }

  func judgeContacts(_ result: inout PanelResult) {
    let isPlain = measurement.marks.plan == nil
    let steps = isPlain ? [TestStep(.contacts, start: .zero, end: trace.end)] : steps(.contacts)
    let drums = steps.filter { $0.argument == "drumroll" }
    let pinches = steps.filter { $0.argument == "pinch" }
    let start = isPlain ? Timestamp(microseconds: .min) : nil
    let most = steps.filter { $0.argument != "drumroll" && $0.argument != "pinch" }
      .map { trace.most(from: start ?? $0.start, to: $0.end.advanced(byMicroseconds: 1)) }.max()
    let swaps = trace.swaps.filter { swap in
      isPlain || steps.contains { swap.time >= $0.start && swap.time < $0.end }
    }
    result.details.append(
      "the device claims "
        + (measurement.device.capabilities.slotCount.map { "\($0) slots" }
          ?? (measurement.kind == .multitouch ? "no number of contacts" : "one contact")))
    // A plain recording does not contain the number of fingers that were put down.
    if isPlain {
      result.gaps.append("the recording shows \(most ?? 0) at once, and not how many fingers were put down")
    }
    result.figures = [JudgedFigure(measure: .mostContacts, value: isPlain ? nil : most.map(Double.init))]
    // One finger swaps with none.
    if trace.contacts.contains(where: { $0.fingers > 1 }) {
      result.figures.append(
        JudgedFigure(
          measure: .swaps, value: Double(swaps.count), place: swaps.first.map { .segment($0.from, $0.to) }))
    }
    if most == nil {
      result.gaps.append("the fingers were not counted")
      result.isPartial = true
    }
    let drummed = trace.contacts.filter { contact in drums.contains { $0.holds(contact) } }
      .compactMap { PointSpread($0.points).farthest }.max { $0.distance < $1.distance }
    if let drummed {
      result.figures.append(
        JudgedFigure(
          measure: .drumroll, value: drummed.distance, place: .segment(drummed.from, drummed.to)))
    }
    judgePinches(pinches, &result)
  }

  /// Judges how near two fingers may come to each other before they merge.
  private func judgePinches(_ steps: [TestStep], _ result: inout PanelResult) {
    for step in steps {
      let own = trace.contacts.filter(step.holds)
      let merge = audit.merges(own).max { $0.distance < $1.distance }
      guard let distance = merge?.distance ?? audit.nearest(own) else {
        result.gaps.append("no two fingers were down for the pinch")
        result.isPartial = true
        continue
      }
      let limit = profile.limit(of: .separation)?.value
      if merge == nil, let limit, trace.geometry.isInMillimetres, distance > limit {
        result.gaps.append(
          "the pinch ended with the fingers \(Self.text(distance)) mm apart; bring them together until they touch"
        )
        result.isPartial = true
        continue
      }
      result.figures.append(
        JudgedFigure(measure: .separation, value: distance, place: merge.map { .cross($0.place) }))
    }
  }

  mutating func judgeDeadZones(_ result: inout PanelResult) {
    guard let zones = DeadZones(contacts(.deadzone).map(\.reports), in: trace.geometry) else {
      result.gaps.append("nothing was touched")
      return
    }
    deadZones = zones
    result.figures = [
      JudgedFigure(
        measure: .deadDiameter, value: 2 * zones.radius, least: 2 * zones.bounds.least,
        most: 2 * zones.bounds.most,
        place: .circle(zones.center, radius: zones.radius))
    ]
  }

  func judgeGhosts(_ result: inout PanelResult) {
    let ghosts = contacts(.ghost)
    // Recorded without conditions, or with them.
    let conditions = profile.ghostConditions.isEmpty ? nil : profile.ghostConditions
    for condition in conditions ?? [""] {
      let own = steps(.ghost).filter { conditions == nil || $0.argument == condition }
      let seconds = own.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
      let count = ghosts.count { ghost in conditions == nil || own.contains { $0.holds(ghost) } }
      let title = conditions == nil ? "" : "\(condition): "
      if !own.isEmpty {
        result.details.append(
          title + "\(Self.text(seconds)) s without a touch"
            + (conditions == nil ? "" : ", contacts: \(count)"))
      }
      // Less than half of the time proves nothing.
      if measurement.marks.plan != nil && count == 0 && seconds < Double(profile.ghostSeconds) / 2 {
        result.gaps.append("\(title)the wait was shorter than \(profile.ghostSeconds / 2) s")
      }
    }
    if ghosts.isEmpty, !result.gaps.isEmpty { return }
    result.figures = [
      JudgedFigure(
        measure: .ghosts, value: Double(ghosts.count), place: ghosts.first.map { .cross($0.reports[0].point) }
      )
    ]
  }

  /// The conditions of a wait without touches.
  package static let ghostConditions = ["mains", "battery", "charger", "resume"]

  func judgeProtocol(_ result: inout PanelResult) {
    var audit = ProtocolAudit(measurement.device.capabilities, measurement.initial)
    for frame in measurement.frames { audit.add(frame) }
    guard !trace.contacts.isEmpty else {
      result.gaps.append("nothing was touched")
      return
    }
    audit.addClockJumps(measurement.clockJumps)
    for violation in ProtocolAudit.Violation.allCases {
      let count = audit.counts[violation.rawValue]
      guard count > 0 else { continue }
      let example = audit.examples[violation.rawValue].map { " (the first \($0))" } ?? ""
      result.details.append("\(violation.sentence), \(count == 1 ? "once" : "\(count) times")\(example)")
    }
    result.figures = [JudgedFigure(measure: .violations, value: Double(audit.total))]
  }

  /// Returns a number rounded to hundredths, for people.
  static func text(_ number: Double) -> String {
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
