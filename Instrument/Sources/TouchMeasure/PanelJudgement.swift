import TouchCore

/// The place of a figure on the panel, for the picture.
package enum PanelPlace: Sendable {
  case segment(PanelPoint, PanelPoint)
  case circle(PanelPoint, radius: Double)
  case cross(PanelPoint)
}

/// One figure with its limit.
package struct JudgedFigure: Sendable {
  package var measure: Measure
  /// The value in the measure's unit; nil if it could not be measured.
  package var value: Double?
  /// The standard error of the value, in the same unit; nil for a value that is measured and not estimated.
  /// Only the certain part of an estimate is judged.
  package var error: Double?
  /// The part of the value that the device's units may add, in the same unit. It is not held against a panel.
  package var grain = 0.0
  /// The number of standard errors that an estimate of nothing reaches by chance.
  package var luck = JudgedFigure.luckOfOne
  /// The limit in the measure's unit; nil if the profile has none.
  package var limit: Double?
  package var tolerance = 0.0
  /// The score; nil if nothing was judged.
  package var score: Double?
  package var place: PanelPlace?

  /// The certainty of a limit in standard errors. One of 40 panels exactly at a limit is found beyond it.
  /// (Normal distribution: 2.3 % lie above two deviations.)
  private static let certainty = 2.0
  /// The luck of one estimate. One of 1500 perfect panels has an estimate so large.
  ///
  /// (Student's t for 70 degrees of freedom, which 39 touches leave: 0.06 % lie outside of ±3.6. A test has
  /// seven such estimates, and 99 of 100 tests pass.)
  package static let luckOfOne = 3.6
  /// The luck of the largest of some eighty lengths of two axes. (Each is beyond 5.5
  /// with (1 + 5.5² / 70)^-35, which is 0.0004 %.)
  package static let luckOfMany = 5.5

  /// Returns the uncertain part of an estimate. Beyond the limit and this part, neither a panel at the
  /// limit nor a perfect one is blamed for chance.
  package static func doubt(_ error: Double, limit: Double, luck: Double = luckOfOne) -> Double {
    max(certainty * error, luck * error - limit)
  }

  /// Returns the value that is compared with a limit.
  func judged(by limit: Double) -> Double? {
    guard let value else { return nil }
    guard let error else { return measure.isLeast ? value : max(0, value - grain) }
    return max(0, value - Self.doubt(error, limit: limit, luck: luck))
  }
}

/// The result of one test.
package struct PanelResult: Sendable {
  package enum Verdict: String, Sendable {
    case passed, failed
    /// The test was requested but could not be judged.
    case incomplete
    /// The profile has no limit for the test.
    case measured
  }

  package var test: PanelTest
  package var verdict = Verdict.incomplete
  package var figures: [JudgedFigure] = []
  /// The findings, in sentences without their end.
  package var details: [String] = []
  /// The reasons why the test, or a part of it, was not judged: sentences without their end.
  package var gaps: [String] = []
  /// Whether a part of the requested tasks was not done.
  package var isPartial = false
  /// The faults of contacts that their tasks did not require.
  package var contactFaults: Set<ContactFault.Kind> = []
  /// The faults of the axes by the corners; only in the test of the mapping.
  package var mapping: MappingFault?

  package init(_ test: PanelTest) {
    self.test = test
  }
}

/// The whole judgement of a panel.
package struct PanelJudgement {
  package let evidence: PanelEvidence
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

  /// The verdict: failed if a test failed; else incomplete if one is, or none was judged.
  package var verdict: PanelResult.Verdict {
    if results.contains(where: { $0.verdict == .failed }) { return .failed }
    let isComplete =
      results.contains { $0.verdict == .passed } && !results.contains { $0.verdict == .incomplete }
    return isComplete ? .passed : .incomplete
  }
}

extension PanelJudgement {
  /// Returns the valid limit; nil for a measure that is not judged.
  private func limit(of measure: Measure) -> Limit? {
    isPlain && !measure.needsNoTask ? nil : profile.limit(of: measure)
  }

  /// Compares the figures with the profile's limits.
  func conclude(_ result: inout PanelResult) {
    var isBeyondSize = false
    for index in result.figures.indices {
      let measure = result.figures[index].measure
      if measure.unit == .millimetres && !trace.geometry.isInMillimetres {
        result.figures[index].value = nil
        isBeyondSize = isBeyondSize || limit(of: measure) != nil
      }
      guard let limit = limit(of: measure) else { continue }
      let most = limit.value ?? Double(evidence.claimed)
      result.figures[index].limit = most
      result.figures[index].tolerance = limit.tolerance
      if measure.isBetweenReports { result.figures[index].grain = trace.geometry.grain }
      guard let value = result.figures[index].judged(by: most) else { continue }
      result.figures[index].score = Limit.score(
        value, limit: most, tolerance: limit.tolerance, isLeast: measure.isLeast)
    }
    noteResolution(&result)
    if isBeyondSize {
      let reason =
        trace.geometry.isImplausible
        ? "the resolution of the axes would make a panel that nobody builds" : "the panel's size is not known"
      result.gaps.append("\(reason), so limits in millimetres are not judged; give --size WxHmm")
    }
    let scores = result.figures.compactMap(\.score)
    let isMeasured = result.figures.contains { $0.value != nil }
    if scores.contains(where: { $0 < 1 }) {
      result.verdict = .failed
    } else if !scores.isEmpty {
      result.verdict = result.isPartial ? .incomplete : .passed
    } else if isMeasured && !isBeyondSize && !result.isPartial {
      result.verdict = .measured
    }
  }

  /// Notes estimates that are too uncertain: a panel may be worse than its limit, and pass.
  private func noteResolution(_ result: inout PanelResult) {
    for figure in result.figures where figure.score == 1 {
      guard let value = figure.value, let limit = figure.limit, value > limit, figure.grain > 0 else {
        continue
      }
      result.details.append(
        "\(figure.measure.key): of \(Self.text(value)) mm, the device's units may be \(Self.text(figure.grain)) mm"
      )
    }
    let blurred = result.figures.compactMap { figure -> String? in
      guard let limit = figure.limit, let error = figure.error, figure.score == 1 else { return nil }
      let doubt = JudgedFigure.doubt(error, limit: limit, luck: figure.luck)
      // A value of twice the limit would certainly be found.
      guard limit > 0, doubt > limit else { return nil }
      return "\(figure.measure.key) below \(Self.text(limit + doubt)) \(figure.measure.unit.rawValue)"
    }
    guard !blurred.isEmpty else { return }
    result.gaps.append(
      "\(blurred.joined(separator: ", ")): so few touches of a \(profile.touchedBy.rawValue) do not tell it from a good panel of "
        + "this size; a finer grid does, or a robot")
  }
}
