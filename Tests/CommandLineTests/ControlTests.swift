import Foundation
import Testing
import TouchPixels

@Suite("Asking a daemon that runs", .serialized)
struct ControlTests {
  /// A picture without its alpha.
  private func pixels(_ path: String) throws -> [UInt32] {
    let picture = try PNGReader.read(path: path)
    return (0..<picture.width * picture.height).map { picture.pixels[$0] & 0xff_ffff }
  }

  /// What `ctl stats --json` prints.
  private struct Statistics: Decodable {
    struct Delays: Decodable {
      var count, p50, p90, p99, max: Int
    }
    struct Device: Decodable {
      var device: String
      var frames, touches, dropped, overruns: Int
      var latencyUs: [String: Delays]
    }
    var frames, touches, dropped, overruns: Int
    var devices: [Device]
  }

  /// A tap on the left view, and a frame after it that is so late that the daemon still runs when it is
  /// asked.
  private static let tap = """
    version: 1
    devices:
      - evdev:
          name: Panel
          id: [24, 0, 0, 0]
          codes: {1: [330], 3: [0, 1]}
          absinfo: {0: [0, 79, 0, 0, 0], 1: [0, 47, 0, 0, 0]}
          properties: [1]
        events:
          - evdev: [[0, 0, 3, 0, 14], [0, 0, 3, 1, 19], [0, 0, 1, 330, 1], [0, 0, 0, 0, 0]]
          - evdev: [[0, 80000, 1, 330, 0], [0, 80000, 0, 0, 0]]
          - evdev: [[90, 0, 1, 330, 1], [90, 0, 0, 0, 0]]

    """

  @Test func `it answers how long its touches took`() throws {
    try Program.inFolder { folder in
      try Data(TerminalDisplayTests.tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      try Data(Self.tap.utf8).write(to: URL(filePath: "\(folder)/tap.yml"))
      let socket = "\(folder)/socket"
      let terminal = try PseudoTerminal(
        [
          "run", "--config", "\(folder)/tree.yaml", "--display", "terminal", "--control", socket, "--replay",
          "\(folder)/tap.yml",
        ], columns: 80, rows: 24)
      try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      var statistics: Statistics
      repeat {
        let outcome = try Program.run(["ctl", "stats", "--json", "--socket", socket])
        try #require(outcome.status == 0, "\(outcome.errors)")
        statistics = try decoder.decode(Statistics.self, from: Data(outcome.output.utf8))
      } while statistics.frames < 2
      #expect(statistics.frames == 2 && statistics.touches == 1)
      #expect(statistics.dropped == 0 && statistics.overruns == 0)
      let device = try #require(statistics.devices.first)
      #expect(statistics.devices.count == 1 && device.device == "Panel")
      #expect(device.frames == 2 && device.touches == 1 && device.dropped == 0 && device.overruns == 0)
      for stage in ["handled", "painted", "shown"] {
        let delays = try #require(device.latencyUs[stage])
        // On a busy machine both frames come in one turn.
        #expect(
          (1...2).contains(delays.count) && delays.p50 <= delays.p90 && delays.p90 <= delays.p99, "\(stage)")
        #expect(delays.max >= 1 && delays.p99 <= delays.max, "\(stage)")
      }
      // The option may also come before the request.
      let text = try Program.run(["ctl", "--socket", socket, "stats"])
      #expect(text.output.contains("\nPanel\n  frames: 2, touches: 1,") && text.lines.count == 9, "\(text)")
      let tree = try Program.run(["ctl", "--socket=\(socket)", "tree", "--json"])
      #expect(tree.status == 0 && tree.output.hasPrefix("{"), "\(tree)")
      terminal.type("q")
      #expect(try terminal.end() == 0)
    }
  }

  @Test func `it writes its figures to a file for Prometheus, and goes on where that cannot be written`()
    throws
  {
    try Program.inFolder { folder in
      // Every call of the plugin takes longer than a nanosecond.
      let tree =
        TerminalDisplayTests.tree
        + "\nhandlers: {bell: {kind: plugin, path: libbell.so, budget: 0.000000001}}\napplication: {handlers: [bell]}\n"
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      try Data(Self.tap.utf8).write(to: URL(filePath: "\(folder)/tap.yml"))
      let run = [
        "run", "\(folder)/tree.yaml", "--display", "headless", "--control", "none", "--replay",
        "\(folder)/tap.yml", "--stats-file",
      ]
      let outcome = try Program.run(run + ["\(folder)/touchtree.prom"])
      #expect(outcome.status == 0 && !outcome.errors.contains("statistics"), "\(outcome)")
      let lines = try String(contentsOfFile: "\(folder)/touchtree.prom", encoding: .utf8).split(
        separator: "\n")
      #expect(lines.contains(#"touchtree_touches_total{device="Panel"} 2"#), "\(lines)")
      #expect(lines.contains("touchtree_reloads_total 0") && lines.contains("touchtree_clients 0"))
      #expect(lines.contains("touchtree_health 1"))
      #expect(lines.contains(#"touchtree_plugin_slow_calls_total{handler="bell"} 4"#), "\(lines)")
      #expect(lines.contains(#"touchtree_plugin_touches_waited_total{handler="bell"} 2"#), "\(lines)")
      #expect(lines.contains(#"touchtree_plugin_off{handler="bell"} 0"#), "\(lines)")
      let failing = try Program.run(run + ["\(folder)/nowhere/touchtree.prom"])
      #expect(failing.status == 0)
      #expect(
        failing.errors.split(separator: "\n").filter { $0.contains("nowhere/touchtree.prom") }.count == 1)
    }
  }

  @Test
  func `it answers with its tree, with what is under a point, and with what it shows while it is touched`()
    throws
  {
    try Program.inFolder { folder in
      // Of two views, one has an id that turns lines around: what a daemon sends is escaped where it is
      // printed.
      let tree = TerminalDisplayTests.tree.replacing("id: disc", with: #"id: "disc\u202e""#)
      try Data(tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      let socket = "\(folder)/socket"
      let terminal = try PseudoTerminal(
        ["run", "--config", "\(folder)/tree.yaml", "--display", "terminal", "--control", socket], columns: 80,
        rows: 24)
      try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }

      let listed = try Program.run(["ctl", "tree", "--socket", socket])
      #expect(listed.status == 0)
      #expect(try listed.output == Program.run(["tree", "\(folder)/tree.yaml"]).output)
      #expect(listed.output.contains(#"disc\u{202E}"#))
      for arguments in [
        ["10,10"], ["-1,-1"], ["10,10", "--json"], ["1,1", "--in", "left", "--explain"], ["9,9", "--all"],
      ] {
        let live = try Program.run(["ctl", "hit", "--socket", socket] + arguments)
        let file = try Program.run(["hit", "\(folder)/tree.yaml"] + arguments)
        #expect(live.output == file.output && live.status == 0, "\(arguments): \(live)")
      }
      let unknown = try Program.run(["ctl", "hit", "1,1", "--in", "right", "--socket", socket])
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("there is no view 'right'"))

      let picture = "\(folder)/screen.png"
      for touch in [nil, "14.5,19"] {
        if touch != nil {
          terminal.type("\u{1b}[<0;15;10M")
          try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
        }
        let shot = try Program.run(["ctl", "screenshot", picture, "--socket", socket])
        #expect(shot.status == 0, "\(shot.errors)")
        let drawn = try Program.run(
          ["render", "\(folder)/tree.yaml", "-o", "\(folder)/drawn.png", "--size", "80x48"]
            + (touch.map { ["--touch", $0] } ?? []))
        #expect(drawn.status == 0)
        #expect(try pixels(picture) == pixels("\(folder)/drawn.png"))
      }
      for (name, status) in [
        ("@abstract", Int32(64)), ("", 64), ("\(folder)/no/such/x", 66), ("/dev/null", 69),
      ] {
        let refused = try Program.run([
          "run", "--config", "\(folder)/tree.yaml", "--display", "headless", "--control", name,
        ])
        #expect(refused.status == status, "\(name): \(refused.errors)")
      }
      let unwritable = try Program.run(["ctl", "screenshot", "\(folder)/no/x.png", "--socket", socket])
      #expect(unwritable.status == 66)

      let second = try Program.run([
        "run", "--config", "\(folder)/tree.yaml", "--display", "headless", "--control", socket,
      ])
      #expect(second.status == 69)
      #expect(second.errors.contains("another touchtree has this socket; give this one another"))

      terminal.type("q")
      #expect(try terminal.end() == 0)
      #expect(!FileManager.default.fileExists(atPath: socket))
      let gone = try Program.run(["ctl", "tree", "--socket", socket])
      #expect(gone.status == 69)
      #expect(gone.errors.hasPrefix("touchtree: error: \(socket): no touchtree answers here."))
    }
  }
}
