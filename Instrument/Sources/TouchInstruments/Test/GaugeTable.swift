import TouchMeasure

/// The part of `touchtree test compare` on the measurement, for operators who repeat tests.
struct GaugeTable {
  struct Run {
    var panel, by: String
    var figures: [Measure: (value: Double, limit: Double?)]
  }

  private let operators, panels: [String]
  private let cells: [[[Run]]]

  /// The bounds in per cent of a good and an acceptable gauge. (AIAG, Measurement Systems Analysis, II, D)
  private static let (good, acceptable) = (10.0, 30.0)
  /// The fewest categories that control a process. (AIAG, the same section.)
  private static let fewestCategories = 5

  /// Takes the reports that name a panel and an operator. It fails if no panel was tested by two operators.
  init?(_ runs: [Run]) {
    let named = runs.filter { !$0.panel.isEmpty && !$0.by.isEmpty }
    let operators = Set(named.map(\.by)).sorted()
    let panels = Set(named.map(\.panel)).sorted()
    cells = operators.map { by in panels.map { panel in named.filter { $0.by == by && $0.panel == panel } } }
    (self.operators, self.panels) = (operators, panels)
    guard panels.indices.contains(where: { panel in cells.count { !$0[panel].isEmpty } > 1 }) else {
      return nil
    }
  }

  /// The table with its heading and its legend; without a table, the reason.
  var lines: [String] {
    let counts = Set(cells.joined().map(\.count))
    guard panels.count > 1, counts.count == 1, let runs = counts.first, runs > 1 else { return [shortfall] }
    var rows = [
      [
        "figure", "repeatability", "reproducibility", "gauge R&R", "of the variation", "of the tolerance",
        "ndc", "",
      ]
    ]
    for measure in Measure.allCases {
      if let row = row(measure, Array(cells.joined().joined())) { rows.append(row) }
    }
    return [
      "gauge R&R: \(operators.count) operators (\(operators.joined(separator: ", "))), \(panels.count) panels "
        + "(\(panels.joined(separator: ", "))), \(runs) runs each"
    ] + TestComparison.aligned(rows) + [
      "by analysis of variance: up to \(Self.good.short) % is good, above \(Self.acceptable.short) % not acceptable; ndc, the number "
        + "of groups that it tells apart, is to be \(Self.fewestCategories) or more",
      "the tolerance is from 0 to a largest limit, or twice the mean's distance from a smallest one",
    ]
  }

  private var shortfall: String {
    let few = cells.indices.flatMap { by in
      panels.indices.compactMap { panel -> String? in
        let count = cells[by][panel].count
        return count == cells.joined().map(\.count).max() && count > 1
          ? nil : "\(operators[by]) tested \(panels[panel]) \(count == 1 ? "once" : "\(count) times")"
      }
    }
    let missing = few.prefix(6).joined(separator: ", ") + (few.count > 6 ? ", and \(few.count - 6) more" : "")
    return "no gauge R&R: each operator has to test each of two panels or more equally often, twice or more"
      + (missing.isEmpty ? "" : "; \(missing)")
  }

  private func row(_ measure: Measure, _ runs: [Run]) -> [String]? {
    let figures = cells.map { $0.map { $0.compactMap { $0.figures[measure]?.value } } }
    guard figures.joined().joined().count == runs.count, let study = GaugeStudy(figures) else { return nil }
    let limits = Set(runs.map { $0.figures[measure]?.limit })
    let mean = figures.joined().joined().reduce(0, +) / Double(runs.count)
    // Reports by different limits have no common limit.
    let limit = limits.count == 1 ? runs[0].figures[measure]?.limit : nil
    let share = limit.flatMap { study.share(ofTolerance: measure.isLeast ? 2 * (mean - $0) : $0) }
    func shown(_ value: Double) -> String { TestComparison.shown(value, measure.unit) }
    func percent(_ value: Double?) -> String { value.map { "\($0.short) %" } ?? "-" }
    return [
      measure.rawValue, shown(study.repeatability), shown(study.reproducibility), shown(study.gauge),
      percent(study.shareOfVariation), percent(share), study.distinctCategories.map { "\($0)" } ?? "-",
      Self.remark(share ?? study.shareOfVariation),
    ]
  }

  private static func remark(_ share: Double?) -> String {
    guard let share else { return "nothing varies" }
    return share <= good ? "good" : share <= acceptable ? "may be acceptable" : "not acceptable"
  }
}
