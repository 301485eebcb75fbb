import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// The console is restored, however the daemon ends.
  @Suite struct Console {
    @Test
    func `the console is in graphics mode while it runs`() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      #expect(before.hasPrefix("display=text "))
      let daemon = try await Daemon.start(in: machine)
      #expect(try await machine.consoleModes().hasPrefix("display=graphics "))
      try await daemon.stop()
      #expect(try await machine.consoleModes() == before)
    }

    @Test(arguments: ["TERM", "INT", "QUIT"])
    func `a signal that ends it cancels the touch and restores the console`(by signal: String) async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [finger.device].compactMap(\.self))
      let target = daemon.scene.left
      try await finger.down(at: target.centre)
      try await daemon.shows(target, lit: true)

      try await daemon.signal(signal)
      let status = try await daemon.end()
      if signal == "TERM" { #expect(status == 0) }
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "cancelled"]])
      #expect(try daemon.trace.responders(in: "cancelled") == target.chain)
      #expect(daemon.record.last?.hasPrefix("cancelled ") == true)
      #expect(try await machine.consoleModes() == before)
    }

    @Test
    func `Ctrl-C stops a daemon that was started from the terminal that it uses`() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_LEFTCTRL KEY_C KEY_A"]), in: machine)
      let (folder, guest) = try await machine.newFolder()
      try Scene().yaml(record: "\(guest)/bell.log")
        .write(to: folder.appending(path: "vm.yaml"), atomically: true, encoding: .utf8)
      // The leader of a session of its own gets the first terminal that it opens as its controlling one.
      // Nobody else may open it before: a leader that ends hangs up its terminal.
      try "exec touchtree run --config \(guest)/vm.yaml </dev/tty1 >/dev/tty1\n"
        .write(to: folder.appending(path: "run.sh"), atomically: true, encoding: .utf8)
      let process = try await machine.spawn("exec setsid sh \(guest)/run.sh")
      do {
        try await eventually("the console is in graphics mode") {
          try await machine.consoleModes().hasPrefix("display=graphics ")
        }
        try await keyboard.send([
          "frame KEY_LEFTCTRL=1", "frame KEY_C=1", "frame KEY_C=0", "frame KEY_LEFTCTRL=0",
        ])
        try await eventually("touchtree run has ended") {
          try await machine.run("pidof touchtree").status != 0
        }
      } catch {
        throw MachineError("\(error)\nIts log:\n\(process.stderr)")
      }
      #expect(try await machine.consoleModes() == before)
      try await keyboard.destroy()
    }

    @Test(
      arguments: zip(
        [
          "ILL", "TRAP", "ABRT", "BUS", "FPE", "USR1", "SEGV", "USR2", "ALRM", "XCPU", "IO", "SYS", "36",
          "40",
        ],
        [4, 5, 6, 7, 8, 10, 11, 12, 14, 24, 29, 31, 36, 40] as [Int32]))
    func `a signal that kills it restores the console, to the pixel, and still kills it`(
      by signal: String, number: Int32
    ) async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let text = try await machine.consoleText(1)
      let daemon = try await Daemon.start(in: machine)
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await machine.consoleModes() == "display=graphics keyboard=off switching=process\n")
      try await daemon.signal(signal)
      #expect(try await daemon.end() == 128 + number)
      #expect(try await machine.consoleModes() == before)
      try await machine.shows(text, "the text is back after \(signal)")
    }

    @Test(arguments: ["PIPE", "WINCH", "CHLD", "CONT", "URG"])
    func `a signal without a meaning for it does not end it`(signal: String) async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine)
      try await daemon.signal(signal)
      let finger = try await Finger.make(.tablet, in: machine)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await finger.up()
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `console-restore restores the console after SIGKILL`() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let text = try await machine.consoleText(1)
      let daemon = try await Daemon.start(in: machine)
      try await daemon.signal("KILL")
      #expect(try await daemon.end() == 137)
      #expect(try await machine.consoleModes().hasPrefix("display=graphics keyboard=off"))
      #expect(try await machine.run("touchtree console-restore /dev/tty1").status == 0)
      #expect(try await machine.consoleModes() == before)
      try await machine.shows(text, "the text is back")
    }

    @Test(arguments: [("hide", "hide"), ("hide", "keep"), ("keep", "hide"), ("keep", "keep")])
    func `a second instance in the way is rejected with the reason, and the first one does not notice`(
      first: String, other: String
    ) async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(Scene(console: first), in: machine)
      let before = try await machine.consoleModes()
      try await daemon.shows(daemon.scene.left, lit: false)
      let output = try await machine.run(
        """
        cat >/tmp/second.yaml <<'END'
        \(Scene(console: other, isHandled: false).yaml(record: ""))
        END
        exec touchtree run --config /tmp/second.yaml --display \(VirtualMachine.display)
        """)
      #expect(output.status == 69)
      let reason =
        daemon.isByKMS
        ? "touchtree (pid \(daemon.pid)) has it" : "/dev/fb0: another touchtree is shown there"
      #expect(output.stderr.contains(reason), "\(output.stderr)")
      #expect(!output.stderr.contains("ready: "))
      #expect(try await machine.consoleModes() == before)
      if first == "hide" {
        // As the unit does after its own instance was refused.
        let restoring = try await machine.run("touchtree console-restore /dev/tty1")
        #expect(restoring.status == 69)
        #expect(restoring.stderr.contains("another touchtree has this terminal"), "\(restoring.stderr)")
        #expect(try await machine.consoleModes() == before)
      }
      let finger = try await Finger.make(.tablet, in: machine)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await finger.up()
      // A killed instance holds no lock.
      try await daemon.signal("KILL")
      try await daemon.end()
      let next = try await Daemon.start(Scene(console: other), in: machine)
      try await next.shows(next.scene.left, lit: false)
      #expect(try await next.stop() == 0)
    }

    @Test
    func `two instances share a display if each has its own terminal`() async throws {
      let machine = try await Machines.main()
      let own = try await machine.consoleText(1)
      let first = try await Daemon.start(in: machine)
      try await first.shows(first.scene.left, lit: false)
      let other = Scene(lit: Colour(0x00_ff_ff))
      let finger = try await Finger.make(.tablet, in: machine)
      let second = try await Daemon.start(other, in: machine, arguments: "--tty /dev/tty5")
      // What is not seen cannot be touched.
      try await second.shows(other.left, lit: false)
      try await finger.down(at: other.left.centre)
      try await second.shows(other.left, lit: true)
      try await finger.up()
      try await machine.run("chvt 1")
      try await first.shows(first.scene.left, lit: false)
      try await finger.down(at: other.left.centre)
      try await first.shows(first.scene.left, lit: true)
      try await finger.up()
      // The hidden one ends without changing the console.
      try await second.stop()
      try await finger.down(at: other.knob.centre)
      try await first.shows(first.scene.knob, lit: true)
      try await finger.up()
      #expect(try await machine.consoleModes() == "display=graphics keyboard=off switching=process\n")
      try await first.stop()
      try await machine.shows(own, "the text is back")
      #expect(try second.trace.lives.values.map(\.self) == [["began", "ended"]])
    }

    @Test
    func `while it is stopped, the console is restored`() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let text = try await machine.consoleText(1)
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [finger.device].compactMap(\.self))
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await daemon.signal("TSTP")
      try await daemon.eventually("it is stopped") {
        try await machine.run("grep -q '^State:.T' /proc/\(daemon.pid)/status").status == 0
      }
      #expect(try await machine.consoleModes() == before)
      try await machine.shows(text, "the text is back")
      try await daemon.signal("CONT")
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await machine.consoleModes().hasPrefix("display=graphics"))
      try await daemon.delivers("cancelled")
      try await daemon.stop()
    }

    @Test
    func `keys do not reach the shell while it runs, and do afterwards`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_A KEY_B KEY_ENTER"]), in: machine)
      let shell = try await machine.spawn("exec cat </dev/tty1")
      func type(_ key: String) async throws {
        try await keyboard.send(
          [key, "KEY_ENTER"].flatMap { ["frame \($0)=1", "frame \($0)=0"] })
      }
      let daemon = try await Daemon.start(in: machine)
      try await type("KEY_A")
      try await daemon.stop()
      try await type("KEY_B")
      try await eventually("the shell reads b, not '\(shell.stdout)'") { shell.stdout == "b\n" }
      try await keyboard.destroy()
    }
  }
}

extension VirtualMachine {
  /// The report of `vm-guest console` about the terminal that is shown.
  func consoleModes() async throws -> String {
    let output = try await run("vm-guest console /dev/tty0")
    guard output.status == 0 else { throw MachineError(output.stderr) }
    return output.stdout
  }

  /// Shows a terminal, writes something on it that tells it from the others, and returns what it then looks
  /// like.
  func consoleText(_ number: Int) async throws -> Picture {
    // A cursor that blinks is there only half the time.
    try await run(
      """
      echo 0 >/sys/class/graphics/fbcon/cursor_blink
      chvt \(number)
      printf '\\033[2J\\033[\(number + 4);9Hthis is terminal \(number) ' >/dev/tty\(number)
      """)
    // The driver shows what was written some time later.
    var last = try await screendump()
    var repeats = 0
    try await eventually("terminal \(number) stands still") {
      try await Task.sleep(for: .milliseconds(60))
      let next = try await screendump()
      repeats = next.isSame(as: last) ? repeats + 1 : 0
      last = next
      return repeats == 3
    }
    return last
  }

  /// Waits until the display shows a picture, every pixel of it.
  func shows(_ picture: Picture, _ what: String) async throws {
    try await eventually(what) { try await screendump().isSame(as: picture) }
  }
}
