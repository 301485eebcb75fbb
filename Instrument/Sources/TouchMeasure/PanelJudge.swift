import TouchCore
import TouchInput

/// The measurement to be judged: a device and its reports.
package struct PanelEvidence: Sendable {
  package var device: DeviceDescription
  package var kind: DeviceKind
  package var initial: InitialState
  package var frames: [InputFrame]
  /// The number of times that the recording's clock went back.
  package var clockJumps = 0
  package var marks: TestMarks
  /// The panel's size in millimetres; nil to take it from the marks or the axes' resolution.
  package var size: Size?

  /// - Parameter size: the size in millimetres; nil to take it from the marks or the axes' resolution.
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

  /// The most contacts that the device claims to hold, as far as ten fingers can tell.
  var claimed: Int {
    kind == .multitouch ? min(10, device.capabilities.slotCount ?? 10) : 1
  }
}

extension PanelJudgement {
  /// Judges a device's reports.
  ///
  /// - Parameter tests: the tests; nil for those of the recording's
  ///   plan or, without a plan, those that need no task.
  package init(of evidence: PanelEvidence, by profile: PanelProfile, only tests: [PanelTest]? = nil) {
    self.evidence = evidence
    self.profile = profile
    var trace = Self.trace(of: evidence, PanelOrientation())
    let mapping = Self.mapping(trace, evidence.marks.steps)
    if let mapping, mapping.orientation != PanelOrientation() {
      trace = Self.trace(of: evidence, mapping.orientation)
    }
    self.trace = trace
    audit = ContactAudit(trace, evidence.marks, profile)
    let asked = tests ?? evidence.marks.plan
    isPlain = asked == nil
    for test in PanelTest.allCases where asked?.contains(test) ?? test.needsNoTask {
      var result = judge(test, mapping)
      conclude(&result)
      // A plain recording leaves out a test without data that was not requested.
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
    let size = trace.geometry.size
    let orientation = MappingFault(samples)?.orientation ?? PanelOrientation()
    let seen = orientation.isSwapped ? Size(width: size.height, height: size.width) : size
    return MappingFault(samples, size: trace.geometry.isInMillimetres ? seen : nil)
  }

  func steps(_ test: PanelTest) -> [TestStep] { evidence.marks.steps.filter { $0.test == test } }

  /// Returns the contacts of a test; all contacts of a recording without marks.
  package func contacts(_ test: PanelTest) -> [PanelTrace.Contact] {
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
    case .border: judgeBorders(&result)
    case .line: judgeLines(&result)
    case .rate: judgeRate(&result)
    case .jitter: judgeJitter(&result)
    case .start: judgeStart(&result)
    case .taps: judgeTaps(&result)
    case .gaps: judgeSwipes(&result)
    case .contacts: judgeContacts(&result)
    case .pairs: judgePairs(&result)
    case .deadzone: judgeDeadZones(&result)
    case .ghost: judgeGhosts(&result)
    case .noise: judgeNoise(&result)
    case .latency: judgeLatency(&result)
    case .protocol: judgeProtocol(&result)
    }
    countContacts(&result)
    return result
  }

  /// Judges contacts that their tasks did not require, in a recording with tasks.
  private func countContacts(_ result: inout PanelResult) {
    guard evidence.marks.plan != nil, let measure = Measure.wrong(result.test) else { return }
    // The absence of other contacts does not make up for missing measurements.
    if result.figures.isEmpty, !result.gaps.isEmpty { result.isPartial = true }
    let faults = audit.faults(of: result.test) + (result.test == .protocol ? audit.strays() : [])
    result.contactFaults = Set(faults.map(\.kind))
    if let intruder = audit.intruder(in: result.test) {
      // The remaining touches tell nothing about the panel.
      result.figures.removeAll()
      result.isPartial = true
      result.gaps = [
        "a contact that began in the test \(intruder.rawValue) did not end, and touches of this test went on with it"
      ]
    }
    result.figures.append(
      JudgedFigure(
        measure: measure, value: Double(faults.count), place: faults.first.map { .cross($0.place) }))
    let start = evidence.frames.first?.time ?? .zero
    result.details += faults.prefix(Self.mostFaults).map { fault in
      let milliseconds = fault.time.microseconds(since: start) / 1000
      let place = "\(Self.text(fault.place.x)), \(Self.text(fault.place.y))"
      return
        "at \(milliseconds) ms, \(place)\(trace.geometry.isInMillimetres ? " mm" : ""): \(fault.sentence)"
    }
    if faults.count > Self.mostFaults {
      result.details.append("and \(faults.count - Self.mostFaults) more of these")
    }
  }

  /// The most faults that are named one by one.
  private static let mostFaults = 6
}

extension TestStep {
  /// Returns whether a contact came down during the step.
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
      result.figures[0].place = .cross(first.place)
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
    judgeAccuracy(&result)
  }

  /// Judges the common part of all touches on marks, the corners included.
  private mutating func judgeAccuracy(_ result: inout PanelResult) {
    guard evidence.marks.plan != nil else { return }
    let touches = (steps(.mapping) + steps(.grid)).compactMap { step -> AccuracyFit.Touch? in
      guard let place = step.place, let contact = trace.contacts.first(where: step.holds) else { return nil }
      return (trace.geometry.point(place), contact.settled)
    }
    guard let fit = AccuracyFit(touches, in: trace.geometry) else { return }
    let place = PanelPlace.segment(fit.middle.mark, fit.middle.touch)
    for (measure, estimate) in [
      (Measure.gridShift, fit.shift), (.gridScale, fit.scale), (.gridRotation, fit.rotation),
      (.gridShear, fit.shear), (.gridKeystone, fit.keystone),
    ] {
      result.figures.append(
        JudgedFigure(
          measure: measure, value: abs(estimate.value), error: estimate.error,
          place: measure == .gridShift ? place : nil))
    }
    result.figures.append(JudgedFigure(measure: .gridRest, value: fit.rest))
    // Single touches of a machine are good measurements. Those of a hand tell something only together.
    let isRobot = profile.touchedBy == .robot
    let local = isRobot ? fit.farthest : (from: fit.local.from, to: fit.local.to)
    result.figures.append(
      JudgedFigure(
        measure: .gridLocal, value: local.from.distance(to: local.to),
        error: isRobot ? nil : fit.local.estimate.error, luck: JudgedFigure.luckOfMany,
        place: .segment(local.from, local.to)))
    accuracy = fit
    calibration =
      CalibrationFit(
        touches.map {
          .init(
            touched: trace.geometry.normalized($0.touch),
            target: Point(
              x: $0.mark.x / trace.geometry.size.width, y: $0.mark.y / trace.geometry.size.height))
        })?.matrix
    if trace.geometry.isInMillimetres {
      let (x, y) = (fit.middle.touch.x - fit.middle.mark.x, fit.middle.touch.y - fit.middle.mark.y)
      result.details.append(
        "shifted by \(Self.way(x, y)), scaled by \(Self.text(100 + fit.scale.value)) %, "
          + "turned by \(Self.text(abs(fit.rotation.value)))° \(fit.rotation.value < 0 ? "anticlockwise" : "clockwise"): "
          + "from \(touches.count) touches")
      result.details.append(
        "the largest local distortion is at \(Self.text(local.from.x)), \(Self.text(local.from.y)) mm: "
          + Self.way(local.to.x - local.from.x, local.to.y - local.from.y))
    }
  }

  /// Returns a way in millimetres, in words.
  private static func way(_ x: Double, _ y: Double) -> String {
    "\(text(abs(x))) mm to the \(x < 0 ? "left" : "right") and \(text(abs(y))) mm \(y < 0 ? "up" : "down")"
  }

  private func judgeEdges(_ result: inout PanelResult) {
    var worst: EdgeFigures?
    for edge in EdgeFigures.Edge.allCases {
      let steps = steps(.edge).filter { $0.argument == edge.rawValue }
      let paths = trace.contacts.filter { contact in
        evidence.marks.plan == nil || steps.contains { $0.holds(contact) }
      }.map(\.reports)
      guard let figures = EdgeFigures(edge, paths, in: trace.geometry) else {
        result.gaps.append("nothing was dragged off the \(edge.rawValue) edge")
        result.isPartial = true
        continue
      }
      if trace.geometry.isInMillimetres {
        result.details.append(
          "\(edge.rawValue): the last report is \(Self.text(figures.distance)) mm from the edge, with "
            + "\(Self.text(figures.step)) mm from one report to the next")
      }
      if (figures.silent, figures.distance) > (worst?.silent ?? -1, worst?.distance ?? -1) { worst = figures }
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
      JudgedFigure(measure: .edgeDistance, value: worst.silent, place: .segment(foot, worst.nearest))
    ]
  }
}
