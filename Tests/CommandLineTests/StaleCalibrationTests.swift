import Foundation
import Testing

/// A calibration that was made for something else is ignored, with a warning.
@Suite struct StaleCalibrationTests {
  /// The demo's panel is 800×480 units. The calibration mirrors it: what was on the left is on the right.
  private func outcome(_ keys: String, display: String = "") throws -> (hits: [String], errors: String) {
    var result: (hits: [String], errors: String) = ([], "")
    try Program.inFolder { folder in
      let file = folder + "/stale.yaml"
      let rule = "{match: {name: touchtree*}, calibration: [-1, 0, 1, 0, 1, 0], \(keys)}"
      let yaml = ReplayTests.tree.replacingOccurrences(of: "{canvas:", with: "{\(display)canvas:")
      try ("input: {devices: [\(rule)]}\n" + yaml).write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["trace", file, "--replay", "config/demo.evemu", "--json"])
      #expect(outcome.status == 0)
      let hits = outcome.lines.filter { $0.hasPrefix(#"{"event":"hit","#) }
      result = (hits.map { String($0.split(separator: "\"")[9]) }, outcome.errors)
    }
    return result
  }

  private static let mirrored = plain.map { $0 == "left" ? "right" : "left" }
  private static let plain = ReplayTests.sides

  @Test(arguments: [
    "calibrated_for: {rotation: 0, axes: [0, 799, 0, 479]}", "calibrated_for: {}", "calibrated_for: null",
  ])
  func `a calibration that fits is used`(keys: String) throws {
    let outcome = try outcome(keys)
    #expect(outcome.hits == Self.mirrored)
    #expect(outcome.errors == "")
  }

  @Test func `one for other axes is ignored`() throws {
    let outcome = try outcome("calibrated_for: {rotation: 0, axes: [0, 4095, 0, 479]}")
    #expect(outcome.hits == Self.plain)
    #expect(outcome.errors.hasPrefix("touchtree: warning: configuration: touchtree demo panel: "))
    for words in ["stale", "0…4095 and 0…479", "0…799 and 0…479", "`touchtree calibrate`"] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `one for another rotation of the display is ignored`() throws {
    let turned = try outcome("calibrated_for: {rotation: 180}")
    #expect(turned.hits == Self.plain)
    #expect(turned.errors.contains("turned by 180"))
    // A display that is turned by 180 turns its touches with it.
    let fits = try outcome("calibrated_for: {rotation: 180}", display: "rotation: 180, ")
    #expect(fits.hits == Self.plain, "mirrored twice")
    #expect(fits.errors == "")
  }

  @Test func `a device is not turned twice`() throws {
    let outcome = try outcome("calibrated_for: {rotation: 0}, rotation: 180")
    #expect(outcome.hits == Self.mirrored, "by the rotation alone")
    #expect(outcome.errors.contains(#"would add 180 degrees; remove "rotation""#))
  }
}
