import Foundation
import Testing

/// A program that does not read its trace must not stop the daemon.
@Suite struct UnreadTraceTests {
  @Test func `a trace without a reader is dropped, and that is reported`() throws {
    try Program.inFolder { folder in
      let recording = folder + "/long.evemu"
      var text = try String(contentsOf: Program.package.appending(path: "config/demo.evemu"), encoding: .utf8)
      text = text.components(separatedBy: "\n").filter { !$0.hasPrefix("E:") }.joined(separator: "\n")
      text +=
        "E: 0.000000 0003 0039 0001\nE: 0.000000 0003 0035 0100\nE: 0.000000 0003 0036 0300\nE: 0.000000 0000 0000 0000\n"
      for step in 1...3_000 {
        let time = "\(step / 1000)." + String(format: "%06d", step % 1000 * 1000)
        text += "E: \(time) 0003 0035 \(100 + step % 50)\nE: \(time) 0000 0000 0000\n"
      }
      try text.write(toFile: recording, atomically: true, encoding: .utf8)
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      // Opened for both directions, so that opening does not wait for the other end; nothing is ever read.
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

  @Test func `a log line that no pipe takes at once stops nothing`() throws {
    try Program.inFolder { folder in
      let file = folder + "/long.yaml"
      let name = String(repeating: "x", count: 6000)
      try """
      version: 1
      display: {canvas: {size: [800, 480]}}
      application: {handlers: [log]}
      window:
        handlers: [log]
        subviews: [{id: \(name), frame: [0, 0, 800, 480], handlers: [log]}]
      """.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      // The shell opens it for both directions, and nothing is ever read.
      let command =
        "exec 3<>'\(folder)/pipe'; exec timeout -s KILL 60 '\(Program.executable.path)' run --config '\(file)' "
        + "--display headless --replay config/demo.evemu 2>&3"
      let outcome = try Program.run("/bin/bash", ["-c", command], in: Program.package.path)
      #expect(outcome.status == 0)
    }
  }

  @Test func `a reader that reads gets every line of the trace`() throws {
    try Program.inFolder { folder in
      let file = folder + "/many.yaml"
      let views = (0..<750).map { "    - {id: v\($0), frame: [\($0 % 40), 0, 1, 1]}" }.joined(separator: "\n")
      try """
      version: 1
      display: {canvas: {size: [800, 480]}}
      window:
        subviews:
      \(views)
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let command = [
        "run", "--config", file, "--display", "headless", "--replay", "config/demo.evemu", "--trace",
      ]
      let whole = try Program.run(command + [folder + "/trace"])
      let words = (["\(Program.executable.path)"] + command + ["-"]).map { "'\($0)'" }.joined(separator: " ")
      // A reader that begins late and takes little at a time.
      let piped = try Program.run(
        "/bin/bash", ["-c", "\(words) | (sleep 0.3; dd bs=4k status=none) > '\(folder)/read'"],
        in: Program.package.path)
      #expect(whole.status == 0 && piped.status == 0)
      #expect(!piped.errors.contains("dropped"), "\(piped.errors)")
      let expected = try Data(contentsOf: URL(filePath: folder + "/trace"))
      #expect(expected.count > 1 << 18)
      #expect(try Data(contentsOf: URL(filePath: folder + "/read")) == expected)
    }
  }
}
