import TouchCore
import TouchInput

/// The measurement to be judged: a device and its reports.
package struct PanelMeasurement: Sendable {
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
    (self.device, self.kind, self.initial, self.frames) = (device, kind, initial, frames)
    self.marks = marks
    self.size = size ?? marks.size
  }

  /// The most contacts that the device claims to hold, as far as ten fingers can tell.
  var claimed: Int { kind == .multitouch ? min(10, device.capabilities.slotCount ?? 10) : 1 }
}

extension PanelJudgement {
  /// Judges a device's reports.
  /// - Parameter tests: the tests; nil for those of the recording's
  ///   plan or, without a plan, those that need no task.
  package init(of measurement: PanelMeasurement, by profile: PanelProfile, only tests: [PanelTest]? = nil) {
    (self.measurement, self.profile) = (measurement, profile)
    let size = measurement.size ?? profile.size
    var trace = Self.trace(of: measurement, size, PanelOrientation())
    let mapping = Self.mapping(trace, measurement.marks.steps)
    if let mapping, mapping.orientation != PanelOrientation() {
      trace = Self.trace(of: measurement, size, mapping.orientation)
    }
    self.trace = trace
    audit = ContactAudit(trace, measurement.marks, profile)
    let asked = tests ?? measurement.marks.plan
    isPlain = asked == nil
    for test in PanelTest.allCases where asked?.contains(test) ?? test.needsNoTask {
      var result = judge(test, mapping)
      conclude(&result)
      // A plain recording leaves out a test without data that was not requested.
      if asked == nil, result.conformity == .notMeasured, !result.figures.contains(where: { $0.value != nil })
      {
        continue
      }
      results.append(result)
    }
  }

  private static func trace(of measurement: PanelMeasurement, _ size: Size?, _ orientation: PanelOrientation)
    -> PanelTrace
  {
    let (x, y) = measurement.device.capabilities.positionAxes(of: measurement.kind)
    let trace = PanelTrace(
      kind: measurement.kind, capabilities: measurement.device.capabilities, initial: measurement.initial,
      geometry: PanelGeometry(x: x, y: y, millimetres: size, orientation: orientation))
    for frame in measurement.frames { trace.add(frame) }
    trace.learnGrain()
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

  func steps(_ test: PanelTest) -> [TestStep] { measurement.marks.steps.filter { $0.test == test } }

  /// Returns the contacts of a test; all contacts of a recording without marks.
  package func contacts(_ test: PanelTest) -> [PanelTrace.Contact] {
    guard measurement.marks.plan != nil else { return trace.contacts }
    let steps = steps(test)
    return trace.contacts.filter { contact in steps.contains { $0.holds(contact) } }
  }

  private mutating func judge(_ test: PanelTest, _ mapping: MappingFault?) -> PanelResult {
    var result = PanelResult(test)
    if measurement.marks.plan != nil && test != .protocol && steps(test).isEmpty {
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
    // The absence of other contacts does not make up for missing measurements.
    if result.figures.isEmpty, !result.gaps.isEmpty { result.isPartial = true }
    noteUndone(&result)
    if !isPlain { judgeTouches(&result) }
    countContacts(&result)
    return result
  }

  /// Notes the tasks of a test that were not done, or with fewer fingers than asked for.
  private func noteUndone(_ result: inout PanelResult) {
    guard measurement.marks.plan != nil else { return }
    var gaps: [String] = []
    if measurement.marks.cut == result.test { gaps.append("it was ended before all of its tasks were done") }
    for step in steps(result.test) where !step.mayBeUntouched {
      let own = trace.contacts.filter(step.holds)
      let task = step.argument.isEmpty ? step.test.rawValue : "\(step.test.rawValue) \(step.argument)"
      let (most, asked) = (own.map(\.fingers).max() ?? 0, step.fingersTogether)
      if own.isEmpty {
        gaps.append("nothing was touched: \(task)")
      } else if most < asked {
        gaps.append("\(most) of \(asked) fingers were seen at once: \(task)")
      }
    }
    guard !gaps.isEmpty else { return }
    result.isPartial = true
    // The test itself may have said it in other words.
    if result.gaps.isEmpty { result.gaps = gaps }
  }

  /// Judges contacts that their tasks did not require, in a recording with tasks.
  private func countContacts(_ result: inout PanelResult) {
    guard measurement.marks.plan != nil, let measure = Measure.wrong(result.test) else { return }
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
    let start = measurement.frames.first?.time ?? .zero
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

  private static let mostFaults = 6
}

extension TestStep {
  func holds(_ contact: PanelTrace.Contact) -> Bool { contact.began >= start && contact.began < end }

  /// Whether the step is complete without a contact: none, or its lack, is a figure.
  fileprivate var mayBeUntouched: Bool { [.grid, .ghost, .protocol, .deadzone].contains(test) }

  /// The number of fingers that have to be down together for the figures of the step.
  fileprivate var fingersTogether: Int {
    switch test {
    case .rate, .jitter: Int(argument).map { max(1, min($0, 100)) } ?? 1
    default: 1
    }
  }
}

// MARK: The tests

extension PanelJudgement {
  private func judgeMapping(_ result: inout PanelResult, _ mapping: MappingFault?) {
    guard let mapping else {
      result.gaps.append(
        measurement.marks.plan == nil
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
    if measurement.marks.plan == nil {
      touches = trace.contacts.map { ($0.reports[0].point, nil) }
    } else {
      for step in steps {
        guard let contact = trace.contacts.first(where: step.holds) else { continue }
        touches.append((contact.reports[0].point, step.place.map { trace.geometry.point($0) }))
      }
    }
    let places = Set(steps.compactMap(\.place).map { [$0.x, $0.y] })
    if let cells = Self.cells(of: places), places.count < cells {
      result.gaps.append("\(places.count) of the grid's \(cells) cells were asked for")
      result.isPartial = true
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
    judgeZones(&result)
    judgeAccuracy(&result)
  }

  /// Judges settled touches in the outermost cells and the others. (IEC 62908-12-10)
  private func judgeZones(_ result: inout PanelResult) {
    let marks = steps(.grid).compactMap(\.place)
    let ranges = [marks.map(\.x), marks.map(\.y)].map { ($0.min() ?? 0, $0.max() ?? 0) }
    var worst: [Measure: (distance: Double, place: PanelPlace)] = [:]
    for step in steps(.grid) {
      guard let place = step.place, let contact = trace.contacts.first(where: step.holds) else { continue }
      let isOuter = zip([place.x, place.y], ranges).contains { $0 == $1.0 || $0 == $1.1 }
      let measure = isOuter ? Measure.gridEdge : .gridCentre
      let mark = trace.geometry.point(place)
      let distance = mark.distance(to: contact.settled)
      guard distance > worst[measure]?.distance ?? -1 else { continue }
      worst[measure] = (distance, .segment(mark, contact.settled))
    }
    for measure in [Measure.gridCentre, .gridEdge] {
      guard let found = worst[measure] else { continue }
      result.figures.append(JudgedFigure(measure: measure, value: found.distance, place: found.place))
    }
  }

  /// Returns the cells of an even grid in the middle by some of its marks; nil without.
  private static func cells(of places: Set<[Double]>) -> Int? {
    let counts = [0, 1].compactMap { axis -> Int? in
      let marks = Set(places.map { $0[axis] }).sorted()
      guard let first = marks.first else { return nil }
      let pitch = zip(marks, marks.dropFirst()).map { $1 - $0 }.min()
      // One row that is not in the middle has another one across from it.
      guard let pitch else { return abs(first - 0.5) < 0.01 ? 1 : 2 }
      return Int(saturating: ((1 - 2 * first) / max(pitch, 0.01)).rounded()) + 1
    }
    return counts.count == 2 ? counts[0] * counts[1] : nil
  }

  /// Judges the common part of all touches on marks, the corners included.
  private mutating func judgeAccuracy(_ result: inout PanelResult) {
    guard measurement.marks.plan != nil else { return }
    let touches = (steps(.mapping) + steps(.grid)).compactMap { step -> AccuracyFit.Touch? in
      guard let place = step.place, let contact = trace.contacts.first(where: step.holds) else { return nil }
      return (trace.geometry.point(place), contact.settled)
    }
    guard let fit = AccuracyFit(touches, in: trace.geometry) else { return }
    let place = PanelPlace.segment(fit.middle.mark, fit.middle.touch)
    for (measure, estimate) in [
      (Measure.gridShift, fit.shift), (.gridScale, fit.scale), (.gridRotation, fit.rotation),
      (.gridShear, fit.shear), (.gridKeystone, fit.keystone), (.gridRest, fit.rest),
    ] {
      result.figures.append(
        JudgedFigure(
          measure: measure, value: abs(estimate.value), error: estimate.error, reach: estimate.reach,
          place: measure == .gridShift ? place : nil))
    }
    // Single touches of a machine are good measurements. Those of a hand tell something only together.
    let isRobot = profile.touchedBy == .robot
    let local = isRobot ? fit.farthest : (from: fit.local.from, to: fit.local.to)
    result.figures.append(
      JudgedFigure(
        measure: .gridLocal, value: local.from.distance(to: local.to),
        error: isRobot ? nil : fit.local.estimate.error,
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
    // A strip is no wider than the way from the edge to the nearest report of any task.
    var widest = 0.0
    for edge in EdgeFigures.Edge.allCases {
      let steps = steps(.edge).filter { $0.argument == edge.rawValue }
      let paths = trace.contacts.filter { contact in
        measurement.marks.plan == nil || steps.contains { $0.holds(contact) }
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
      let nearest = trace.contacts.lazy.flatMap(\.points).map {
        EdgeFigures.distance(of: $0, from: edge, in: trace.geometry)
      }.min()
      widest = max(widest, min(figures.distance, nearest ?? figures.distance))
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
      JudgedFigure(
        measure: .edgeDistance, value: worst.silent, most: max(worst.silent, widest),
        place: .segment(foot, worst.nearest))
    ]
  }
}
