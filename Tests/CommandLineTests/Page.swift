import Foundation
import Testing

/// A page of the documentation, with the examples in it.
struct Page: CustomTestStringConvertible {
  /// A fenced block.
  struct Block {
    /// The first word after the fence.
    var language: String
    /// The file that the block is, if it is one: named after the language, or by a comment in the first line.
    var file: String?
    var lines: [String]

    init(fence: String, lines: [String]) {
      let words = fence.dropFirst(3).split(separator: " ").map(String.init)
      language = words.first ?? ""
      self.lines = lines
      if words.count > 1 {
        file = words[1]
      } else if let first = lines.first, first.hasPrefix("# ") || first.hasPrefix("// ") {
        let name = first.split(separator: " ")[1]
        file = name.contains(".") ? String(name) : nil
      }
    }
  }

  /// Relative to the package's folder.
  var name: String
  var testDescription: String { name }

  static var isRecording: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["TOUCHTREE_RECORD_GOLDENS"] == "1" && environment["CI"] == nil
  }

  static func root(_ path: String) -> URL { Program.package.appending(path: path) }

  /// Where the page's examples run. Not in the temporary folder, which is writable by all: no plugin is
  /// loaded from there.
  var folder: URL { Self.root(".build/documentation/" + name.replacing("/", with: "-")) }

  var text: String {
    get throws { try String(contentsOf: Self.root(name), encoding: .utf8) }
  }

  var blocks: [Block] {
    get throws {
      var blocks: [Block] = []
      var open: (fence: String, lines: [String])?
      for line in try text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        if line.hasPrefix("```") {
          if let block = open { blocks.append(Block(fence: block.fence, lines: block.lines)) }
          open = open == nil ? (line, []) : nil
        } else {
          open?.lines.append(line)
        }
      }
      return blocks
    }
  }

  /// The PNG files that the page shows, as it names them.
  var pictures: [String] {
    get throws {
      try text.matches(of: /!\[[^\]]*\]\(([^)]+\.png)\)|src="([^"]+\.png)"/).map {
        String($0.1 ?? $0.2 ?? "")
      }
    }
  }

  /// The page's lines, with what its commands print now in place of what it says that they print.
  func lines(running command: (String) throws -> String) throws -> [String] {
    var lines: [String] = []
    var inConsole = false
    for line in try text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        inConsole = line == "```console"
      } else if inConsole {
        guard line.hasPrefix("$ ") else { continue }
        lines.append(line)
        let printed = try command(String(line.dropFirst(2)))
        lines += printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        continue
      }
      lines.append(line)
    }
    return lines
  }

  /// Writes the page's files into its folder, which is empty before.
  func writeFiles() throws {
    let files = FileManager.default
    try? files.removeItem(at: folder)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try files.createSymbolicLink(at: folder.appending(path: "touchtree"), withDestinationURL: Program.package)
    try files.createSymbolicLink(
      at: folder.appending(path: "config"), withDestinationURL: Self.root("config"))
    for block in try blocks {
      guard let file = block.file else { continue }
      let url = folder.appending(path: file)
      try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (block.lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
      if block.lines.first?.hasPrefix("#!") == true { chmod(url.path, 0o755) }
    }
  }

  /// The arguments of touchtree in blocks without a language, up to what belongs to the shell.
  var shownCommands: [[String]] {
    get throws {
      try blocks.filter { $0.language.isEmpty }.flatMap(\.lines).compactMap { line in
        let words = line.split(separator: " ").map(String.init).drop { $0 == "sudo" }
        guard words.first == "touchtree" else { return nil }
        return Array(words.dropFirst().prefix { !["|", ">", "2>log", "#"].contains($0) })
      }
    }
  }

  /// The daemon that `ctl` asks on this page, in a terminal of its own; nil where none is asked.
  func startDaemon() throws -> PseudoTerminal? {
    guard try text.contains("$ touchtree ctl ") else { return nil }
    let terminal = try PseudoTerminal(
      [
        "run", "--config", "\(folder.path)/first.yaml", "--display", "terminal", "--control",
        "\(folder.path)/control.sock",
      ],
      columns: 80, rows: 24)
    try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
    return terminal
  }

  /// Builds `counter.c`, as the page says, with more warnings.
  func buildCounter() throws {
    let header = Self.root("Sources/CTouchtree/include").path
    let built = try Program.run(
      "/usr/bin/env",
      ["cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", "libcounter.so", "counter.c", "-I", header],
      in: folder.path)
    try #require(built.status == 0, "\(built.errors)")
  }

  /// The anchor that GitHub gives a heading.
  static func anchor(_ heading: String) -> String {
    String(
      heading.drop { $0 == "#" }.trimmingPrefix(" ").lowercased().compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
      })
  }
}
