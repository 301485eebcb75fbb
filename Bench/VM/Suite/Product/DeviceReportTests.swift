import Foundation
import Testing

extension VirtualMachineTests {
  /// The reports about devices in the log and the output.
  @Suite struct DeviceReports {
    @Test
    func `a device that names itself with escape sequences and lines of its own is printed on one line`()
      async throws
    {
      let machine = try await Machines.main()
      let (folder, guest) = try await machine.newFolder()
      let slots = Image.root.appending(path: "Tests/Recordings/slots.yml").path
      let recording = try String(contentsOfFile: slots, encoding: .utf8)
      try recording.replacing("Recorded multitouch", with: #"evil\e[31m\n<0>forged"#)
        .write(to: folder.appending(path: "evil.yml"), atomically: true, encoding: .utf8)
      let daemon = try await Daemon.start(in: machine, arguments: "--display headless:1280x800")
      let replay = try await machine.spawn("exec touchtree replay \(guest)/evil.yml --uinput --wait 20")
      let shown = #"evil\u{1B}[31m\n<0>forged"#
      try await daemon.eventually("the device is used") { daemon.log.contains(shown) }
      let listing = try await machine.run("touchtree devices; touchtree devices --json").stdout
      #expect(listing.contains(shown))
      for text in [daemon.log, listing] {
        #expect(!text.contains("\u{1b}"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("<0>") })
      }
      try await replay.signal("TERM")
      try await replay.end()
      try await daemon.stop()
    }

    @Test
    func `names with escapes, of no text, of 127 bytes and of none are shown, matched and recorded`()
      async throws
    {
      let machine = try await Machines.main()
      let long = String(repeating: "x", count: 126)
      // As the kernel has it, as the configuration names it, and as it is shown.
      let names = [
        (
          #"evil\e[31m\n<0>forged "7""#, #"evil\e[31m\n<0>forged \"7\""#,
          #"evil\u{1B}[31m\n<0>forged "7""#
        ),
        (#"bad\xff\xc3( bytes"#, "bad\u{fffd}\u{fffd}( bytes", "bad\u{fffd}\u{fffd}( bytes"),
        (#"\#(long)\xc3"#, "\(long)\u{fffd}", "\(long)\u{fffd}"),
        ("", "", "nameless device"),
      ]
      var scene = Scene(isHandled: false)
      scene.layout = .corners
      scene.input = ["devices:"] + names.map { "  - {match: {name: \"\($0.1)\"}, rotation: 180}" }
      var devices: [GuestDevice] = []
      for (name, _, _) in names {
        devices.append(try await GuestDevice.make(.init(name: name, lines: ["uhid"]), in: machine))
      }
      let shown = names.map(\.2)
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", devices: devices)
      let chosen = devices.map { "--device \($0.node)" }.joined(separator: " ")
      let recorder = try await Recorder.start(in: machine, arguments: chosen)
      let monitor = try await machine.spawn("exec touchtree monitor")
      try await eventually("the monitor reads \(monitor.stdout)") {
        shown.allSatisfy { monitor.stdout.contains($0) }
      }
      for (count, device) in devices.enumerated() {
        try await device.send(["report 1 100 100", "report 0 100 100"])
        try await daemon.eventually("the device turns its touches") {
          try daemon.trace.hits == Array(repeating: "lower-right", count: count + 1)
        }
      }
      let listing = try await machine.run("touchtree devices; touchtree devices --json").stdout
      let statistics = try await machine.run("touchtree ctl stats; touchtree ctl stats --json").stdout
      try await recorder.stop()
      let replay = try await recorder.replay(scene)
      #expect(replay.status == 0, "\(replay)")
      #expect(try TraceLine.lines(of: replay.stdout).hits == Array(repeating: "lower-right", count: 4))
      for text in [daemon.log, listing, statistics, monitor.stdout, recorder.process.stderr] {
        for name in shown { #expect(text.contains(name), "\(name): \(text)") }
      }
      for text in [
        daemon.log, listing, statistics, monitor.stdout, recorder.process.stderr, recorder.text,
        replay.stderr,
      ] {
        #expect(!text.contains("\u{1b}"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("<0>") }, "\(text)")
      }
      try await daemon.stop()
    }

    @Test
    func `a rejected device is logged once, and use: true overrules it if it can touch`() async throws {
      let machine = try await Machines.main()
      var scene = Scene()
      scene.layout = .corners
      scene.input = [
        "devices:", "  - {match: {name: \"VM insisted*\"}, use: true}",
      ]
      let daemon = try await Daemon.start(scene, in: machine, arguments: "--display headless:1280x800")
      func plug(_ name: String, _ keys: String?) async throws -> GuestDevice {
        let keys = keys.map { ["key \($0)"] } ?? []
        return try await GuestDevice.make(
          .init(name: name, lines: keys + ["abs ABS_X 0 1279", "abs ABS_Y 0 799"]), in: machine)
      }
      let pen = "BTN_TOUCH BTN_TOOL_PEN BTN_STYLUS"
      let refused = try await plug("VM plain pen", pen)
      let stick = try await plug("VM insisted stick", nil)
      let used = try await plug("VM insisted pen", pen)
      try await daemon.opens(used.node)
      try await used.send(["frame ABS_X=100 ABS_Y=100 BTN_TOUCH=1", "frame BTN_TOUCH=0"])
      try await daemon.eventually("the pen has touched") {
        try daemon.trace.lives.values.map(\.self) == [["began", "ended"]]
      }
      let lines = daemon.log.split(separator: "\n")
      #expect(lines.count { $0.contains("VM plain pen (\(refused.node)): not used. It is a pen") } == 1)
      #expect(lines.count { $0.contains("VM insisted stick (\(stick.node)): not used.") } == 1)
      #expect(daemon.log.contains("use: true, but no touches can be made of it"), "\(daemon.log)")
      #expect(daemon.log.contains("VM insisted pen: The configuration says use: true. It is a pen"))
      try await daemon.stop()
    }

    @Test
    func `if hotplug cannot be watched, the limit that prevents it is logged`() async throws {
      let machine = try await Machines.main()
      let limit = "/proc/sys/fs/inotify/max_user_instances"
      let before = try await machine.run("cat \(limit); echo 0 >\(limit)").stdout
      let daemon = try await Daemon.start(in: machine, arguments: "--display headless:1280x800")
      try await machine.run("echo \(before.prefix { $0.isNumber }) >\(limit)")
      #expect(daemon.log.contains("are not noticed. /dev/input: "), "\(daemon.log)")
      #expect(daemon.log.contains("sysctl fs.inotify.max_user_instances="))
      try await daemon.stop()
    }

    @Test
    func `a limit of open files is never reported as a missing device`() async throws {
      let machine = try await Machines.main()
      let (folder, guest) = try await machine.newFolder()
      try Data(Scene(console: "keep", isHandled: false).yaml(record: "\(guest)/bell.log").utf8)
        .write(to: folder.appending(path: "vm.yaml"))
      // From too few for anything to the first that lets it run.
      let output = try await machine.run(
        """
        for limit in $(seq 4 64); do
          echo "limit $limit" >&2
          (ulimit -n $limit; exec touchtree run --config \(guest)/vm.yaml --display headless:1280x800) 2>\(guest)/log &
          until [ ! -e /proc/$!/exe ] || grep -q 'ready: ' \(guest)/log; do sleep 0.05; done
          cat \(guest)/log >&2
          if grep -q 'ready: ' \(guest)/log; then kill $!; wait $!; break; fi
        done
        """)
      #expect(!output.stderr.contains("no touchscreen"), "\(output.stderr)")
      #expect(output.stderr.contains("LimitNOFILE="), "\(output.stderr)")
      #expect(output.stderr.contains("ready: "))
    }
  }
}
