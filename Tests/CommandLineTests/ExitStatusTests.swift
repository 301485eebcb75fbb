import Foundation
import Testing

@Suite struct ExitStatusTests {
  struct Row: CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    /// What the message has to say: the thing, and what to do.
    var says: [String]
    var testDescription: String { "touchtree " + arguments.joined(separator: " ") }
  }

  static let rows = [
    Row(arguments: ["--version"], status: 0, says: []),
    Row(arguments: ["--help"], status: 0, says: []),
    Row(arguments: ["fly"], status: 64, says: ["'fly'", "touchtree --help"]),
    Row(arguments: ["chek", "a.yaml"], status: 64, says: ["'chek'", "did you mean 'check'?"]),
    Row(
      arguments: ["ctl", "set", "ok", "text=a", "text=b"], status: 64, says: ["'text' is given twice"]),
    Row(arguments: ["ctl", "set", "a=1", "a=2"], status: 64, says: ["'a' is given twice"]),
    Row(arguments: ["ctl", "tre"], status: 64, says: ["'tre'", "did you mean 'tree'?"]),
    Row(arguments: ["ctl", "--socket", "s", "tre"], status: 64, says: ["'tre'", "did you mean 'tree'?"]),
    Row(
      arguments: ["hit", "config/touchtree.yaml", "somewhere"], status: 64, says: ["somewhere", "120,100"]),
    Row(
      arguments: ["hit", "config/touchtree.yaml", "120", "100"], status: 64, says: ["one argument: 120,100"]),
    Row(
      arguments: ["trace", "config/touchtree.yaml", "--drag", "1,1"], status: 64,
      says: ["1,1", "20,20:200,20"]),
    Row(
      arguments: ["tree", "config/touchtree.yaml", "--size", "800"], status: 64, says: ["800", "800x480"]),
    Row(
      arguments: ["tree", "config/touchtree.yaml", "--size", "80000x80000"], status: 64,
      says: ["80000x80000", "8192"]),
    Row(
      arguments: ["run", "a.yaml", "--config", "b.yaml"], status: 64, says: ["once", "--config FILE"]),
    Row(arguments: ["run", "no.yaml"], status: 66, says: ["no.yaml"]),
    Row(
      arguments: ["run", "--display", "terminal:crayon"], status: 64, says: ["terminal:crayon", "sixel"]),
    Row(arguments: ["trace", "config/touchtree.yaml"], status: 64, says: ["--tap"]),
    Row(
      arguments: ["trace", "config/touchtree.yaml", "--tap", "1,1", "--passes", "3"], status: 64,
      says: ["passes"]),
    Row(arguments: ["run", "--display", "window"], status: 64, says: ["window", "headless"]),
    Row(arguments: ["check", "no.yaml"], status: 66, says: ["no.yaml", "no such file"]),
    Row(arguments: ["run", "--config", "no.yaml"], status: 66, says: ["no.yaml"]),
    Row(
      arguments: [
        "run", "--config", "config/touchtree.yaml", "--replay", "no.evemu", "--display", "headless",
      ],
      status: 66, says: ["no.evemu"]),
    Row(
      arguments: [
        "run", "--config", "config/touchtree.yaml", "--replay", "README.md", "--display", "headless",
      ],
      status: 65, says: ["README.md"]),
    Row(
      arguments: ["run", "--config", "config/touchtree.yaml", "--display", "/dev/null"], status: 69,
      says: ["/dev/null", "framebuffer"]),
    Row(
      arguments: ["run", "--config", "config/touchtree.yaml", "--display", "/dev/fb31"], status: 69,
      says: ["/dev/fb31", "--display terminal", "--display headless"]),
    Row(
      arguments: [
        "run", "--config", "config/touchtree.yaml", "--display", "headless", "--device", "/dev/null",
      ],
      status: 69, says: ["/dev/null", "evdev"]),
    Row(
      arguments: ["hit", "config/touchtree.yaml", "1,1", "--in", "nowhere"], status: 1,
      says: ["nowhere", "tree"]),
    Row(
      arguments: ["render", "config/touchtree.yaml", "-o", "/nowhere/x.png"], status: 66,
      says: ["/nowhere/x.png", "name"]),
    Row(
      arguments: ["render", "config/touchtree.yaml", "-o", "/tmp/x.png", "--like", "/dev/null"], status: 69,
      says: ["/dev/null", "framebuffer"]),
    Row(
      arguments: [
        "render", "config/touchtree.yaml", "-o", "/tmp/x.png", "--like", "/dev/fb0", "--size", "9x9",
      ],
      status: 64, says: ["--size", "--like"]),
    Row(
      arguments: ["trace", "config/touchtree.yaml", "--tap", "1,1", "--pictures", "README.md"], status: 66,
      says: ["README.md", "folder"]),
    Row(
      arguments: [
        "run", "--config", "config/touchtree.yaml", "--display", "headless", "--replay", "config/demo.evemu",
        "--trace",
        "/dev/full",
      ], status: 1, says: ["/dev/full"]),
    Row(arguments: ["replay", "config/demo.evemu"], status: 64, says: ["--config", "--uinput"]),
    Row(
      arguments: ["replay", "config/demo.evemu", "--config", "config/touchtree.yaml", "--uinput"], status: 64,
      says: ["--config", "--uinput"]),
    Row(
      arguments: ["replay", "config/demo.evemu", "--config", "config/touchtree.yaml", "--speed", "slow"],
      status: 64, says: ["slow", "real", "fast"]),
    Row(
      arguments: ["replay", "config/touchtree.yaml", "--config", "config/touchtree.yaml"], status: 65,
      says: ["config/touchtree.yaml:1:", "recording"]),
    Row(
      arguments: ["replay", "config/touchtree.schema.json", "--config", "config/touchtree.yaml"], status: 65,
      says: ["config/touchtree.schema.json:1:", "recording"]),
    Row(
      arguments: ["replay", "docs/panel.png", "--config", "config/touchtree.yaml"], status: 65,
      says: ["docs/panel.png:1:", "not a text file"]),
    Row(
      arguments: ["replay", "config", "--config", "config/touchtree.yaml"], status: 65,
      says: ["config:", "this is a folder"]),
    Row(
      arguments: ["replay", "/dev/null", "--uinput"], status: 65,
      says: ["/dev/null:", "neither a regular file nor a pipe"]),
    Row(arguments: ["replay", "no.yml", "--uinput"], status: 66, says: ["no.yml:"]),
    Row(arguments: ["record"], status: 64, says: ["output"]),
    Row(
      arguments: ["record", "-o", "/dev/null", "--device", "/dev/null"], status: 69,
      says: ["/dev/null", "evdev"]),
    Row(
      arguments: ["record", "-o", "/dev/null", "--device", "/dev/input/event9999"], status: 69,
      says: ["/dev/input/event9999", "no such file"]),
    Row(arguments: ["check", "--", "-1.yaml"], status: 66, says: ["-1.yaml"]),
    Row(arguments: ["console-restore", "/dev/null"], status: 69, says: ["/dev/null", "terminal"]),
  ]

  @Test(arguments: rows)
  func `the exit status says what happened and the message what to do`(_ row: Row) throws {
    let outcome = try Program.run(row.arguments)
    #expect(outcome.status == row.status, "\(outcome.errors)")
    for text in row.says { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
    if row.status == 0 {
      #expect(outcome.errors.isEmpty)
    } else {
      #expect(outcome.errors.split(separator: "\n").contains { $0.hasPrefix("touchtree: error: ") })
    }
  }

  @Test func `every error of a file is reported at its position`() throws {
    try Program.inFolder { folder in
      let file = folder + "/bad.yaml"
      try """
      version: 1
      window:
        id: window
        subviews:
          - {id: a, frame: [0, 0, ten, 10]}
          - {id: a, frame: [0, 0, 10, 10], aplha: 0.5}
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", file])
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("\(file):5:"))
      #expect(outcome.errors.contains("ten"))
      #expect(outcome.errors.contains("\(file):6:"))
      #expect(outcome.errors.contains("alpha"))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(arguments: [
    ("replay REC --uinput --json", "--json works only with --config"),
    ("replay REC --uinput --passes 2", "--passes works only with --config"),
    ("replay REC --config config/touchtree.yaml --wait 2", "--wait works only with --uinput"),
    ("replay REC --config config/touchtree.yaml --keys", "--keys works only with --uinput"),
    ("trace config/touchtree.yaml --replay REC --hold 1", "--hold does not work with a recording"),
  ])
  func `an option that would do nothing is refused`(arguments: String, says: String) throws {
    let recording = arguments.replacing("REC", with: "Tests/Recordings/slots.yml")
    let outcome = try Program.run(recording.split(separator: " ").map(String.init))
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test(arguments: [
    (#"check "$(printf 'caf\351.yaml')""#, 64, "this argument is not UTF-8"),
    (#"ctl set ok "text=$(printf 'caf\351')""#, 64, "this text is not UTF-8"),
    (#"ctl type "$(printf 'caf\351')""#, 64, "this text is not UTF-8"),
    (#"ctl type a --socket "$(printf 'caf\351')""#, 64, "this argument is not UTF-8"),
    ("check ''", 66, "has no name"),
    ("check café.yaml", 66, "café.yaml: no such file"),
    ("replay no.yml --uinput", 66, "no.yml: no such recording; check the path"),
    ("trace config/touchtree.yaml --replay config", 65, "config: this is a folder; give the path"),
    ("trace config/touchtree.yaml --replay <(cat Tests/Recordings/slots.yml)", 0, ""),
  ])
  func `a name leads to its file, or is reported`(arguments: String, status: Int32, says: String) throws {
    let outcome = try Program.run(
      "/bin/bash", ["-c", "exec '\(Program.executable.path)' \(arguments) >/dev/null"],
      in: Program.package.path)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(says) || says.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `run without a configuration names the default that is missing, and what to type`() throws {
    // Where touchtree is installed, the default is read, and the recording is what is missing.
    let isInstalled = FileManager.default.fileExists(atPath: "/etc/touchtree/touchtree.yaml")
    let outcome = try Program.run(["run", "--replay", "no.evemu", "--display", "headless"])
    #expect(outcome.status == 66)
    for text in isInstalled ? ["no.evemu"] : ["/etc/touchtree/touchtree.yaml", "`touchtree run FILE`"] {
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
  }

  @Test(arguments: [["config/touchtree.yaml"], ["--config", "config/touchtree.yaml"]])
  func `run takes its configuration as an argument or as an option`(configuration: [String]) throws {
    let outcome = try Program.run(
      ["run", "--display", "headless", "--replay", "config/demo.evemu", "--control", "none"] + configuration)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `under systemd a hidden configuration is reported with the setting of the unit`() throws {
    let command =
      "export INVOCATION_ID=0 SYSTEMD_EXEC_PID=$$; exec '\(Program.executable.path)' run --config /home/pi/no.yaml"
    let outcome = try Program.run("/bin/bash", ["-c", command], in: Program.package.path)
    #expect(outcome.status == 66)
    #expect(
      outcome.errors.contains("/home/pi/no.yaml: No such file or directory: a service does not see /home"))
    #expect(outcome.errors.contains("systemctl edit touchtree"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["render", "FILE", "-o", "OUT"], ["hit", "FILE", "1,1", "--explain", "-o", "OUT"],
    ["trace", "FILE", "--tap", "1,1", "--pictures", "OUT"],
    ["run", "--config", "FILE", "--display", "headless"],
  ])
  func `views that are too large to paint are reported with their file`(arguments: [String]) throws {
    try Program.inFolder { folder in
      let file = folder + "/vast.yaml"
      try "window: {subviews: [{id: a, frame: [0, 0, 1000000, 5]}]}\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let arguments = arguments.map { $0 == "FILE" ? file : $0 == "OUT" ? folder + "/out" : $0 }
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("\(file): its views need 1000000x5 pixels"), "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    ("a: [1,", 1), ("a: {b: c", 1), ("window:\n  id: \"x\n\n", 2), ("a\nb: c\n  d\n", 2),
    ("window: [\n\n", 2), ("window: [\r\n\r\n", 2), ("&\n", 1), ("- a\n- b: [\n", 2),
  ])
  func `a line that is named is one of the file`(text: String, line: Int) throws {
    try Program.inFolder { folder in
      let file = folder + "/bad.yaml"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", file])
      #expect(outcome.status == 78)
      #expect(outcome.errors.hasPrefix("\(file):\(line):"), "\(outcome.errors)")
    }
  }

  @Test func `a plugin that is missing stops run before anything is shown`() throws {
    try Program.inFolder { folder in
      let file = folder + "/plugin.yaml"
      try """
      version: 1
      display: {canvas: {size: [100, 100]}}
      handlers: {ring: {kind: plugin, path: libmissing.so}}
      window: {id: window, handlers: [ring]}
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["run", "--config", file, "--display", "headless"])
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("libmissing.so"))
    }
  }

  @Test(arguments: [
    "hit config/touchtree.yaml 1,1", "check config/touchtree.yaml", "--help", "--version", "ctl --help",
    "help check",
  ])
  func `an answer that cannot be written is not done`(arguments: String) throws {
    let command = "exec '\(Program.executable.path)' \(arguments) > /dev/full"
    let outcome = try Program.run("/bin/sh", ["-c", command], in: Program.package.path)
    #expect(outcome.status == 1 && !outcome.errors.isEmpty, "\(outcome)")
  }
}
