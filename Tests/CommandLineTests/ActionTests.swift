import Foundation
import Testing

/// `actions:` in the program as it is run, on the example of the thermostat.
@Suite struct ActionTests {
  /// A recording of taps, a second apart, on a panel as large as the canvas.
  private static func recording(_ taps: [(x: Int, y: Int)], width: Int = 480, height: Int = 320) -> String {
    let header = """
      version: 1
      devices:
      - evdev:
          name: Panel
          id: [3, 1, 2, 3]
          codes: {3: [47, 53, 54, 57]}
          absinfo: {47: [0, 1, 0, 0, 0], 53: [0, \(width - 1), 0, 0, 0], 54: [0, \(height - 1), 0, 0, 0], 57: [0, 99, 0, 0, 0]}
          properties: [1]
        events:

      """
    return header + self.taps(taps, second: 0)
  }

  private static func taps(_ taps: [(x: Int, y: Int)], second: Int) -> String {
    var text = ""
    for (index, tap) in taps.enumerated() {
      let second = second + index
      text += "  - evdev: [[\(second), 0, 3, 57, \(second)], [\(second), 0, 3, 53, \(tap.x)], "
      text += "[\(second), 0, 3, 54, \(tap.y)], [\(second), 0, 0, 0, 0]]\n"
      text += "  - evdev: [[\(second), 50000, 3, 57, -1], [\(second), 50000, 0, 0, 0]]\n"
    }
    return text
  }

  @Test func `pages turn, and what is hit afterwards is on the page that is shown`() throws {
    try Program.inFolder { folder in
      let taps = [(240, 290), (240, 180), (400, 290), (240, 180)]
      try Self.recording(taps).write(toFile: folder + "/taps.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", "config/examples/thermostat.yaml", "--display", "headless", "--replay",
        folder + "/taps.yml", "--trace", "-",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let events = outcome.lines.filter { line in
        ["\"hit\"", "\"page\"", "touchUpInside", "\"phase\":\"ended\""].contains { line.contains($0) }
      }
      #expect(
        events.map { $0.replacing(/,"point":\[[^\]]*\]|,"disposition":"\w+"/, with: "") } == [
          #"{"event":"hit","touch":1,"view":"to-presets"}"#,
          #"{"event":"touch","touch":1,"phase":"ended","responder":"to-presets"}"#,
          #"{"event":"control","touch":1,"view":"to-presets","action":"touchUpInside"}"#,
          #"{"event":"page","view":"screens","page":"presets"}"#,
          #"{"event":"hit","touch":2,"view":"night"}"#,
          #"{"event":"touch","touch":2,"phase":"ended","responder":"night"}"#,
          #"{"event":"control","touch":2,"view":"night","action":"touchUpInside"}"#,
          #"{"event":"page","view":"screens","page":"home"}"#,
          #"{"event":"hit","touch":3,"view":"to-about"}"#,
          #"{"event":"touch","touch":3,"phase":"ended","responder":"to-about"}"#,
          #"{"event":"control","touch":3,"view":"to-about","action":"touchUpInside"}"#,
          #"{"event":"page","view":"screens","page":"about"}"#,
          #"{"event":"hit","touch":4,"view":"ask"}"#,
          #"{"event":"touch","touch":4,"phase":"ended","responder":"ask"}"#,
          #"{"event":"control","touch":4,"view":"ask","action":"touchUpInside"}"#,
        ])
    }
  }

  /// What a property of a view is, in what `ctl tree --json` prints.
  private static func property(_ key: String, of view: String, in tree: String) throws -> String {
    let views = try JSONSerialization.jsonObject(with: Data(tree.utf8)) as? [String: Any]
    let found = (views?["views"] as? [[String: Any]])?.first { $0["id"] as? String == view }
    return "\(try #require(found?[key], "\(view)"))"
  }

  @Test(arguments: ["sh", "py"])
  func `the thermostat works by touches and by ctl, and its feed may be of any language`(feed: String) throws
  {
    try Program.inFolder { folder in
      let examples = Program.package.appending(path: "config/examples")
      for file in ["thermostat.sh", "thermostat.py"] {
        try FileManager.default.copyItem(
          at: examples.appending(path: file), to: URL(filePath: "\(folder)/\(file)"))
      }
      try String(contentsOf: examples.appending(path: "thermostat.yaml"), encoding: .utf8)
        .replacing("# handlers:", with: "handlers:").replacing(
          "thermostat.sh, ", with: "thermostat.\(feed), "
        )
        .write(toFile: "\(folder)/thermostat.yaml", atomically: true, encoding: .utf8)
      let check = try Program.run(["check", "--strict", "thermostat.yaml"], in: folder)
      #expect(check.status == 0, "\(check.errors)")

      let daemon = try Process.run(
        Program.executable,
        arguments: [
          "run", "\(folder)/thermostat.yaml", "--display", "headless", "--control", "\(folder)/socket",
        ])
      defer {
        daemon.terminate()
        _ = daemon.awaitEnd()
      }
      func ctl(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(["ctl"] + arguments + ["--socket", "\(folder)/socket"])
      }
      func property(_ key: String, of view: String) throws -> String {
        try Self.property(key, of: view, in: ctl("tree", "--json").output)
      }
      try Program.eventually("the feed") {
        try #require(daemon.isRunning)
        return try ctl("stats").status == 0 && property("text", of: "measured") != "–°"
      }
      let first = try property("text", of: "measured")
      for point in ["410,190", "410,190", "70,190"] { #expect(try ctl("touch", point).status == 0) }
      #expect(try property("text", of: "setpoint-text") == "20.5°")
      #expect(try ctl("page", "screens", "presets").status == 0)
      #expect(try ctl("touch", "240,190").status == 0)
      #expect(try property("page", of: "screens") == "home")
      #expect(try property("text", of: "setpoint-text") == "17.5°")
      #expect(try ctl("set", "setpoint", "value=29.8").status == 0)
      for _ in 0..<2 { #expect(try ctl("touch", "410,190").status == 0) }
      #expect(try property("text", of: "setpoint-text") == "30.0°")
      for point in ["400,290", "240,190"] { #expect(try ctl("touch", point).status == 0) }
      let uname = try Program.run("/usr/bin/env", ["uname", "-srm"], in: folder).lines[0]
      try Program.eventually("the answer") { try property("text", of: "answer") == uname }
      try Program.eventually("another temperature") { try property("text", of: "measured") != first }
    }
  }

  @Test func `the keypad opens for its code alone, C forgets what was typed, and no client sees a key`()
    throws
  {
    try Program.inFolder { folder in
      let keypad = Program.package.appending(path: "config/examples/keypad.yaml")
      let socket = folder + "/keypad.sock"
      let daemon = try Process.run(
        Program.executable,
        arguments: ["run", keypad.path, "--display", "headless:320x240", "--control", socket])
      defer {
        daemon.terminate()
        _ = daemon.awaitEnd()
      }
      func ctl(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(["ctl"] + arguments + ["--socket", socket])
      }
      try Program.eventually("the handler") {
        try #require(daemon.isRunning)
        return try ctl("stats").output.contains("handler code: running")
      }
      // In the middle of each, on this display.
      let keys: [Character: String] = [
        "1": "56,75", "2": "160,75", "5": "160,121", "8": "160,167", "0": "160,213", "C": "56,213",
        "=": "264,213",
      ]
      func type(_ text: String) throws {
        for key in text { #expect(try ctl("touch", try #require(keys[key])).status == 0) }
      }
      func awaitPage(_ page: String) throws {
        try Program.eventually("the page \(page)") {
          try Self.property("page", of: "lock", in: ctl("tree", "--json").output) == page
        }
      }
      try type("2580=")
      try awaitPage("open")
      try type("125=")
      try awaitPage("locked")
      try type("15C2580=")
      try awaitPage("open")
      let tree = try ctl("tree", "--json").output
      #expect(!tree.contains("key-") && !tree.contains("dots-") && tree.contains(#""id":"keys""#))
    }
  }

  @Test func `the jukebox's list goes where it is flicked, and plays the song that is tapped`() throws {
    try Program.inFolder { folder in
      // 80 units up within 80 ms, and two taps when it is at rest: on the list, and on Stop.
      let flick = (0...8).map { (x: 200, y: 220 - 10 * $0) }
      let touches = Self.recording(drag: flick) + Self.taps([(200, 100), (430, 300)], second: 6)
      try touches.write(toFile: folder + "/touches.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", "config/examples/jukebox.yaml", "--display", "headless:480x320", "--replay",
        folder + "/touches.yml", "--trace", "-",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let values = outcome.lines.compactMap {
        $0.firstMatch(of: /"event":"value","view":"songs","value":(-?\d+)/)
      }
      .map { Int($0.1) ?? -2 }
      // The finger moved it by 70 units, to the second row under the place of the tap; the flick goes much
      // farther.
      #expect(values.count == 2 && values[0] > 4 && values[1] == -1, "\(outcome.lines)")
    }
  }

  /// A recording of a finger that goes from place to place, a few milliseconds apart, on a panel of 480 × 320
  /// units.
  private static func recording(drag points: [(x: Int, y: Int)], second: Int = 0) -> String {
    var text = recording([])
    for (index, point) in points.enumerated() {
      let time = "\(second), \(index * 8000)"
      text += "  - evdev: [\(index == 0 ? "[\(time), 3, 57, 1], " : "")"
      text += "[\(time), 3, 53, \(point.x)], [\(time), 3, 54, \(point.y)], [\(time), 0, 0, 0]]\n"
    }
    let end = "\(second), \(points.count * 8000)"
    return text + "  - evdev: [[\(end), 3, 57, -1], [\(end), 0, 0, 0]]\n"
  }

  /// The values, pages and actions of a run of the machine's panel, in order.
  private static func machine(_ recording: String) throws -> [String] {
    var events: [String] = []
    try Program.inFolder { folder in
      try recording.write(toFile: folder + "/touches.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", "config/examples/machine.yaml", "--display", "headless", "--replay",
        folder + "/touches.yml", "--trace", "-",
      ])
      #expect(outcome.status == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
      events = outcome.lines.filter { $0.contains("\"event\":\"value\"") || $0.contains("valueChanged") }
    }
    return events
  }

  @Test
  func
    `an action makes pages slide, and they arrive before the next touch; so they do after a touch on the dots`()
    throws
  {
    try Program.inFolder { folder in
      try """
      version: 1
      display: {canvas: {size: [480, 320]}}
      window:
        subviews:
          - id: screens
            kind: pages
            frame: [0, 0, 480, 320]
            subviews:
              - id: a
                subviews:
                  - id: go
                    kind: button
                    frame: [20, 20, 100, 60]
                    text: Go
                    actions:
                      touch_up_inside: [set: {screens: {slide: true, indicator: true}}, page: {screens: next}]
              - {id: b}
              - {id: c}

      """.write(toFile: folder + "/slide.yaml", atomically: true, encoding: .utf8)
      // The button, the right half of the dots, and a page.
      try Self.recording([(70, 50), (255, 305), (70, 50)])
        .write(toFile: folder + "/taps.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", folder + "/slide.yaml", "--display", "headless", "--replay", folder + "/taps.yml",
        "--trace", "-",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let events = outcome.lines.filter { $0.contains("\"hit\"") || $0.contains("\"page\"") }
      #expect(
        events.map { $0.replacing(/,"point":\[[^\]]*\]/, with: "") } == [
          #"{"event":"hit","touch":1,"view":"go"}"#,
          #"{"event":"page","view":"screens","page":"b"}"#,
          #"{"event":"hit","touch":2,"view":"screens.indicator"}"#,
          #"{"event":"page","view":"screens","page":"c"}"#,
          #"{"event":"hit","touch":3,"view":"c"}"#,
        ])
    }
  }

  @Test func `on the machine's panel a slider turns the needle, and Stop sets both back`() throws {
    // The thumb of `speed` is 36 wide, at 900 of 3000: its middle at 22 + 18 + 165 * 0.3.
    let dragged = try Self.machine(Self.recording(drag: [(89, 174), (117, 174), (144, 176)]))
    #expect(
      dragged == [
        #"{"event":"value","view":"speed","value":1400}"#,
        #"{"event":"control","touch":1,"view":"speed","action":"valueChanged"}"#,
        #"{"event":"value","view":"speed-gauge","value":1400}"#,
        #"{"event":"value","view":"speed","value":1900}"#,
        #"{"event":"control","touch":1,"view":"speed","action":"valueChanged"}"#,
        #"{"event":"value","view":"speed-gauge","value":1900}"#,
      ])
    let stopped = try Self.machine(Self.recording([(357, 283)]))
    #expect(stopped.contains(#"{"event":"value","view":"speed-gauge","value":0}"#))
    #expect(!stopped.contains { $0.contains("valueChanged") })
  }

  @Test func `on the machine's panel switches, stepper and modes are touched`() throws {
    let taps = [(433, 125), (433, 125), (210, 236), (130, 236), (430, 228)]
    let events = try Self.machine(Self.recording(taps))
    #expect(
      events.filter { $0.contains("\"event\":\"value\"") } == [
        #"{"event":"value","view":"coolant","value":false}"#,
        #"{"event":"value","view":"coolant","value":true}"#,
        #"{"event":"value","view":"parts","value":13}"#,
        #"{"event":"value","view":"parts","value":12}"#,
        #"{"event":"value","view":"mode","value":2}"#,
      ])
    #expect(events.filter { $0.contains("valueChanged") }.count == 5)
  }

  @Test func `a finger that slides over the piano plays each key, black ones before white ones`() throws {
    try Program.inFolder { folder in
      let path = [(x: 34, y: 267), (80, 267), (96, 133), (110, 267)]
      try Self.recording(drag: path).write(toFile: folder + "/slide.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", "config/examples/piano.yaml", "--display", "headless", "--replay",
        folder + "/slide.yml", "--trace", "-",
      ])
      #expect(outcome.status == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
      let played = outcome.lines.compactMap { line in
        line.firstMatch(
          of: /"view":"([^"]+)","action":"(touchDown|touchDragEnter|touchDragExit|touchUpInside)"/
        )
        .map { "\($0.1) \($0.2)" }
      }
      #expect(
        played == [
          "c4 touchDown", "d4 touchDragEnter", "c4 touchDragExit", "d4 touchDragExit",
          "d4-sharp touchDragEnter", "d4-sharp touchDragExit", "e4 touchDragEnter", "e4 touchUpInside",
        ])
    }
  }

  @Test func `a photo follows a finger, and a double tap puts it back`() throws {
    try Program.inFolder { folder in
      // On the photo in front: a drag, and two taps at its new place.
      let drag = Self.recording(drag: [(234, 216), (240, 216), (258, 216)])
      let taps =
        Self.recording([]) + drag.split(separator: "events:\n")[1]
        + [1_000_000, 1_200_000].map { time in
          let (down, up) = (
            "\(time / 1_000_000), \(time % 1_000_000)", "\(time / 1_000_000), \(time % 1_000_000 + 50_000)"
          )
          return
            "  - evdev: [[\(down), 3, 57, \(time / 100_000)], [\(down), 3, 53, 258], [\(down), 3, 54, 216], "
            + "[\(down), 0, 0, 0]]\n  - evdev: [[\(up), 3, 57, -1], [\(up), 0, 0, 0]]\n"
        }.joined()
      func pictures(_ recording: String) throws -> [Data] {
        try recording.write(toFile: folder + "/touches.yml", atomically: true, encoding: .utf8)
        try? FileManager.default.removeItem(atPath: folder + "/pictures")
        let outcome = try Program.run([
          "run", "--config", "config/examples/photo.yaml", "--display", "headless", "--replay",
          folder + "/touches.yml", "--pictures", folder + "/pictures",
        ])
        #expect(outcome.status == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/pictures").sorted()
        return try [names[0], names[names.count - 1]].map {
          try Data(contentsOf: URL(filePath: "\(folder)/pictures/\($0)"))
        }
      }
      let moved = try pictures(drag)
      #expect(moved[0] != moved[1])
      let restored = try pictures(taps)
      #expect(restored[0] == moved[0] && restored[1] == moved[0])
    }
  }

  /// The views of a configuration, as `ctl tree --json` lists them.
  private static func views(of file: String, in folder: String) throws -> [[String: Any]] {
    let arguments = ["run", file, "--display", "headless", "--control", "\(folder)/socket"]
    let daemon = try Process.run(Program.executable, arguments: arguments)
    defer {
      daemon.terminate()
      _ = daemon.awaitEnd()
    }
    var tree: Any?
    try Program.eventually("the tree") {
      try #require(daemon.isRunning)
      let outcome = try Program.run(["ctl", "tree", "--json", "--socket", "\(folder)/socket"])
      tree = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      return tree != nil
    }
    return try #require((tree as? [String: Any])?["views"] as? [[String: Any]])
  }

  @Test func `each control of the demo answers a touch, and what it did can be seen`() throws {
    try Program.inFolder { folder in
      // Without highlights, a picture changes only by what the controls do.
      let file = folder + "/demo.yaml"
      try String(contentsOf: Program.package.appending(path: "config/touchtree.yaml"), encoding: .utf8)
        .replacing(/highlight:\n(  .*\n)+/, with: "highlight: {view: none, touches: false}\n")
        // Each picture shows the end of what a touch begins.
        .replacing("display:\n", with: "display:\n  reduce_motion: true\n")
        .write(toFile: file, atomically: true, encoding: .utf8)
      let views = try Self.views(of: file, in: folder)
      var parents: [String: String] = [:]
      for view in views { parents[view["id"] as? String ?? ""] = view["parent"] as? String }
      var touched: [String: [(id: String, x: Int, y: Int)]] = [:]
      for view in views {
        let kinds = ["button", "slider", "switch", "stepper", "segmented", "list"]
        guard let id = view["id"] as? String, let kind = view["kind"] as? String, kinds.contains(kind),
          view["enabled"] as? Bool == true, let frame = view["window_frame"] as? [Double]
        else { continue }
        let part = kind == "slider" || kind == "segmented" ? 0.1 : kind == "stepper" ? 0.75 : 0.5
        var page = id
        while let parent = parents[page], parent != "screens" { page = parent }
        touched[page, default: []].append(
          (id, Int(frame[0] + frame[2] * part), Int(frame[1] + frame[3] / 2)))
      }
      let tabs = try #require(touched["window"])
      #expect(tabs.map(\.id) == ["to-helm", "to-cabin"])
      let all = try #require(touched["helm"]) + [tabs[1]] + #require(touched["cabin"]) + [tabs[0]]
      #expect(all.count > 10)
      try Self.recording(all.map { ($0.x, $0.y) }, width: 800, height: 480)
        .write(toFile: folder + "/taps.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "run", "--config", file, "--display", "headless", "--replay", folder + "/taps.yml", "--pictures",
        folder + "/pictures",
      ])
      // On a busy machine the plugin may take longer than its budget.
      let warnings = outcome.errors.split(separator: "\n")
        .filter { $0.contains("warning") && !$0.contains("its budget is") }
      #expect(outcome.status == 0 && warnings.isEmpty, "\(outcome.errors)")
      let pictures = try FileManager.default.contentsOfDirectory(atPath: folder + "/pictures").sorted()
      func picture(_ index: Int) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(folder)/pictures/\(pictures[index])"))
      }
      try #require(pictures.count == 2 * all.count + 2, "\(pictures)")
      for (index, control) in all.enumerated() {
        #expect(pictures[2 * index + 1].hasSuffix("began-\(control.id).png"), "\(pictures)")
        let before = try picture(2 * index)
        // A scroll view keeps a touch to itself until it is known that it does not scroll.
        if control.id != "port" {
          #expect(try picture(2 * index + 1) != before, "\(control.id) does not show that it is touched")
        }
        // A horn is silent again.
        #expect(try (picture(2 * index + 2) == before) == (control.id == "horn"), "\(control.id)")
      }
    }
  }

  @Test func `a program that is not there is reported at its step`() throws {
    try Program.inFolder { folder in
      let file = folder + "/f.yaml"
      try """
      window:
        subviews:
          - id: ok
            kind: button
            frame: [0, 0, 10, 10]
            actions:
              touch_up_inside:
                - run: [there-is-no-such-program]
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", file])
      #expect(outcome.status == 78)
      #expect(
        outcome.errors.contains("f.yaml:8:13: error: command there-is-no-such-program: not found in PATH"))
    }
  }
}
