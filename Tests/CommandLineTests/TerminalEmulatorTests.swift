import Foundation
import Testing
import TouchPixels

@Suite("The display in a terminal", .serialized)
struct TerminalDisplayTests {
  static let tree = """
    version: 1
    display: {canvas: {size: [80, 48]}, background: "#101418"}
    highlight: {view: {color: "#ff00ff", width: 2}, touches: false}
    input: {cursor: never}
    window:
      id: window
      subviews:
        - {id: left, frame: [8, 8, 24, 30], background: "#2040a0"}
        - {id: disc, frame: [40, 9, 30, 30], corner_radius: 15, background: "#f0a020"}
    """

  /// Runs the tree in a terminal of 80 times 24 cells, and hands over the terminal once it shows it.
  private func inTerminal(
    columns: Int = 80, rows: Int = 24, arguments: [String] = [], answer: String = "\u{1b}[?62;22c",
    _ body: (PseudoTerminal, String) throws -> Void
  ) throws {
    try Program.inFolder { folder in
      try Data(Self.tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
      let terminal = try PseudoTerminal(
        ["run", "--config", "\(folder)/tree.yaml", "--display", "terminal"] + arguments, columns: columns,
        rows: rows, answer: answer)
      try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
      terminal.untilQuiet()
      try body(terminal, folder)
    }
  }

  /// What `render` draws, as the terminal's pixels.
  private func rendered(_ folder: String, _ size: String, _ arguments: [String] = []) throws -> [UInt32?] {
    let outcome = try Program.run(
      ["render", "\(folder)/tree.yaml", "-o", "\(folder)/picture.png", "--size", size] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture = try PNGReader.read(path: "\(folder)/picture.png")
    return (0..<picture.width * picture.height).map { picture.pixels[$0] & 0xff_ffff }
  }

  @Test
  func `every pixel is what render draws at that size; a press is a touch, and only what it changes is sent`()
    throws
  {
    try inTerminal { terminal, folder in
      #expect(try terminal.renderer.pixels == rendered(folder, "80x48"))
      #expect(terminal.renderer.modes[1049] == true && terminal.renderer.modes[25] == false)
      #expect(terminal.renderer.modes[1003] == true && terminal.renderer.modes[1006] == true)

      let writes = terminal.renderer.writes
      // Column 15 and row 10, counted from 1, are the canvas' (14.5, 19).
      terminal.type("\u{1b}[<0;15;10M")
      try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
      terminal.untilQuiet()
      #expect(try terminal.renderer.pixels == rendered(folder, "80x48", ["--touch", "14.5,19"]))
      // The outline's cells, and not one more: two whole columns and two rows of 24 by 15 cells.
      #expect(terminal.renderer.writes - writes == 2 * 2 * 15 + 2 * 20)
      terminal.type("\u{1b}[<0;15;10m")
      try terminal.until("no highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0x2040a0 }
      terminal.untilQuiet()
      #expect(try terminal.renderer.pixels == rendered(folder, "80x48"))
      terminal.type("q")
      let status = try terminal.end()
      #expect(status == 0)
      #expect(terminal.isAsBefore)
    }
  }

  @Test
  func `the picture follows the terminal's size, touched or not`() throws {
    try inTerminal { terminal, folder in
      terminal.type("\u{1b}[<0;15;10M")
      try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
      try terminal.resize(columns: 50, rows: 30)
      try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
      terminal.untilQuiet()
      #expect(try terminal.renderer.pixels == rendered(folder, "50x60", ["--touch", "14.5,19"]))
      terminal.type("\u{3}")
      let status = try terminal.end()
      #expect(status == 0)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGILL, SIGFPE, SIGBUS])
  func `however it ends, the terminal is as it was`(number: Int32) throws {
    try inTerminal { terminal, _ in
      #expect(!terminal.isAsBefore)
      terminal.signal(number)
      let isFault = ![SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(number)
      let status = try terminal.end()
      #expect(status == (isFault ? -number : 0))
      #expect(terminal.isAsBefore)
      #expect(terminal.renderer.modes[1049] == false && terminal.renderer.modes[25] == true)
      #expect(terminal.renderer.modes[1003] == false && terminal.renderer.modes[1006] == false)
    }
  }

  @Test(arguments: [true, false])
  func
    `suspended, the terminal is as it was and the touch cancelled; continued, it is all there, in the size it has then`(
      byKey: Bool
    ) throws
  {
    try Program.inFolder { folder in
      let trace = "\(folder)/trace.jsonl"
      try inTerminal(arguments: ["--trace", trace]) { terminal, tree in
        try #require(terminal.isJob)
        terminal.type("\u{1b}[<0;15;10M")
        try terminal.until("the highlight") { terminal.renderer.pixels[8 * 80 + 8] == 0xff00ff }
        if byKey { terminal.type("\u{1a}") } else { terminal.signal(SIGTSTP) }
        try terminal.until("that it stops") { terminal.isStopped }
        terminal.untilQuiet()
        #expect(terminal.isAsBefore)
        #expect(terminal.renderer.modes[1049] == false && terminal.renderer.modes[25] == true)
        #expect(terminal.renderer.modes[1003] == false && terminal.renderer.modes[1006] == false)
        try terminal.resize(columns: 60, rows: 20, tells: false)
        terminal.signal(SIGCONT)
        try terminal.until("the whole picture") { !terminal.renderer.pixels.contains(nil) }
        terminal.untilQuiet()
        #expect(try terminal.renderer.pixels == rendered(tree, "60x40"))
        #expect(terminal.renderer.modes[1049] == true && terminal.renderer.modes[1006] == true)
        #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("cancelled"))
        // The button is up; another press is another touch.
        terminal.type("\u{1b}[<0;15;10m\u{1b}[<0;11;10M")
        try terminal.until("the highlight") { terminal.renderer.pixels.contains(0xff00ff) }
        terminal.type("q")
        let status = try terminal.end()
        #expect(status == 0)
        #expect(terminal.isAsBefore)
      }
    }
  }

  @Test
  func `a terminal that does not read delays neither touches nor the end`() throws {
    try Program.inFolder { folder in
      let trace = "\(folder)/trace.jsonl"
      try inTerminal(arguments: ["--trace", trace]) { terminal, _ in
        // Each of these draws the outline again; its output is not read.
        for _ in 0..<2000 { terminal.type("\u{1b}[<0;15;10M\u{1b}[<0;15;10m") }
        let ended = "\"phase\":\"ended\",\"responder\":\"application\""
        let limit = Date(timeIntervalSinceNow: 30)
        var count = 0
        while count < 2000, Date() < limit {
          let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
          count = text.components(separatedBy: ended).count - 1
          usleep(50_000)
        }
        #expect(count == 2000)
        terminal.signal(SIGTERM)
        let status = try terminal.end(reads: false)
        #expect(status == 0)
      }
    }
  }

  @Test
  func `a terminal that answers nothing gets half blocks; one that has kitty graphics or sixels gets those`()
    throws
  {
    try inTerminal(answer: "") { terminal, _ in
      #expect(terminal.renderer.pixels.contains(0x2040a0))
    }
    for (answer, start) in [
      ("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;20;10t\u{1b}[?62;4c", "\u{1b}_Ga=T,f=100,"),
      ("\u{1b}[6;20;10t\u{1b}[?62;4c", "\u{1b}P0;1;0q"),
    ] {
      try Program.inFolder { folder in
        try Data(Self.tree.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
        let terminal = try PseudoTerminal(
          ["run", "--config", "\(folder)/tree.yaml", "--display", "terminal"], columns: 40, rows: 12,
          answer: answer)
        try terminal.until("pictures") { terminal.text.contains(start) }
        terminal.type("q")
        let status = try terminal.end()
        #expect(status == 0)
        #expect(terminal.isAsBefore)
      }
    }
  }

  @Test
  func `a terminal that says that it shows letters only gets none of the picture, unless it is asked for`()
    throws
  {
    let run = ["run", "--config", "config/touchtree.yaml", "--display"]
    let refused = try PseudoTerminal(run + ["terminal"], columns: 80, rows: 24, kind: "dumb")
    #expect(try refused.end() == 69)
    #expect(refused.text.contains("TERM=dumb") && !refused.text.contains("\u{1b}"))
    let shown = try PseudoTerminal(run + ["terminal:blocks"], columns: 80, rows: 24, kind: "dumb")
    try shown.until("the picture") { !shown.renderer.pixels.contains(nil) }
    shown.type("q")
    #expect(try shown.end() == 0)
  }

  @Test
  func `without a terminal there is a message that says so`() throws {
    let outcome = try Program.run(["run", "--config", "config/touchtree.yaml", "--display", "terminal"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("standard output is not a terminal"))
    let usage = try Program.run(["run", "--display", "terminal:ascii"])
    #expect(usage.status == 64)
    let trace = try Program.run(["run", "--display", "terminal", "--trace", "-"])
    #expect(trace.status == 64 && trace.errors.contains("give --trace a file name"))
  }
}
