import TouchCore
import TouchInput

/// What is judged: a device, and what it reported.
package struct PanelEvidence: Sendable {
  package var device: DeviceDescription
  package var kind: DeviceKind
  package var initial: InitialState
  package var frames: [InputFrame]
  /// How often the recording's clock went back.
  package var clockJumps = 0
  package var marks: TestMarks
  /// The panel's size in millimetres; nil to take it from the marks or the axes' resolution.
  package var size: Size?

  /// - Parameter size: in millimetres; nil to take it from the marks or the axes' resolution.
  package init(
    _ device: DeviceDescription, as kind: DeviceKind, initial: InitialState, frames: [InputFrame],
    marks: TestMarks, size: Size? = nil
  ) {
    self.device = device
    self.kind = kind
    self.initial = initial
    self.frames = frames
    self.marks = marks
    self.size = size ?? marks.size
  }

  /// The most contacts that the device says it can hold, as far as ten fingers can tell.
  var claimed: Int {
    kind == .multitouch ? min(10, device.capabilities.slotCount ?? 10) : 1
  }
}

extension PanelJudgement {
  /// Judges what a device reported.
  ///
  /// - Parameter tests: nil for those of the recording's plan or, without one, those that need no task.
  package init(of evidence: PanelEvidence, by profile: PanelProfile, only tests: [PanelTest]? = nil) {
    self.evidence = evidence
    self.profile = profile
    var trace = Self.trace(of: evidence, PanelOrientation())
    let mapping = Self.mapping(trace, evidence.marks.steps)
    if let mapping, mapping.orientation != PanelOrientation() {
      trace = Self.trace(of: evidence, mapping.orientation)
    }
    self.trace = trace
    let asked = tests ?? evidence.marks.plan
    for test in PanelTest.allCases where asked?.contains(test) ?? test.needsNoTask {
      var result = judge(test, mapping)
      conclude(&result)
      // In a plain recording, a test that was not asked for and has no data is left out.
      if asked == nil, result.verdict == .incomplete, !result.figures.contains(where: { $0.value != nil }) {
        continue
      }
      results.append(result)
    }
  }

  private static func trace(of evidence: PanelEvidence, _ orientation: PanelOrientation) -> PanelTrace {
    let (x, y) = evidence.device.capabilities.positionAxes(of: evidence.kind)
    let trace = PanelTrace(
      kind: evidence.kind, capabilities: evidence.device.capabilities, initial: evidence.initial,
      geometry: PanelGeometry(x: x, y: y, millimetres: evidence.size, orientation: orientation))
    for frame in evidence.frames { trace.add(frame) }
    return trace
  }

  private static func mapping(_ trace: PanelTrace, _ steps: [TestStep]) -> MappingFault? {
    let samples = steps.filter { $0.test == .mapping }.compactMap { step -> CalibrationFit.Sample? in
      guard let place = step.place, let contact = trace.contacts.first(where: step.holds) else { return nil }
      return CalibrationFit.Sample(touched: trace.geometry.normalized(contact.firstPosition), target: place)
    }
    return MappingFault(samples)
  }

  private func steps(_ test: PanelTest) -> [TestStep] { evidence.marks.steps.filter { $0.test == test } }

  /// The contacts of a test; of a recording without marks, all.
  private func contacts(_ test: PanelTest) -> [PanelTrace.Contact] {
    guard evidence.marks.plan != nil else { return trace.contacts }
    let steps = steps(test)
    return trace.contacts.filter { contact in steps.contains { $0.holds(contact) } }
  }

  private mutating func judge(_ test: PanelTest, _ mapping: MappingFault?) -> PanelResult {
    var result = PanelResult(test)
    if evidence.marks.plan != nil && test != .protocol && steps(test).isEmpty {
      result.gaps.append("it was not made, or skipped")
      return result
    }
    switch test {
    case .mapping: judgeMapping(&result, mapping)
    case .grid: judgeGrid(&result)
    case .edge: judgeEdges(&result)
    case .line: judgeLines(&result)
    case .rate: judgeRate(&result)
    case .jitter: judgeJitter(&result)
    case .taps: judgeTaps(&result)
    case .gaps: judgeSwipes(&result)
    case .contacts: judgeContacts(&result)
    case .deadzone: judgeDeadZones(&result)
    case .ghost: judgeGhosts(&result)
    case .latency: judgeLatency(&result)
    case .protocol: judgeProtocol(&result)
    }
    return result
  }
}

extension TestStep {
  /// Whether a contact came down during the step.
  func holds(_ contact: PanelTrace.Contact) -> Bool { contact.began >= start && contact.began < end }
}

// MARK: The tests

extension PanelJudgement {
  private func judgeMapping(_ result: inout PanelResult, _ mapping: MappingFault?) {
    guard let mapping else {
      result.gaps.append(
        evidence.marks.plan == nil
          ? "the recording does not say where the corners are; record one with `touchtree test`"
          : "fewer than three corners were touched")
      return
    }
    result.mapping = mapping
    result.details = mapping.sentences
    result.figures = [JudgedFigure(measure: .mappingFaults, value: Double(mapping.sentences.count))]
  }

  private mutating func judgeGrid(_ result: inout PanelResult) {
    let steps = steps(.grid)
    var touches: [(point: PanelPoint, mark: PanelPoint?)] = []
    if evidence.marks.plan == nil {
      touches = trace.contacts.map { ($0.reports[0].point, nil) }
    } else {
      for step in steps {
        guard let contact = trace.contacts.first(where: step.holds) else { continue }
        touches.append((contact.reports[0].point, step.place.map { trace.geometry.point($0) }))
      }
    }
    let grid = GridFigures(
      touches, asked: steps.compactMap { step in step.place.map { trace.geometry.point($0) } },
      columns: profile.columns, rows: profile.rows, in: trace.geometry)
    result.figures = [JudgedFigure(measure: .missingCells, value: Double(grid.missing.count))]
    offsets = touches.compactMap { touch in touch.mark.map { ($0, touch.point) } }
    if let first = grid.missing.first {
      result.figures[0].place = .cross(
        trace.geometry.point(
          Point<NormalizedSpace>(
            x: (Double(first.column) + 0.5) / Double(profile.columns),
            y: (Double(first.row) + 0.5) / Double(profile.rows))))
      result.details.append(
        "no answer from "
          + grid.missing.prefix(6).map { "column \($0.column + 1) row \($0.row + 1)" }.joined(separator: ", ")
          + (grid.missing.count > 6 ? ", …" : ""))
    }
    if let worst = grid.worst {
      result.figures.append(
        JudgedFigure(
          measure: .cellOffset, value: worst.distance, place: .segment(worst.mark, worst.touch)))
    }
  }

  private func judgeEdges(_ result: inout PanelResult) {
    var worst: EdgeFigures?
    for edge in EdgeFigures.Edge.allCases {
      let steps = steps(.edge).filter { $0.argument == edge.rawValue }
      let points = trace.contacts.filter { contact in
        evidence.marks.plan == nil || steps.contains { $0.holds(contact) }
      }.flatMap(\.points)
      guard let figures = EdgeFigures(edge, points, in: trace.geometry) else {
        result.gaps.append("nothing was dragged off the \(edge.rawValue) edge")
        result.isPartial = true
        continue
      }
      if trace.geometry.isInMillimetres {
        result.details.append("\(edge.rawValue): \(Self.text(figures.distance)) mm")
      }
      if figures.distance > worst?.distance ?? -1 { worst = figures }
    }
    guard let worst else { return }
    let size = trace.geometry.size
    let foot =
      switch worst.edge {
      case .left: PanelPoint(x: 0, y: worst.nearest.y)
      case .right: PanelPoint(x: size.width, y: worst.nearest.y)
      case .top: PanelPoint(x: worst.nearest.x, y: 0)
      case .bottom: PanelPoint(x: worst.nearest.x, y: size.height)
      }
    result.figures = [
      JudgedFigure(measure: .edgeDistance, value: worst.distance, place: .segment(foot, worst.nearest))
    ]
  }

  private mutating func judgeLines(_ result: inout PanelResult) {
    let window = trace.geometry.length(10)
    let paths: [[PanelPoint]]
    if evidence.marks.plan == nil {
      paths = trace.contacts.map(\.points)
    } else {
      // The longest contact of each step; others are what was touched by mistake.
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
        JudgedFigure(
          measure: .lineRMS, value: line.rms, place: .segment(line.worst.foot, line.worst.point))
      } ?? JudgedFigure(measure: .lineRMS),
      JudgedFigure(measure: .lineWave, value: lines.map(\.wave).max()),
    ]
  }

  private func judgeRate(_ result: inout PanelResult) {
    var worst: RateFigures?
    var longest: RateFigures?
    var slow = 0.0
    let contacts = contacts(.rate)
    for fingers in 1...max(1, contacts.map(\.fingers).max() ?? 1) {
      let contacts = contacts.filter { $0.fingers == fingers }
      guard let rate = RateFigures(contacts.map(\.reports), in: trace.geometry) else { continue }
      result.details.append(
        "\(fingers) finger\(fingers == 1 ? "" : "s"): \(Self.text(rate.mean)) Hz, longest gap "
          + "\(Self.text(rate.longest.gap)) ms, \(Self.text(rate.slow * 100)) % of the gaps above 16.67 ms")
      if rate.mean < worst?.mean ?? .infinity { worst = rate }
      if rate.longest.gap > longest?.longest.gap ?? 0 { longest = rate }
      slow = max(slow, rate.slow)
    }
    guard let worst, let longest else {
      result.gaps.append("no contact moved long enough to measure a rate")
      return
    }
    let gap = longest.longest
    result.figures = [
      JudgedFigure(measure: .rateMean, value: worst.mean),
      JudgedFigure(measure: .rateMinimum, value: 1000 / gap.gap),
      JudgedFigure(measure: .rateGap, value: gap.gap, place: .segment(gap.from, gap.to)),
      JudgedFigure(measure: .rateSlow, value: slow * 100),
    ]
  }

  private func judgeJitter(_ result: inout PanelResult) {
    for (measure, isOne) in [(Measure.jitterOne, true), (.jitterSeveral, false)] {
      let spreads = contacts(.jitter).filter { ($0.fingers == 1) == isOne }
        .compactMap { PointSpread($0.points).farthest }
      guard let worst = spreads.max(by: { $0.distance < $1.distance }) else { continue }
      result.figures.append(
        JudgedFigure(measure: measure, value: worst.distance, place: .segment(worst.from, worst.to)))
    }
    if result.figures.isEmpty { result.gaps.append("nothing was touched") }
  }

  private func judgeTaps(_ result: inout PanelResult) {
    let taps = contacts(.taps).map { $0.reports[0].point }
    guard taps.count >= 3, let circle = PointSpread(taps).circle else {
      result.gaps.append("there are fewer than three taps")
      return
    }
    result.details.append("\(taps.count) taps")
    result.figures = [
      JudgedFigure(
        measure: .tapRadius, value: circle.radius, place: .circle(circle.center, radius: circle.radius))
    ]
  }

  private func judgeSwipes(_ result: inout PanelResult) {
    let swipes = contacts(.gaps).compactMap { SwipeFigures($0.points, in: trace.geometry) }
    guard let worst = swipes.max(by: { $0.gap.ratio < $1.gap.ratio }) else {
      result.gaps.append("there is no swipe: a straight movement of 20 mm or more")
      return
    }
    result.details.append("\(swipes.count) swipe\(swipes.count == 1 ? "" : "s")")
    result.figures = [
      JudgedFigure(
        measure: .gapRatio, value: worst.gap.ratio, place: .segment(worst.gap.from, worst.gap.to)),
      JudgedFigure(measure: .reversedMotion, value: swipes.map(\.reversed).max()),
      JudgedFigure(measure: .firstStep, value: swipes.map(\.firstStep).max()),
    ]
  }

  private func judgeContacts(_ result: inout PanelResult) {
    let isPlain = evidence.marks.plan == nil
    let steps = isPlain ? [TestStep(.contacts, start: .zero, end: trace.end)] : steps(.contacts)
    let drums = steps.filter { $0.argument == "drumroll" }
    let start = isPlain ? Timestamp(microseconds: .min) : nil
    let most = steps.filter { $0.argument != "drumroll" }
      .map { trace.most(from: start ?? $0.start, to: $0.end.advanced(byMicroseconds: 1)) }.max()
    let swaps = trace.swaps.filter { swap in
      isPlain || steps.contains { swap.time >= $0.start && swap.time < $0.end }
    }
    result.details.append(
      "the device claims "
        + (evidence.device.capabilities.slotCount.map { "\($0) slots" }
          ?? (evidence.kind == .multitouch ? "no number of contacts" : "one contact")))
    result.figures = [
      JudgedFigure(measure: .mostContacts, value: most.map(Double.init)),
      JudgedFigure(
        measure: .swaps, value: Double(swaps.count), place: swaps.first.map { .segment($0.from, $0.to) }),
    ]
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
  }

  private mutating func judgeDeadZones(_ result: inout PanelResult) {
    guard let zones = DeadZones(contacts(.deadzone).map(\.reports), in: trace.geometry) else {
      result.gaps.append("nothing was touched")
      return
    }
    deadZones = zones
    result.figures = [
      JudgedFigure(
        measure: .deadDiameter, value: 2 * zones.radius, place: .circle(zones.center, radius: zones.radius))
    ]
  }

  private func judgeGhosts(_ result: inout PanelResult) {
    let ghosts = contacts(.ghost)
    let seconds = steps(.ghost).reduce(0) { $0 + $1.end.seconds(since: $1.start) }
    if !steps(.ghost).isEmpty { result.details.append("\(Self.text(seconds)) s without a touch") }
    // Less than half of the time proves nothing.
    if evidence.marks.plan != nil && ghosts.isEmpty && seconds < Double(profile.ghostSeconds) / 2 {
      result.gaps.append("the wait was shorter than \(profile.ghostSeconds / 2) s")
      return
    }
    result.figures = [
      JudgedFigure(
        measure: .ghosts, value: Double(ghosts.count), place: ghosts.first.map { .cross($0.reports[0].point) }
      )
    ]
  }

  private func judgeLatency(_ result: inout PanelResult) {
    let delays = evidence.marks.delays.sorted()
    guard !delays.isEmpty else {
      result.gaps.append("a recording without a display has no latency; run `touchtree test --only latency`")
      return
    }
    func percentile(_ percent: Int) -> Double {
      Double(delays[min(delays.count - 1, delays.count * percent / 100)]) / 1000
    }
    result.details.append(
      "\(delays.count) frames; from the finger to the kernel cannot be measured without a camera or a robot")
    result.figures = [
      JudgedFigure(measure: .latencyP50, value: percentile(50)),
      JudgedFigure(measure: .latencyP90, value: percentile(90)),
      JudgedFigure(measure: .latencyP99, value: percentile(99)),
    ]
  }

  private func judgeProtocol(_ result: inout PanelResult) {
    var audit = ProtocolAudit(evidence.device.capabilities, evidence.initial)
    for frame in evidence.frames { audit.add(frame) }
    audit.addClockJumps(evidence.clockJumps)
    for violation in ProtocolAudit.Violation.allCases {
      let count = audit.counts[violation.rawValue]
      guard count > 0 else { continue }
      let example = audit.examples[violation.rawValue].map { " (the first \($0))" } ?? ""
      result.details.append("\(violation.sentence), \(count == 1 ? "once" : "\(count) times")\(example)")
    }
    result.figures = [JudgedFigure(measure: .violations, value: Double(audit.total))]
  }

  /// Rounded to hundredths, for people.
  static func text(_ number: Double) -> String {
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
