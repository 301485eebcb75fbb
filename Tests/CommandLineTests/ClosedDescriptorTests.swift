import Foundation
import Testing

/// The program may be started with closed standard descriptors.
@Suite struct ClosedDescriptorTests {
  @Test(arguments: ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func `what is logged does not get into a file that is opened in a closed descriptor's place`(closed: String)
    throws
  {
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

  @Test(arguments: ["2>/dev/full", "2> >(exec <&-)"])
  func `a log that cannot be written is lost, and nothing else`(log: String) throws {
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try "window: {handlers: [log], subviews: [{id: a, frame: [0, 0, 1000, 1000], handlers: [log]}]}\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let command =
        "exec '\(Program.executable.path)' run --config '\(file)' --display headless "
        + "--replay config/demo.evemu --trace '\(folder)/trace' \(log)"
      let outcome = try Program.run("/bin/bash", ["-c", command], in: Program.package.path)
      #expect(outcome.status == 0)
      #expect(try String(contentsOfFile: folder + "/trace", encoding: .utf8).contains("\"ended\""))
    }
  }

  @Test(arguments: [
    "hit FILE 1,1", "check FILE", "tree FILE", "replay REC --config FILE", "trace FILE --replay REC",
    "run --config FILE --replay REC --display headless --trace -",
  ])
  func `what would be written to a closed output goes nowhere else`(arguments: String) throws {
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try "window: {subviews: [{id: a, frame: [0, 0, 100, 100]}]}\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let arguments = arguments.replacing("FILE", with: file)
        .replacing("REC", with: "Tests/Recordings/slots.yml")
      let command = "exec '\(Program.executable.path)' \(arguments) >&-"
      let outcome = try Program.run("/bin/sh", ["-c", command], in: Program.package.path)
      #expect(outcome.status != 0 && outcome.errors.contains("Bad file descriptor"), "\(outcome)")
    }
  }
}
