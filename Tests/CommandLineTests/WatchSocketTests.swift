import Foundation
import Testing

/// The socket on which a client may look and not act.
@Suite("The socket for watching", .serialized)
struct WatchSocketTests {
  @Test func `on it a client may look, and what acts is refused with the path of the other socket`() throws {
    try Program.inFolder { folder in
      let watch = folder + "/watch.sock"
      let daemon = try RemoteTests.Daemon(in: folder, ["--watch-socket", watch])
      func ctl(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(["ctl"] + arguments + ["--socket", watch])
      }
      #expect(try ctl("tree").output == daemon.ctl("tree").output)
      #expect(try ctl("stats").output.contains("clients: "))
      #expect(try ctl("screenshot", folder + "/s.png").status == 0)
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c", "exec '\(Program.executable.path)' ctl watch --socket '\(watch)' >'\(folder)/watched' 2>&1",
        ])
      try Program.eventually("the subscription") {
        try daemon.ctl("stats").output.contains("subscribers: 1")
      }
      let before = try daemon.ctl("tree", "--json").output
      for arguments in [
        ["set", "lamp", "hidden=true"], ["page", "lamp", "next"], ["touch", "60,60"], ["reload"], ["wake"],
        ["hit", "60,60"],
      ] {
        let refused = try Program.run(["ctl"] + arguments + ["--socket", watch])
        #expect(refused.status == 77, "\(arguments): \(refused.errors)")
        #expect(refused.errors.contains("this socket is for watching"), "\(refused.errors)")
        #expect(refused.errors.contains(daemon.socket), "\(refused.errors)")
      }
      #expect(try daemon.ctl("tree", "--json").output == before)
      let greeting = try Program.run(
        "/bin/sh",
        [
          "-c",
          #"echo '{"type":"nonsense","id":1}' | '\#(Program.executable.path)' ctl - --socket '\#(watch)'"#,
        ],
        in: folder)
      #expect(greeting.output.contains(#""code":"unknown""#), "\(greeting.output)")
      try daemon.ctl("touch", "60,60")
      try Program.eventually("the events") {
        try String(contentsOfFile: "\(folder)/watched", encoding: .utf8).contains("touchUpInside")
      }
      let mode = try FileManager.default.attributesOfItem(atPath: watch)[.posixPermissions]
      #expect(mode as? Int == 0o660)
      #expect(daemon.end() == 0)
      _ = watching.awaitEnd()
      #expect(!FileManager.default.fileExists(atPath: watch))
    }
  }

  @Test func `it is beside the usual control socket, and there is none beside another one`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder)
      #expect(!FileManager.default.fileExists(atPath: folder + "/watch.sock"))
      #expect(daemon.end() == 0)
      try Data(RemoteTests.tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      let process = Process()
      process.executableURL = Program.executable
      process.arguments = ["run", "\(folder)/tree.yaml", "--display", "headless"]
      process.environment = ProcessInfo.processInfo.environment.merging(["RUNTIME_DIRECTORY": folder + "/run"]
      ) { $1 }
      process.standardError = FileHandle.nullDevice
      try process.run()
      try Program.eventually("the daemon answers") {
        try Program.run(["ctl", "tree", "--socket", folder + "/run/watch.sock"]).status == 0
      }
      #expect(FileManager.default.fileExists(atPath: folder + "/run/control.sock"))
      process.terminate()
      #expect(process.awaitEnd() == 0)
      #expect(!FileManager.default.fileExists(atPath: folder + "/run"))
    }
  }

  @Test(arguments: [
    (["--watch-socket", ""], "--watch-socket takes the path of a socket, or none"),
    (["--control", "a.sock", "--watch-socket", "a.sock"], "name the same path"),
  ])
  func `its path is one of its own`(options: [String], message: String) throws {
    let outcome = try Program.run(["run", "config/touchtree.yaml", "--display", "headless"] + options)
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
