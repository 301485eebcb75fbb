import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree ctl` asks a daemon that runs.
  @Suite struct Asking {
    @Test
    func `a screenshot is what the framebuffer holds, pixel by pixel, with a finger and without`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(
        Scene(style: "glow", showsTouches: true), in: machine, devices: [finger.device].compactMap(\.self))
      try await daemon.shows(daemon.scene.left, lit: false)
      for isDown in [false, true] {
        if isDown {
          try await finger.down(at: daemon.scene.left.centre)
          try await daemon.shows(daemon.scene.left, lit: true)
        }
        let screen = try await machine.framebuffer()
        let shot = try await machine.screenshot()
        #expect((shot.width, shot.height) == (1280, 800))
        #expect(shot.firstDifference { screen[$0, $1] } == nil)
      }
      let held = try await machine.run(
        "touchtree ctl hit 300,300; touchtree ctl tree | head -n 2 | tail -n 1")
      #expect(held.stdout == "left\n  window  window  (0, 0, 1280, 800)\n")
      try await finger.up()
      try await daemon.stop()
    }

    @Test
    func `while another terminal is shown there is no screenshot, and other queries are answered`()
      async throws
    {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine)
      try await machine.run("chvt 2")
      try await daemon.eventually("a screenshot is refused") {
        try await machine.run("touchtree ctl screenshot /tmp/x.png").status == 69
      }
      let shot = try await machine.run("touchtree ctl screenshot /tmp/x.png; ls /tmp/x.png")
      #expect(shot.stderr.contains("another virtual terminal is shown on /dev/fb0"), "\(shot.stderr)")
      #expect(shot.stdout == "")
      #expect(try await machine.run("touchtree ctl hit 300,300").stdout == "left\n")
      try await machine.run("chvt 1")
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await machine.run("touchtree ctl screenshot /tmp/x.png").status == 0)
      try await daemon.stop()
    }
  }
}

extension VirtualMachine {
  /// What the daemon says that it shows.
  func screenshot() async throws -> Picture {
    let output = try await run("touchtree ctl screenshot /shared/screenshot.png")
    guard output.status == 0 else { throw MachineError("no screenshot: \(output.stderr)") }
    return try Picture(png: shared.appending(path: "screenshot.png").path)
  }
}
