import Foundation
import Testing

extension VirtualMachineTests {
  /// The console is as it was, whatever way out was taken.
  @Suite struct Console {
    @Test("the console is in graphics mode while it runs")
    func graphics() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      #expect(before.hasPrefix("display=text "))
      let daemon = try await Daemon.start(in: machine)
      #expect(try await machine.consoleModes().hasPrefix("display=graphics "))
      try await daemon.stop()
      #expect(try await machine.consoleModes() == before)
    }

    @Test(
      "a signal that ends it cancels the touch that is down, and the console is as it was",
      arguments: ["TERM", "INT", "HUP", "QUIT"])
    func ended(by signal: String) async throws {
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

    @Test("Ctrl-C ends a daemon that was started by hand from the terminal it shows on")
    func interrupted() async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_LEFTCTRL KEY_C KEY_A"]), in: machine)
      let (folder, guest) = try await machine.newFolder()
      try Scene().yaml(record: "\(guest)/bell.log")
        .write(to: folder.appending(path: "vm.yaml"), atomically: true, encoding: .utf8)
      // The leader of a session of its own gets the first terminal that it opens as its controlling one. Nobody else
      // may open it before: a leader that ends hangs up its terminal.
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
      "a crash leaves the console as it was, and is still a crash",
      arguments: zip(["SEGV", "ABRT", "BUS", "ILL", "FPE"], [139, 134, 135, 132, 136] as [Int32]))
    func crashed(by signal: String, status: Int32) async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let daemon = try await Daemon.start(in: machine)
      try await daemon.signal(signal)
      #expect(try await daemon.end() == status)
      #expect(try await machine.consoleModes() == before)
    }
  }
}

extension VirtualMachine {
  /// What `vm-guest console` says of the terminal that is shown.
  func consoleModes() async throws -> String {
    let output = try await run("vm-guest console /dev/tty0")
    guard output.status == 0 else { throw MachineError(output.stderr) }
    return output.stdout
  }
}
