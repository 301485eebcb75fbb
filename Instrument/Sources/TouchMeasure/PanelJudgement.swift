import TouchCore

package struct PanelResult: Sendable {
  /// The short result in JSON reports, as the first version of them had it.
  package enum Outcome: String, Sendable {
    case passed, failed
    /// The test is undecided or was not measured.
    case incomplete
    /// The profile has no limit for the test.
    case measured
  }

  package var test: PanelTest
  /// The result; nil if the profile has no limit for the test.
  package var conformity: Conformity? = .notMeasured
  package var figures: [JudgedFigure] = []
  /// The findings, in sentences without their end.
  package var details: [String] = []
  /// The reasons why the test, or a part of it, was not measured: sentences without their end.
  package var gaps: [String] = []
  /// Whether a part of the requested tasks was not done.
  package var isPartial = false
  /// The faults of contacts that their tasks did not require.
  package var contactFaults: Set<ContactFault.Kind> = []
  /// The faults of the axes by the corners; only in the test of the mapping.
  package var mapping: MappingFault?

  package init(_ test: PanelTest) { self.test = test }

  package var outcome: Outcome { conformity.map(Outcome.init) ?? .measured }

  /// The reason of a test that is undecided or was not measured: a sentence without its end.
  package var reason: String {
    figures.lazy.filter { $0.result == conformity }.compactMap { figure in
      figure.reason.map { "\(figure.measure.title): \($0)" }
    }.first ?? gaps.first ?? "no figure of it has a limit"
  }
}

extension PanelResult.Outcome {
  init(_ conformity: Conformity) {
    switch conformity {
    case .conforms: self = .passed
    case .doesNotConform: self = .failed
    case .undecided, .notMeasured: self = .incomplete
    }
  }
}

package struct PanelJudgement {
  package let measurement: PanelMeasurement
  package let profile: PanelProfile
  package var results: [PanelResult] = []
  /// Whether the recording has no tasks, and no tests were requested for it.
  package let isPlain: Bool
  package let trace: PanelTrace
  let audit: ContactAudit
  package var deadZones: DeadZones?
  /// The common part of the touches on marks, and its correction, from 0 to 1 along the present axes.
  package var accuracy: AccuracyFit?
  package var calibration: AffineTransform?
  /// The drawn lines, and the marks of the grid with their touches, for the picture.
  package var lines: [LineFigures] = []
  package var offsets: [(mark: PanelPoint, touch: PanelPoint)] = []

  /// The common result of the tests that have a limit; not measured if none has.
  package var conformity: Conformity { Conformity.common(results.compactMap(\.conformity)) ?? .notMeasured }

  package var outcome: PanelResult.Outcome { PanelResult.Outcome(conformity) }
}

extension PanelJudgement {
  /// Returns the valid limit; nil for a measure that is not judged.
  private func limit(of measure: Measure) -> Limit? {
    isPlain && !measure.needsNoTask ? nil : profile.limit(of: measure)
  }

  /// Returns whether a measure must not be missing, as pairs of one finger may.
  private func applies(_ measure: Measure) -> Bool {
    switch measure {
    case .jitterSeveral, .swaps, .drumroll, .separation, .pairSeparation, .pairSwaps, .pairResting:
      measurement.claimed > 1
    case .noiseCharger, .noisePattern, .noiseWater, .noiseGlove: profile.conditions.contains(measure.key)
    case .noiseRatio: !measurement.marks.strengths.isEmpty
    // A finger leaves the panel over its edge there.
    case .edgeLift, .deadLanding, .deadLift: false
    default: true
    }
  }

  /// Compares the figures with the profile's limits.
  func conclude(_ result: inout PanelResult) {
    if !result.figures.isEmpty { addMissing(&result) }
    var lacksSize = false
    for index in result.figures.indices {
      let measure = result.figures[index].measure
      let hasNoSize = measure.needsSize && !trace.geometry.isInMillimetres
      if hasNoSize { result.figures[index].value = nil }
      guard let limit = limit(of: measure) else { continue }
      lacksSize = lacksSize || hasNoSize
      if measure.isBetweenReports { result.figures[index].grain = trace.geometry.grain }
      let most = limit.value(for: result.figures[index]) ?? Double(measurement.claimed)
      result.figures[index].decide(by: most, tolerance: limit.tolerance)
      result.figures[index].reason = reason(result.figures[index], lacksSize: hasNoSize, result)
    }
    if lacksSize { result.gaps.append("\(unknownSize); give --size WxHmm, or panel: in the profile") }
    let decided = result.figures.compactMap(\.result)
    let isMeasured = result.figures.contains { $0.value != nil }
    result.conformity =
      Conformity.common(decided + (result.isPartial ? [.notMeasured] : []))
      ?? (isMeasured ? nil : .notMeasured)
  }

  /// Adds the figures that have a limit and were not measured.
  private func addMissing(_ result: inout PanelResult) {
    let test = result.test
    let measured = Set(result.figures.map(\.measure))
    result.figures += Measure.allCases.filter { measure in
      measure.test == test && !measured.contains(measure) && limit(of: measure) != nil && applies(measure)
    }.map { JudgedFigure(measure: $0) }
    let order = Dictionary(uniqueKeysWithValues: zip(Measure.allCases, 0...))
    result.figures.sort { order[$0.measure] ?? 0 < order[$1.measure] ?? 0 }
  }

  private var unknownSize: String {
    trace.geometry.isImplausible
      ? "the resolution of the axes would make a panel that nobody builds" : "the panel's size is not known"
  }

  /// Returns the reason of a figure that is undecided or not measured; nil for others.
  private func reason(_ figure: JudgedFigure, lacksSize: Bool, _ result: PanelResult) -> String? {
    switch figure.result {
    case .conforms, .doesNotConform, nil: return nil
    case .notMeasured where lacksSize: return unknownSize
    case .notMeasured where figure.measure.isOfTouch:
      return "no touch had more than one report, or lasted for 40 ms"
    case .notMeasured where measurement.marks.plan == nil && figure.measure.key == "wrong":
      return "the recording does not say how many contacts were asked for"
    case .notMeasured: return result.gaps.first ?? "nothing was done for it"
    case .undecided: break
    }
    guard let interval = figure.interval else { return nil }
    let unit = figure.measure.unit.rawValue
    let range =
      "the limit lies within \(Self.text(interval.lowerBound)) to \(Self.text(interval.upperBound)) \(unit)"
    if figure.error != nil {
      let more = figure.measure.test == .taps ? "more taps" : "a finer grid"
      return "\(range); so many touches of a \(profile.touchedBy.rawValue) do not tell more, \(more) would"
        + (profile.touchedBy == .hand ? ", or a robot" : "")
    }
    return figure.most == nil
      ? "\(range): of the value, the device's units may be \(Self.text(figure.grain)) \(unit)"
      : "\(range): the finger was too fast for more; do it again slowly"
  }
}
