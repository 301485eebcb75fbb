import Foundation
import Testing

/// `touchtree health` about real daemons, each with something wrong.
@Suite("Whether a daemon is well", .serialized)
struct HealthTests {
  private typealias Daemon = RemoteTests.Daemon

  private func health(_ daemon: Daemon, _ options: String...) throws -> Program.Outcome {
    try Program.run(["health", "--socket", daemon.socket] + options)
  }

  /// Asks until the line begins in this way.
  private func expect(_ start: String, _ daemon: Daemon) throws {
    var line = ""
    try Program.eventually("\(start), not \(line)") {
      line = try health(daemon).output
      return line.hasPrefix(start)
    }
  }

  private func write(_ text: String, in folder: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
  }

  @Test func `one that works is well, on both sockets, once and for a time`() throws {
    try Program.inFolder { folder in
      let watch = "\(folder)/watch.sock"
      let daemon = try Daemon(in: folder, ["--watch-socket", watch])
      let line = "well: headless 400x300 shows \(folder)/tree.yaml"
      for options in [[], ["--for", "0.1"]] {
        let outcome = try Program.run(["health", "--socket", watch] + options)
        #expect(outcome.status == 0 && outcome.output == line + "\n", "\(outcome)")
      }
      #expect(try health(daemon, "--glass").output == line + "; no device shows it, so there is no glass\n")
      let answer = try daemon.shell(#"echo '{"type":"health","id":1}' | "$T" ctl - --socket "$S""#).output
      #expect(
        answer.hasPrefix(#"{"type":"health","id":1,"well":true,"problems":[],"configuration":{"file":"#),
        "\(answer)")
      #expect(daemon.end() == 0)
    }
  }

  @Test func `a file that cannot be used is named, when it is reloaded and at the start`() throws {
    try Program.inFolder { folder in
      let state = ["STATE_DIRECTORY": "\(folder)/state"]
      let daemon = try Daemon(in: folder, ["--fallback"], environment: state)
      let broken = RemoteTests.tree.replacing("text: OK", with: "txet: OK")
      try write(broken, in: folder)
      #expect(try daemon.ctl("reload").status == 78)
      let outcome = try health(daemon)
      #expect(outcome.status == 1)
      #expect(
        outcome.output.hasPrefix("not well: not_reloaded: \(folder)/tree.yaml was not reloaded"), "\(outcome)"
      )
      #expect(outcome.output.contains("tree.yaml:9:") && outcome.lines.count == 1, "\(outcome)")
      #expect(daemon.end() == 0)
      let next = try Daemon(in: folder, tree: broken, ["--fallback"], environment: state)
      #expect(try health(next).output.hasPrefix("not well: fallback: \(folder)/tree.yaml cannot be used"))
      try write(RemoteTests.tree, in: folder)
      #expect(try next.ctl("reload").status == 0 && health(next).status == 0)
      #expect(next.end() == 0)
    }
  }

  @Test func `a file that was saved and not reloaded is named, with its error if it has one`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder, tree: "include: [\(folder)/more.yaml]\n" + RemoteTests.tree) {
        try Data("theme: dark\n".utf8).write(to: URL(filePath: "\(folder)/more.yaml"))
      }
      #expect(try health(daemon).status == 0)
      try Data("theme: light\n".utf8).write(to: URL(filePath: "\(folder)/more.yaml"))
      let advice = "; type: touchtree ctl reload\n"
      try expect("not well: not_reloaded: \(folder)/more.yaml has changed since it was read\(advice)", daemon)
      #expect(try daemon.ctl("reload").status == 0 && health(daemon).status == 0)
      try write(RemoteTests.tree.replacing("text: OK", with: "txet: OK"), in: folder)
      let outcome = try health(daemon)
      let start =
        "not well: not_reloaded: \(folder)/tree.yaml has changed since it was read, and cannot be used: "
      #expect(outcome.status == 1 && outcome.output.hasPrefix(start + "\(folder)/tree.yaml:9:"), "\(outcome)")
      #expect(
        outcome.output.hasSuffix("; correct it, and type: touchtree ctl reload\n")
          && outcome.lines.count == 1, "\(outcome)")
      #expect(daemon.end() == 0)
    }
  }

  @Test func `a daemon that is stopped, and one that is gone, are told apart`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      daemon.signal(SIGSTOP)
      let stopped = try health(daemon)
      daemon.signal(SIGCONT)
      #expect(
        stopped.status == 1 && stopped.output.hasPrefix("not well: no_answer: \(daemon.socket): "),
        "\(stopped)")
      #expect(daemon.end() == 0)
      let gone = try health(daemon, "--for", "3600")
      #expect(
        gone.status == 1 && gone.output.hasPrefix("not well: not_running: \(daemon.socket): "), "\(gone)")
      #expect(gone.errors.isEmpty, "the line goes to standard output alone")
    }
  }

  @Test func `a program that fails and a plugin that is slow are named, and how many more there are`() throws
  {
    try Program.inFolder { folder in
      let handlers = """
        handlers:
          climate: {kind: process, command: [sh, -c, "exit 3"]}
          bell: {kind: plugin, path: libbell.so, budget: 0.000000001}
        application: {handlers: [bell]}
        window:
        """
      let daemon = try Daemon(in: folder, tree: RemoteTests.tree.replacing("window:", with: handlers))
      try expect("not well: process_down: handler climate: sh failed ", daemon)
      #expect(try health(daemon).output.contains("the last time, it exited with status 3; run it by hand"))
      // A button would keep its touches to itself.
      for _ in 0..<3 { try daemon.ctl("touch", "10,200") }
      try Program.eventually("the plugin is slow") {
        try health(daemon).output.hasSuffix(" (and 1 more: plugin_slow)\n")
      }
      for _ in 0..<2 { try daemon.ctl("touch", "10,200") }
      #expect(try health(daemon).output.hasSuffix(" (and 1 more: plugin_off)\n"))
      #expect(daemon.end() == 0)
    }
  }

  @Test func `every file that is not written is named until it is`() throws {
    try Program.inFolder { folder in
      // A file in the place of a folder, as root writes into any folder.
      try Data().write(to: URL(filePath: "\(folder)/state"))
      let tree = RemoteTests.tree.replacing(
        "window:", with: "values: {light: {value: 1, keep: true}}\nwindow:")
      let daemon = try Daemon(
        in: folder, tree: tree, ["--fallback", "--stats-file", "\(folder)/nowhere/t.prom"],
        environment: ["STATE_DIRECTORY": "\(folder)/state"])
      try daemon.ctl("set", "light=2")
      try expect(
        "not well: not_written: the configuration is not saved for --fallback. \(folder)/state/", daemon)
      try Program.eventually("three files") {
        try health(daemon).output.hasSuffix(" (and 2 more: not_written, not_written)\n")
      }
      try FileManager.default.removeItem(atPath: "\(folder)/state")
      for path in ["state", "nowhere"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
      }
      #expect(try daemon.ctl("reload").status == 0 && daemon.ctl("set", "light=3").status == 0)
      try expect("well: ", daemon)
      #expect(daemon.end() == 0)
    }
  }

  @Test(arguments: ["-1", "86401", "x"])
  func `a time is from 0 to a day`(seconds: String) throws {
    #expect(try Program.run(["health", "--for=\(seconds)"]).status == 64)
  }
}
