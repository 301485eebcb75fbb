/// The variation of one figure when several operators test the same panels several times, by two-way analysis
/// of variance with interaction. (AIAG, Measurement Systems Analysis, III, B)
package struct GaugeStudy: Sendable {
  /// The standard deviation of the same operator's tests of the same panel.
  package let repeatability: Double
  /// The standard deviation between operators, with their interaction with panels.
  package let reproducibility: Double
  package let panels: Double
  /// The probability that so large an interaction is chance; above 0.25 it is repeatability.
  package let interactionChance: Double

  private static let pooled = 0.25

  /// Analyses figures by operator, panel and run. It fails for fewer than two of any, and unequal runs.
  package init?(_ figures: [[[Double]]]) {
    guard let panelCount = figures.first?.count, let runCount = figures.first?.first?.count,
      figures.count > 1, panelCount > 1, runCount > 1,
      figures.allSatisfy({ $0.count == panelCount && $0.allSatisfy { $0.count == runCount } })
    else { return nil }
    let (operators, panels, runs) = (Double(figures.count), Double(panelCount), Double(runCount))
    func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(numbers.count) }
    func squares(_ numbers: [Double], around centre: Double) -> Double {
      numbers.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    }
    let cells = figures.map { $0.map(mean) }
    let centre = mean(cells.map(mean))
    let ofOperators = squares(cells.map(mean), around: centre) * panels * runs
    let ofPanels =
      squares((0..<panelCount).map { panel in mean(cells.map { $0[panel] }) }, around: centre) * operators
      * runs
    let ofCells = squares(Array(cells.joined()), around: centre) * runs
    let ofRuns = zip(figures.joined(), cells.joined()).reduce(0) { $0 + squares($1.0, around: $1.1) }
    // Below the digits of a report there is nothing but rounding.
    let rounding = 1e-14 * (1 + centre * centre)
    func component(_ variance: Double) -> Double { variance > rounding ? variance : 0 }

    let ofBoth = max(0, ofCells - ofOperators - ofPanels)
    let (bothFreedom, runFreedom) = ((operators - 1) * (panels - 1), operators * panels * (runs - 1))
    var (both, error) = (component(ofBoth / bothFreedom), component(ofRuns / runFreedom))
    interactionChance =
      error > 0 ? Distributions.fisher(beyond: both / error, bothFreedom, runFreedom) : both > 0 ? 0 : 1
    let isPooled = interactionChance > Self.pooled
    if isPooled {
      error = component((ofBoth + ofRuns) / (bothFreedom + runFreedom))
      both = error
    }
    let interaction = isPooled ? 0 : component((both - error) / runs)
    repeatability = error.squareRoot()
    reproducibility =
      (component((ofOperators / (operators - 1) - both) / (panels * runs)) + interaction).squareRoot()
    self.panels = component((ofPanels / (panels - 1) - both) / (operators * runs)).squareRoot()
  }

  /// The standard deviation of the measurement: gauge R&R.
  package var gauge: Double {
    (repeatability * repeatability + reproducibility * reproducibility).squareRoot()
  }

  /// The measurement's part of the total variation in per cent; nil if nothing varies.
  package var shareOfVariation: Double? {
    let total = (gauge * gauge + panels * panels).squareRoot()
    return total > 0 ? 100 * gauge / total : nil
  }

  /// Returns the measurement's part of a tolerance in per cent: six standard deviations of its width.
  package func share(ofTolerance width: Double) -> Double? { width > 0 ? 100 * 6 * gauge / width : nil }

  /// The number of groups of panels that are told apart, from 1; nil without variation.
  package var distinctCategories: Int? {
    guard gauge > 0 else { return nil }
    return Int(max(1, min(1.41 * panels / gauge, 1e6)))
  }
}
