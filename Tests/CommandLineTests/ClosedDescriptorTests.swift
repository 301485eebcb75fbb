import Foundation
import Testing

/// Whoever starts the program may have closed its standard descriptors.
@Suite struct ClosedDescriptorTests {
  @Test(
    "what is logged does not get into a file that is opened in a closed descriptor's place",
    arguments: ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func log(closed: String) throws {
    try Program.inFolder { folder in
      let command =
        "exec '\(Program.executable.path)' run --config config/touchtree.yaml --display headless "
        + "--replay config/demo.evemu --trace '\(folder)/trace' \(closed)"
      let outcome = try Program.run("/bin/sh", ["-c", command], in: Program.package.path)
      #expect(outcome.status == 0)
      let trace = try String(contentsOfFile: folder + "/trace", encoding: .utf8)
      let strays = trace.split(separator: "\n").filter { !$0.hasPrefix("{") }
      #expect(strays.isEmpty, "\(strays)")
      #expect(trace.contains("ended"))
    }
  }

  @Test("an answer that nobody can be told is a failure")
  func answer() throws {
    let command = "exec '\(Program.executable.path)' tree config/touchtree.yaml >&-"
    let outcome = try Program.run("/bin/sh", ["-c", command], in: Program.package.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the answer cannot be written"))
  }
}
