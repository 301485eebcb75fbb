/// Who touches the panel during a test.
package enum PanelOperator: String, CaseIterable, Sendable {
  /// A person, who aims to 1 mm, trembles by 0.2 mm, and rolls the fingertip by 1.2 mm at landing and lift.
  case hand
  /// A machine, or a finger in a fixture: more exact than what it measures.
  case robot
}

/// What a figure may be.
package struct Limit: Equatable, Sendable {
  /// In the measure's unit. Nil: as many contacts as the device claims, up to ten.
  package var value: Double?
  /// How far beyond the limit the score is 0.
  package var tolerance: Double

  package init(_ value: Double?, tolerance: Double = 0) {
    self.value = value
    self.tolerance = tolerance
  }

  /// 1 up to the limit, falling to 0 at the tolerance beyond it. (ChromiumOS touch firmware tests.)
  package static func score(_ figure: Double, limit: Double, tolerance: Double, isLeast: Bool) -> Double {
    let beyond = isLeast ? limit - figure : figure - limit
    // A millionth is what adding up in binary costs.
    if beyond <= 1e-6 { return 1 }
    return tolerance > 0 ? max(0, 1 - beyond / tolerance) : 0
  }
}

/// The limits that a panel is judged by, and how large the tasks are.
package struct PanelProfile: Sendable {
  package var name: String
  /// Who touches; decides which limits count.
  package var touchedBy = PanelOperator.hand
  /// For whoever touches.
  package var limits: [Measure: Limit] = [:]
  /// For one operator.
  package var ownLimits: [PanelOperator: [Measure: Limit]] = [:]
  /// Where a limit comes from, in a sentence without its end.
  package var sources: [Measure: String] = [:]
  /// Cells to touch.
  package var columns = 7
  package var rows = 5
  /// How long nothing may be touched, in seconds.
  package var ghostSeconds = 60
  package var taps = 20
  /// What the panel is disturbed by, besides nothing: names of `PanelJudgement.conditions`.
  package var conditions = ["charger", "pattern"]

  package init(name: String) {
    self.name = name
  }

  /// The limit that counts; nil for a figure that is measured and not judged.
  package func limit(of measure: Measure) -> Limit? {
    ownLimits[touchedBy]?[measure] ?? limits[measure]
  }
}
