import Foundation
import Testing

extension VirtualMachineTests {
  /// Runs without room, files, memory or a true clock: the message says what is missing, touches go
  /// on, and so does the rest when there is enough again.
  @Suite struct Shortage {
    private static let headless = "--display headless:1280x800"

    private func corners(idle: String = "") -> String {
      var scene = Scene(console: "keep", isHandled: false)
      scene.layout = .corners
      return scene.yaml(record: "") + idle
    }

    private func tap(_ device: GuestDevice, _ contact: Int) async throws {
      try await device.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact) ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100",
        "frame ABS_MT_TRACKING_ID=-1",
      ])
    }

    /// Waits until so many touches have begun.
    private func counts(_ touches: Int, _ daemon: Daemon) async throws {
      try await daemon.eventually("\(touches) touches are counted") {
        try await daemon.machine.run("touchtree ctl stats --json").stdout.contains("\"touches\":\(touches),")
      }
    }

    @Test
    func
      `on a full disk touches go on, every file that is not written is named, and later ones are written again`()
      async throws
    {
      let machine = try await Machines.main()
      try await machine.run(
        """
        mkdir -p /run/full && mount -t tmpfs -o size=64k full /run/full
        head -c 100000 /dev/zero >/run/full/filler
        """)
      let device = try await GuestDevice.make(.multitouch(x: 0...1279, y: 0...799), in: machine)
      let daemon = try await Daemon.start(
        in: machine,
        arguments: "\(Self.headless) --trace /run/full/trace --stats-file /run/full/first.prom --fallback",
        prefix: "env STATE_DIRECTORY=/run/full", devices: [device], traced: false, configuration: corners())
      try await tap(device, 1)
      try await counts(1, daemon)
      for message in [
        "error: /run/full/trace: write failed: No space left on device; name another file",
        "warning: the statistics are not written. /run/full/first.prom: write failed: No space left",
        "warning: the configuration is not saved for --fallback. /run/full/",
      ] {
        #expect(daemon.log.components(separatedBy: message).count == 2, "\(message): \(daemon.log)")
      }
      for (command, message) in [
        ("touchtree ctl screenshot /run/full/shot.png", "/run/full/shot.png: No space left on device"),
        ("touchtree record -o /run/full/record.yml", "/run/full/record.yml: write failed: No space left"),
      ] {
        let output = try await machine.run(command)
        #expect(output.status == 1 && output.stderr.contains(message), "\(output)")
      }
      #expect(
        try await machine.run("ls -A /run/full").stdout.split(separator: "\n").allSatisfy {
          !$0.hasSuffix(".tmp")
        })

      try await machine.run("rm /run/full/filler; touchtree ctl reload")
      try await tap(device, 2)
      try await counts(2, daemon)
      #expect(
        try await machine.run("test -s /run/full/*vm.yaml && touchtree ctl screenshot /run/full/shot.png")
          .status == 0)
      // The trace has a gap, so it did not succeed.
      #expect(try await daemon.stop() == 1)
      #expect(
        try await machine.run("grep -c '\"phase\":\"ended\",\"responder\":\"upper-left\"' /run/full/trace")
          .stdout == "1\n")
      #expect(try await machine.run("test -s /run/full/first.prom; umount /run/full").status == 0)
    }

    @Test
    func
      `without descriptors touches go on, the log names the limit, and devices and clients come when some are free`()
      async throws
    {
      let machine = try await Machines.main()
      let first = try await GuestDevice.make(
        .multitouch(name: "VM first", x: 0...1279, y: 0...799), in: machine)
      let daemon = try await Daemon.start(
        in: machine, arguments: Self.headless, prefix: "sh -c 'ulimit -n 24; exec \"$@\"' -",
        devices: [first],
        configuration: corners())
      // One that has said something is not closed to make room.
      _ = try await machine.spawn("(echo '{\"type\":\"wake\"}'; sleep 60) | touchtree ctl -")
      // Each device takes one; the last finds none.
      var others: [GuestDevice] = []
      while !daemon.log.contains("LimitNOFILE=") {
        try #require(others.count < 24, "\(daemon.log)")
        others.append(
          try await GuestDevice.make(
            .multitouch(name: "VM other \(others.count)", x: 0...1279, y: 0...799), in: machine))
        let node = others[others.count - 1].node
        try await daemon.eventually("\(node) is opened or not") {
          let isOpen = try await machine.run("ls -l /proc/\(daemon.pid)/fd | grep -q '\(node)$'").status == 0
          return isOpen || daemon.log.contains("\(node): cannot be opened (Too many open files)")
        }
      }
      try await tap(first, 1)
      try await daemon.eventually("the tap has ended") {
        try daemon.trace.lives.values.contains(["began", "ended"])
      }
      let refused = try await machine.run("touchtree ctl stats")
      #expect(refused.status == 69, "\(refused)")
      #expect(
        daemon.log.contains(
          "clients of the control socket are refused: touchtree may have no more files open"))

      try await others[0].destroy()
      try await others[1].destroy()
      try await daemon.opens(others[others.count - 1].node)
      try await daemon.eventually("a client is answered") {
        try await machine.run("touchtree ctl stats").status == 0
      }
      #expect(try await daemon.stop() == 0)
    }

    /// The day would be looked at again after an hour.
    @Test
    func `a clock follows the time when it is set, and the time zone, and sleeps while it is not seen`()
      async throws
    {
      let machine = try await Machines.main()
      let configuration = """
        version: 1
        window:
          subviews:
            - id: screens
              kind: pages
              frame: [0, 0, 1280, 800]
              subviews:
                - {id: day, subviews: [{id: date, kind: label, frame: [0, 0, 400, 100], text: "{now:%F}"}]}
                - {id: time, subviews: [{id: clock, kind: label, frame: [0, 0, 400, 100], text: "{now:%H:%M:%S}"}]}
                - {id: blank}

        """
      let now = try await machine.run("date +%s").stdout.trimmingCharacters(in: .whitespacesAndNewlines)
      let daemon = try await Daemon.start(
        in: machine, arguments: Self.headless, traced: false, configuration: configuration)
      func shows(_ text: String, in view: String) async throws {
        try await daemon.eventually("\(view) is \(text)") {
          try await machine.run("touchtree ctl tree").stdout
            .split(separator: "\n").contains { $0.contains("\(view) ") && $0.contains("\"\(text)") }
        }
      }
      for (seconds, day) in [(1_000_000_000, "2001-09-09"), (86_400 * 365, "1971-01-01")] {
        #expect(try await machine.run("date -s @\(seconds)").status == 0)
        try await shows(day, in: "date")
      }
      // A time zone of 5½ hours, without any change: what tzfile(5) needs at least.
      try await machine.run("date -s @36000; touchtree ctl page screens time")
      try await shows("10:00:", in: "clock")
      let zone =
        #"TZif"# + String(repeating: #"\0"#, count: 16 + 4 * 4 + 3) + #"\1\0\0\0\4\0\0\115\130\0\0IST\0"#
      try await machine.run("rm -f /etc/localtime; printf '\(zone)' >/etc/localtime")
      try await shows("15:30:", in: "clock")
      try await machine.run("rm -f /etc/localtime; touchtree ctl page screens blank")
      let wakeUps = try await Figures.wakeUps(of: daemon, during: "date -s @1000000000; sleep 3")
      #expect(wakeUps == 0)
      try await machine.run("date -s @\(now)")
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `a clock that is set back and forth changes no gesture, no idle stage and no figure`() async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(.multitouch(x: 0...1279, y: 0...799), in: machine)
      let configuration = corners(idle: "idle: [{after: 600, blank: true}]\n").replacing(
        "{id: middle, ", with: "{id: middle, gestures: [{id: hold, kind: long_press}], ")
      let daemon = try await Daemon.start(
        in: machine, arguments: Self.headless, devices: [device], configuration: configuration)
      let before = try await machine.run("date +%s").stdout.trimmingCharacters(in: .whitespacesAndNewlines)
      let now = try #require(Int(before))
      for (contact, time) in [now + 86_400, now - 86_400, 1].enumerated() {
        try await device.send([
          "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact + 1) ABS_MT_POSITION_X=640 ABS_MT_POSITION_Y=400"
        ])
        #expect(try await machine.run("date -s @\(time)").status == 0)
        try await daemon.eventually("the long press is recognised at \(time)") {
          daemon.traceText.components(separatedBy: "\"gesture\":\"hold\"").count > contact + 1
        }
        try await device.send(["frame ABS_MT_TRACKING_ID=-1"])
      }
      let figures = try await machine.run("touchtree ctl stats --json; date -s @\(now)").stdout
      #expect(figures.contains("\"reached\":0,"), "\(figures)")
      for field in ["\"max\":", "\"uptime_s\":", "\"seconds\":"] {
        for number in figures.components(separatedBy: field).dropFirst() {
          let value = try #require(Double(number.prefix { "0123456789.".contains($0) }), "\(field)\(number)")
          #expect(value < (field == "\"max\":" ? 60e6 : 600), "\(field)\(number)")
        }
      }
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `without memory for the picture it does not start, and says how many pixels it wanted`() async throws
    {
      let machine = try await Machines.main()
      let output = try await machine.run(
        """
        echo 'window: {subviews: [{id: a, frame: [0, 0, 1, 1]}]}' >/run/small.yaml
        ulimit -v 200000
        exec touchtree run /run/small.yaml --display headless:8192x8192 --control none
        """)
      #expect(output.status == 69)
      #expect(output.stderr.contains("no memory for 67108864 pixels"), "\(output)")
    }

    // MARK: A share that hangs

    /// A file system whose server can be stopped: what opens a file on it then waits, as on a network share.
    private struct Share {
      static let configuration = "/run/share/vm.yaml"
      private let server: GuestProcess

      /// Mounts it, with a configuration on it.
      init(_ configuration: String, in machine: VirtualMachine) async throws {
        try await machine.run(
          """
          mkdir -p /run/served /run/share
          cat >/run/served/vm.yaml <<'END'
          \(configuration)
          END
          """)
        // Nothing is answered from a cache.
        server = try await machine.spawn(
          "exec bindfs -f -o attr_timeout=0,entry_timeout=0,negative_timeout=0 /run/served /run/share")
        try await eventually("the share is mounted") {
          if try await server.hasEnded { throw MachineError("bindfs ended: \(server.stderr)") }
          return try await machine.run("test -f \(Self.configuration)").status == 0
        }
      }

      func hang() async throws { try await server.signal("STOP") }
      func answer() async throws { try await server.signal("CONT") }

      func unmount() async throws {
        try await server.machine.run("umount /run/share")
        try await server.end()
      }
    }

    @Test
    func
      `while the configuration's share hangs touches go on through reloads, it is read when it answers, and a signal ends`()
      async throws
    {
      let machine = try await Machines.main()
      let share = try await Share(corners(), in: machine)
      let device = try await GuestDevice.make(.multitouch(x: 0...1279, y: 0...799), in: machine)
      let daemon = try await Daemon.start(
        in: machine, arguments: "\(Self.headless) --config \(Share.configuration)", devices: [device])
      try await share.hang()
      try await tap(device, 1)
      try await counts(1, daemon)
      #expect(!daemon.log.contains("does not answer"))

      let silent = "\(Share.configuration): its file system does not answer"
      let refused = try await machine.run("touchtree ctl reload")
      #expect(refused.status == 78 && refused.stderr.contains(silent), "\(refused)")
      try await tap(device, 2)
      try await counts(2, daemon)
      try await daemon.signal("HUP")
      try await daemon.eventually("SIGHUP is answered too") {
        daemon.log.components(separatedBy: "is not reloaded; the previous configuration stays").count == 3
      }
      #expect(try await machine.run("touchtree ctl stats").stdout.contains(silent))
      // One waits, however often it was asked for.
      #expect(try await daemon.childCount == 1)

      try await machine.run("sed -i 's/upper-left/corner/' /run/served/vm.yaml")
      try await share.answer()
      try await daemon.eventually("it is reloaded") {
        daemon.log.contains("reloaded \(Share.configuration)")
      }
      #expect(try await daemon.childCount == 0)
      try await tap(device, 3)
      try await daemon.eventually("the new view is touched") {
        try daemon.trace.hits == ["upper-left", "upper-left", "corner"]
      }
      #expect(!(try await machine.run("touchtree ctl stats").stdout.contains(silent)))

      try await share.hang()
      #expect(try await machine.run("touchtree ctl reload").status == 78)
      #expect(try await daemon.stop() == 0)
      #expect(try daemon.trace.lives.values.allSatisfy { $0 == ["began", "ended"] })
      try await eventually("what waited for the file has ended") {
        try await machine.run("pidof touchtree").stdout.isEmpty
      }
      try await share.answer()
      try await share.unmount()
    }

    @Test
    func
      `a share that hangs at the start is named, a signal ends the wait, and --fallback shows what worked until it answers`()
      async throws
    {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let share = try await Share(corners(), in: machine)
      let device = try await GuestDevice.make(.multitouch(x: 0...1279, y: 0...799), in: machine)
      let silent = "warning: \(Share.configuration): its file system does not answer"
      func fallback() async throws -> Daemon {
        try await Daemon.start(
          in: machine, arguments: "\(Self.headless) --config \(Share.configuration) --fallback --watch",
          prefix: "env STATE_DIRECTORY=/run/state", devices: [device])
      }
      try await machine.run("mkdir -p /run/state")
      let first = try await fallback()
      #expect(try await first.stop() == 0)

      try await share.hang()
      let waiting = try await machine.spawn("exec touchtree run \(Share.configuration)")
      try await eventually("it reports which file it waits for") { waiting.stderr.contains(silent) }
      #expect(!(try await waiting.hasEnded))
      try await waiting.signal("TERM")
      #expect(try await waiting.end() == 128 + 15)
      #expect(try await machine.consoleModes() == before)

      let daemon = try await fallback()
      #expect(daemon.log.contains(silent))
      #expect(daemon.log.contains("the last configuration that worked is shown instead: /run/state/"))
      try await tap(device, 1)
      try await counts(1, daemon)
      try await machine.run("sed -i 's/upper-left/corner/' /run/served/vm.yaml")
      try await share.answer()
      try await daemon.eventually("the share's file is shown") {
        daemon.log.contains("reloaded \(Share.configuration)")
      }
      try await tap(device, 2)
      try await daemon.eventually("the new view is touched") {
        try daemon.trace.hits == ["upper-left", "corner"]
      }
      // It is watched from now on.
      try await machine.run("sed -i 's/corner/angle/' \(Share.configuration)")
      try await daemon.eventually("what is saved there is shown") {
        try await machine.run("touchtree ctl tree").stdout.contains("angle")
      }
      #expect(try await daemon.stop() == 0)
      try await share.unmount()
    }
  }
}
