import Foundation
import Testing

/// `touchtree-fetch` and the alerts: their tests are programs of pytest, in `Fleet/Tests`.
@Suite("Many panels")
struct FleetTests {
  @Test(arguments: ["fetch", "prometheus"])
  func `signed updates and alerts do what they say`(part: String) throws {
    let outcome = try Program.run(
      "/usr/bin/env",
      [
        "TOUCHTREE=\(Program.executable.path)", "PYTHONDONTWRITEBYTECODE=1", "python3", "-m", "pytest", "-q",
        "-p", "no:cacheprovider", "Fleet/Tests/test_\(part).py",
      ], in: Program.package.path)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}
