/// The result of a comparison with a limit, of a test, and of all tests.
package enum Conformity: String, CaseIterable, Sendable {
  case conforms
  case doesNotConform = "does_not_conform"
  /// The limit lies within the interval of the measurement.
  case undecided
  case notMeasured = "not_measured"

  package var title: String {
    switch self {
    case .conforms: "conforms"
    case .doesNotConform: "does not conform"
    case .undecided: "undecided"
    case .notMeasured: "not measured"
    }
  }

  /// The rule of decision, for reports. (ISO 14253-1; ISO/IEC 17025, 7.8.6.)
  package static let rule =
    "Rule of decision (ISO 14253-1): a figure conforms if its 95 % interval lies within the limit, and does not if the interval "
    + "lies beyond it. Else it is undecided. A figure without an interval is a count or a largest value, and decides by itself. "
    + "A test conforms if every figure with a limit was measured and conforms."

  /// Returns the common result: does not conform before undecided, not measured, and conforms; nil for none.
  package static func common(_ results: [Conformity]) -> Conformity? {
    [.doesNotConform, .undecided, .notMeasured, .conforms].first(where: results.contains)
  }
}
