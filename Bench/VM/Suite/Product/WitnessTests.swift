import Testing
import VMPictures

extension VirtualMachineTests {
  /// The released program's use of the framebuffer, call by call and byte by byte, and how it handles
  /// drivers with wrong reports. A preloaded library records the calls and falsifies the reports: no driver
  /// in Debian does that.
  @Suite struct Witnessed {
    private let scene = Scene(width: 320, height: 240, lit: Colour(0xff_00_00))

    @Test(arguments: ["hide", "keep"], [false, true])
    func `the last picture is flushed before the console is restored and the framebuffer closed`(
      console: String, isTouched: Bool
    ) async throws {
      let machine = try await Machines.main()
      let witness = try await Witness(in: machine)
      var scene = Scene()
      scene.console = console
      let finger = try await Finger.make(.tablet, in: machine)
      let daemon = try await Daemon.start(scene, in: machine, prefix: witness.prefix())
      if isTouched { try await finger.down(at: scene.left.centre) }
      try await daemon.shows(scene.left, lit: isTouched)
      #expect(try await daemon.stop() == 0)
      try await finger.up()
      let calls = witness.calls
      let flush = try #require(calls.firstIndex { $0.hasPrefix("fb0 flushed") }, "\(calls)")
      let close = try #require(calls.lastIndex { $0.hasPrefix("fb0 closed") })
      #expect(flush < close)
      #expect(calls[flush].drop { $0 != "a" } == calls[close].drop { $0 != "a" }, "it draws after the flush")
      let text = calls.firstIndex { $0.hasSuffix(" text") }
      if console == "hide" { #expect(flush < (try #require(text))) } else { #expect(text == nil) }
    }

    @Test(arguments: [
      "160x120x32", "160x120x16 virtual=173x130 offset=5,9", "160x120x24", "160x120x8", "160x120x1",
    ])
    func `the memory is neither mapped nor read, and a touch writes its view's rows once and no others`(
      mode: String
    ) async throws {
      let small = Scene(width: 160, height: 120, lit: Colour(0xff_00_00))
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      let output = try await machine.run("vm-guest framebuffer \(node) \(mode)")
      let layout = try FramebufferLayout(line: output.stdout)
      let witness = try await Witness(in: machine)
      let finger = try await Finger.make(.multitouch, in: machine, display: (160, 120))
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(
        small, in: machine, arguments: "--display \(node) --device \(device.node)",
        prefix: witness.prefix(seesAccesses: true), devices: [device])
      let first = try await witness.accesses()
      #expect(first.reads == 0)
      #expect(first.rows == Set((0..<120).map { $0 + layout.yOffset }))

      for target in [small.left, small.knob] {
        let rows = Set((target.frame[1]..<target.frame[1] + target.frame[3]).map { $0 + layout.yOffset })
        for isLit in [true, false] {
          try await witness.forgetAccesses()
          if isLit { try await finger.down(at: target.centre) } else { try await finger.up() }
          try await daemon.eventually("\(target.view) is drawn") { try await witness.accesses().rows == rows }
          try await daemon.delivers(isLit ? "began" : "ended")
          let seen = try await witness.accesses()
          #expect(seen.reads == 0)
          #expect(seen.rows == rows)
          #expect(seen.writes == rows.count)
        }
      }
      #expect(try await daemon.stop() == 0)
      let ends = witness.calls.filter { $0.contains(" after ") && $0.hasPrefix("fb") }
      #expect(Set(ends.map { $0.drop { $0 != "a" } }).count == 1, "it draws after the flush: \(ends)")
    }

    @Test(arguments: [
      (
        Witness.Lie.shortRows,
        ["line_length is 100 bytes", "a row of 0 + 320 pixels of 32 bits needs 1280"]
      ),
      (.shortMemory, ["memory is 4096 bytes", "320x240 pixels at offset (0, 0)", "need 307200"]),
      (.channel, ["the red channel (8/30) does not fit into 32 bits per pixel"]),
      (.sharedBits, ["the red channel (8/0) and the green channel (8/0) share bits"]),
      (.noSize, ["the mode is 0x240 pixels"]),
      (.offset, ["at offset (0, 100000)"]),
    ])
    func `a driver whose numbers contradict each other is rejected with the numbers`(
      lie: Witness.Lie, says: [String]
    ) async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      try await machine.run("vm-guest framebuffer \(node) 320x240x32")
      let before = try await machine.memory(of: node)
      let console = try await machine.consoleModes()
      let witness = try await Witness(in: machine)
      let output = try await machine.run(
        """
        cat >/tmp/lie.yaml <<'END'
        \(scene.yaml(record: "/tmp/lie.log"))
        END
        exec \(witness.prefix(lie)) touchtree run --config /tmp/lie.yaml --display \(node)
        """)
      #expect(output.status == 69, "\(output.stderr)")
      #expect(output.stderr.contains(node))
      for text in says { #expect(output.stderr.contains(text), "\(output.stderr)") }
      #expect(try await machine.memory(of: node) == before)
      #expect(try await machine.consoleModes() == console)
    }

    @Test(arguments: [(Witness.Lie.noWrites, "it rejects writing"), (.slow, "writing to it blocked for")])
    func `if rows cannot be written by calls, or that blocks, the mapping is used, and that is logged once`(
      lie: Witness.Lie, says: String
    ) async throws {
      let machine = try await Machines.main()
      let witness = try await Witness(in: machine)
      let (_, node, daemon, finger) = try await start(lie, witness: witness)
      try await finger.down(at: scene.left.centre)
      try await isLit(scene.left, true, daemon, node, machine)
      try await finger.up()
      try await isLit(scene.left, false, daemon, node, machine)
      #expect(try await daemon.stop() == 0)
      #expect(daemon.log.components(separatedBy: says).count == 2, "\(daemon.log)")
      #expect(witness.calls.count { $0.hasSuffix("mapped") } == 1, "\(witness.calls)")
      let end = try #require(witness.calls.last { $0.contains(" closed after ") })
      let writes = try #require(end.split(separator: " ").dropLast().last.flatMap { Int($0) })
      #expect(writes < 64, "calls go on: \(end)")
    }

    @Test
    func `a write that the driver cuts short is continued`() async throws {
      let (machine, node, daemon, finger) = try await start(.partial)
      try await finger.down(at: scene.left.centre)
      try await isLit(scene.left, true, daemon, node, machine)
      let picture = try await machine.framebuffer(node)
      let frame = scene.left.frame
      for x in [frame[0] + 3, frame[0] + frame[2] - 4] {
        for y in [frame[1] + 3, frame[1] + frame[3] - 4] { #expect(picture[x, y] == scene.lit, "\(x), \(y)") }
      }
      #expect(try await daemon.stop() == 0)
      #expect(!daemon.log.contains("mapping"), "\(daemon.log)")
    }

    @Test
    func `if the driver reports a wrong depth, that of its rows is used and logged`() async throws {
      let (machine, node, daemon, finger) = try await start(.depth)
      #expect(daemon.log.contains("reports 16 bits per pixel"))
      try await finger.down(at: scene.left.centre)
      try await isLit(scene.left, true, daemon, node, machine)
      try await finger.up()
      try await isLit(scene.left, false, daemon, node, machine)
      #expect(try await daemon.stop() == 0)
    }

    private func start(
      _ lie: Witness.Lie, witness: Witness? = nil
    ) async throws -> (VirtualMachine, String, Daemon, Finger) {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      try await machine.run("vm-guest framebuffer \(node) 320x240x32")
      let finger = try await Finger.make(.multitouch, in: machine, display: (320, 240))
      let device = try #require(finger.device)
      let seen: Witness
      if let witness { seen = witness } else { seen = try await Witness(in: machine) }
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display \(node) --device \(device.node)", prefix: seen.prefix(lie),
        devices: [device])
      return (machine, node, daemon, finger)
    }

    private func isLit(
      _ target: Scene.Target, _ lit: Bool, _ daemon: Daemon, _ node: String, _ machine: VirtualMachine
    ) async throws {
      try await daemon.eventually("\(target.view) is \(lit ? "" : "not ")lit") {
        try await machine.pixel(target.sample.x, target.sample.y, of: node)
          == (lit ? scene.lit : target.background)
      }
    }
  }
}
