import Foundation
import Testing

extension VirtualMachineTests {
  /// What happens without room, files, memory or a true clock: the message says what is missing, touches go on, and so does the
  /// rest when there is enough again.
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
          !$0.hasSuffix(".new")
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
  }
}
