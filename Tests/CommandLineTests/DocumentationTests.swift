import Foundation
import Testing

/// Every example of the README is run as it stands there.
@Suite(.serialized) struct DocumentationTests {
  /// A fenced block. One that begins with a comment that names a file is that file.
  struct Block {
    var language: String
    var lines: [String]

    var file: String? {
      guard let first = lines.first, first.hasPrefix("# ") || first.hasPrefix("// ") else { return nil }
      let name = first.split(separator: " ")[1]
      return name.contains(".") ? String(name) : nil
    }
  }

  /// Not in the temporary folder, which anybody may write to: no plugin is loaded from there.
  static let folder = Program.package.appending(path: ".build/documentation").path
  static let header = Program.package.appending(path: "Sources/CTouchtree/include").path

  static func blocks() throws -> [Block] {
    let text = try String(contentsOf: Program.package.appending(path: "README.md"), encoding: .utf8)
    var blocks: [Block] = []
    var open: Block?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = open == nil ? Block(language: String(line.dropFirst(3)), lines: []) : nil
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  /// Writes the files of the README into an empty folder.
  init() throws {
    try? FileManager.default.removeItem(atPath: Self.folder)
    try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
    for block in try Self.blocks() {
      guard let file = block.file else { continue }
      try (block.lines.joined(separator: "\n") + "\n")
        .write(toFile: Self.folder + "/" + file, atomically: true, encoding: .utf8)
    }
  }

  @Test func consoleExamplesPrintWhatTheReadmeSays() throws {
    var count = 0
    for block in try Self.blocks() where block.language == "console" {
      var rest = block.lines[...]
      while let command = rest.popFirst() {
        let expected = rest.prefix { !$0.hasPrefix("$ ") }
        rest = rest.dropFirst(expected.count)
        let words = command.dropFirst(2).split(separator: " ").map(String.init)
        try #require(words.first == "touchtree", "\(command)")
        let outcome = try Program.run(Array(words.dropFirst()), in: Self.folder)
        #expect((outcome.output + outcome.errors) == expected.map { $0 + "\n" }.joined(), "\(command)")
        count += 1
      }
    }
    #expect(count >= 6)
  }

  @Test(arguments: ["first.yaml", "highlight.yaml", "handlers.yaml", "plugin.yaml"])
  func configurationsOfTheReadmeAreGood(file: String) throws {
    // What a configuration names has to be there.
    try Data().write(to: URL(filePath: Self.folder + "/libcounter.so"))
    let outcome = try Program.run(["check", file], in: Self.folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [
    ["cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", "libcounter.so", "counter.c", "-I", header],
    [
      "swiftc", "-warnings-as-errors", "-emit-library", "-static-stdlib", "-import-objc-header",
      header + "/touchtree.h", "-o", "libcounter.so", "tally.swift",
    ],
  ])
  func pluginsOfTheReadmeCountTouches(build: [String]) throws {
    let built = try Program.run("/usr/bin/env", build, in: Self.folder)
    #expect(built.status == 0, "\(built.errors)")
    let recording = Program.package.appending(path: "config/demo.evemu").path
    let outcome = try Program.run(
      [
        "run", "--config", "plugin.yaml", "--display", "headless", "--replay", recording, "--plugins",
        Self.folder,
        "--trace", "-",
      ], in: Self.folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let verdicts = outcome.lines.filter { $0.contains(#""phase":"ended","responder":"pad""#) }
    #expect(verdicts.count == 4)
    #expect(verdicts.allSatisfy { $0.contains(#""disposition":"handled""#) })
  }

  @Test func theLibraryExampleIsAProgram() throws {
    let modules = Program.executable.deletingLastPathComponent()
    let objects = try FileManager.default.contentsOfDirectory(
      at: modules.appending(path: "TouchCore.build"), includingPropertiesForKeys: nil
    ).map(\.path).filter { $0.hasSuffix(".o") }
    let built = try Program.run(
      "/usr/bin/env",
      ["swiftc", "-o", "library", "library.swift", "-lm", "-I", modules.appending(path: "Modules").path]
        + objects,
      in: Self.folder)
    #expect(built.status == 0, "\(built.errors)")
    let outcome = try Program.run(Self.folder + "/library", [], in: Self.folder)
    #expect(outcome.lines.count == 1 && outcome.output.hasPrefix("dial was touched at "), "\(outcome)")
  }

  @Test(arguments: [
    ("docs/panel.png", [] as [String]), ("docs/touched.png", ["--touch", "600,400", "--touch", "180,400"]),
    ("docs/panel-480x320.png", ["--size", "480x320"]), ("docs/panel-1920x1080.png", ["--size", "1920x1080"]),
  ])
  func picturesOfTheReadmeAreWhatRenderDraws(picture: String, touches: [String]) throws {
    let path = Self.folder + "/picture.png"
    let outcome = try Program.run(["render", "config/touchtree.yaml", "-o", path] + touches)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let committed = try Data(contentsOf: Program.package.appending(path: picture))
    let drawn = try Data(contentsOf: URL(filePath: path))
    #expect(
      committed == drawn,
      "\(picture) is old: look at \(path), then draw it again with touchtree render (CONTRIBUTING.md)")
  }
}
