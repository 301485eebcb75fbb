import Foundation
import Testing

@Suite("The library that paints text")
struct TextLibraryTests {
  /// Renders a tree on a machine whose fcft is no library.
  private func renderWithoutLibrary(_ view: String) throws -> (outcome: Program.Outcome, hasPicture: Bool) {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    var hasPicture = false
    try Program.inFolder { folder in
      try Data("no library".utf8).write(to: URL(filePath: "\(folder)/libfcft.so.4"))
      let tree = "version: 1\nwindow: {id: window, subviews: [\(view)]}\n"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      outcome = try Program.run(
        "/usr/bin/env",
        [
          "LD_LIBRARY_PATH=\(folder)", Program.executable.path, "render", "tree.yaml", "-o", "picture.png",
          "--size", "80x40",
        ],
        in: folder)
      hasPicture = FileManager.default.fileExists(atPath: "\(folder)/picture.png")
    }
    return (outcome, hasPicture)
  }

  @Test("where it is missing that is said once, with what to install, and everything else is painted")
  func missing() throws {
    let label = "{id: a, kind: label, frame: [0, 0, 40, 20], text: A}"
    let (outcome, hasPicture) = try renderWithoutLibrary(
      "\(label), \(label.replacing("id: a", with: "id: b"))")
    #expect(outcome.status == 0)
    #expect(hasPicture)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(outcome.errors.contains("libfcft.so.4: file too short"))
    #expect(outcome.errors.contains("every text is left out; install Debian's libfcft4"))
  }

  @Test("a tree without text does without it")
  func unused() throws {
    let (outcome, hasPicture) = try renderWithoutLibrary(
      "{id: a, kind: button, frame: [0, 0, 40, 20], background: \"#203040\"}")
    #expect(outcome.status == 0)
    #expect(hasPicture)
    #expect(outcome.errors.isEmpty)
  }
}
