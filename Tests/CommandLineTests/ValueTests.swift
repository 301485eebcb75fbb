import Foundation
import Testing

/// Named values and what follows them, in a daemon that runs.
@Suite("Named values", .serialized)
struct ValueTests {
  private static let file = """
    version: 1
    display: {device: headless, canvas: {size: [200, 100]}}
    values:
      target: {value: 22, keep: true}
      code: {value: "", keep: true}
      other: 1
    window:
      subviews:
        - {id: shown, kind: label, frame: [0, 0, 200, 50], text: "{target:.1f} {other} {code}"}

    """

  /// A daemon whose state is in the folder.
  func withDaemon(
    in folder: String, _ body: (_ ctl: ([String]) throws -> Program.Outcome) throws -> Void
  )
    throws -> String
  {
    let daemon = Process()
    daemon.executableURL = Program.executable
    daemon.arguments = ["run", "\(folder)/a.yaml", "--control", "\(folder)/sock"]
    daemon.environment = ProcessInfo.processInfo.environment.merging(["STATE_DIRECTORY": "\(folder)/state"]) {
      $1
    }
    let errors = Pipe()
    daemon.standardError = errors
    try daemon.run()
    func ctl(_ arguments: [String]) throws -> Program.Outcome {
      try Program.run(["ctl", "--socket", "\(folder)/sock"] + arguments)
    }
    defer {
      daemon.terminate()
      _ = daemon.awaitEnd()
    }
    try Program.eventually("the daemon answers") { try ctl(["stats"]).status == 0 }
    try body(ctl)
    daemon.terminate()
    _ = daemon.awaitEnd()
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test func `what is kept is there after a restart, and nothing else`() throws {
    try Program.inFolder { folder in
      try Data(Self.file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      _ = try withDaemon(in: folder) { ctl in
        do {
          let output = try ctl(["explain", "shown.text"]).output
          #expect(output.contains(#"is "22.0 1 ""#))
        }
        do {
          let status = try ctl(["set", "target=23.5", "other=7", "code=x"]).status
          #expect(status == 0)
        }
        do {
          let output = try ctl(["explain", "shown.text"]).output
          #expect(output.contains(#"is "23.5 7 x""#))
        }
      }
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/state").first)
      #expect(name.hasSuffix("a.yaml.values.json"))
      _ = try withDaemon(in: folder) { ctl in
        do {
          let output = try ctl(["explain", "shown.text"]).output
          #expect(output.contains(#"is "23.5 1 x""#))
        }
      }
      try Data("{\"target\": 2".utf8).write(to: URL(filePath: "\(folder)/state/\(name)"))
      let log = try withDaemon(in: folder) { ctl in
        do {
          let output = try ctl(["explain", "target"]).output
          #expect(output.contains("target is 22, as in the file"))
        }
      }
      #expect(log.contains("\(name): the kept values are damaged"), "\(log)")
    }
  }

  @Test func `tree says of a file what each property follows, and what that is`() throws {
    try Program.inFolder { folder in
      try Data(Self.file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      let outcome = try Program.run(["tree", "\(folder)/a.yaml", "--json"])
      #expect(outcome.status == 0 && outcome.errors == "")
      let tree = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [[String: Any]]])
      let shown = try #require(tree["views"]?.first { $0["id"] as? String == "shown" })
      #expect(shown["text"] as? String == "22.0 1 ")
      #expect((shown["follows"] as? [String: String]) == ["text": "{target:.1f} {other} {code}"])
      #expect(tree["values"]?.first?["name"] as? String == "target")
      #expect(tree["values"]?.first?["value"] as? Double == 22)
    }
  }

  @Test func `an explanation names the file that an expression stands in`() throws {
    try Program.inFolder { folder in
      let text = Self.file.replacingOccurrences(of: "window:\n", with: "include: page.yaml\nwindow:\n")
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      let page = "window: {subviews: [{id: more, kind: label, frame: [0, 50, 200, 50], text: \"{other}\"}]}"
      try Data(page.utf8).write(to: URL(filePath: "\(folder)/page.yaml"))
      _ = try withDaemon(in: folder) { ctl in
        let more = try ctl(["explain", "more.text"]).output
        #expect(more.contains("(line 1, column 76 of \(folder)/page.yaml)"), "\(more)")
        let shown = try ctl(["explain", "shown.text"]).output
        #expect(shown.contains("(line 10, column"), "\(shown)")
        #expect(!shown.contains(" of "), "\(shown)")
      }
    }
  }

  @Test func `what cannot be set is refused with what to do`() throws {
    try Program.inFolder { folder in
      try Data(Self.file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      _ = try withDaemon(in: folder) { ctl in
        for (arguments, message) in [
          (["set", "target=warm"], "target: \"warm\" is not what this value holds; give a number, or null"),
          (["set", "targt=1"], "no value has this name; did you mean \"target\"?"),
          (
            ["set", "shown", "text=a"],
            "follows \"{target:.1f} {other} {code}\"; set target or other or code instead"
          ),
          (["explain", "shown.txt"], "shown has no property \"txt\"; did you mean \"text\"?"),
          (["explain", "targt"], "neither a value nor a view is called \"targt\""),
        ] {
          let outcome = try ctl(arguments)
          #expect(outcome.status == 1 && outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
        }
        do {
          let status = try ctl(["set", "target=5", "other=x"]).status
          #expect(status == 1)
        }
        #expect(
          try ctl(["explain", "target"]).output.hasPrefix("target is 22"), "all of them are set, or none")
      }
    }
  }

  @Test func `what cannot be what it follows is logged with its place and its view, and of a row once`()
    throws
  {
    let file = """
      version: 1
      display: {device: headless, canvas: {size: [400, 300]}}
      values:
        v: 0
        lamps: [{key: a, name: A, level: 0.3}]
      templates:
        lamp: {kind: stack, axis: horizontal, subviews: [{kind: label, text: "{name}"}, {id: ls, kind: slider, value: "{level}", size: [80, null]}]}
      window:
        subviews:
          - {id: sl, kind: slider, frame: [0, 0, 300, 40], value: "{v}"}
          - {id: rl, kind: list, frame: [200, 100, 200, 200], row_height: 40, subviews: [{repeat: {of: lamp, for: lamps}}]}

      """
    try Program.inFolder { folder in
      try Data(file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      let log = try withDaemon(in: folder) { ctl in
        for values in [#"lamps=[{"key":"a","name":"A","level":2000000000}]"#, "v=1000000000"] {
          let status = try ctl(["set", values]).status
          #expect(status == 0)
        }
        let status = try ctl(["tree"]).status
        #expect(status == 0)
      }
      let lines = log.split(separator: "\n").filter { $0.contains("value cannot be") }
      try #require(lines.count == 2, "\(log)")
      #expect(lines[1].contains("/a.yaml:10:") && lines[1].contains("view sl: value cannot be 1000000000"))
      #expect(lines[0].contains("/a.yaml:7:") && lines[0].contains("value cannot be 2000000000"))
    }
  }

  @Test func `a history is filled from a database, and lasts over a restart`() throws {
    try Program.inFolder { folder in
      let file = Self.file.replacing(
        "other: 1", with: "other: 1\n  power: {value: null, keep: true, history: 86400}")
      try Data(file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      let now = Int(Date.now.timeIntervalSince1970)
      func samples() throws -> [[Double]] {
        let state = URL(filePath: "\(folder)/state")
        let files = try FileManager.default.contentsOfDirectory(at: state, includingPropertiesForKeys: nil)
        let name = try #require(files.first { $0.lastPathComponent.hasSuffix(".histories.json") })
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: name)) as? [String: [[Any]]]
        return (all?["power"] ?? []).map { $0.map { ($0 as? Double) ?? -1 } }
      }
      _ = try withDaemon(in: folder) { ctl in
        #expect(try ctl(["set", "power=5", "--at", "\(now - 3600)"]).status == 0)
        #expect(try ctl(["set", "power=[[\(now - 1800), 7], [\(now - 7200), 3]]"]).status == 0)
        let wrong = try ctl(["set", "other=5", "--at", "\(now - 10)"])
        #expect(wrong.status == 1 && wrong.errors.contains("history: 3600"))
        let future = try ctl(["set", "power=5", "--at", "\(now + 7200)"])
        #expect(future.status == 1 && future.errors.contains("to come"))
        #expect(try ctl(["set", "power=5", "--at", "noon"]).status == 64)
        #expect(try ctl(["set", "power=[[1]]"]).status == 1)
      }
      let first = try samples()
      // The last one says until when they are known.
      #expect(first.dropLast().map(\.last) == [3, 5, 7] && first.last?.count == 1)
      #expect(zip(first, [7200, 3600, 1800]).allSatisfy { abs($0[0] - Double(now - $1)) < 2 })
      _ = try withDaemon(in: folder) { ctl in
        let answer = try ctl(["set", "power=9"])
        #expect(answer.status == 0)
      }
      let second = try samples()
      #expect(second.dropLast().map(\.last).prefix(4) == [3, 5, 7, -1], "a gap while nothing ran")
      #expect(second.dropLast().last?.last == 9)
    }
  }
}
