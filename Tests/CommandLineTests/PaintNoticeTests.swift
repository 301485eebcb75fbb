import Foundation
import Testing
import TouchPixels

@Suite("What cannot be painted")
struct PaintNoticeTests {
  private func render(
    _ views: String, files: [String: Data] = [:], look: (Surface) throws -> Void = { _ in }
  ) throws -> (outcome: Program.Outcome, hasPicture: Bool) {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    var hasPicture = false
    try Program.inFolder { folder in
      for (name, data) in files { try data.write(to: URL(filePath: "\(folder)/\(name)")) }
      let tree = "version: 1\nwindow:\n  subviews:\n\(views)\n"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      outcome = try Program.run(["render", "tree.yaml", "-o", "p.png", "--size", "80x40"], in: folder)
      hasPicture = FileManager.default.fileExists(atPath: "\(folder)/p.png")
      if hasPicture { try look(PNGReader.read(path: "\(folder)/p.png")) }
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

  @Test
  func `a picture that cannot be read is reported with its position, and the rest is drawn`() throws {
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
    // What does not depend on painting has been reported already.
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("touchtree: ") }
    #expect(lines.count == 4)
    for (line, (place, text)) in zip(
      lines,
      [
        ("tree.yaml:4:56", "missing.png: No such file or directory"),
        ("tree.yaml:5:56", "neither a PNG nor a JPEG file"),
        ("tree.yaml:6:63", "the picture is 100000x5 pixels; at most 4096x4096 are read"),
        ("tree.yaml:7:56", "not a readable PNG"),
      ])
    {
      #expect(line.hasPrefix("touchtree: warning: \(place): "), "\(line)")
      #expect(line.contains(text), "\(line)")
    }
  }

  @Test
  func `text that is cut, and characters that no font has, are reported once for each view, with its place`()
    throws
  {
    let (outcome, hasPicture) = try render(
      """
          - {id: a, kind: label, frame: [0, 0, 40, 20], text: "much too long for its view"}
          - {id: b, kind: label, frame: [0, 20, 80, 20], text: "a \\u0378 b", font: {size: 14}}
          - {id: c, kind: label, frame: [0, 20, 80, 20], text: "fits"}
      """)
    #expect(outcome.status == 0 && hasPicture)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome.errors)")
    #expect(lines.first?.hasPrefix("touchtree: warning: tree.yaml:4:7: the text of a does not fit") == true)
    #expect(lines.last?.hasPrefix("touchtree: warning: tree.yaml:5:7: no font has U+378") == true)
  }

  @Test
  func `a missing font is reported with its position, and another one is used`() throws {
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
        "touchtree: warning: tree.yaml:4:75: the font family \"No Such Family\" is not installed"))
  }

  @Test(arguments: [
    ("frame: [.nan, 0, 1, 1]", "6:16: error: x in frame is .nan"),
    ("frame: [0, 0, 1.0e9, 1]", "6:22: error: width in frame is 1.0e9"),
    ("frame: [0, 0, 8, 8], background: \"#12345\"", "6:41: error: background is the text \"#12345\""),
    ("frame: [0, 0, 8, 8], background: tealish", "6:41: error: background is the text \"tealish\""),
    (
      "frame: [0, 0, 8, 8], border: {color: redd, width: 2}",
      "6:45: error: border.color is the text \"redd\""
    ),
    ("frame: [0, 0, 8, 8], corner_radius: -1", "6:44: error: corner_radius is -1"),
    (
      "frame: [0, 0, 8, 8], kind: label, text: A, font: {size: .inf}",
      "6:64: error: font.size is .inf"
    ),
  ])
  func `a value that nothing can be painted with is an error in its place, and the rest of the tree is drawn`(
    keys: String, message: String
  ) throws {
    let views = """
          - {frame: [20, 10, 8, 8], background: "#00ff00"}
          - {frame: [40, 10, 8, 8], background: "#0000ff"}
          - {\(keys), subviews: [{frame: [60, 10, 8, 8], background: "#ff0000"}]}
      """
    let (outcome, hasPicture) = try render(views) { picture in
      #expect(picture.color(x: 24, y: 14).hex == "#00ff00")
      #expect(picture.color(x: 44, y: 14).hex == "#0000ff")
      // What lies in a view without a place has none either.
      let isNowhere = message.contains("frame")
      #expect((picture.color(x: 64, y: 14).hex == "#ff0000") != isNowhere)
    }
    // The picture is written; the messages say what is missing in it.
    #expect(outcome.status == 78 && hasPicture)
    #expect(outcome.errors.hasPrefix("tree.yaml:\(message)"), "\(outcome.errors)")
  }

  @Test
  func `run shows the rest, too; an unknown key, or a value that touches depend on, is refused by both`()
    throws
  {
    try Program.inFolder { folder throws in
      func status(_ command: [String], _ view: String) throws -> Int32 {
        let tree = "version: 1\nwindow: {subviews: [{id: a, frame: [0, 0, 8, 8], \(view)}]}\n"
        try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
        let outcome = try Program.run(command, in: folder)
        #expect(outcome.errors.contains("tree.yaml:2:"), "\(outcome.errors)")
        return outcome.status
      }
      let recording = Program.package.appending(path: "config/demo.evemu").path
      let run = [
        "run", "--config", "tree.yaml", "--display", "headless", "--replay", recording, "--pictures", "p",
      ]
      let render = ["render", "tree.yaml", "-o", "p.png"]
      #expect(try status(run, "background: tealish") == 0)
      #expect(FileManager.default.fileExists(atPath: "\(folder)/p/000-start.png"))
      for command in [["check", "tree.yaml"], ["hit", "tree.yaml", "1,1"]] {
        #expect(try status(command, "background: tealish") == 78)
      }
      for command in [run, render] {
        #expect(try status(command, "border: {colour: \"#ff0000\"}") == 78)
        #expect(try status(command, "enabled: 3") == 78)
        #expect(try status(command, "backgruond: \"#ff0000\"") == 78)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/p.png"))
    }
  }

  @Test
  func `what a program names at any length is a line of the log with a bound, which ends with what to do`()
    throws
  {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder)
      let family = String(repeating: "x", count: 40_000)
      let request = #"{"type":"set","view":"ok","properties":{"font":{"family":"\#(family)"}}}"#
      try Data("\(request)\n".utf8).write(to: URL(filePath: "\(folder)/request"))
      _ = try daemon.shell("\"$T\" ctl - --socket \"$S\" <'\(folder)/request'")
      try Program.eventually("the line") {
        daemon.log.contains("`fc-list : family` lists the installed ones\n")
      }
      #expect(daemon.log.contains("warning: ") && daemon.log.contains("[...]"))
      #expect(daemon.log.split(separator: "\n").allSatisfy { $0.utf8.count <= 2100 })
      #expect(daemon.end() == 0)
    }
  }
}
