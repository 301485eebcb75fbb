import TouchCore
import TouchInput

/// A guess at a panel's axes, turned, mirrored or misdeclared, from its first two touches.
package enum CalibrationGuess {
  /// Returns a sentence about the samples of the first two targets and the declared ranges; nil if the axes
  /// seem right.
  package static func sentence(_ samples: [CalibrationFit.Sample], x: AxisRange, y: AxisRange) -> String? {
    guard samples.count == 2 else { return nil }
    let errors = candidates(x, y).map { candidate in
      (
        candidate.sentence,
        samples.map { sample in
          let place = candidate.panel(sample.touched.x, sample.touched.y)
          return max(abs(place.0 - sample.target.x), abs(place.1 - sample.target.y))
        }.max() ?? 0
      )
    }
    guard let best = errors.min(by: { $0.1 < $1.1 }), best.1 < nearby, let asIs = errors.first, asIs.1 > far
    else { return nil }
    // If another fault fits as well, the guess is not reliable.
    guard errors.count(where: { $0.1 < nearby }) == 1 else { return nil }
    return best.0
  }

  /// The largest distance of a touch from its target, as a share of the panel's side.
  private static let nearby = 0.1
  private static let far = 0.15

  private struct Candidate {
    let sentence: String?
    /// Maps a reported place to the panel, both from 0 to 1.
    let panel: (_ x: Double, _ y: Double) -> (Double, Double)
  }

  private static func candidates(_ x: AxisRange, _ y: AxisRange) -> [Candidate] {
    let advice = "go on, the calibration will correct it"
    let (width, height) = (Double(x.maximum) - Double(x.minimum), Double(y.maximum) - Double(y.minimum))
    var candidates = [
      Candidate(sentence: nil) { ($0, $1) },
      Candidate(sentence: "the panel reports x from right to left: \(advice)") { (1 - $0, $1) },
      Candidate(sentence: "the panel reports y from bottom to top: \(advice)") { ($0, 1 - $1) },
      Candidate(sentence: "the panel is upside down: \(advice)") { (1 - $0, 1 - $1) },
      Candidate(sentence: "the panel's axes are swapped: \(advice)") { ($1, $0) },
      Candidate(sentence: "the panel is turned by 90 degrees: \(advice)") { (1 - $1, $0) },
      Candidate(sentence: "the panel is turned by 270 degrees: \(advice)") { ($1, 1 - $0) },
      Candidate(sentence: "the panel's axes are swapped and mirrored: \(advice)") { (1 - $1, 1 - $0) },
    ]
    if width > 0, height > 0, width != height {
      candidates.append(
        Candidate(
          sentence:
            "the driver declares the range of each axis for the other one (x \(x.minimum)…\(x.maximum), y "
            + "\(y.minimum)…\(y.maximum)), which is its bug: \(advice)"
        ) { ($0 * width / height, $1 * height / width) })
    }
    return candidates
  }
}
