import Foundation
import Testing

/// What the commands print, word by word: every other test asserts positions, severities and the words that
/// matter, so a better wording changes one recorded line.
///
/// A file of Golden/output has commands after `$ `, each followed by its output, its messages and its exit
/// status unless that is 0. They run in a folder with the files of Golden/output. To add an example, add its
/// first line, and record with TOUCHTREE_RECORD_GOLDENS=1.
@Suite(.serialized) struct OutputTests {
  private static let goldens = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Golden/output")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: goldens.path)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test(arguments: names) func `a command prints what was recorded`(name: String) throws {
    let golden = Self.goldens.appending(path: name)
    let recorded = try String(contentsOf: golden, encoding: .utf8)
    let commands = recorded.split(separator: "\n").filter { $0.hasPrefix("$ touchtree ") }
    try #require(!commands.isEmpty)
    try Program.inFolder { folder in
      try copyFiles(into: folder)
      let daemon = try name == "ctl.txt" ? startDaemon(in: folder) : nil
      defer { withExtendedLifetime(daemon) {} }
      let printed = try commands.map { try transcript(of: $0, in: folder) }.joined(separator: "\n")
      if Page.isRecording { try Data(printed.utf8).write(to: golden) }
      #expect(try printed == String(contentsOf: golden, encoding: .utf8))
    }
  }

  @Test func `every command has its output recorded`() {
    #expect(Set(Self.names) == Set(HelpTests.commands.map { $0 + ".txt" }))
  }

  private func transcript(of command: Substring, in folder: String) throws -> String {
    let words = command.split(separator: " ").dropFirst(2).map(String.init)
    let outcome = try Program.run(words, in: folder)
    let status = outcome.status == 0 ? "" : "(exit status \(outcome.status))\n"
    return "\(command)\n" + outcome.output + outcome.errors + status
  }

  private func copyFiles(into folder: String) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.goldens.path)
    where !file.hasSuffix(".txt") {
      try FileManager.default.copyItem(
        at: Self.goldens.appending(path: file), to: URL(filePath: folder).appending(path: file))
    }
  }

  /// The daemon that `ctl` queries.
  private func startDaemon(in folder: String) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      [
        "run", "--config", "\(folder)/tree.yaml", "--display", "terminal", "--control",
        "\(folder)/control.sock",
      ],
      columns: 80, rows: 24)
    try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
    return terminal
  }
}
