import TouchCore

/// The operator who touches the panel during a test.
package enum PanelOperator: String, CaseIterable, Sendable {
  /// A person, who aims to 1 mm, trembles by 0.2 mm, and rolls the fingertip by 1.2 mm at landing and lift.
  case hand
  /// A machine, or a finger in a fixture, which is more exact than the measurement.
  case robot
}

package struct Limit: Equatable, Sendable {
  /// The limit in the measure's unit; nil for as many contacts as the device claims, up to ten.
  package var value: Double?
  /// The distance beyond the limit at which the score is 0.
  package var tolerance: Double
  /// The millimetres by which a point at the edge may be off at least, for small panels.
  package var atEdge: Double?

  package init(_ value: Double?, tolerance: Double = 0, atEdge: Double? = nil) {
    (self.value, self.tolerance, self.atEdge) = (value, tolerance, atEdge)
  }

  /// Returns the limit for a figure in its unit; nil for as many contacts as the device claims.
  func value(for figure: JudgedFigure) -> Double? {
    guard let value, let atEdge, let reach = figure.reach, reach > 0 else { return value }
    return max(value, atEdge / reach)
  }

  /// Returns the score: 1 up to the limit, 0 from the tolerance beyond. (ChromiumOS)
  package static func score(_ figure: Double, limit: Double, tolerance: Double, isLeast: Bool) -> Double {
    let beyond = isLeast ? limit - figure : figure - limit
    // A millionth allows for the rounding of binary sums.
    if beyond <= 1e-6 { return 1 }
    return tolerance > 0 ? max(0, 1 - beyond / tolerance) : 0
  }
}

package struct PanelProfile: Sendable {
  package var name: String
  /// SHA-256 of the profile's text, in hexadecimal; empty for a profile without a text.
  package var digest = ""
  /// The panel's size in millimetres as its user sees it; nil to take it from the device.
  package var size: Size?
  /// The operator, who decides which limits are valid.
  package var touchedBy = PanelOperator.hand
  package var limits: [Measure: Limit] = [:]
  package var ownLimits: [PanelOperator: [Measure: Limit]] = [:]
  /// The sources of limits, in sentences without their end.
  package var sources: [Measure: String] = [:]
  package var columns = 7
  package var rows = 5
  /// The time without touches in the test for ghosts, in seconds.
  package var ghostSeconds = 60
  /// The conditions in which each of these waits is made: names of `PanelJudgement.ghostConditions`. Empty
  /// for one wait.
  package var ghostConditions: [String] = []
  package var taps = 20
  /// The disturbances of the panel, besides none: names of `PanelJudgement.conditions`.
  package var conditions = ["charger", "pattern"]

  package init(name: String) { self.name = name }

  /// Returns the valid limit; nil for a measure that is not judged.
  package func limit(of measure: Measure) -> Limit? { ownLimits[touchedBy]?[measure] ?? limits[measure] }
}
