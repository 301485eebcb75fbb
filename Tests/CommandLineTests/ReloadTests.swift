import Foundation
import Testing

/// A daemon whose configuration changes while it runs.
@Suite("A daemon that is reloaded", .serialized)
struct ReloadTests {
  private typealias Daemon = RemoteTests.Daemon

  private func write(_ text: String, in folder: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/tree.yaml"))
  }

  private func trees(_ daemon: Daemon) throws -> String {
    let (json, text) = (try daemon.ctl("tree", "--json"), try daemon.ctl("tree"))
    #expect(json.status == 0 && text.status == 0)
    return json.output.replacing("},{", with: "},\n{") + text.output
  }

  @Test func `touches are cancelled, settings and subscribers stay, and the finger has to lift first`() throws
  {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "'\(Program.executable.path)' ctl watch --socket '\(daemon.socket)' >'\(folder)/watched' 2>&1",
        ])
      func watched() throws -> [String] {
        try String(contentsOfFile: "\(folder)/watched", encoding: .utf8).split(separator: "\n").map(
          String.init)
      }
      try Program.eventually("the subscription") { try daemon.ctl("stats").output.contains("subscribers: 1") }
      #expect(try daemon.ctl("set", "lamp", "background=#00ff00", "alpha=0.5").status == 0)
      // One client touches, reloads and goes on with the same finger, and then with another.
      let requests = [
        #"{"type":"inject","phase":"began","x":60,"y":60}"#, #"{"type":"reload","id":1}"#,
        #"{"type":"inject","phase":"moved","x":70,"y":60}"#,
        #"{"type":"inject","phase":"ended","x":70,"y":60}"#,
        #"{"type":"inject","phase":"began","x":260,"y":60}"#, #"{"type":"inject","phase":"ended"}"#,
      ].joined(separator: "\n")
      try write(
        RemoteTests.tree.replacing("[50, 50, 100, 50]", with: "[250, 50, 100, 50]")
          .replacing("\"#ff0000\"", with: "\"#0000ff\""), in: folder)
      let outcome = try daemon.shell("printf '%s\\n' '\(requests)' | \"$T\" ctl - --socket \"$S\"")
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let tree = try trees(daemon)
      #expect(tree.contains(##""alpha":0.5"##) && tree.contains(##""background":"#0000ff""##))
      try Program.eventually("the second touch") { try watched().contains("touch  2 ended  ok 10,10") }
      #expect(
        try watched() == [
          "touch  1 began  ok 10,10", "action  ok  touchDown", "touch  1 cancelled  ok 10,10",
          "action  ok  touchCancel", "touch  2 began  ok 10,10", "action  ok  touchDown",
          "touch  2 ended  ok 10,10", "action  ok  touchUpInside",
        ])
      #expect(daemon.end() == 0)
      _ = watching.awaitEnd()
    }
  }

  @Test func `a broken file leaves everything as it is, and ctl reload prints every error`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      let before = try trees(daemon)
      let file = "\(folder)/tree.yaml"
      // Twice wrong; what only matters to painting counts too.
      try write(
        RemoteTests.tree.replacing("text: OK", with: "txet: OK").replacing("#ff0000", with: "#red"),
        in: folder)
      let refused = try daemon.ctl("reload")
      #expect(refused.status == 78)
      let lines = refused.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("\(file):") }, "\(refused.errors)")
      #expect(lines.first?.contains(": error: ") == true && lines.first?.contains("txet") == true)
      #expect(daemon.log.contains("\(file) is not reloaded; the previous configuration stays"))
      #expect(try trees(daemon) == before)
      #expect(try daemon.ctl("stats").output.contains("it cannot be used, so the previous one is shown:"))
      // What cannot be made counts as much as what cannot be read.
      try write(
        RemoteTests.tree.replacing(
          "window:",
          with: "handlers: {x: {kind: exec, when: pressed, command: [nowhere-to-be-found]}}\nwindow:"
        ), in: folder)
      let unmade = try daemon.ctl("reload")
      #expect(
        unmade.status == 78 && unmade.errors.contains("\(file):4:") && unmade.errors.contains("not found"))
      try FileManager.default.removeItem(atPath: file)
      #expect(try daemon.ctl("reload").status == 78)
      #expect(try trees(daemon) == before)
      #expect(try daemon.ctl("touch", "60,60").status == 0)

      // SIGHUP, and the file is good again.
      try write(RemoteTests.tree.replacing("text: OK", with: "text: Fine"), in: folder)
      kill(daemon.process.processIdentifier, SIGHUP)
      try Program.eventually("the new text") { try trees(daemon).contains("\"text\":\"Fine\"") }
      #expect(
        try daemon.ctl("stats", "--json").output.contains(#""reloads":1,"fallback":false,"problems":[]}"#))
      #expect(daemon.end() == 0)
    }
  }

  @Test func `a pipe in the file's place, written to or not, is not waited for`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      let file = "\(folder)/tree.yaml"
      try FileManager.default.removeItem(atPath: file)
      #expect(mkfifo(file, 0o600) == 0)
      #expect(try daemon.ctl("reload").errors.contains("\(file):1:1: error: the file is empty"))
      let writer = open(file, O_RDWR)
      let waiting = try daemon.ctl("reload")
      #expect(waiting.status == 78 && waiting.errors.contains("\(file): "), "\(waiting.errors)")
      close(writer)
      #expect(try daemon.ctl("touch", "60,60").status == 0)
      #expect(daemon.end() == 0)
    }
  }

  @Test func `what cannot change is named, and the rest of the file is shown`() throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder)
      try write(
        RemoteTests.tree.replacing("window:", with: "window:\n  id: glass").replacing(
          "400, 300", with: "500, 300"),
        in: folder)
      let outcome = try daemon.ctl("reload")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains(
          "window.id cannot change while touchtree runs; end touchtree and start it again"),
        "\(outcome.errors)")
      #expect(
        try trees(daemon).contains(
          #"{"id":"window","kind":"window","parent":null,"window_frame":[0,0,500,300]"#))
      #expect(try daemon.ctl("touch", "450,20").status == 0)
      #expect(daemon.end() == 0)
    }
  }

  /// The keys of the demo's views, and what changes each of them wherever it stands.
  private static let changes: [(key: String, pattern: String, template: String)] = [
    ("id", #"\bid: (?=tick-|shadow-|fuel-name)"#, "id: new-"), ("frame", #"frame: \[\d+"#, "frame: [3"),
    ("transform", #"rotate: -?\d+"#, "rotate: 7"), ("scale", "scale: 0.75", "scale: 0.5"),
    ("background", "background: (?!background)[a-z_]+", ##"background: "#123456""##),
    ("corner_radius", #"corner_radius: \d+"#, "corner_radius: 1"),
    ("user_interaction", "user_interaction: false", "user_interaction: true"),
    ("kind", "kind: label", "kind: button"), ("style", "style: small", "style: name"),
    ("text", #"(?<!-)\btext: (".*?"|[^",}\n]+)"#, "text: Changed"), ("size", #"size: \d+"#, "size: 5"),
    ("weight", "weight: bold, ", ""), ("color", #"\bcolor: [a-z_]+"#, ##"color: "#123456""##),
    ("icon", "icon: [a-z]+", "icon: plus"),
    ("align", #"\balign: (right|center)"#, "align: left"), ("valign", "valign: top", "valign: bottom"),
    ("lines", "lines: 2", "lines: 1"), ("width", #"width: \d\}"#, "width: 9}"),
    ("value", "value: (68|42|21)", "value: 14"), ("enabled", "enabled: false", "enabled: true"),
    ("exclusive_touch", "exclusive_touch: true", "exclusive_touch: false"),
    ("controller", "controller: main", "controller: bridge"),
    ("handlers", #"handlers: \[log\]"#, "handlers: [bell]"),
    ("handlers", #"handlers: \[bell\]"#, "handlers: []"),
    ("subviews", #"\n +- \{id: pin, [^}]*\}"#, ""), ("minimum", "minimum: 10", "minimum: 12"),
    ("maximum", "maximum: 30\n", "maximum: 28\n"), ("step", "step: 0.5", "step: 0.25"),
    ("gauge", "gauge: arc", "gauge: needle"),
    ("track", "track: [a-z]+", ##"track: "#123456""##), ("jumps", "jumps: true", "jumps: false"),
    ("tint", "tint: [a-z]+", ##"tint: "#123456""##),
    ("rows", #"rows: \[Marstrand, "#, "rows: ["), ("row_height", "row_height: 56", "row_height: 48"),
    ("segments", #"\[Off, Low, High\]"#, "[Off, On]"),
    ("hidden", "hidden: true", "hidden: false"), ("alpha", "alpha: 0.5", "alpha: 0.25"),
    ("shape", "shape: ellipse", "shape: rect"), ("shadow", #"shadow: \{blur: 14"#, "shadow: {blur: 4"),
    ("gestures", #"gestures: \[\{id: straighten.*\]"#, "gestures: []"),
    ("direction", "direction: left", "direction: up"), ("actions", #"actions: \*cabin"#, "actions: *helm"),
    ("page", "page: helm\n", "page: cabin\n"), ("label", "label: [A-Z][a-z]+", "label: Other"),
  ]

  @Test func `each key of the demo can be changed, and the tree is that of a fresh start`() throws {
    let demo = try String(
      contentsOf: Program.package.appending(path: "config/touchtree.yaml"), encoding: .utf8)
    let views = demo[try #require(demo.range(of: "\nwindow:")).lowerBound...]
    // None is forgotten.
    let keys = Set(views.replacing(#/# .*/#, with: "").matches(of: #/([a-z_]+): /#).map { String($0.1) })
      .subtracting([
        "window", "subviews",
      ])
    // In keys of their own, or of actions: names of events, steps and views.
    let others: Set = [
      "rotate", "border", "font", "touch_down", "touch_up_inside", "touch_up_outside", "touch_cancel",
      "value_changed", "set", "toggle", "gradient", "blur", "offset", "animate", "seconds", "curve",
    ]
    let ids = views.matches(of: #/\bid: [a-z-]*?([a-z]+)\b(?!-)/#).map { String($0.1) }
    #expect(keys.subtracting(others).subtracting(ids).subtracting(Self.changes.map(\.key)).isEmpty)
    try Program.inFolder { folder in
      let reloaded = folder + "/reloaded"
      let fresh = folder + "/fresh"
      for path in [reloaded, fresh] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      let daemon = try Daemon(in: reloaded, tree: demo)
      let before = try trees(daemon)
      // Some at a time, since each start takes its time.
      for start in stride(from: 0, to: Self.changes.count, by: 4) {
        let changes = Self.changes[start...].prefix(4)
        var text = String(views)
        for (key, pattern, template) in changes {
          let changed = text.replacingOccurrences(of: pattern, with: template, options: .regularExpression)
          #expect(changed != text, "\(key)")
          text = changed
        }
        text = demo[..<views.startIndex] + text
        try write(text, in: reloaded)
        let outcome = try daemon.ctl("reload")
        #expect(outcome.status == 0, "\(changes): \(outcome.errors)")
        let after = try trees(daemon)
        #expect(after != before)
        #expect(try after == trees(Daemon(in: fresh, tree: text)), "\(changes)")
      }
      try write(demo, in: reloaded)
      #expect(try daemon.ctl("reload").status == 0)
      #expect(try trees(daemon) == before)
      #expect(daemon.end() == 0)
    }
  }

  // MARK: Saves

  /// How an editor saves a text under a name.
  enum Save: String, CaseIterable {
    case inPlace, byRename, byManyWrites, byLink

    var script: String {
      switch self {
      case .inPlace: #"printf '%s' "$1" >"$2""#
      case .byRename: #"printf '%s' "$1" >"$2~" && mv "$2~" "$2""#
      case .byManyWrites: #"for i in 1 2 3 4 5; do printf '%s' "$1" >"$2"; done"#
      case .byLink: #"printf '%s' "$1" >"$2.real" && ln -sf tree.yaml.real "$2""#
      }
    }
  }

  @Test(arguments: Save.allCases)
  func `with --watch each save is one reload, however the editor does it`(save: Save) throws {
    try Program.inFolder { folder in
      let daemon = try Daemon(in: folder, ["--watch"])
      func reloads() throws -> Int? {
        let statistics = try daemon.ctl("stats", "--json").output
        return statistics.firstMatch(of: #/"reloads":(\d+)/#).flatMap { Int($0.1) }
      }
      func put(_ text: String) throws {
        let outcome = try Program.run(
          "/bin/sh", ["-c", save.script, "sh", text, "\(folder)/tree.yaml"], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      /// Between many writes a busy machine may pause as long as between two saves.
      func expectReload(_ what: String, _ body: () throws -> Void) throws {
        let before = try reloads() ?? 0
        try body()
        try Program.eventually(what) { try reloads() ?? 0 > before }
        if save != .byManyWrites { #expect(try reloads() == before + 1) }
      }
      for text in ["One", "Two"] {
        try expectReload(text) {
          try put(RemoteTests.tree.replacing("text: OK", with: "text: \(text)"))
        }
        try Program.eventually("the text") { try trees(daemon).contains("\"text\":\"\(text)\"") }
      }
      try put("version: 2")
      try Program.eventually("the error") { daemon.log.contains("is not reloaded") }
      #expect(try trees(daemon).contains("\"text\":\"Two\""))
      // Other files do not matter. A picture does, once it is named.
      let picture = "\(folder)/lamp.png"
      try Data("other".utf8).write(to: URL(filePath: "\(folder)/other.yaml"))
      try expectReload("the picture") {
        try put(
          RemoteTests.tree.replacing("id: lamp, ", with: "id: lamp, kind: image, image: lamp.png, "))
      }
      try expectReload("the picture's save") { try Data("a picture".utf8).write(to: URL(filePath: picture)) }
      #expect(daemon.end() == 0)
    }
  }

  @Test func `with --watch a save of the theme, or of one that it is based on, is a reload`() throws {
    try Program.inFolder { folder in
      func theme(_ name: String, _ text: String) throws {
        try Data("version: 1\n\(text)\n".utf8).write(to: URL(filePath: "\(folder)/\(name).yaml"))
      }
      try theme("house", "based_on: dark\ncolors: {accent: \"#112233\"}")
      try theme("mine", "based_on: house.yaml")
      let tree = """
        version: 1
        theme: mine.yaml
        window: {subviews: [{id: bar, frame: [0, 0, 9, 9], background: accent}]}
        """
      let daemon = try Daemon(in: folder, tree: tree, ["--watch"])
      #expect(try trees(daemon).contains("112233"))
      try theme("house", "based_on: dark\ncolors: {accent: \"#445566\"}")
      try Program.eventually("the other accent") { try trees(daemon).contains("445566") }
      try theme("mine", "based_on: house.yaml\ncolors: {accent: \"#778899\"}")
      try Program.eventually("its own accent") { try trees(daemon).contains("778899") }
      #expect(daemon.end() == 0)
    }
  }

  /// How a file gets another content without being written, as tools that deploy releases do it.
  enum Deployment: String, CaseIterable {
    case exchangedLink, renamedLink, linkFurtherUp, madeAgain, movedAway

    /// In the folder, with the text in $1; the daemon reads `app/current/tree.yaml`.
    var first: String {
      switch self {
      case .exchangedLink, .renamedLink:
        #"mkdir -p app/1; printf '%s' "$1" >app/1/tree.yaml; ln -s 1 app/current"#
      case .linkFurtherUp:
        #"mkdir -p 1/current; printf '%s' "$1" >1/current/tree.yaml; ln -s 1 app"#
      case .madeAgain, .movedAway: #"mkdir -p app/current; printf '%s' "$1" >app/current/tree.yaml"#
      }
    }

    var second: String {
      switch self {
      case .exchangedLink: #"mkdir app/2; printf '%s' "$1" >app/2/tree.yaml; ln -sfn 2 app/current"#
      case .renamedLink:
        #"mkdir app/2; printf '%s' "$1" >app/2/tree.yaml; ln -s 2 app/new; mv -T app/new app/current"#
      case .linkFurtherUp:
        #"mkdir -p 2/current; printf '%s' "$1" >2/current/tree.yaml; ln -sfn 2 app"#
      case .madeAgain: #"rm -r app; mkdir -p app/current; printf '%s' "$1" >app/current/tree.yaml"#
      case .movedAway:
        #"mv app/current old; mkdir new; printf '%s' "$1" >new/tree.yaml; mv new app/current; echo >old/tree.yaml"#
      }
    }

    /// A save where the file is now.
    static let third = #"printf '%s' "$1" >app/current/tree.yaml"#
  }

  @Test(arguments: Deployment.allCases)
  func `with --watch another folder in the place of the file's is seen`(deployment: Deployment) throws {
    try Program.inFolder { folder in
      func put(_ script: String, _ text: String) throws {
        let tree = RemoteTests.tree.replacing("text: OK", with: "text: \(text)")
        let outcome = try Program.run("/bin/sh", ["-ec", script, "sh", tree], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      try put(deployment.first, "First")
      let daemon = try Daemon(in: folder, ["--watch"], file: "\(folder)/app/current/tree.yaml")
      #expect(try trees(daemon).contains("\"text\":\"First\""))
      try put(deployment.second, "Second")
      try Program.eventually("the second text") { try trees(daemon).contains("\"text\":\"Second\"") }
      try put(Deployment.third, "Third")
      try Program.eventually("the third text") { try trees(daemon).contains("\"text\":\"Third\"") }
      #expect(!daemon.log.contains("error"), "\(daemon.log)")
      #expect(daemon.end() == 0)
    }
  }

  // MARK: While it starts

  @Test func `a SIGHUP that comes while the daemon starts is a reload, and ends nothing`() throws {
    try Program.inFolder { folder in
      // It waits for this file's reader, before it has a display and a loop.
      let trace = "\(folder)/trace"
      #expect(mkfifo(trace, 0o600) == 0)
      let log = "\(folder)/log"
      try write(RemoteTests.tree, in: folder)
      try Data().write(to: URL(filePath: log))
      let process = Process()
      process.executableURL = Program.executable
      process.arguments = [
        "run", "\(folder)/tree.yaml", "--display", "headless", "--control", "\(folder)/s", "--trace", trace,
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
      try process.run()
      let status = "/proc/\(process.processIdentifier)/status"
      func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
      // Not before its first instruction: that is the loader's time.
      let limit = Date(timeIntervalSinceNow: 20)
      while text(status).firstMatch(of: /SigBlk:\t[0-9a-f]*[13579bdf]\n/) == nil, Date() < limit {
        usleep(500)
      }
      for _ in 0..<3 { kill(process.processIdentifier, SIGHUP) }
      let reader = open(trace, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      try Program.eventually("the reload") {
        try #require(process.isRunning, "\(text(log))")
        return text(log).contains("reloaded \(folder)/tree.yaml")
      }
      #expect(text(log).contains("ready: "))
      process.terminate()
      #expect(process.awaitEnd() == 0, "\(text(log))")
    }
  }

  // MARK: Fallback

  @Test(arguments: ["unreadable", "unmade", "missing"])
  func `with --fallback a broken file shows what worked last, until the file works again`(fault: String)
    throws
  {
    try Program.inFolder { folder in
      let state = ["STATE_DIRECTORY": "\(folder)/state:/nowhere"]
      let ring = "\(folder)/ring"
      try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: ring))
      chmod(ring, 0o755)
      // A relative path, which has to start from the folder of the file also in the copy.
      let tree = RemoteTests.tree.replacing(
        "window:", with: "handlers: {chime: {kind: exec, when: pressed, command: [./ring]}}\nwindow:")
      let good = try Daemon(in: folder, tree: tree, ["--fallback"], environment: state)
      let before = try trees(good)
      #expect(good.end() == 0)

      var broken = tree.replacing("frame: [50", with: "farme: [50")
      if fault == "unmade" { broken = tree.replacing("[./ring]", with: "[./rang]") }
      try write(broken, in: folder)
      let file = "\(folder)/tree.yaml"
      if fault != "missing" {
        let refused = try Program.run(["run", file, "--display", "headless", "--control", "none"])
        #expect(refused.status == 78 && refused.errors.hasPrefix("\(file):"), "\(refused.errors)")
      }
      let daemon = try Daemon(in: folder, tree: broken, ["--fallback"], environment: state) {
        if fault == "missing" { try FileManager.default.removeItem(atPath: file) }
      }
      #expect(
        daemon.log.contains("\(file) cannot be used; the last configuration that worked is shown instead"))
      #expect(try trees(daemon) == before)
      #expect(try daemon.ctl("stats").output.contains("so the last configuration that worked is shown"))
      #expect(try daemon.ctl("stats", "--json").output.contains(#""reloads":0,"fallback":true,"problems":["#))
      #expect(try daemon.ctl("reload").status == 78)
      #expect(try trees(daemon) == before)

      try write(tree.replacing("text: OK", with: "text: Good"), in: folder)
      #expect(try daemon.ctl("reload").status == 0)
      #expect(try trees(daemon).contains("\"text\":\"Good\""))
      #expect(try daemon.ctl("stats", "--json").output.contains(#""fallback":false,"problems":[]"#))
      #expect(daemon.end() == 0)
      // What was reloaded is what worked last.
      let again = try Daemon(in: folder, tree: broken, ["--fallback"], environment: state)
      #expect(try trees(again).contains("\"text\":\"Good\""))
      #expect(again.end() == 0)
    }
  }

  @Test func `with --fallback, a broken file of which nothing is saved is an error as ever`() throws {
    try Program.inFolder { folder in
      try write("version: 2", in: folder)
      let outcome = try Program.run(
        "/usr/bin/env",
        [
          "STATE_DIRECTORY=\(folder)", Program.executable.path, "run", "\(folder)/tree.yaml", "--fallback",
          "--display", "headless", "--control", "none",
        ], in: folder)
      #expect(outcome.status == 78 && outcome.errors.hasPrefix("\(folder)/tree.yaml:1:"), "\(outcome.errors)")
    }
  }

  @Test func `without its terminal it ends, instead of reloading`() throws {
    try Program.inFolder { folder in
      try write(RemoteTests.tree, in: folder)
      let outcome = try Program.run(
        "/usr/bin/env",
        [
          "python3", "-c",
          """
          import os, pty, sys, time
          pid, terminal = pty.fork()
          if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
          while not os.path.exists(sys.argv[-1]): time.sleep(0.02)
          os.kill(pid, 1)
          time.sleep(0.3)
          assert os.waitpid(pid, os.WNOHANG) == (0, 0)
          os.close(terminal)
          sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
          """, Program.executable.path, "run", "\(folder)/tree.yaml", "--display", "headless", "--control",
          "\(folder)/socket",
        ], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }
}
