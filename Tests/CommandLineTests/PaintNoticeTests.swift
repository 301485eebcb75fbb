import Foundation
import Testing

@Suite("What cannot be painted")
struct PaintNoticeTests {
  private func render(_ views: String, files: [String: Data] = [:]) throws -> (
    outcome: Program.Outcome, hasPicture: Bool
  ) {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    var hasPicture = false
    try Program.inFolder { folder in
      for (name, data) in files { try data.write(to: URL(filePath: "\(folder)/\(name)")) }
      let tree = "version: 1\nwindow:\n  subviews:\n\(views)\n"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      outcome = try Program.run(["render", "tree.yaml", "-o", "p.png", "--size", "80x40"], in: folder)
      hasPicture = FileManager.default.fileExists(atPath: "\(folder)/p.png")
    }
    return (outcome, hasPicture)
  }

  /// The beginning of a PNG, with a size of its own and no pixels.
  private func header(width: UInt32, height: UInt32) -> Data {
    func bytes(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    func chunk(_ name: String, _ content: Data) -> Data {
      let body = Data(name.utf8) + content
      var crc: UInt32 = 0xffff_ffff
      for byte in body {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
      }
      return bytes(UInt32(content.count)) + body + bytes(~crc)
    }
    return Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      + chunk("IHDR", bytes(width) + bytes(height) + Data([8, 2, 0, 0, 0])) + chunk("IDAT", Data())
  }

  @Test("a picture that cannot be read is said with its place in the file, and the rest is drawn")
  func images() throws {
    let (outcome, hasPicture) = try render(
      """
          - {id: a, kind: image, frame: [0, 0, 9, 9], image: missing.png}
          - {id: b, kind: image, frame: [0, 0, 9, 9], image: text.png}
          - {id: c, kind: image, frame: [0, 0, 9, 9], image: {path: huge.png}}
          - {id: d, kind: image, frame: [0, 0, 9, 9], image: short.png}
          - {id: e, kind: image, frame: [0, 0, 9, 9], image: missing.png}
      """,
      files: [
        "text.png": Data("no picture".utf8), "huge.png": header(width: 100_000, height: 5),
        "short.png": header(width: 5, height: 5),
      ])
    #expect(outcome.status == 0 && hasPicture)
    // What can be told before anything is painted has been told already.
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("touchtree: ") }
    #expect(lines.count == 4)
    for (line, (place, text)) in zip(
      lines,
      [
        ("tree.yaml:4:56", "missing.png: No such file or directory"),
        ("tree.yaml:5:56", "not a readable PNG"),
        ("tree.yaml:6:63", "the picture is 100000x5 pixels; at most 4096x4096 are read"),
        ("tree.yaml:7:56", "not a readable PNG"),
      ])
    {
      #expect(line.hasPrefix("touchtree: warning: \(place): "), "\(line)")
      #expect(line.contains(text), "\(line)")
    }
  }

  @Test("a font that is not there is said with its place in the file, and another one is used")
  func fonts() throws {
    let (outcome, hasPicture) = try render(
      """
          - {id: a, kind: label, frame: [0, 0, 40, 20], text: A, font: {family: No Such Family}}
          - {id: b, kind: label, frame: [0, 20, 40, 20], text: B, font: {family: No Such Family, size: 9}}
          - {id: c, kind: label, frame: [0, 20, 40, 20], text: C, font: {family: dejavu sans}}
          - {id: d, kind: label, frame: [0, 20, 40, 20], text: D, font: {family: monospace}}
      """)
    #expect(outcome.status == 0 && hasPicture)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(
      outcome.errors.hasPrefix(
        "touchtree: warning: tree.yaml:4:75: there is no font of the family \"No Such Family\", and "))
  }

  @Test(
    "a value that nothing can be painted with is an error in the file",
    arguments: [
      ("frame: [.nan, 0, 1, 1]", "4:16: error: x in frame is .nan"),
      ("frame: [0, 0, 1.0e9, 1]", "4:22: error: width in frame is 1.0e9"),
      ("frame: [0, 0, 1, 1], background: \"#12345\"", "4:41: error: background is the text \"#12345\""),
      ("frame: [0, 0, 1, 1], background: teal", "4:41: error: background is the text \"teal\""),
    ])
  func values(keys: String, message: String) throws {
    let (outcome, hasPicture) = try render("    - {\(keys)}")
    #expect(outcome.status == 78 && !hasPicture)
    #expect(outcome.errors.hasPrefix("tree.yaml:\(message)"), "\(outcome.errors)")
  }
}
