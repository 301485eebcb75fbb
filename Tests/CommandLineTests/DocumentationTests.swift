import Foundation
import PictureSupport
import Testing
import TouchPixels

/// Every example of README.md and docs/*.md, run as it is printed.
///
/// A fenced block whose first line is a comment with a file's name, or whose fence names a file after the
/// language, is that file. A `console` block has commands after `$ ` and what they print. A picture that a
/// page shows is one that a command of the page writes. Each page has a folder of its own, with the package
/// in it as `touchtree` and its `config`.
///
/// `TOUCHTREE_RECORD_GOLDENS=1` writes outputs and pictures into the pages instead, except where `CI` is set.
@Suite(.serialized) struct DocumentationTests {
  static let pages: [Page] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Page.root("docs").path)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }().map { Page(name: $0) }

  @Test func `every page is in the index`() throws {
    let index = try Page(name: "docs/README.md").text
    for page in Self.pages where page.name.hasPrefix("docs/") && page.name != "docs/README.md" {
      #expect(index.contains("](\(page.name.dropFirst(5)))"), "\(page.name)")
    }
  }

  @Test(arguments: pages) func `links lead to files and headings`(page: Page) throws {
    let folder = Page.root(page.name).deletingLastPathComponent()
    for match in try page.text.matches(of: /\]\(([^)\s]+)\)|src="([^"]+)"/) {
      let link = String(match.1 ?? match.2 ?? "")
      guard !link.contains("://") else { continue }
      let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      let target = parts[0].isEmpty ? Page.root(page.name) : folder.appending(path: parts[0])
      #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
      guard parts.count > 1 else { continue }
      let anchors = try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("#") }.map { Page.anchor(String($0)) }
      #expect(anchors.contains(parts[1]), "\(link)")
    }
  }

  @Test(arguments: pages) func `console examples print what the page says`(page: Page) throws {
    try page.writeFiles()
    let daemon = try page.startDaemon()
    defer { withExtendedLifetime(daemon) {} }
    let printed = try page.lines(running: { command in
      let words = command.split(separator: " ").map(String.init)
      try #require(words.first == "touchtree", "\(command)")
      let outcome = try Program.run(Array(words.dropFirst()), in: page.folder.path)
      return outcome.output + outcome.errors
    }).joined(separator: "\n")
    if Page.isRecording {
      try printed.write(to: Page.root(page.name), atomically: true, encoding: .utf8)
    } else {
      let text = try page.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, (prints, said)) in zip(
        printed.split(separator: "\n", omittingEmptySubsequences: false), text
      ).enumerated()
      where prints != said {
        Issue.record("\(page.name):\(line + 1) says\n\(said)\nbut the program prints\n\(prints)")
        break
      }
      #expect(printed.count == text.joined(separator: "\n").count)
    }

    for picture in try page.pictures {
      let committed = Page.root(page.name).deletingLastPathComponent().appending(path: picture)
      let drawn = page.folder.appending(path: committed.lastPathComponent)
      if Page.isRecording { try? Data(contentsOf: drawn).write(to: committed) }
      #expect(
        try firstDifference(PNGReader.read(path: drawn.path), PNGReader.read(path: committed.path)) == nil,
        "\(picture) is old: look at \(drawn.path), then record it (CONTRIBUTING.md)")
    }
  }

  /// They need a device, a display or a daemon, so the parser alone reads them: it names the last option as
  /// the only unknown one.
  @Test(arguments: pages) func `commands that are only shown are understood`(page: Page) throws {
    for command in try page.shownCommands {
      let outcome = try Program.run(command + ["--no-such-option"])
      #expect(
        outcome.errors.lowercased().contains("unknown option '--no-such-option'"),
        "\(command): \(outcome.errors)")
    }
  }

  @Test func `the gallery shows every kind of view and every style of the themes`() throws {
    func text(_ name: String) throws -> String { try String(contentsOf: Page.root(name), encoding: .utf8) }
    let gallery = try text("config/gallery.yaml")
    let page = try text("docs/gallery.md")
    for name in gallery.matches(of: /\n {8}- id: (\w+)/).map(\.1) {
      for theme in ["dark", "light"] { #expect(page.contains("(gallery/\(name)-\(theme).png)"), "\(name)") }
    }
    let kinds = try Schema.load().kinds
    #expect(kinds.count > 15)
    for kind in kinds { #expect(gallery.contains("kind: \(kind)"), "\(kind)") }
    let theme = try text("config/themes/dark.yaml")
    let styles = try #require(theme.firstRange(of: "\nstyles:")).upperBound
    let names = theme[styles...].matches(of: /\n {2}([a-z]+):/).map(\.1)
    #expect(names.count > 10)
    for name in names { #expect(gallery.contains("style: \(name)"), "\(name)") }
  }

  @Test func `every subcommand is on the page of the command line`() throws {
    let text = try Page(name: "docs/command-line.md").text
    let help = try Program.run(["--help"]).lines
    let subcommands = help.drop { $0 != "SUBCOMMANDS:" }
      .compactMap { $0.firstMatch(of: /^ {2}([a-z-]+)\b/)?.1 }
    #expect(subcommands.count > 10)
    for name in subcommands { #expect(text.contains("\n## `\(name)`\n"), "\(name)") }
  }

  @Test(arguments: pages) func `configurations of the page are good`(page: Page) throws {
    try page.writeFiles()
    for block in try page.blocks where block.file?.hasSuffix(".c") == true { try page.buildCounter() }
    for case let file? in try page.blocks.map(\.file)
    where file.hasSuffix(".yaml") && !["wrong.yaml", "rehearsal.yaml"].contains(file) {
      let outcome = try Program.run(["check", file], in: page.folder.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func `the user interface's test passes with pytest, as it stands on the page`() throws {
    let page = Page(name: "docs/kiosk.md")
    try page.writeFiles()
    let outcome = try shell("python3 -m pytest -q -p no:cacheprovider test_door.py", in: page)
    #expect(outcome.status == 0 && outcome.output.contains("2 passed"), "\(outcome.output)\(outcome.errors)")
  }

  @Test func `the panel of two pages shows songs, runs a command, turns pages`() throws {
    let page = Page(name: "docs/kiosk.md")
    try page.writeFiles()
    func ctl(_ arguments: String) throws -> String {
      try shell("touchtree ctl \(arguments) --socket panel.sock", in: page).output
    }
    try withDaemon("house.yaml", of: page) {
      _ = try ctl("touch 100,80")
      #expect(try ctl("tree --json").contains(#""text":"Giant Steps""#))
      _ = try ctl("touch 40,232 180,232")
      try Program.eventually("the volume") { try ctl("tree --json").contains(#""text":"Volume 50 %""#) }
      _ = try ctl("touch 400,232")
      #expect(try ctl("tree").contains("page photo"))
      _ = try ctl("touch 400,232")
      #expect(try ctl("tree").contains("page music"))
    }
  }

  @Test func `the pages on actions, looks, values and pages do what they say`() throws {
    var page = Page(name: "docs/actions.md")
    try page.writeFiles()
    func ctl(_ arguments: String) throws -> String {
      let outcome = try shell("touchtree ctl \(arguments) --socket panel.sock", in: page)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.output
    }
    /// The lines of the tree that are about a view.
    func view(_ id: String) throws -> String {
      let tree = try ctl("tree --json")
      return try #require(tree.split(separator: #"{"id":"#).first { $0.hasPrefix("\"\(id)\"") }, "\(tree)")
        .description
    }
    try withDaemon("actions.yaml", of: page) {
      _ = try ctl("touch 100,190")
      #expect(try view("lamp").contains(##""background":"#ffd060""##) && view("lamp").contains("#ffffff"))
      #expect(try view("clock").contains(#""hidden":true"#))
      try Program.eventually("the time") { try view("clock").contains(/"text":"\d\d:\d\d"/) }
      _ = try ctl("touch 100,190")
      #expect(try view("clock").contains(#""hidden":false"#))
    }
    try withDaemon("setpoint.yaml", of: page) {
      for (place, text) in [("410,60", "20.5°"), ("70,60", "20.0°"), ("70,60", "19.5°")] {
        _ = try ctl("touch \(place)")
        #expect(try view("setpoint-text").contains("\"text\":\"\(text)\""))
      }
    }
    page = Page(name: "docs/looks.md")
    try page.writeFiles()
    try withDaemon("lamp.yaml", of: page) {
      #expect(try view("night").contains(#""text":"Day""#) && view("lamp").contains("#161b22"))
      _ = try ctl("touch 119,238")
      #expect(try view("night").contains(#""text":"Night""#) && view("lamp").contains("#ffffff"))
    }
    page = Page(name: "docs/values.md")
    try page.writeFiles()
    try withDaemon("hello.yaml", of: page) {
      #expect(try view("hello").contains("Guten Tag, 21 Grad") && view("other").contains("English"))
      _ = try ctl("touch 80,85")
      #expect(try view("hello").contains("Hello, 21 degrees") && view("other").contains("Deutsch"))
    }
    try withDaemon("follow.yaml", of: page) {
      #expect(
        try view("now").contains("21.5 °C, outside unknown") && view("warning").contains(#""hidden":true"#))
      _ = try ctl("set temperature=40.5 outside=-2")
      #expect(try view("now").contains("40.5 °C, outside -2.0"))
      #expect(
        try view("warning").contains(##""background":"#aa0000""##) && view("bar").contains(#""value":40"#))
      _ = try ctl("touch 350,150")
      #expect(try view("plus").contains("+ 22.5") && view("wanted").contains(#""value":22.5"#))
      _ = try ctl("touch 156,136 290,136")
      #expect(try view("plus").contains("+ 30.0"))
      let explained = try ctl("explain wanted.value")
      #expect(
        explained.contains(#"it follows "{target}""#) && explained.contains("target is 30, 22 in the file"))
    }
    page = Page(name: "docs/scrolling.md")
    try page.writeFiles()
    try withDaemon("pages.yaml", of: page) {
      for (path, shown) in [("300,100 50,100", "settings"), ("50,100 300,100", "home")] {
        _ = try ctl("touch \(path) --duration 0.1")
        #expect(try view("screens").contains("\"page\":\"\(shown)\""))
      }
    }
  }

  @Test func `the recipes do what their page says`() throws {
    let page = Page(name: "docs/recipes.md")
    try page.writeFiles()
    func touch(_ points: String) throws {
      let outcome = try shell("touchtree ctl touch \(points) --duration 0 --socket panel.sock", in: page)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    func eventually(_ what: String, _ expected: String) throws {
      try Program.eventually(what) {
        try shell("touchtree ctl tree --json --socket panel.sock", in: page).output.contains(expected)
      }
    }
    try withDaemon("config/examples/lock.yaml", of: page) {
      // A swipe asks for the PIN, as the button does, and a wrong one opens nothing.
      for (path, pin, shown) in [("400,420", "1111", "locked"), ("400,300 400,100", "2580", "home")] {
        try touch(path)
        try eventually("the page that asks", #""page":"code""#)
        let typed = try shell("touchtree ctl type \(pin) --socket panel.sock", in: page)
        #expect(typed.status == 0, "\(typed.errors)")
        try eventually("the answer to \(pin)", "\"page\":\"\(shown)\"")
      }
      try touch("400,420")
      try eventually("the locked page", #""page":"locked""#)
    }
    try withDaemon("config/examples/cleaning.yaml", of: page) {
      try touch("266,264")
      try eventually("the sheet", #""presented":true"#)
      try touch("311,120 420,120")
      try eventually("the light as it was", #""value":0.6"#)
    }
    try withDaemon("lamps.yaml", of: page) {
      try touch("280,84")
      try eventually("a lamp", #""id":"lamp-stairs-on""#)
      _ = try shell(
        #"touchtree ctl set 'lamps=[{"key":"stairs","name":"Steps"}]' --socket panel.sock"#, in: page)
      try Program.eventually("the lamp that stays is on") {
        let tree = try shell("touchtree ctl tree --socket panel.sock", in: page).output
        return tree.contains(/lamp-stairs-on .*value true/) && !tree.contains("lamp-hall")
      }
    }
    try withDaemon("clock.yaml", of: page) {
      try Program.eventually("the time") {
        try shell("touchtree ctl tree --json --socket panel.sock", in: page).output.contains(
          /"text":"\d\d:\d\d"/)
      }
    }
    try withDaemon("graph.yaml", of: page) {
      for value in [18, 21.5] {
        _ = try shell("touchtree ctl set outside=\(value) --socket panel.sock", in: page)
      }
      try eventually("the value", "outside 21.5 °C")
      // Its line, in the colour of the first value of a chart.
      try Program.eventually("the curve") {
        _ = try shell("touchtree ctl screenshot graph.png --socket panel.sock", in: page)
        let picture = try PNGReader.read(path: page.folder.appending(path: "graph.png").path)
        return (picture.height / 3..<picture.height).contains { y in
          (0..<picture.width).contains { x in picture.color(x: x, y: y).hex == "#3aa6ff" }
        }
      }
    }
    for (file, steps) in [
      (
        "config/examples/number.yaml",
        [
          ("52,94", "2 °C"), ("52,94", "22 °C"), ("268,94", "22, °C"), ("268,94", "22, °C"),
          ("160,94", "22,5 °C"),
          ("52,186", "22, °C"), ("160,94", "22,5 °C"), ("160,186", "set to 22,5 °C"),
        ]
      ),
      ("notice.yaml", [("160,110", "Saved."), ("1,1", #""text":"","#)]),
    ] {
      try withDaemon(file, of: page) {
        for (point, expected) in steps {
          try touch(point)
          try eventually("\(expected) in \(file)", expected)
        }
      }
    }
  }

  @Test func `a splash is shown before a font is read`() throws {
    try Program.inFolder { folder in
      let file = Program.package.appending(path: "config/examples/splash.yaml").path
      let daemon = try RemoteTests.Daemon(in: folder, file: file)
      func hasFonts() throws -> Bool {
        #expect(try daemon.ctl("screenshot", "\(folder)/shown.png").status == 0)
        let maps = "/proc/\(daemon.process.processIdentifier)/maps"
        let bytes = try FileHandle(forReadingFrom: URL(filePath: maps)).readToEnd() ?? Data()
        return String(decoding: bytes, as: UTF8.self).contains("libfcft")
      }
      #expect(try !hasFonts())
      #expect(try daemon.ctl("set", "ready=true").status == 0)
      #expect(try hasFonts())
      #expect(daemon.end() == 0)
    }
  }

  @Test func `the process handlers of the page count presses and show the time`() throws {
    let page = Page(name: "docs/handlers.md")
    try page.writeFiles()
    try withDaemon("process.yaml", of: page) {
      try Program.eventually("the time") {
        try shell("touchtree ctl tree --json --socket panel.sock", in: page).output
          .contains(/"text":"\d\d:\d\d:\d\d"/)
      }
      try Program.eventually("the counter") {
        _ = try shell("touchtree ctl touch 400,240 --duration 0 --socket panel.sock", in: page)
        return try shell("touchtree ctl tree --json --socket panel.sock", in: page).output
          .contains(/"id":"count".*"text":"[1-9]/)
      }
    }
  }

  @Test func `the protocol's examples do what the page says`() throws {
    let page = Page(name: "docs/handlers.md")
    try page.writeFiles()
    let printed = page.folder.appending(path: "printed").path
    var client: Process?
    try withDaemon("lamp.yaml", of: page) {
      for block in try page.blocks where block.language == "sh" && block.file == nil {
        let commands = block.lines.filter { $0.hasPrefix("$ ") }
        let outputs = block.lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("$ ") }.dropFirst()
        #expect(!commands.isEmpty)
        for (command, output) in zip(commands, outputs) {
          let outcome = try shell(String(command.dropFirst(2)), in: page)
          #expect(outcome.lines == Array(output), "\(outcome.errors)")
        }
      }
      client = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: ["-c", "cd \(page.folder.path); exec python3 client.py >printed 2>&1"])
      try Program.eventually("the subscription") {
        try shell("touchtree ctl stats --socket panel.sock", in: page).output.contains("subscribers: 1")
      }
      _ = try shell("touchtree ctl touch 60,60 --socket panel.sock", in: page)
      try Program.eventually("the lamp") {
        try shell("touchtree ctl tree --json --socket panel.sock", in: page).output.contains("#00ff00")
      }
    }
    // It ends with the daemon.
    #expect(client?.awaitEnd() == 0)
    #expect(try String(contentsOfFile: printed, encoding: .utf8) == "")
  }

  /// Runs a shell command in the page's folder, where `touchtree` is the built program.
  private func shell(_ command: String, in page: Page) throws -> Program.Outcome {
    let folder = Program.executable.deletingLastPathComponent().path
    return try Program.run(
      "/usr/bin/env",
      [
        "PATH=\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "PYTHONDONTWRITEBYTECODE=1",
        "sh", "-c", command,
      ], in: page.folder.path)
  }

  /// Runs `body` while a daemon shows a configuration of the page, with the socket `panel.sock`.
  private func withDaemon(_ file: String, of page: Page, _ body: () throws -> Void) throws {
    let folder = page.folder.path
    let daemon = Process()
    daemon.executableURL = Program.executable
    daemon.arguments = [
      "run", "\(folder)/\(file)", "--display", "headless:800x480", "--control", "\(folder)/panel.sock",
    ]
    // What is kept of one run is not there in the next.
    let state = "\(folder)/state-\(UUID().uuidString)"
    daemon.environment = ProcessInfo.processInfo.environment.merging(["STATE_DIRECTORY": state]) { $1 }
    try daemon.run()
    defer {
      try? FileManager.default.removeItem(atPath: state)
      daemon.terminate()
      _ = daemon.awaitEnd()
    }
    try Program.eventually("the daemon answers") {
      try #require(daemon.isRunning)
      return try shell("touchtree ctl stats --socket panel.sock", in: page).status == 0
    }
    try body()
  }

  @Test func `the plugin in C counts touches`() throws {
    let page = Page(name: "docs/handlers.md")
    try page.writeFiles()
    try page.buildCounter()
    let outcome = try Program.run(
      [
        "run", "--config", "plugin.yaml", "--display", "headless", "--replay", "config/demo.evemu",
        "--plugins",
        page.folder.path, "--trace", "-",
      ], in: page.folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let ends = outcome.lines.filter { $0.contains(#""phase":"ended","responder":"pad""#) }
    #expect(ends.count == 8)
    #expect(ends.allSatisfy { $0.contains(#""disposition":"handled""#) })
  }

  /// With the sources as `make install` leaves them.
  @Test
  func
    `the library example is a package, which has touches and no controls and builds against the touch model alone`()
    throws
  {
    let page = Page(name: "docs/library.md")
    try page.writeFiles()
    let files = FileManager.default
    let library = page.folder.appending(path: "touchtree")
    try files.removeItem(at: library)
    try files.createDirectory(at: library, withIntermediateDirectories: false)
    for (name, source) in [("Package.swift", "scripts/library.swift"), ("Sources", "Sources")] {
      try files.createSymbolicLink(at: library.appending(path: name), withDestinationURL: Page.root(source))
    }
    let built = try Program.run(
      "/usr/bin/env", ["swift", "build", "--package-path", "dial"], in: page.folder.path)
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    let outcome = try Program.run(
      page.folder.appending(path: "dial/.build/debug/dial").path, [], in: page.folder.path)
    #expect(try !outcome.output.isEmpty && page.text.contains("$ swift run\n" + outcome.output), "\(outcome)")
    let linked = try String(
      contentsOf: page.folder.appending(path: "dial/.build/debug/dial.product/Objects.LinkFileList"),
      encoding: .utf8)
    #expect(linked.contains("/TouchCore.build/") && !linked.contains("/TouchViews.build/"))
  }

  /// What the tables of messages say in their first column. Words in capitals, `…` and nodes stand for what
  /// varies.
  @Test func `the messages that the manual explains are those of the program`() throws {
    let sources = try ["Sources", "Instrument/Sources", "MQTT/Sources"]
      .flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: Page.root(folder).path).map { "\(folder)/\($0)" }
      }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
      .map { try String(contentsOf: Page.root($0), encoding: .utf8) }
      .joined(separator: "\n").replacing(/\\\n\s*/, with: "").replacing(/"\s*\+ "/, with: "")
    let page = try Page(name: "docs/troubleshooting.md").text
    var found = 0
    for heading in ["Starting", "The log", "MQTT"] {
      let section = try #require(page.firstRange(of: "\n## \(heading)\n")).upperBound
      for line in page[section...].prefix(while: { $0 != "#" }).split(separator: "\n") {
        guard let cell = line.firstMatch(of: /^\| (.*?) \|/)?.1, !cell.hasPrefix("the ") else { continue }
        for message in cell.matches(of: /`([^`]+)`/) {
          // The library's own words.
          guard !message.1.contains("certificate verify failed") else { continue }
          for part in message.1.split(separator: /…:?|NAME:?|FILE|\/dev\/\S*/) {
            let words = part.trimmingCharacters(in: .whitespaces.union([":"]))
            #expect(words.isEmpty || sources.contains(words), "\(heading): \(words)")
            found += 1
          }
        }
      }
    }
    #expect(found > 10)
  }

  @Test func `the manual has every word that the schema allows`() throws {
    let manual = try Self.pages.map { try $0.text }.joined()
    for word in try Schema.load().words { #expect(manual.contains("`\(word)`"), "\(word)") }
  }

  /// docs/configuration.md has a section for each object of the schema, with the object's name in backticks
  /// in its heading, and a table of the keys. An object with the keys of another is named in that one's
  /// section.
  @Test func `the reference has every key of the schema with its default`() throws {
    var written: [String: String] = [:]
    var sections: [String] = []
    for line in try Page(name: "docs/configuration.md").text.split(separator: "\n") {
      if line.hasPrefix("#") { sections = line.matches(of: /`([^`]+)`/).map { String($0.1) } }
      if let twin = line.firstMatch(of: /^`([a-z_]+)` has the same keys\.$/) {
        sections.append("view.\(twin.1)")
      }
      guard let row = line.firstMatch(of: /^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \| ([^|]*) \|/) else { continue }
      for section in sections {
        for key in row.1.matches(of: /[a-z_]+/) { written["\(section) \(key.0)"] = String(row.2) }
      }
    }
    var expected: [String: String?] = [:]
    for (object, key, value) in try Schema.load().keys { expected["\(object) \(key)"] = .some(value) }
    for (key, value) in expected {
      guard let cell = written[key] else {
        Issue.record("docs/configuration.md has no row for \(key)")
        continue
      }
      if let value { #expect(cell == "`\(value)`", "\(key)") }
    }
    for key in written.keys where expected[key] == nil {
      Issue.record("docs/configuration.md has a row for \(key), which the schema does not have")
    }
  }
}
