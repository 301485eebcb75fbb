import Foundation
import Testing
import VMPictures

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
        #expect(shot.firstDifference(from: screen) == nil)
      }
      let held = try await machine.run(
        "touchtree ctl hit 300,300; touchtree ctl tree | head -n 2 | tail -n 1")
      #expect(held.stdout == "left\n  window  window  (0, 0, 1280, 800)\n")
      try await finger.up()
      try await daemon.stop()
    }

    private struct Statistics: Decodable {
      struct Delays: Decodable {
        var count, p50, p90, p99, max: Int
      }
      struct Device: Decodable {
        var device: String
        var frames, touches, dropped: Int
        var latencyUs: [String: Delays]
      }
      var frames, touches, dropped: Int
      var devices: [Device]
    }

    @Test
    func `statistics count a tap, and how long it took until it was handled, painted and shown`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(
        Scene(), in: machine, devices: [finger.device].compactMap(\.self))
      try await daemon.shows(daemon.scene.left, lit: false)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)
      let output = try await machine.run("touchtree ctl stats --json")
      #expect(output.status == 0, "\(output.stderr)")
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let statistics = try decoder.decode(Statistics.self, from: Data(output.stdout.utf8))
      let device = try #require(statistics.devices.first)
      #expect(statistics.devices.count == 1 && device.device.contains("/dev/input/event"))
      #expect(device.touches == 1 && device.dropped == 0)
      #expect(statistics.touches == 1 && statistics.dropped == 0)
      #expect(device.frames >= 2 && device.frames == statistics.frames)
      let delays = try ["handled", "painted", "shown"].map { try #require(device.latencyUs[$0]) }
      // A touch and its lift; opening the device may give a frame that paints nothing.
      #expect(delays[0].count >= 2 && delays[1].count == 2 && delays[2].count == 2, "\(delays)")
      #expect(delays[0].max > 0 && delays[1].max <= delays[2].max, "\(delays)")
      #expect(delays.allSatisfy { $0.max < 30_000_000 }, "\(delays)")
      try await daemon.stop()
    }

    /// The look of half blocks on a console: the colours of the upper and the lower half of each cell.
    /// (vcs(4))
    private func halves(_ machine: VirtualMachine) async throws -> [[UInt8]] {
      try await machine.run("cat /dev/vcsa3 >/shared/vcsa")
      let bytes = [UInt8](try Data(contentsOf: machine.shared.appending(path: "vcsa")).dropFirst(4))
      return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        let (ink, ground) = (bytes[index + 1] & 15, bytes[index + 1] >> 4)
        // In code page 437.
        let isBlock = bytes[index] == 0xdf
        return [isBlock ? ink : ground, ground]
      }
    }

    @Test
    func `a framebuffer is viewed on a console, which shows a touch and why nothing is shown`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(Scene(), in: machine, devices: [finger.device].compactMap(\.self))
      let settings = try await machine.run("stty -g -F /dev/tty3").stdout
      let view = try await machine.spawn("exec touchtree ctl view </dev/tty3 >/dev/tty3 2>&1")
      var calm: [[UInt8]] = []
      try await daemon.eventually("the picture on the console") {
        let before = calm
        calm = try await halves(machine)
        return calm == before && Set(calm).count > 2
      }
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await daemon.eventually("the highlight on the console") { try await halves(machine) != calm }
      try await finger.up()
      try await daemon.eventually("no highlight on the console") { try await halves(machine) == calm }
      try await machine.run("chvt 2")
      try await daemon.eventually("that the console says why") {
        let text = try await machine.run("cat /dev/vcs3").stdout
        return text.contains(
          "another virtual terminal is shown on /dev/\(VirtualMachine.display == "kms" ? "dri/card0" : "fb0")"
        )
      }
      try await machine.run("chvt 1")
      try await daemon.eventually("the picture again") { try await halves(machine) == calm }
      try await view.signal("TERM")
      #expect(try await view.end() == 0)
      #expect(try await machine.run("stty -g -F /dev/tty3").stdout == settings)
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
      #expect(
        shot.stderr.contains(
          "another virtual terminal is shown on /dev/\(VirtualMachine.display == "kms" ? "dri/card0" : "fb0")"
        ), "\(shot.stderr)")
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
  /// The daemon's report of what it shows.
  func screenshot() async throws -> Picture {
    let output = try await run("touchtree ctl screenshot /shared/screenshot.png")
    guard output.status == 0 else { throw MachineError("no screenshot: \(output.stderr)") }
    return try Picture(png: shared.appending(path: "screenshot.png").path)
  }
}
