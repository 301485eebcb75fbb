import Testing

extension VirtualMachineTests {
  /// Switching to other terminals while it runs.
  @Suite struct Switching {
    @Test
    func `while another terminal is visible, nothing is drawn or touched; afterwards everything is restored`()
      async throws
    {
      let machine = try await Machines.main()
      let other = try await machine.consoleText(2)
      let own = try await machine.consoleText(1)
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [finger.device].compactMap(\.self))
      let (left, knob) = (daemon.scene.left, daemon.scene.knob)
      try await finger.down(at: left.centre, contact: 1)
      try await daemon.shows(left, lit: true)
      #expect(other.isSame(as: own) == false)

      try await switchTo(2, daemon)
      try await machine.shows(other, "terminal 2 is shown")
      try await daemon.delivers("cancelled")
      // The finger of before goes on, and another one comes and goes.
      try await finger.drag(from: left.centre, to: knob.centre, frames: 3)
      try await finger.up()
      try await finger.down(at: knob.centre, contact: 2)
      try await machine.shows(other, "terminal 2 is still shown")
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "cancelled"]])

      // The finger that came while it was hidden is still down, and not a touch.
      try await switchTo(1, daemon)
      try await daemon.shows(left, lit: false)
      try await daemon.shows(knob, lit: false)
      try await finger.up()
      try await finger.down(at: knob.centre, contact: 3)
      try await daemon.shows(knob, lit: true)
      #expect(try await machine.consoleModes() == "display=graphics keyboard=off switching=process\n")
      try await finger.up()
      try await daemon.shows(knob, lit: false)

      // It ends while it is not shown.
      try await switchTo(2, daemon)
      try await daemon.stop()
      try await machine.shows(other, "terminal 2 is shown after the end")
      try await machine.run("chvt 1")
      try await machine.shows(own, "terminal 1 is as it was")
      #expect(try daemon.trace.lives.values.allSatisfy { ["ended", "cancelled"].contains($0.last) })
    }

    @Test
    func `ten switches of the terminal in a row restore the picture`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine)
      for _ in 0..<5 {
        try await switchTo(2, daemon)
        try await switchTo(1, daemon)
      }
      try await daemon.shows(daemon.scene.left, lit: false)
      try await daemon.stop()
    }

    @Test
    func `on a hidden terminal it waits until the terminal is visible`() async throws {
      let machine = try await Machines.main()
      let other = try await machine.consoleText(2)
      try await machine.run("chvt 2")
      // Its own terminal, as a service's: standard input.
      let daemon = try await Daemon.start(in: machine, prefix: "sh -c 'exec \"$@\" </dev/tty1' -")
      try await machine.shows(other, "terminal 2 is still shown")
      #expect(daemon.log.contains("virtual terminal 1 is active; type: chvt 1"), "\(daemon.log)")
      try await switchTo(1, daemon)
      try await daemon.shows(daemon.scene.left, lit: false)
      try await daemon.stop()
    }

    @Test(arguments: ["--tty /dev/tty5", "--tty new"])
    func `--tty shows its terminal, and the previous one returns at the end`(arguments: String) async throws {
      let machine = try await Machines.main()
      let own = try await machine.consoleText(1)
      let daemon = try await Daemon.start(in: machine, arguments: arguments)
      try await daemon.shows(daemon.scene.left, lit: false)
      let active = try await machine.run("cat /sys/class/tty/tty0/active").stdout
      #expect(arguments.hasSuffix("5") ? active == "tty5\n" : active != "tty1\n")
      #expect(try await machine.run("vm-guest console /dev/tty1").stdout.hasPrefix("display=text"))
      try await daemon.stop()
      try await machine.shows(own, "terminal 1 is back")
      #expect(try await machine.run("cat /sys/class/tty/tty0/active").stdout == "tty1\n")
    }

    /// `chvt` waits for the switch: a daemon that does not let go would be seen here.
    private func switchTo(_ number: Int, _ daemon: Daemon) async throws {
      let output = try await daemon.machine.run("chvt \(number) && cat /sys/class/tty/tty0/active")
      #expect(output.stdout == "tty\(number)\n", "\(output.stderr)\n\(daemon.log)")
    }
  }
}
