import Foundation
import Testing

/// Whoever reads the trace must not be able to stop the daemon by not reading.
@Suite struct UnreadTraceTests {
  @Test func aTraceThatNobodyReadsIsDroppedAndSaid() throws {
    try Program.inFolder { folder in
      let recording = folder + "/long.evemu"
      var text = try String(contentsOf: Program.package.appending(path: "config/demo.evemu"), encoding: .utf8)
      text = text.components(separatedBy: "\n").filter { !$0.hasPrefix("E:") }.joined(separator: "\n")
      text +=
        "E: 0.000000 0003 0039 0001\nE: 0.000000 0003 0035 0100\nE: 0.000000 0003 0036 0300\nE: 0.000000 0000 0000 0000\n"
      for step in 1...12_000 {
        let time = "\(step / 1000)." + String(format: "%06d", step % 1000 * 1000)
        text += "E: \(time) 0003 0035 \(100 + step % 50)\nE: \(time) 0000 0000 0000\n"
      }
      try text.write(toFile: recording, atomically: true, encoding: .utf8)
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      // Opened for both directions, so that nobody waits for the other end; nothing is ever read.
      let end = open(pipe, O_RDWR)
      defer { close(end) }
      let outcome = try Program.run([
        "run", "--config", "config/touchtree.yaml", "--display", "headless", "--replay", recording, "--trace",
        pipe,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("lines of the trace were dropped"))
    }
  }
}
