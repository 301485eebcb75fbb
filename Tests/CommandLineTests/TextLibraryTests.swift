import Foundation
import Testing

@Suite("The libraries that text is painted with")
struct TextLibraryTests {
  /// Renders a tree on a machine where a library is none.
  ///
  /// - Parameter library: nil: all of them are there.
  private func render(_ view: String, without library: String?) throws -> (
    outcome: Program.Outcome, picture: Data?
  ) {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    var picture: Data?
    try Program.inFolder { folder in
      if let library { try Data("no library".utf8).write(to: URL(filePath: "\(folder)/\(library)")) }
      let tree = "version: 1\nwindow: {id: window, subviews: [\(view)]}\n"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      outcome = try Program.run(
        "/usr/bin/env",
        [
          "LD_LIBRARY_PATH=\(folder)", Program.executable.path, "render", "tree.yaml", "-o", "picture.png",
          "--size", "120x40",
        ],
        in: folder)
      picture = FileManager.default.contents(atPath: "\(folder)/picture.png")
    }
    return (outcome, picture)
  }

  private static let text = "libfcft.so.4"
  private static let order = "libfribidi.so.0"
  private static let breaks = "libunibreak.so.1"

  private func label(_ text: String) -> String {
    "{id: label, kind: label, frame: [0, 0, 120, 40], text: \"\(text)\"}"
  }

  @Test
  func `a missing fcft is reported once, with what to install, and everything else is painted`()
    throws
  {
    let (outcome, picture) = try render(
      "\(label("A")), \(label("B").replacing("id: label", with: "id: other"))", without: Self.text)
    #expect(outcome.status == 0)
    #expect(picture != nil)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(outcome.errors.contains("libfcft.so.4: file too short"))
    #expect(outcome.errors.contains("every text is left out; install Debian's libfcft4"))
  }

  @Test(arguments: [text, order, breaks])
  func `a tree without text does without any`(library: String) throws {
    let (outcome, picture) = try render(
      "{id: a, kind: button, frame: [0, 0, 40, 20], background: \"#203040\"}", without: library)
    #expect(outcome.status == 0)
    #expect(picture != nil)
    #expect(outcome.errors.isEmpty)
  }

  @Test(arguments: ["שלום", "شكرا"])
  func
    `where FriBidi is missing that is said once, with what to install, and words are painted in the order of the file`(
      word: String
    ) throws
  {
    let (outcome, picture) = try render(
      "\(label(word)), \(label(word).replacing("id: label", with: "id: other"))", without: Self.order)
    #expect(outcome.status == 0)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(outcome.errors.contains("libfribidi.so.0: file too short"))
    #expect(
      outcome.errors.contains("from left to right; install Debian's libfribidi0"))
    // One word has no order, but letters: they run as they should.
    let whole = try render(
      "\(label(word)), \(label(word).replacing("id: label", with: "id: other"))", without: nil)
    #expect(whole.outcome.errors.isEmpty)
    #expect(picture != nil && picture == whole.picture)
    let two = "\(word) \(word.prefix(2))"
    #expect(try render(label(two), without: Self.order).picture != render(label(two), without: nil).picture)
  }

  @Test func `where libunibreak is missing that is said once, where lines of an Asian script are broken`()
    throws
  {
    let lines = "font: {size: 12, lines: 0}"
    for (text, count) in [("今日は晴れです。明日も晴れです。", 1), ("Donau\u{ad}dampf\u{ad}schiff\u{ad}fahrt", 0)] {
      let view = label(text).dropLast() + ", \(lines)}"
      let (outcome, picture) = try render(
        "\(view), \(view.replacing("id: label", with: "id: other"))", without: Self.breaks)
      #expect(outcome.status == 0 && picture != nil)
      #expect(outcome.errors.components(separatedBy: "install Debian's libunibreak1").count == 1 + count)
      #expect(try render(String(view), without: nil).outcome.errors.contains("unibreak") == false)
    }
  }

  @Test(arguments: [
    "Latin", "Ärger – „so“ … 5 €", "Ελλάδα Ж", "日本語 한국", "e\u{301} ½ ≤ (x)", "a\u{200e}b\u{2066}c\u{2069}",
  ])
  func `text that runs to the right does without FriBidi`(text: String) throws {
    let (outcome, picture) = try render(label(text), without: Self.order)
    #expect(outcome.status == 0)
    #expect(picture != nil)
    #expect(!outcome.errors.contains("fribidi"), "\(outcome.errors)")
  }
}
