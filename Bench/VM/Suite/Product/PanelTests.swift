import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// The thermostat of config/examples: a panel that is one file, with a program that sets its temperature.
  @Suite struct Panels {
    private struct Tree: Decodable {
      struct View: Decodable {
        var id: String
        var text: String?
        var page: String?
        var value: Double?
      }
      var views: [View]
    }

    /// The thermostat on the display of 1280 × 800: its canvas is scaled by 2.5, and 32 units wider than the
    /// 480 of its file. Places are those of a canvas of 480 units in its middle.
    private struct Thermostat {
      let machine: VirtualMachine
      let finger: Finger
      let daemon: Daemon

      /// - Parameter feed: what writes the temperature: `sh` or `py`.
      init(feed: String = "sh") async throws {
        machine = try await Machines.main()
        if feed == "py" { try await machine.installPython() }
        finger = try await Finger.make(.multitouch, in: machine)
        let examples = Image.root.appending(path: "config/examples")
        daemon = try await Daemon.start(
          in: machine, devices: [finger.device].compactMap(\.self), traced: false,
          configuration: String(contentsOf: examples.appending(path: "thermostat.yaml"), encoding: .utf8)
            .replacing("# handlers:", with: "handlers:")
            .replacing("thermostat.sh, ", with: "thermostat.\(feed), "),
          files: [examples.appending(path: "thermostat.\(feed)")])
      }

      static func pixel(_ x: Int, _ y: Int) -> (x: Int, y: Int) { (40 + x * 5 / 2, y * 5 / 2) }

      func tap(_ x: Int, _ y: Int) async throws {
        try await finger.down(at: Self.pixel(x, y))
        try await finger.up()
      }

      func view(_ id: String) async throws -> Tree.View {
        let output = try await machine.run("touchtree ctl tree --json")
        let tree = try JSONDecoder().decode(Tree.self, from: Data(output.stdout.utf8))
        return try #require(tree.views.first { $0.id == id }, "\(output)")
      }

      func shows(_ text: String, in id: String) async throws {
        try await daemon.eventually("\(id) shows \(text)") { try await view(id).text == text }
      }

      /// Waits until a point of the canvas has a colour on the display.
      func shows(_ colour: Colour, at x: Int, _ y: Int) async throws {
        let place = Self.pixel(x, y)
        try await daemon.eventually("\(x),\(y) is \(colour)") {
          try await machine.pixel(place.x, place.y) == colour
        }
      }

      func ctl(_ arguments: String) async throws {
        let output = try await machine.run("touchtree ctl \(arguments)")
        #expect(output.status == 0, "\(output.stderr)")
      }
    }

    private static let background = Colour(0x0d_10_15)
    private static let preset = Colour(0x22_29_33)

    @Test(arguments: ["sh", "py"])
    func `the thermostat works by touches and by ctl, and a program feeds it every second`(feed: String)
      async throws
    {
      let panel = try await Thermostat(feed: feed)
      let watch = try await panel.machine.spawn(
        "exec touchtree ctl watch --event action --event page --event value")
      try await panel.daemon.eventually("the subscription") {
        try await panel.machine.run("touchtree ctl stats").stdout.contains("subscribers: 1")
      }
      try await panel.shows(Self.background, at: 30, 70)

      try await panel.tap(410, 190)
      try await panel.shows("20.5°", in: "setpoint-text")
      try await panel.tap(240, 290)
      try await panel.shows(Self.preset, at: 30, 70)
      try await panel.tap(240, 190)
      try await panel.shows(Self.background, at: 30, 70)
      #expect(try await panel.view("setpoint-text").text == "17.5°")
      try await panel.tap(400, 290)
      try await panel.tap(240, 190)
      try await panel.daemon.eventually("the command's answer") {
        try await panel.view("answer").text?.hasPrefix("Linux 6.") == true
      }

      try await panel.ctl("set setpoint value=29.9")
      try await panel.ctl("page screens home")
      try await panel.ctl("touch 410,190")
      try await panel.shows("30.0°", in: "setpoint-text")
      var fed: Set<String> = []
      try await panel.daemon.eventually("three temperatures") {
        fed.insert(try await panel.view("measured").text ?? "")
        return fed.count == 3
      }
      let statistics = try await panel.machine.run("touchtree ctl stats").stdout
      // On a busy host Python takes more than the five seconds that a process has to be ready, and is started
      // once more.
      #expect(statistics.contains("handler room: running"), "\(statistics)")
      #expect(statistics.contains("VM touchscreen") && statistics.contains("\nremote\n"))
      for line in [
        "action  warmer  touchUpInside", "value  setpoint  20.5", "page  screens  presets",
        "page  screens  home",
        "action  ask  touchUpInside", "value  setpoint  30",
      ] {
        #expect(watch.stdout.contains(line + "\n"), "\(watch.stdout)")
      }
      try await panel.daemon.stop()
    }

    @Test
    func `a process that is killed is started again, and none outlives the daemon`() async throws {
      let panel = try await Thermostat()
      let find = "pidof thermostat.sh"
      try await panel.daemon.eventually("the feed") { try await panel.view("measured").text != "–°" }
      let first = try await panel.machine.run(find).stdout
      try await panel.machine.run("kill -KILL \(first)")
      try await panel.daemon.eventually("it runs again") {
        try await panel.machine.run("touchtree ctl stats").stdout
          .contains("handler room: running, restarts: 1")
      }
      #expect(panel.daemon.log.contains("was ended by signal 9; it is started again in 0.5 s"))
      let second = try await panel.machine.run(find).stdout
      #expect(!second.isEmpty && second != first)
      let shown = try await panel.view("measured").text
      try await panel.daemon.eventually("the feed goes on") { try await panel.view("measured").text != shown }
      #expect(try await panel.daemon.stop() == 0)
      #expect(try await panel.machine.run("\(find) || pidof sleep").stdout == "")
    }
  }
}

extension VirtualMachine {
  /// Debian's Python, with what of its library a small program imports.
  fileprivate func installPython() async throws {
    let python = Image.system.appending(path: "usr/bin/python3").resolvingSymlinksInPath()
    let archive = Process()
    archive.executableURL = URL(filePath: "/bin/tar")
    archive.arguments =
      [
        "--create", "--file", shared.appending(path: "python.tar").path, "--directory",
        Image.system.path + "/usr",
      ]
      + ["test", "dist-packages", "idlelib", "tkinter", "lib2to3", "ensurepip", "unittest", "config-3.*"].map
    {
      "--exclude=lib/*/\($0)"
    }
      + ["bin/\(python.lastPathComponent)", "lib/\(python.lastPathComponent)"]
    try archive.run()
    try await VMTests.eventually("tar ends") { !archive.isRunning }
    let output = try await run(
      """
      mkdir -p /tmp/python && tar -x -C /tmp/python -f /shared/python.tar && rm /shared/python.tar &&
      ln -sf /tmp/python/bin/\(python.lastPathComponent) /usr/bin/python3 && python3 -c 'import json, threading'
      """)
    guard output.status == 0 else { throw MachineError("Python does not run: \(output.stderr)") }
  }
}
