import Foundation
import SystemPackage
import Testing

@testable import TouchConfig
@testable import TouchCore

/// Files, rather than texts.
@Suite struct LoadingTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test func `a file that is not there is an error of its own`() {
    let path = folder.path + "/gone.yaml"
    let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
    guard case .unreadable(path, .noSuchFileOrDirectory) = error else { return #expect(Bool(false)) }
    #expect(error?.description.hasPrefix("\(path): no such file") == true)
  }

  @Test func `a folder is an error of its own`() {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: folder.path) }
    #expect(error?.description.hasPrefix("\(folder.path): this is a folder") == true)
  }

  @Test func `a wrong file is reported under its path`() throws {
    let path = try write("wrong.yaml", Data("window: {passes: 3}\nfoo: 1\n".utf8))
    let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix(path + ":") })
    expect(
      lines.map { String($0.dropFirst(path.count + 1)) },
      state: ["1:18: error: passes … 1 to 2", "2:1: error: foo … window"])
  }

  @Test func `programs and plugins are relative to the file, and bare names stay as they are`() throws {
    let text = """
      window: {}
      handlers:
        a: {kind: plugin, path: plugins/a.so}
        b: {kind: plugin, path: b.so}
        c: {kind: exec, when: pressed, command: [./c, ./d]}
        d: {kind: exec, when: pressed, command: [aplay, ./d]}
      """
    let configuration = try Configuration.parse(text: text, file: "/etc/panel/panel.yaml")
    #expect(
      configuration.handlers.map(\.kind) == [
        .plugin(path: "/etc/panel/plugins/a.so", configJSON: "{}"), .plugin(path: "b.so", configJSON: "{}"),
        .exec(on: [.pressed], command: ["/etc/panel/./c", "./d"], timeLimit: 10),
        .exec(on: [.pressed], command: ["aplay", "./d"], timeLimit: 10),
      ])
    #expect(configuration.handlerLocations["c"] == SourceLocation(line: 5, column: 3))
  }

  @Test func `a picture that cannot be shown is a warning`() throws {
    // The signature, and the header of a picture of 2 × 1 pixels.
    let png = Data(
      [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0,
        0, 1,
      ]
        + [8, 2, 0, 0, 0, 0, 0, 0, 0])
    _ = try write("right.png", png)
    _ = try write("wrong.png", Data("GIF89a".utf8))
    let path = try write(
      "images.yaml",
      Data(
        """
        window:
          subviews:
            - {frame: [0, 0, 1, 1], kind: image, image: right.png}
            - {frame: [0, 0, 1, 1], kind: image, image: wrong.png}
            - {frame: [0, 0, 1, 1], kind: image, image: gone.png}
            - {frame: [0, 0, 1, 1], kind: image, image: {path: .}}
        """.utf8))
    let configuration = try Configuration.load(path: path)
    #expect(configuration.views.count == 4)
    expect(
      configuration.warnings.map { String($0.description.dropFirst(path.count + 1)) },
      state: [
        "4:49: warning: the image \"\(folder.path)/wrong.png\" … PNG",
        "5:49: warning: the image \"\(folder.path)/gone.png\" … exist",
        "6:56: warning: the image \"\(folder.path)/.\" … directory",
      ])
  }

  @Test func `the files that are included are bounded together, and each is a file`() throws {
    let half = Data("x-filler: \(String(repeating: "a", count: 6 << 20))\n".utf8)
    for name in ["a.yaml", "b.yaml", "c.yaml"] { _ = try write(name, half) }
    mkfifo(folder.appending(path: "pipe.yaml").path, 0o600)
    let path = try write("f.yaml", Data("include: [pipe.yaml, a.yaml, b.yaml, c.yaml]\nwindow: {}\n".utf8))
    do {
      _ = try Configuration.load(path: path)
      Issue.record("it was loaded")
    } catch {
      #expect(
        "\(error)".contains("1:38: error: with \"\(folder.path)/c.yaml\" the files are larger than 16 MiB"))
      #expect("\(error)".contains("1:11: error: \"\(folder.path)/pipe.yaml\" is no file"), "\(error)")
    }
  }

  @Test func `a text is checked without looking for its pictures`() throws {
    #expect(try parse(withView("kind: image, image: gone.png")).warnings.isEmpty)
  }

  private func write(_ name: String, _ data: Data) throws -> String {
    let file = folder.appending(path: name)
    try data.write(to: file)
    return file.path
  }
}
