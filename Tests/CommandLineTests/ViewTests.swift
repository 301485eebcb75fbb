import Foundation
import Testing
import TouchPixels

/// `touchtree ctl view` in a terminal, of a daemon in memory.
@Suite("The live screen in a terminal", .serialized)
struct ViewTests {
  private static let tree = """
    version: 1
    display: {canvas: {size: [80, 48]}, background: "#101418"}
    highlight: {view: {color: "#ff00ff", width: 2}, touches: false}
    window:
      id: window
      subviews:
        - {id: ok, kind: button, frame: [8, 8, 24, 30], background: "#2040a0"}
        - {id: lamp, frame: [40, 10, 30, 20], background: "#f0a020"}
    """

  /// Runs the tree, and views it in a terminal of 80 times 24 cells: as many pixels as the canvas has.
  private func viewing(
    tree: String = Self.tree, daemon options: [String] = [], view arguments: [String] = [],
    _ body: (PseudoTerminal, RemoteTests.Daemon, String) throws -> Void
  ) throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder, tree: tree, options)
      let terminal = try view(daemon, arguments)
      try body(terminal, daemon, folder)
    }
  }

  private func view(_ daemon: RemoteTests.Daemon, _ arguments: [String] = []) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      ["ctl", "view", "--socket", daemon.socket] + arguments, columns: 80, rows: 24)
    try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
    terminal.untilQuiet()
    return terminal
  }

  /// What `ctl screenshot` saves, as the pixels of a terminal that is as large.
  private func screenshot(of daemon: RemoteTests.Daemon, in folder: String) throws -> Surface {
    let outcome = try daemon.ctl("screenshot", "\(folder)/screenshot.png")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try PNGReader.read(path: "\(folder)/screenshot.png")
  }

  private func pixels(_ picture: Surface) -> [UInt32?] {
    (0..<picture.width * picture.height).map { picture.pixels[$0] & 0xff_ffff }
  }

  @Test
  func `every pixel is the screenshot's; only the cells of a change are written; a press is a touch`()
    throws
  {
    try Program.inFolder { folder in
      let trace = "\(folder)/trace"
      try viewing(daemon: ["--trace", trace]) { terminal, daemon, folder in
        #expect(try terminal.renderer.pixels == pixels(screenshot(of: daemon, in: folder)))
        #expect(try daemon.ctl("stats").output.contains("viewers: 1"))

        let (writes, bytes) = (terminal.renderer.writes, terminal.written.count)
        #expect(try daemon.ctl("set", "lamp", "background=#00ff00").status == 0)
        try terminal.until("the lamp") { terminal.renderer.pixels[29 * 80 + 69] == 0x00ff00 }
        terminal.untilQuiet()
        #expect(terminal.renderer.writes - writes == 30 * 10)
        #expect(terminal.written.count - bytes < 1000)
        #expect(try terminal.renderer.pixels == pixels(screenshot(of: daemon, in: folder)))

        // Column 15 and row 10, counted from 1, are the canvas' (14.5, 19).
        terminal.type("\u{1b}[<0;15;10M")
        try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
        terminal.untilQuiet()
        #expect(try terminal.renderer.pixels == pixels(screenshot(of: daemon, in: folder)))
        terminal.type("\u{1b}[<0;15;10m")
        try terminal.until("no highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0x2040a0 }
        #expect(try daemon.ctl("stats").output.contains("\nremote\n"))
        terminal.type("q")
        #expect(try terminal.end() == 0)
        #expect(terminal.isAsBefore && !terminal.text.contains("warning"))
        #expect(daemon.end() == 0)
        let touches = try String(contentsOfFile: trace, encoding: .utf8)
        #expect(touches.contains(#""view":"ok","action":"touchUpInside""#))
        #expect(touches.contains(#""phase":"began","responder":"ok","point":[6.5,11]"#))
      }
    }
  }

  @Test
  func `a display that is turned is shown upright, and a terminal of another size shows all of it`() throws {
    let turned = Self.tree.replacing("display: {", with: "display: {rotation: 90, ")
    try viewing(tree: turned) { terminal, daemon, folder in
      let picture = try screenshot(of: daemon, in: folder)
      #expect((picture.width, picture.height) == (48, 80))
      let upright = (0..<80 * 48).map { picture.pixels[$0 % 80 * 48 + 47 - $0 / 80] & 0xff_ffff as UInt32? }
      #expect(terminal.renderer.pixels == upright)
      terminal.type("\u{1b}[<0;15;10M")
      try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
      terminal.type("\u{1b}[<0;15;10m")
      try terminal.resize(columns: 40, rows: 30)
      try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
      terminal.untilQuiet()
      let pixels = terminal.renderer.pixels
      // 40 by 24 pixels in the middle of 40 by 60.
      #expect(pixels[..<(18 * 40)].allSatisfy { $0 == 0 } && pixels[(42 * 40)...].allSatisfy { $0 == 0 })
      #expect(pixels[(18 + 8) * 40 + 10] == 0x2040a0 && pixels[(18 + 8) * 40 + 28] == 0xf0a020)
      terminal.type("\u{3}")
      #expect(try terminal.end() == 0)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGKILL])
  func `however it ends, the terminal is as it was, and its finger is cancelled`(number: Int32) throws {
    try Program.inFolder { folder in
      let trace = "\(folder)/trace"
      try viewing(daemon: ["--trace", trace]) { terminal, daemon, _ in
        #expect(!terminal.isAsBefore)
        terminal.type("\u{1b}[<0;15;10M")
        try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
        terminal.signal(number)
        #expect(try terminal.end() == ([SIGSEGV, SIGKILL].contains(number) ? -number : 0))
        if number != SIGKILL {
          #expect(terminal.isAsBefore)
          #expect(terminal.renderer.modes[1049] == false && terminal.renderer.modes[1003] == false)
        }
        try Program.eventually("the cancelling") {
          try daemon.ctl("stats").output.contains("viewers: 0")
        }
        #expect(daemon.end() == 0)
        let touches = try String(contentsOfFile: trace, encoding: .utf8)
        #expect(touches.contains("touchCancel") && !touches.contains("touchUpInside"))
      }
    }
  }

  @Test
  func `suspended, the terminal is as it was and the touch cancelled; continued, it shows what changed`()
    throws
  {
    try viewing { terminal, daemon, folder in
      try #require(terminal.isJob)
      terminal.type("\u{1b}[<0;15;10M")
      try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
      terminal.type("\u{1a}")
      try terminal.until("that it stops") { terminal.isStopped }
      terminal.untilQuiet()
      #expect(terminal.isAsBefore)
      #expect(try daemon.ctl("tree", "--json").output.contains(#""highlighted":true"#) == false)
      #expect(try daemon.ctl("set", "lamp", "background=#00ff00").status == 0)
      terminal.signal(SIGCONT)
      try terminal.until("the lamp") { terminal.renderer.pixels[29 * 80 + 69] == 0x00ff00 }
      terminal.untilQuiet()
      #expect(try terminal.renderer.pixels == pixels(screenshot(of: daemon, in: folder)))
      terminal.type("q")
      #expect(try terminal.end() == 0)
    }
  }

  @Test
  func `without a daemon the terminal says so; one that returns is shown, and if none does the view ends`()
    throws
  {
    try viewing(view: ["--wait", "1"]) { terminal, daemon, folder in
      #expect(daemon.end() == 0)
      try terminal.until("the word") { terminal.text.contains("has ended; waiting 1 s for it to return") }
      let status = try terminal.end()
      #expect(status == 69)
      #expect(terminal.text.contains("ended and did not return within 1 s; start it"))
      #expect(terminal.isAsBefore)

      let second = try RemoteTests.Daemon(in: folder, tree: Self.tree)
      let returning = try view(second)
      second.kill()
      try returning.until("the word") { returning.text.contains("has ended; waiting 60 s") }
      let tree = Self.tree.replacing("#f0a020", with: "#a020f0")
      let third = try RemoteTests.Daemon(in: folder, tree: tree, socket: second.socket)
      try returning.until("the other daemon") { returning.renderer.pixels[29 * 80 + 69] == 0xa020f0 }
      returning.untilQuiet()
      #expect(try returning.renderer.pixels == pixels(screenshot(of: third, in: folder)))
      returning.type("q")
      #expect(try returning.end() == 0)
    }
  }

  @Test
  func `a device that is excluded is viewed and not touched, which is reported at the end`() throws {
    let excluded = Self.tree + "\ninput: {devices: [{match: {name: remote}, use: false}]}\n"
    try viewing(tree: excluded) { terminal, _, _ in
      terminal.type("\u{1b}[<0;15;10M\u{1b}[<0;15;10m")
      terminal.untilQuiet()
      #expect(terminal.renderer.pixels[8 * 80 + 8] == 0x2040a0)
      terminal.type("q")
      let status = try terminal.end()
      #expect(status == 0)
      #expect(terminal.text.contains("touches were not taken: the configuration excludes the device"))
    }
  }

  @Test
  func `without a terminal, a daemon or a picture there is a message with what to type`() throws {
    try Program.inFolder { folder in
      let piped = try Program.run(["ctl", "view", "--socket", "\(folder)/none.sock"])
      #expect(piped.status == 69 && piped.errors.contains("ssh -t HOST touchtree ctl view"))
      let alone = try PseudoTerminal(
        ["ctl", "view", "--socket", "\(folder)/none.sock"], columns: 80, rows: 24)
      #expect(try alone.end() == 69)
      #expect(alone.text.contains("Start one with `touchtree run`") && alone.isAsBefore)
      #expect(try Program.run(["ctl", "view", "--wait", "-1"]).status == 64)
    }
  }
}
