import Foundation
import Testing

/// What `--help` prints, recorded in Golden/help. A better wording is recorded with
/// TOUCHTREE_RECORD_GOLDENS=1.
@Suite("Help") struct HelpTests {
  static let commands = [
    "run", "check", "tree", "hit", "trace", "render", "devices", "displays", "calibrate", "test", "monitor",
    "record",
    "replay", "bridge", "raw", "report", "new", "preview", "push", "rehearse", "language-server", "icons",
    "ctl", "health",
    "console-restore",
  ]
  static let requests = [
    "tree", "hit", "explain", "screenshot", "stats", "set", "page", "touch", "press", "watch", "view",
    "reload", "wake", "backlight", "blank", "type", "-",
  ]

  /// As on a terminal with 80 columns, whatever this one has.
  private func help(_ command: [String]) throws -> Program.Outcome {
    let arguments = ["-u", "COLUMNS", Program.executable.path] + command + ["--help"]
    return try Program.run("/usr/bin/env", arguments, in: Program.package.path)
  }

  @Test(
    arguments: [[]] + commands.map { [$0] } + requests.map { ["ctl", $0] } + [
      ["test", "compare"], ["test", "verify"],
    ])
  func `the help of a command is what was recorded`(command: [String]) throws {
    let outcome = try help(command)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    try compare(outcome, with: (["touchtree"] + command).joined(separator: "-"))
  }

  @Test func `the help of touchtree-mqtt is what was recorded`() throws {
    let arguments = ["-u", "COLUMNS", MQTTTests.Bridge.executable.path, "--help"]
    try compare(try Program.run("/usr/bin/env", arguments, in: Program.package.path), with: "touchtree-mqtt")
  }

  private func compare(_ outcome: Program.Outcome, with name: String) throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Golden/help/\(name).txt")
    if Page.isRecording { try Data(outcome.output.utf8).write(to: golden) }
    #expect(try outcome.output == String(contentsOf: golden, encoding: .utf8))
  }

  @Test(arguments: [([], commands.filter { $0 != "console-restore" }), (["ctl"], requests)])
  func `every command of the list has its help recorded`(command: [String], recorded: [String]) throws {
    let list = try help(command).output.split(separator: "SUBCOMMANDS:\n").last ?? ""
    let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "See" }
    #expect(names == recorded)
  }
}
