import Foundation
import Testing
import TouchPixels

/// `touchtree test --replay`: results, exit statuses and reports. Figures are tested in TouchMeasureTests.
@Suite struct PanelTestTests {
  /// Made by a test of a panel whose x axis is inverted, and that stops 3 mm before its left edge.
  private static let recording = Program.package.appending(
    path: "Tests/CommandLineTests/Golden/output/panel.yml"
  ).path

  @Test(arguments: [
    ("mapping,protocol", 1 as Int32), ("taps", 2), ("edge", 1), ("ghost", 2),
  ])
  func `the exit status tells whether tests failed or were left out`(tests: String, status: Int32) throws {
    let outcome = try Program.run(["test", "--replay", Self.recording, "--only", tests])
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `a panel within its limits passes, and a profile's own limits decide`() throws {
    try Program.inFolder { folder in
      let profile = "\(folder)/factory.yaml"
      try "limits: {edge: {distance: 10}}".write(toFile: profile, atomically: true, encoding: .utf8)
      let outcome = try Program.run([
        "test", "--replay", Self.recording, "--only", "edge", "--profile", profile,
      ])
      #expect(
        outcome.status == 0 && outcome.lines.first?.hasPrefix("CONFORMS: 1 of 17 tests; ") == true,
        "\(outcome.output)")
    }
  }

  @Test func `a folder gets every report and the recording, which is judged the same`() throws {
    try Program.inFolder { folder in
      let reports = "\(folder)/reports"
      let outcome = try Program.run(["test", "--replay", Self.recording, "-o", reports])
      #expect(outcome.status == 1)
      let names = try FileManager.default.contentsOfDirectory(atPath: reports).sorted()
      #expect(
        names == [
          "recording.yml", "report.csv", "report.html", "report.json", "report.png", "report.txt",
          "report.xml",
        ])
      #expect(try String(contentsOfFile: "\(reports)/report.txt", encoding: .utf8) == outcome.output)
      let again = try Program.run(["test", "--replay", "\(reports)/recording.yml", "-o", reports])
      #expect(again.output == outcome.output && again.status == 1)
      let data = try Data(contentsOf: URL(filePath: "\(reports)/report.json"))
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(json["verdict"] as? String == "failed" && json["profile"] as? String == "chromeos")
      #expect(json["result"] as? String == "does_not_conform" && json["tests_run"] as? Int == 5)
      #expect((json["rule"] as? String)?.contains("ISO 14253-1") == true)
      let tests = try #require(json["tests"] as? [[String: Any]])
      #expect(tests.map { $0["test"] as? String } == ["mapping", "edge", "taps", "ghost", "protocol"])
      let bad = "does_not_conform"
      #expect(tests.map { $0["result"] as? String } == [bad, bad, "not_measured", "not_measured", bad])
      let parser = ElementCounter()
      #expect(
        try parser.count(Data(contentsOf: URL(filePath: "\(reports)/report.xml"))) == [
          "testcase": 5, "failure": 3, "skipped": 2,
        ])
      _ = try Program.run(["test", "--replay", Self.recording, "-o", "\(reports)/17.xml", "--unit", "17-<4>"])
      #expect(
        try String(contentsOfFile: "\(reports)/17.xml", encoding: .utf8).contains(
          #"<property name="unit" value="17-&lt;4&gt;">"#))
      let message = try String(contentsOfFile: "\(reports)/report.xml", encoding: .utf8).firstMatch(
        of: #/name="edge">\s*<failure message="([^"]*)"/#)
      #expect(
        message?.1 == "strip at an edge that nothing is reported from: 2.62 mm (≤ 1.5 mm), does not conform")
      #expect(try PNGReader.read(path: "\(reports)/report.png").width > 1000)
    }
  }

  @Test(arguments: ["txt", "json", "xml", "png", "html", "csv"])
  func `a single report is what its name says`(suffix: String) throws {
    try Program.inFolder { folder in
      let file = "\(folder)/panel.\(suffix)"
      _ = try Program.run(["test", "--replay", Self.recording, "-o", file])
      let start = try Data(contentsOf: URL(filePath: file)).prefix(5)
      let expected =
        [
          "txt": "DOES ", "json": "{\"tou", "xml": "<?xml", "png": "PNG", "html": "<!DOC", "csv": "secon",
        ][suffix] ?? "?"
      #expect(String(decoding: start, as: UTF8.self).contains(expected))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }
  }

  /// A page that is sent by mail or put away has everything in it, and what others wrote into a device stays
  /// text.
  @Test func `the page needs nothing else, has a picture of each test and a head to sign`() throws {
    try Program.inFolder { folder in
      let file = "\(folder)/panel.html"
      let outcome = try Program.run([
        "test", "--replay", Self.recording, "-o", file, "--unit", "<17>", "--firmware", "1.4", "--by",
        "M. Frey", "--condition", "battery",
      ])
      #expect(outcome.status == 1)
      let page = try String(contentsOfFile: file, encoding: .utf8)
      for word in ["http:", "https:", "src=", "<link", "<script", "url("] {
        #expect(!page.contains(word), "\(word)")
      }
      #expect(page.contains("<td>&lt;17&gt;</td>") && page.contains("<td>M. Frey</td>"))
      #expect(page.contains("<tr><th>Condition</th><td>battery</td></tr>"))
      #expect(page.contains("<tr><td>M. Frey</td><td></td>"), "the name stands above Tested by")
      #expect(
        page.contains("Tested by</td>") && page.contains("@media print")
          && page.contains("DOES NOT CONFORM: 5 of 17 tests; "))
      #expect(page.contains("<th>Date of the test</th><td>not recorded</td>"))
      #expect(
        page.contains("<br>distance, wrong: ChromiumOS") && page.contains("Rule of decision (ISO 14253-1)"))
      #expect(page.matches(of: #/<svg /#).count == 3)
      #expect(page.contains("calibration: [-1, 0, 1, 0, 1, 0]"))
      let json = "\(folder)/panel.json"
      _ = try Program.run(["test", "--replay", Self.recording, "-o", json, "--unit", "17"])
      #expect(try String(contentsOfFile: json, encoding: .utf8).contains(#""unit":"17""#))
    }
  }

  private static let digest = try? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    (process.arguments, process.standardOutput) = ([recording], output)
    try process.run()
    process.waitUntilExit()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile().prefix(64), as: UTF8.self)
  }()

  @Test func `a report names its recording, and verify tells whether it belongs to one`() throws {
    let digest = try #require(Self.digest)
    try Program.inFolder { folder in
      let (report, page, other) = ("\(folder)/17.json", "\(folder)/17.html", "\(folder)/other.yml")
      for file in [report, page] {
        _ = try Program.run([
          "test", "--replay", Self.recording, "-o", file, "--unit", "17", "--operator", "robot",
        ])
      }
      let text = try String(contentsOfFile: report, encoding: .utf8)
      #expect(text.contains(#""sha256":{"recording":"\#(digest)","profile":""#), "\(text)")
      #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<td>SHA-256 \(digest)</td>"))
      func verify(_ report: String, _ recording: String, _ more: String...) throws -> Program.Outcome {
        try Program.run(["test", "verify", report, recording] + more)
      }
      let same = try verify(report, Self.recording)
      #expect(same.status == 0 && same.output.hasPrefix("belongs: "), "\(same.output)\(same.errors)")
      // A figure, a result, and the operator.
      for (old, new, place) in [
        ("2.616667", "1.2", "tests.edge.figures.distance.value"),
        (#""verdict":"failed""#, #""verdict":"passed""#, "verdict"), ("robot", "hand", "limit"),
      ] {
        let forged = text.replacing(old, with: new)
        #expect(forged != text, "\(old)")
        try forged.write(toFile: "\(folder)/forged.json", atomically: true, encoding: .utf8)
        let outcome = try verify("\(folder)/forged.json", Self.recording)
        #expect(outcome.status == 1 && outcome.output.contains(place), "\(old): \(outcome.output)")
      }
      let recording = try String(contentsOfFile: Self.recording, encoding: .utf8)
      try (recording + "# later\n").write(toFile: other, atomically: true, encoding: .utf8)
      let changed = try verify(report, other)
      #expect(changed.status == 1 && changed.output.contains("the SHA-256 of the recording is "))
      // Its serial number is in the recording, and another one in the report.
      try (recording + "# touchtree test: 0.000000 unit 18\n").write(
        toFile: other, atomically: true, encoding: .utf8)
      _ = try Program.run(["test", "--replay", other, "-o", report, "--unit", "17"])
      #expect(try verify(report, other).output.contains(#"unit is "17" in the report, and "18""#))
    }
  }

  @Test func `a report by a profile of one's own is verified with its file, and an older one is not`() throws
  {
    try Program.inFolder { folder in
      let (report, profile) = ("\(folder)/17.json", "\(folder)/factory.yaml")
      try "limits: {edge: {distance: 3}}".write(toFile: profile, atomically: true, encoding: .utf8)
      _ = try Program.run([
        "test", "--replay", Self.recording, "--profile", profile, "--only", "edge", "--size", "100x60", "-o",
        report,
      ])
      let unnamed = try Program.run(["test", "verify", report, Self.recording])
      #expect(unnamed.status == 64 && unnamed.errors.contains("name its file after the recording"))
      let arguments = ["test", "verify", report, Self.recording, profile]
      #expect(try Program.run(arguments).output.hasPrefix("belongs: "))
      try "limits: {edge: {distance: 4}}".write(toFile: profile, atomically: true, encoding: .utf8)
      let changed = try Program.run(arguments)
      #expect(changed.status == 1 && changed.output.contains("the SHA-256 of the profile "))
      try Self.report(1, head: "", to: report)
      let older = try Program.run(arguments)
      #expect(older.status == 65 && older.errors.contains("SHA-256"), "\(older.errors)")
    }
  }

  /// Nothing in millimetres is measured on a panel of unknown size, and a profile may know the size.
  @Test func `a panel without a size does not pass unmeasured`() throws {
    try Program.inFolder { folder in
      let text = try String(contentsOfFile: Self.recording, encoding: .utf8)
      let sizeless = "\(folder)/sizeless.yml"
      try text.replacingOccurrences(of: " 0, 20]", with: " 0, 0]").write(
        toFile: sizeless, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["test", "--replay", sizeless, "--only", "edge"])
      #expect(
        outcome.status == 2 && outcome.output.contains("the panel's size is not known"), "\(outcome.output)")
      let profile = "\(folder)/own.yaml"
      try "panel: {width_mm: 200, height_mm: 120}\nlimits: {edge: {distance: 10}}".write(
        toFile: profile, atomically: true, encoding: .utf8)
      let sized = try Program.run(["test", "--replay", sizeless, "--only", "edge", "--profile", profile])
      #expect(sized.status == 0 && sized.output.contains("200 × 120 mm"), "\(sized.output)")
    }
  }

  @Test func `each report of the panel is a line in millimetres`() throws {
    try Program.inFolder { folder in
      let file = "\(folder)/panel.csv"
      _ = try Program.run(["test", "--replay", Self.recording, "-o", file])
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(lines[0] == "seconds,test,task,contact,event,x_mm,y_mm,contacts,result")
      #expect(lines[1].hasPrefix("0,mapping,\"0.1,0.1\",0,down,"), "\(lines[1])")
      let events = lines.dropFirst().compactMap { line in
        line.split(separator: ",").first { ["down", "up"].contains($0) }
      }
      #expect(events.count { $0 == "down" } == events.count { $0 == "up" } && events.count > 8)
    }
  }

  /// Six panels of an old firmware and six of a new one, one of which is bad.
  @Test func `reports of many panels are compared by unit and by firmware`() throws {
    try Program.inFolder { folder in
      let old = [0.30, 0.32, 0.31, 0.29, 0.33, 0.31]
      let new = [0.20, 0.22, 0.21, 0.19, 0.23, 1.40]
      for (index, value) in (old + new).enumerated() {
        let report = """
          {"verdict":"\(value > 1 ? "failed" : "passed")","unit":"17-\(index)","firmware":"\(index < 6 ? "1.0" : "1.1")",\
          "condition":"\(index.isMultiple(of: 2) ? "mains" : "battery")","tests":[\
          {"test":"edge","figures":[{"figure":"distance","value":\(value),"limit":0.5}]},\
          {"test":"rate","figures":[{"figure":"mean","value":\(90 + index),"limit":60}]}]}
          """
        try report.write(toFile: "\(folder)/\(index).json", atomically: true, encoding: .utf8)
      }
      let files = (0..<12).map { "\(folder)/\($0).json" }
      let outcome = try Program.run(["test", "compare"] + files)
      #expect(
        outcome.status == 0
          && outcome.lines.prefix(2) == ["12 panels, conforming: 11", "does not conform: 17-11"])
      #expect(
        outcome.lines.contains { $0.hasPrefix("outlier: 17-11: edge.distance is 1.4 mm") },
        "\(outcome.output)")
      #expect(outcome.lines.count { $0.hasPrefix("outlier:") } == 1)
      // (95.5 - 60) / (3 × 3.606)
      #expect(
        outcome.lines.contains { $0.hasPrefix("rate.mean ") && $0.contains("3.28") },
        "\(outcome.output)")
      #expect(outcome.lines.contains { $0.hasPrefix("edge.distance ") && $0.hasSuffix("not capable") })
      #expect(outcome.lines.contains("firmware 1.0 against 1.1"))
      #expect(outcome.lines.contains("condition battery against mains"))
      #expect(outcome.lines.last == "better and worse are certain at 95 % for all 2 figures together")
      let wrong = try Program.run(["test", "compare", files[0], Self.recording])
      #expect(wrong.status == 65 && wrong.errors.contains("panel.yml"), "\(wrong.errors)")
      let none = try Program.run(["test", "compare", "\(folder)/none.json"])
      #expect(none.status == 66, "\(none.errors)")
    }
  }

  /// Writes a report of one figure, `edge.distance`.
  private static func report(_ value: Double, head: String, to file: String) throws {
    try """
    {"verdict":"passed",\(head)"tests":[{"test":"edge","figures":[{"figure":"distance","value":\(value),"limit":1}]}]}
    """.write(toFile: file, atomically: true, encoding: .utf8)
  }

  @Test func `equal reports have no capability, and one report has no deviation`() throws {
    try Program.inFolder { folder in
      let files = (0..<7).map { "\(folder)/\($0).json" }
      for file in files { try Self.report(0.1, head: "", to: file) }
      let equal = try Program.run(["test", "compare"] + files)
      #expect(
        equal.lines.contains {
          $0.hasPrefix("edge.distance") && $0.hasSuffix("-    no capability: the reports are equal")
        }, "\(equal.output)")
      let one = try Program.run(["test", "compare", files[0]])
      #expect(
        one.lines.contains { $0.firstMatch(of: /^edge.distance +1 +0.1 mm +- +0.1 mm/) != nil },
        "\(one.output)")
      // A deviation that is the rounding of the reports.
      try Self.report(0.100001, head: "", to: files[0])
      let near = try Program.run(["test", "compare"] + files)
      #expect(near.lines.contains { $0.hasPrefix("edge.distance") && $0.hasSuffix("> 99") }, "\(near.output)")
    }
  }

  /// The figures are those of `GaugeStudyTests`.
  @Test func `operators who tested the same panels show what the measurement adds`() throws {
    let study: [(by: String, panels: [[Double]])] = [
      ("B. Frey", [[0.41, 0.43], [0.62, 0.60], [0.80, 0.83]]),
      ("A. Moll", [[0.44, 0.45], [0.66, 0.63], [0.83, 0.85]]),
      ("C. Ito", [[0.40, 0.39], [0.60, 0.59], [0.79, 0.78]]),
    ]
    try Program.inFolder { folder in
      var files: [String] = []
      for (by, panels) in study {
        for (panel, runs) in panels.enumerated() {
          for value in runs {
            files.append("\(folder)/\(files.count).json")
            try Self.report(
              value, head: "\"unit\":\"17-\(panel)\",\"by\":\"\(by)\",", to: files[files.count - 1])
          }
        }
      }
      let outcome = try Program.run(["test", "compare"] + files)
      #expect(outcome.lines.first == "18 reports of 3 panels, conforming: 18")
      #expect(
        outcome.lines.contains(
          "gauge R&R: 3 operators (A. Moll, B. Frey, C. Ito), 3 panels (17-0, 17-1, 17-2), 2 runs each"),
        "\(outcome.output)")
      let row = #/^edge.distance +0.0119 mm +0.0254 mm +0.0281 mm +14.13 % +16.83 % +9 +may be acceptable$/#
      #expect(outcome.lines.contains { $0.firstMatch(of: row) != nil }, "\(outcome.output)")
      let partial = try Program.run(["test", "compare"] + files.dropLast())
      #expect(
        partial.lines.contains { $0.hasPrefix("no gauge R&R: ") && $0.hasSuffix("C. Ito tested 17-2 once") },
        "\(partial.output)")
    }
  }

  @Test func `a baseline's figures stand next to the new ones`() throws {
    try Program.inFolder { folder in
      let file = "\(folder)/before.json"
      _ = try Program.run(["test", "--replay", Self.recording, "-o", file])
      let outcome = try Program.run(["test", "--replay", Self.recording, "--baseline", file])
      #expect(outcome.lines.contains { $0.hasPrefix("test ") && $0.hasSuffix("before") })
      #expect(
        outcome.lines.contains { $0.hasPrefix("edge ") && $0.hasSuffix("2.62 mm") }, "\(outcome.output)")
    }
  }

  @Test func `the operator decides the limits, and the report names it`() throws {
    try Program.inFolder { folder in
      let file = "\(folder)/panel.json"
      for (arguments, name) in [([], "hand"), (["--operator", "robot"], "robot")] {
        _ = try Program.run(["test", "--replay", Self.recording, "-o", file] + arguments)
        let data = try Data(contentsOf: URL(filePath: file))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["operator"] as? String == name)
      }
      let wrong = try Program.run(["test", "--replay", Self.recording, "--operator", "foot"])
      #expect(wrong.status == 64 && wrong.errors.contains("hand or robot"))
    }
  }

  @Test(arguments: [("w.pdf", 64 as Int32), ("w.docx", 64), ("unit-1.2", 1), ("reports.d", 1)])
  func `a report of a kind that there is none of is refused`(name: String, status: Int32) throws {
    try Program.inFolder { folder in
      let path = "\(folder)/\(name)"
      let outcome = try Program.run(["test", "--replay", Self.recording, "-o", path])
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: path) == (status == 1))
      if status == 64 { #expect(outcome.errors.contains(".html, .txt, .json, .csv, .xml or .png")) }
    }
  }

  @Test(arguments: [("windows", "'hlk'"), ("chromos", "'chromeos'"), ("strict", "chromeos, hlk, iec62908")])
  func `a profile that there is none of is answered with those that there are`(name: String, words: String)
    throws
  {
    let outcome = try Program.run(["test", "--replay", Self.recording, "--profile", name])
    #expect(outcome.status == 66 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `the recording of a panel that was left alone is judged`() throws {
    try Program.inFolder { folder in
      let lines = try String(contentsOfFile: Self.recording, encoding: .utf8).split(separator: "\n")
      let head = lines.prefix { !$0.hasPrefix("# touchtree test: ") }.filter { !$0.contains("    events:") }
      let quiet = "\(folder)/quiet.yml"
      let marks = ["0.000000 plan ghost", "0.000000 ghost", "60.100000 end"].map { "# touchtree test: \($0)" }
      try (head.map(String.init) + ["    events:"] + marks).joined(separator: "\n").appending("\n")
        .write(toFile: quiet, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["test", "--replay", quiet])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.lines.first?.hasPrefix("CONFORMS: 1 of 17 tests; conforming: ghost; not run: mapping, ")
          == true)
    }
  }

  @Test func `a recording of no touchscreen cannot be judged`() throws {
    let mouse = Program.package.appending(path: "Tests/Recordings/mouse.yml").path
    let outcome = try Program.run(["test", "--replay", mouse])
    #expect(outcome.status == 65 && outcome.errors.contains("touchscreen"))
  }

  @Test(arguments: ["mouse.yml", "nowhere.yml"])
  func `what cannot be judged leaves no folder, and an existing one as it was`(recording: String) throws {
    let path = Program.package.appending(path: "Tests/Recordings/\(recording)").path
    try Program.inFolder { folder in
      let made = try Program.run(["test", "--replay", path, "-o", "\(folder)/report"])
      #expect(made.status != 0 && made.status != 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      mkdir("\(folder)/there", 0o777)
      _ = try Program.run(["test", "--replay", path, "-o", "\(folder)/there"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["there"])
    }
  }
}

/// Counts elements of an XML document, which has to be well formed.
private struct ElementCounter {
  func count(_ data: Data) throws -> [String: Int] {
    let text = String(decoding: data, as: UTF8.self)
    var open: [Substring] = []
    var counts: [String: Int] = [:]
    for match in text.matches(of: /<(\/?)([a-z\-]+)[^>]*>/) {
      if match.1 == "/" {
        #expect(open.popLast() == match.2)
      } else {
        open.append(match.2)
        counts[String(match.2), default: 0] += 1
      }
    }
    #expect(open.isEmpty)
    counts["testsuite"] = nil
    counts["system-out"] = nil
    return counts
  }
}
