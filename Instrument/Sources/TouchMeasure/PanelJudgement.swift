import TouchCore

/// A place on the panel that a figure is about, for the picture.
package enum PanelPlace: Sendable {
  case segment(PanelPoint, PanelPoint)
  case circle(PanelPoint, radius: Double)
  case cross(PanelPoint)
}

/// One figure with its limit.
package struct JudgedFigure: Sendable {
  package var measure: Measure
  /// In the measure's unit; nil where it could not be measured.
  package var value: Double?
  /// The standard error of the value, in the same unit; nil for what is measured and not estimated. Judged is what is beyond
  /// doubt.
  package var error: Double?
  /// What the device's units may add to the value, in the same unit: it is not held against a panel.
  package var grain = 0.0
  /// How many standard errors an estimate of nothing reaches by chance.
  package var luck = JudgedFigure.luckOfOne
  /// In the measure's unit; nil where the profile has none.
  package var limit: Double?
  package var tolerance = 0.0
  /// Nil where nothing was judged.
  package var score: Double?
  package var place: PanelPlace?

  /// Of panels that are exactly at a limit, one of 40 is found beyond it. (Normal distribution: 2.3 % lie above two deviations.)
  private static let certainty = 2.0
  /// Of perfect panels, one of 1500 has an estimate so large. (Student's t for 70 degrees of freedom, which 39 touches leave:
  /// 0.06 % lie outside of ±3.6. A test has seven such estimates, and 99 of 100 tests pass.)
  package static let luckOfOne = 3.6
  /// The same for the largest of some eighty lengths of two axes. (Each is beyond 5.5 with (1 + 5.5² / 70)^-35, which is 0.0004 %.)
  package static let luckOfMany = 5.5

  /// What an estimate has to be beyond its limit until neither a panel at the limit nor a perfect one is blamed for chance.
  package static func doubt(_ error: Double, limit: Double, luck: Double = luckOfOne) -> Double {
    max(certainty * error, luck * error - limit)
  }

  /// What is compared with a limit.
  func judged(by limit: Double) -> Double? {
    guard let value else { return nil }
    guard let error else { return measure.isLeast ? value : max(0, value - grain) }
    return max(0, value - Self.doubt(error, limit: limit, luck: luck))
  }
}

/// What became of one test.
package struct PanelResult: Sendable {
  package enum Verdict: String, Sendable {
    case passed, failed
    /// It could not be judged, though it was asked for.
    case incomplete
    /// The profile has no limit for it.
    case measured
  }

  package var test: PanelTest
  package var verdict = Verdict.incomplete
  package var figures: [JudgedFigure] = []
  /// What was found, in sentences without their end.
  package var details: [String] = []
  /// Why it, or a part of it, was not judged: sentences without their end.
  package var gaps: [String] = []
  /// Whether a part of what was asked for was not done.
  package var isPartial = false
  /// What contacts did that the task had not asked for.
  package var contactFaults: Set<ContactFault.Kind> = []
  /// What the corners say of the axes; only of the mapping.
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
  /// Whether the recording has no tasks, and nobody said what it is to be taken for.
  package let isPlain: Bool
  package let trace: PanelTrace
  let audit: ContactAudit
  package var deadZones: DeadZones?
  /// What the touches on marks have in common, and the correction of it: from 0 to 1 as the axes lie now.
  package var accuracy: AccuracyFit?
  package var calibration: AffineTransform?
  /// The lines that were drawn, and each mark of the grid with the touch that it got: for the picture.
  package var lines: [LineFigures] = []
  package var offsets: [(mark: PanelPoint, touch: PanelPoint)] = []

  /// Failed if a test failed; else incomplete if one is, or none was judged.
  package var verdict: PanelResult.Verdict {
    if results.contains(where: { $0.verdict == .failed }) { return .failed }
    let isComplete =
      results.contains { $0.verdict == .passed } && !results.contains { $0.verdict == .incomplete }
    return isComplete ? .passed : .incomplete
  }
}

extension PanelJudgement {
  /// The limit that counts; nil for what is measured and not judged.
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

  /// Says what estimates are too uncertain to tell: a panel may be worse than its limit, and pass.
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
      // Twice the limit is seen for certain.
      guard limit > 0, doubt > limit else { return nil }
      return "\(figure.measure.key) below \(Self.text(limit + doubt)) \(figure.measure.unit.rawValue)"
    }
    guard !blurred.isEmpty else { return }
    result.gaps.append(
      "\(blurred.joined(separator: ", ")): so few touches of a \(profile.touchedBy.rawValue) do not tell it from a good panel of "
        + "this size; a finer grid does, or a robot")
  }
}
