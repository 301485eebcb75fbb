import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Displays that change their mode, are unplugged and return, and the choice between several.
  @Suite struct Following {
    @Test
    func `if the display changes its mode, picture and touches adapt to it`() async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      try await machine.run("vm-guest framebuffer \(node) 640x480x32")
      let scene = Scene(width: 640, height: 480, lit: Colour(0xff_00_00))
      let finger = try await Finger.make(.multitouch, in: machine, display: (640, 480))
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display \(node) --device \(device.node)", devices: [device])
      func isLit(_ target: Scene.Target, _ lit: Bool, _ factor: Int) async throws {
        try await daemon.eventually("\(target.view) is \(lit ? "" : "not ")lit at \(factor)") {
          try await machine.pixel(target.sample.x * factor, target.sample.y * factor, of: node)
            == (lit ? scene.lit : target.background)
        }
      }
      try await finger.down(at: scene.left.centre, contact: 1)
      try await isLit(scene.left, true, 1)
      try await finger.up()
      try await isLit(scene.left, false, 1)

      // It is noticed while nothing happens, and ends the touch that is down.
      try await finger.down(at: scene.left.centre, contact: 2)
      try await isLit(scene.left, true, 1)
      try await machine.run("vm-guest framebuffer \(node) 800x600x16")
      try await daemon.eventually("the new mode is noticed") { daemon.log.contains("800x600") }
      try await daemon.delivers("cancelled")
      try await isLit(scene.left, false, 1)
      try await finger.up()
      try await daemon.eventually("the device is opened again") {
        daemon.log.components(separatedBy: "VM touchscreen (\(device.node))").count > 2
      }
      // The window is 800×600 now, and the views are where the file says.
      let wide = Finger.wider(finger, display: (800, 600))
      try await wide.down(at: scene.knob.centre, contact: 3)
      try await isLit(scene.knob, true, 1)
      try await wide.up()
      try await isLit(scene.knob, false, 1)
      try await daemon.stop()
      #expect(try daemon.trace.lives.values.allSatisfy { ["ended", "cancelled"].contains($0.last) })
    }

    @Test
    func `an unsupported mode ends it with the reason`() async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      try await machine.run("vm-guest framebuffer \(node) 640x480x32")
      let finger = try await Finger.make(.multitouch, in: machine, display: (640, 480))
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(
        Scene(width: 640, height: 480), in: machine, arguments: "--display \(node) --device \(device.node)",
        devices: [device])
      // Wider than what can be painted.
      let change = try await machine.run("vm-guest framebuffer \(node) 16400x8x32")
      try #require(change.status == 0, "\(change.stderr)")
      #expect(try await daemon.end() == 69)
      #expect(daemon.log.contains("the mode is 16400x8 pixels"))
      try await machine.run("vm-guest framebuffer \(node) 640x480x32")
    }

    @Test
    func `if the display is unplugged, it waits, and draws again when the display returns`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Daemon.start(
        in: machine, arguments: "--display /dev/fb0", devices: [finger.device].compactMap(\.self))
      let left = daemon.scene.left
      try await finger.down(at: left.centre)
      try await daemon.shows(left, lit: true)
      let driver = "/sys/bus/pci/drivers/bochs-drm"
      let card = try await machine.run("cd \(driver) && ls -d 0000:* | tee unbind").stdout
        .trimmingCharacters(in: .newlines)
      /// The node is a new one, and belongs to root until udev changes its group.
      func plugIn() async throws {
        try await machine.run("echo \(card) >\(driver)/bind; chgrp video /dev/fb0; chmod 660 /dev/fb0")
      }
      do {
        try await daemon.eventually("it says that the display is gone") {
          daemon.log.contains("the display is gone")
        }
        try await daemon.delivers("cancelled")
        let health = try await machine.run("touchtree health --glass")
        #expect(health.status == 1 && health.stdout.hasPrefix("not well: not_shown: /dev/fb0 "), "\(health)")
        // Nothing can be touched that cannot be seen.
        try await finger.up()
        try await finger.down(at: left.centre, contact: 2)
        try await finger.up()
      } catch {
        // The tests that follow need it.
        try await plugIn()
        throw error
      }
      try await plugIn()
      try await daemon.eventually("it is back") { daemon.log.contains("the display is now /dev/fb0") }
      try await daemon.shows(left, lit: false)
      try await daemon.eventually("the device is opened again") {
        daemon.log.components(separatedBy: "): multitouch").count > 2
      }
      try await finger.down(at: left.centre, contact: 3)
      try await daemon.shows(left, lit: true)
      try await finger.up()
      try await daemon.shows(left, lit: false)
      #expect(try daemon.trace.lives.count == 2)
      try await daemon.stop()
    }

    @Test
    func `if the display returns and cannot be opened yet, it waits`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(
        Scene(console: "keep", isHandled: false), in: machine, arguments: "--display /dev/fb0",
        prefix: "vm-guest as 990 990,44,104", traced: false)
      let driver = "/sys/bus/pci/drivers/bochs-drm"
      let card = try await machine.run("cd \(driver) && ls -d 0000:* | tee unbind").stdout
        .trimmingCharacters(in: .newlines)
      func permit() async throws { try await machine.run("chgrp video /dev/fb0; chmod 660 /dev/fb0") }
      do {
        try await daemon.eventually("it says that the display is gone") {
          daemon.log.contains("the display is gone")
        }
        // Rejected once more, without a message. The kernel does not report a change of permissions.
        try await machine.run("echo \(card) >\(driver)/bind; sleep 0.2")
        #expect(!daemon.log.contains("the display is now"))
      } catch {
        try await machine.run("echo \(card) >\(driver)/bind")
        try await permit()
        throw error
      }
      try await permit()
      try await daemon.eventually("it is back") { daemon.log.contains("the display is now /dev/fb0") }
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `of two displays, the one with the console is used and logged`() async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      let daemon = try await Daemon.start(in: machine)
      #expect(daemon.log.contains("ready: /dev/fb0 "))
      #expect(daemon.log.contains("\(node): not needed"))
      try await daemon.stop()
    }

    @Test
    func `the console of another display is left alone, with its keyboard`() async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      try await machine.run("vm-guest framebuffer \(node) 640x480x32")
      let text = try await machine.consoleText(1)
      let modes = try await machine.consoleModes()
      let daemon = try await Daemon.start(
        Scene(width: 640, height: 480), in: machine, arguments: "--display \(node)")
      #expect(daemon.log.contains("it is shown on another framebuffer"))
      #expect(try await machine.consoleModes() == modes)
      try await machine.shows(text, "the text is still there")
      // Terminals switch without asking, and the picture stays.
      let picture = try await machine.framebuffer(node)
      try await machine.run("chvt 2; chvt 1")
      #expect(try await machine.framebuffer(node).isSame(as: picture))
      #expect(try await daemon.stop() == 0)
    }

    @Test(arguments: ["SEGV", "TERM", "36"])
    func `the display's colours are restored when a signal kills it`(signal: String) async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      func state() async throws -> String {
        let name = node.dropFirst("/dev/".count)
        let output = try await machine.run(
          "vm-guest framebuffer \(node); cat /sys/class/graphics/\(name)/virtual_size; vm-guest colors \(node) 256"
        )
        return output.stdout
      }
      try await machine.run("vm-guest framebuffer \(node) 640x480x8")
      let before = try await state()
      var scene = Scene(width: 640, height: 480)
      scene.console = "keep"
      let daemon = try await Daemon.start(scene, in: machine, arguments: "--display \(node)")
      try await daemon.eventually("it is changed") { try await state() != before }
      try await daemon.signal(signal)
      try await daemon.end()
      #expect(try await state() == before)
    }
  }
}
