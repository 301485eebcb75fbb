import Foundation
import Testing

/// Recordings go the way of live devices: rules, mapping, dispatch, handlers, pictures.
@Suite struct ReplayTests {
  static let tree = """
    version: 1
    display: {canvas: {size: [800, 480]}}
    window:
      id: window
      subviews:
        - {id: left, frame: [0, 0, 400, 480]}
        - {id: right, frame: [400, 0, 400, 480]}

    """

  /// Where the fingers of the demo's recording come down.
  static let sides = [
    "left", "right", "right", "right", "right", "left", "right", "left", "right",
  ]

  private func hits(_ yaml: String) throws -> [String] {
    var lines: [String] = []
    try Program.inFolder { folder in
      let file = folder + "/replay.yaml"
      try yaml.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["trace", file, "--replay", "config/demo.evemu", "--json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      lines = outcome.lines.filter { $0.hasPrefix(#"{"event":"hit","#) }
    }
    return lines.map { String($0.split(separator: "\"")[9]) }
  }

  @Test func `a recorded device touches what its fingers were on`() throws {
    #expect(try hits(Self.tree) == Self.sides)
  }

  private static let turned = sides.map { $0 == "left" ? "right" : "left" }

  @Test(arguments: [
    (["demo*, calibration: [-1, 0, 1, 0, 1, 0]"], turned), (["demo*, rotation: 180"], turned),
    (["demo*, output: [400, 0, 400, 480]"], sides.map { _ in "right" }),
    (["another device, rotation: 180"], sides),
    // Of several rules the first that matches counts, whole, wherever the others stand.
    (["demo*, rotation: 180", "demo*, output: [400, 0, 400, 480]"], turned),
    (["demo*, output: [400, 0, 400, 480]", "demo*, rotation: 180"], sides.map { _ in "right" }),
    (["another device, output: [400, 0, 400, 480]", "demo*, rotation: 180", "demo*, rotation: 0"], turned),
    (["demo*, use: true", "demo*, rotation: 180"], sides),
  ])
  func `the first rule that matches a recorded device maps it`(rules: [String], expected: [String]) throws {
    let devices = rules.map { rule in
      let parts = rule.split(separator: ",", maxSplits: 1)
      let name = parts[0] == "demo*" ? "touchtree demo*" : parts[0]
      return "{match: {name: \"\(name)\"},\(parts[1])}"
    }
    let input = "input: {devices: [\(devices.joined(separator: ", "))]}\n"
    #expect(try hits(input + Self.tree) == expected)
  }

  @Test(arguments: [
    ["trace", "TREE", "--replay", "REC"], ["replay", "REC", "--config", "TREE", "--speed", "real"],
    ["replay", "REC", "--uinput"], ["run", "--config", "TREE", "--display", "headless", "--replay", "REC"],
  ])
  func `a time that no clock reaches is refused with its line`(_ arguments: [String]) throws {
    try Program.inFolder { folder in
      let (tree, recording) = (folder + "/replay.yaml", folder + "/late.evemu")
      let rule = "input: {devices: [{filter: [debounce, one-euro]}]}\n"
      try (rule + Self.tree).write(toFile: tree, atomically: true, encoding: .utf8)
      var lines = try String(
        contentsOf: Program.package.appending(path: "config/demo.evemu"), encoding: .utf8
      )
      .split(separator: "\n", omittingEmptySubsequences: false)
      let first = try #require(lines.firstIndex { $0.hasPrefix("E:") })
      for index in lines.indices where lines[index].hasPrefix("E:") && index > first + 20 {
        lines[index] =
          "E: 9223372036854.775807" + lines[index].drop { $0 != " " }.dropFirst().drop { $0 != " " }
      }
      try lines.joined(separator: "\n").write(toFile: recording, atomically: true, encoding: .utf8)
      let outcome = try Program.run(
        arguments.map { $0 == "TREE" ? tree : $0 == "REC" ? recording : $0 })
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(
        outcome.errors.contains(
          "\(recording):\(first + 22): the time is \"9223372036854.775807\", later than"),
        "\(outcome.errors)")
    }
  }

  @Test func `run writes the trace and a picture of every change`() throws {
    try Program.inFolder { folder in
      let outcome = try Program.run([
        "run", "--config", "config/touchtree.yaml", "--display", "headless", "--replay", "config/demo.evemu",
        "--trace", folder + "/trace.jsonl", "--pictures", folder + "/pictures",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let trace = try String(contentsOfFile: folder + "/trace.jsonl", encoding: .utf8)
      let phases = { (phase: String) in trace.components(separatedBy: "\"phase\":\"\(phase)\"").count - 1 }
      #expect(phases("began") > 0)
      #expect(phases("began") == phases("ended") + phases("cancelled"))
      let pictures = try FileManager.default.contentsOfDirectory(atPath: folder + "/pictures").sorted()
      #expect(pictures.first == "000-start.png")
      #expect(pictures.last?.hasSuffix("-end.png") == true)
      #expect(pictures.contains { $0.hasSuffix("began-galley.png") })
      #expect(outcome.errors.contains("handler bell: began"))
    }
  }

  @Test func `when the last finger has lifted, nothing of the touches is left in the picture`() throws {
    try Program.inFolder { folder in
      let file = folder + "/replay.yaml"
      let highlight = "highlight: {view: glow, touches: {marker: true, trail: 0.3}}\n"
      try (highlight + Self.tree).write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", file, "--display", "headless", "--replay", "config/demo.evemu", "--pictures",
        folder + "/pictures",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let pictures = try FileManager.default.contentsOfDirectory(atPath: folder + "/pictures").sorted()
      let seen = try pictures.map { try Data(contentsOf: URL(filePath: "\(folder)/pictures/\($0)")) }
      #expect(seen.count > 10 && seen.first == seen.last && seen.first != seen[1])
    }
  }

  // MARK: Keys

  /// A keyboard, a scanner whose texts end with a pause of 45 ms a key, and a knob that reports where it
  /// stands.
  private static let keys: String = {
    func device(
      _ name: String, _ description: String, _ events: [(time: Int, type: Int, code: Int, value: Int)]
    ) -> String {
      let frames = events.map {
        let (seconds, rest) = ($0.time / 1000, $0.time % 1000 * 1000)
        let event = "[\(seconds), \(rest), \($0.type), \($0.code), \($0.value)]"
        return "      - evdev: [\(event), [\(seconds), \(rest), 0, 0, 0]]\n"
      }
      return """
          - evdev:
              name: \(name)
              id: [3, 1, 2, 0]
              \(description)
              properties: []
            events:

        """ + frames.joined()
    }
    func typed(_ codes: [Int], at start: Int, every gap: Int) -> [(Int, Int, Int, Int)] {
      codes.enumerated().flatMap { index, code in
        [(start + index * gap, 1, code, 1), (start + index * gap + 1, 1, code, 0)]
      }
    }
    let letters = "codes: {1: [\((1...111).map(String.init).joined(separator: ", "))]}"
    return "version: 1\ndevices:\n"
      // Tab, tab, enter; h, i; a keypad's 7; shift and home.
      + device(
        "Acme Keyboard", letters,
        typed([15, 15, 28], at: 0, every: 90)
          + typed([35, 23, 71], at: 400, every: 90) + [(700, 1, 42, 1)] + typed([102], at: 720, every: 10)
          + [(760, 1, 42, 0)])
      + device("Acme Scanner", letters, typed([5, 11, 11, 7], at: 2100, every: 45))
      + device(
        "rotary@0", "codes: {3: [0]}\n      absinfo: {0: [0, 24, 0, 0, 0]}",
        [(1000, 3, 0, 1), (1100, 3, 0, 0), (1200, 3, 0, 23)])
  }()

  @Test func `a recorded keyboard, scanner and knob are played as well as a touchscreen`() throws {
    try Program.inFolder { folder in
      let (tree, recording, events) = (folder + "/keys.yaml", folder + "/keys.yml", folder + "/events")
      let yaml = """
        version: 1
        display: {canvas: {size: [400, 300]}}
        input: {keyboard: {layout: us}, devices: [{match: {name: "*Scanner"}, scanner: {end: none}}]}
        keyboard: {shows: never}
        handlers:
          witness:
            kind: process
            command: [sh, -c, 'echo "{\\"type\\":\\"ready\\",\\"protocol\\":1}"; cat >\(events)']
            wants: [press, scanned]
        application: {handlers: [witness], scanned: [set: {code: {text: "{text}"}}]}
        window:
          subviews:
            - {id: ok, kind: button, frame: [0, 0, 100, 50], text: OK}
            - {id: name, kind: text_field, frame: [0, 60, 200, 50]}
            - {id: last, kind: button, frame: [0, 120, 100, 50], text: Last}
            - {id: code, kind: label, frame: [0, 180, 200, 50]}

        """
      try yaml.write(toFile: tree, atomically: true, encoding: .utf8)
      try Self.keys.write(toFile: recording, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["replay", recording, "--config", tree])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Program.run(["replay", recording, "--config", tree]).output == outcome.output)
      let focus = outcome.lines.filter { $0.hasPrefix("focus") }
      #expect(
        focus.map { $0.dropFirst(13) } == [
          "nothing → ok", "ok → name", "name → last", "last → name", "name → ok",
        ])
      // No letter of the scanner is a press; what is typed goes into the field.
      #expect(outcome.lines.filter { $0.hasPrefix("scanned") }.map { $0.dropFirst(13) } == ["ok 4006"])
      let keys = outcome.lines.filter {
        $0.hasPrefix("press") && $0.contains("began") && $0.contains(" name ")
      }
      #expect(
        keys.map { $0.split(separator: " ")[3] } == [
          "enter", "h", "i", "kp7", "leftshift", "shift+home", "turn_right", "turn_left",
        ])
      let names = try String(contentsOfFile: events, encoding: .utf8)
      for name in ["Acme Keyboard", "Acme Scanner", "rotary@0"] {
        #expect(names.contains(#""device":"\#(name)""#), "\(name): \(names)")
      }
    }
  }
}
