import Testing
import TouchCore

@testable import TouchInput
@testable import TouchMeasure

/// What two touches of the first two crosses say about a panel.
@Suite struct CalibrationGuessTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Nil if nothing is said.
    let words: String?
    var testDescription: String { words ?? "nothing" }
    /// What the driver reports for a place on the panel.
    let reported: @Sendable (_ x: Double, _ y: Double) -> (Double, Double)
  }

  private static let targets = [(0.5, 0.1), (0.9, 0.4)]
  private static let x = AxisRange(minimum: 0, maximum: 271)
  private static let y = AxisRange(minimum: 0, maximum: 479)

  @Test(arguments: [
    Row(words: nil) { ($0, $1) },
    // An edge that is off, and a finger beside the cross.
    Row(words: nil) { ($0 * 1.04 + 0.02, $1 * 0.95 - 0.03) },
    // Nothing that is known.
    Row(words: nil) { x, y in (0.5, 0.5) },
    Row(words: "from right to left") { (1 - $0, $1) },
    Row(words: "from bottom to top") { ($0 + 0.03, 1 - $1) },
    Row(words: "upside down") { (1 - $0, 1 - $1) },
    Row(words: "axes are swapped: go on") { ($1, $0 - 0.04) },
    Row(words: "turned by 90 degrees") { ($1, 1 - $0) },
    Row(words: "turned by 270 degrees") { (1 - $1, $0) },
    Row(words: "swapped and mirrored") { (1 - $1, 1 - $0) },
    Row(words: "declares the range of each axis for the other one (x 0…271, y 0…479)") {
      ($0 * 479 / 271, $1 * 271 / 479)
    },
  ])
  func `two touches tell how the axes are`(row: Row) {
    let samples = Self.targets.map { x, y in
      let (reportedX, reportedY) = row.reported(x, y)
      return CalibrationFit.Sample(
        touched: Point(x: reportedX, y: reportedY), target: Point(x: x, y: y))
    }
    let sentence = CalibrationGuess.sentence(samples, x: Self.x, y: Self.y)
    if let words = row.words {
      #expect(sentence?.contains(words) == true, "\(sentence ?? "nothing")")
    } else {
      #expect(sentence == nil)
    }
    #expect(CalibrationGuess.sentence(Array(samples.prefix(1)), x: Self.x, y: Self.y) == nil)
  }
}
