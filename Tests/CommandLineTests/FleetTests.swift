import Foundation
import Testing

/// `touchtree-fetch`, the alerts, and the recipes for fleets: their tests are programs of pytest, in
/// `Fleet/Tests`.
@Suite("Many panels")
struct FleetTests {
  @Test(arguments: ["fetch", "prometheus", "recipes"])
  func `signed updates, alerts and recipes do what they say`(part: String) throws {
    let outcome = try Program.run(
      "/usr/bin/env",
      [
        "TOUCHTREE=\(Program.executable.path)", "PYTHONDONTWRITEBYTECODE=1", "python3", "-m", "pytest", "-q",
        "-p", "no:cacheprovider", "Fleet/Tests/test_\(part).py",
      ], in: Program.package.path)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}
