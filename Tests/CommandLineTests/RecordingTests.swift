import Foundation
import Testing

/// What is played from a file: the same every time, and every began ended.
@Suite struct RecordingTests {
  static let own = recordings(in: Program.package.appending(path: "Tests/Recordings").path)
  /// Of real devices; not part of the project. Where they are missing, a line says so: the project's own
  /// recordings of the same kinds of devices are played everywhere.
  static let shared: [String] = {
    let folder = Program.package.deletingLastPathComponent().appending(path: "shared/recordings").path
    let found = recordings(in: folder)
    if found.isEmpty {
      print("note: \(folder) has no recordings of real devices; only the project's own are played")
    }
    return found
  }()

  private static func recordings(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { !$0.hasSuffix(".desc") && $0.contains(".") }.sorted().map { folder + "/" + $0 }
  }

  /// Two views that cover a canvas, a control among them.
  static let tree = """
    version: 1
    display: {canvas: {size: [800, 480]}}
    window:
      id: window
      subviews:
        - {id: left, frame: [0, 0, 400, 480], multiple_touch: true}
        - {id: right, kind: control, frame: [400, 0, 400, 480]}
    """

  private func withTree(_ body: (String) throws -> Void) throws {
    try Program.inFolder { folder in
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      try body(folder + "/tree.yaml")
    }
  }

  @Test
  func `There are recordings of each kind of device`() {
    #expect(Self.own.count >= 10)
  }

  @Test(arguments: own)
  func `A recording played twice gives the same trace, with balanced phases`(_ recording: String) throws {
    try expectSameTwice(recording)
  }

  @Test(arguments: shared)
  func `A real device's recording played twice gives the same trace, with balanced phases`(
    _ recording: String
  ) throws {
    try expectSameTwice(recording)
  }

  private func expectSameTwice(_ recording: String) throws {
    try withTree { tree in
      let first = try Program.run(["replay", recording, "--config", tree, "--json"])
      let second = try Program.run(["replay", recording, "--config", tree, "--json"])
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output == second.output)
      let traced = try Program.run(["trace", tree, "--replay", recording, "--json"])
      #expect(traced.output == first.output)
      try expectBalanced(first.lines)
    }
  }

  /// Each responder that received a touch's began received one end.
  private func expectBalanced(_ lines: [String]) throws {
    var open: Set<[String]> = []
    var began = 0
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let fields = try #require(object as? [String: Any])
      guard fields["event"] as? String == "touch" else { continue }
      let life = ["\(fields["touch"] ?? "")", fields["responder"] as? String ?? ""]
      switch fields["phase"] as? String {
      case "began":
        #expect(open.insert(life).inserted, "\(life)")
        began += 1
      case "ended", "cancelled": #expect(open.remove(life) != nil, "\(life)")
      default: #expect(open.contains(life), "\(life)")
      }
    }
    #expect(open.isEmpty)
    // The recording of a tablet's wheel presses nothing.
    #expect(began > 0 || lines.contains { $0.contains("wheel") })
  }

  @Test
  func `In real time the trace is the same as at full speed`() throws {
    try withTree { tree in
      let recording = Program.package.path + "/Tests/Recordings/slots.yml"
      let fast = try Program.run(["replay", recording, "--config", tree])
      let start = ContinuousClock.now
      let real = try Program.run(["replay", recording, "--config", tree, "--speed", "real"])
      #expect(fast.output == real.output && !fast.output.isEmpty)
      // The recording lasts 450 ms.
      #expect(ContinuousClock.now - start >= .milliseconds(440))
    }
  }

  @Test
  func `the report rate of a touchscreen is printed, with a warning if it is slow`() throws {
    try withTree { tree in
      let quick = try Program.run(
        ["replay", Program.package.path + "/Tests/Recordings/slots.yml", "--config", tree])
      #expect(
        quick.errors
          == "touchtree: Recorded multitouch reports every 8 ms with 1 finger, every 11 ms with 2 fingers\n")
      let slow = try Program.run([
        "replay", Program.package.path + "/Tests/Recordings/Recorded resistive panel.drag.events", "--config",
        tree,
      ])
      #expect(slow.errors.contains("reports every 30 ms with 1 finger"))
      #expect(slow.errors.contains("is slow: 33 reports a second"))
    }
  }

  @Test(arguments: shared)
  func `A real panel is as fast as it reports fingers that move`(recording: String) throws {
    let known = [
      ("maXTouch Touchscreen.1-finger-drag", "every 13.7 ms with 1 finger"),
      ("N-Trig MultiTouch.1-finger-drag", "every 14.4 ms with 1 finger"),
      ("ISDv4 E6 Finger.single-top-swipe", "every 12 ms with 1 finger"),
    ]
    try withTree { tree in
      let outcome = try Program.run(["replay", recording, "--config", tree])
      #expect(!outcome.errors.contains("is slow"), "\(outcome.errors)")
      for (name, rate) in known where recording.contains(name) {
        #expect(outcome.errors.contains(rate), "\(outcome.errors)")
      }
    }
  }

  /// What is known of real panels, of recordings that have the same: the time between two reports, and how
  /// many touches there are.
  @Test(arguments: [
    ("like-maxtouch.evemu", "every 13.7 ms with 1 finger", 2),
    ("like-n-trig.evemu", "every 14.4 ms with 1 finger", 1),
    ("like-isdv4.evemu", "every 12 ms with 1 finger", 3),
    ("light-finger.evemu", "every 8 ms with 1 finger", 3),
  ])
  func `A panel is as fast as it reports fingers, and each finger is one touch`(
    name: String, rate: String, touches: Int
  ) throws {
    try withTree { tree in
      let recording = Program.package.path + "/Tests/Recordings/" + name
      let outcome = try Program.run(["replay", recording, "--config", tree, "--json"])
      #expect(outcome.errors.contains(rate) && !outcome.errors.contains("is slow"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("kernel bug"), "\(outcome.errors)")
      #expect(outcome.lines.count { $0.hasPrefix(#"{"event":"hit","#) } == touches)
    }
  }

  @Test
  func `A contact that begins where the last one was begins there`() throws {
    try withTree { tree in
      let recording = Program.package.path + "/Tests/Recordings/slots.yml"
      let outcome = try Program.run(["replay", recording, "--config", tree, "--json"])
      let hits = outcome.lines.filter { $0.hasPrefix(#"{"event":"hit","#) }
      #expect(
        hits == [
          #"{"event":"hit","touch":1,"view":"left"}"#, #"{"event":"hit","touch":2,"view":"right"}"#,
          #"{"event":"hit","touch":3,"view":"left"}"#, #"{"event":"hit","touch":4,"view":"left"}"#,
          #"{"event":"hit","touch":5,"view":"left"}"#,
        ])
      // The fourth became a palm.
      #expect(outcome.output.contains(#""touch":4,"phase":"cancelled","responder":"left""#))
    }
  }

  @Test(arguments: [
    ("53: [0, 1023, 0, 0, 10]", "53: [9, -9, 0, 0, 10]", "ABS_MT_POSITION_X goes from 9 to -9"),
    ("53: [0, 1023, 0, 0, 10]", "53: [7, 7, 0, 0, 10]", "ABS_MT_POSITION_X goes from 7 to 7"),
    ("[0, 1, 47, 53, 54, 55, 57]", "[]", "no axes"),
  ])
  func `a recording of an unusable device is rejected with the reason`(
    good: String, bad: String, words: String
  ) throws {
    let text = try String(
      contentsOfFile: Program.package.path + "/Tests/Recordings/slots.yml", encoding: .utf8)
    try withTree { tree in
      let file = tree + ".yml"
      // Without the axes that a device with one finger has.
      try text.replacing(good, with: bad).replacing("[0, 1, 47", with: "[47")
        .write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["replay", file, "--config", tree])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("\(file): Recorded multitouch cannot be used"), "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `a recording is stepped through in the terminal, and the terminal is as before`() throws {
    let terminal = try PseudoTerminal(
      ["monitor", "--step", "config/demo.evemu"], columns: 100, rows: 24)
    try terminal.until("the first frame") { terminal.text.contains("frame 1 of 41") }
    #expect(terminal.text.contains("1 at 214, 420") && terminal.text.contains("ABS_MT_TRACKING_ID 1"))
    for (keys, frame) in [
      (" ", 2), ("\u{1b}[C", 3), ("\u{1b}[6~", 13), ("\u{1b}[D", 12), ("b", 11), ("G", 41),
    ] {
      terminal.type(keys)
      try terminal.until("frame \(frame)") { terminal.text.contains("frame \(frame) of 41") }
    }
    terminal.type("q")
    #expect(try terminal.end() == 0 && terminal.isAsBefore)
    let outcome = try Program.run(["monitor", "--step", "config/demo.evemu"])
    #expect(outcome.status == 69 && outcome.errors.contains("terminal"), "\(outcome.errors)")
  }
}
