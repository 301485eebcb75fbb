import Testing

extension VirtualMachineTests {
  /// Framebuffers whose pixels are not 32 bits of red, green and blue in the usual order.
  @Suite struct Depths {
    /// The kernel's virtual framebuffer puts red lowest. At 16 bits, green has one bit more.
    @Test("a touch lights the view on a framebuffer of other depth and order", arguments: [16, 24, 32])
    func depth(_ bits: Int) async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      let layout = try await FramebufferLayout(
        line: machine.run("vm-guest framebuffer \(node) 640x480x\(bits)").stdout)
      #expect(layout.bitsPerPixel == bits)
      #expect(layout.red.offset == 0)

      // Colours that 16 bits hold exactly, and that show when red and blue are swapped.
      let scene = Scene(width: 640, height: 480, lit: Colour(0xff_00_00))
      let finger = try await Finger.make(.multitouch, in: machine, display: (640, 480))
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display \(node) --device \(device.node)", devices: [device])
      for (contact, target) in [scene.left, scene.knob].enumerated() {
        try await finger.down(at: target.centre, contact: contact)
        try await daemon.eventually("\(target.view) is lit") {
          try await machine.framebuffer(node)[target.sample.x, target.sample.y] == scene.lit
        }
        try await finger.up()
        try await daemon.eventually("\(target.view) is not lit") {
          try await machine.framebuffer(node)[target.sample.x, target.sample.y] == target.background
        }
      }
      try await daemon.stop()
    }
  }
}

extension VirtualMachine {
  /// The node of the kernel's virtual framebuffer, which the first call makes.
  func virtualFramebuffer() async throws -> String {
    let output = try await run(
      """
      [ -e /sys/module/vfb ] || insmod /lib/modules/vfb.ko vfb_enable=1 videomemorysize=4194304 || exit
      grep 'Virtual FB' /proc/fb
      """)
    guard let number = output.stdout.split(separator: " ").first else {
      throw MachineError("no virtual framebuffer: \(output.stderr)", serialLog: serialTail)
    }
    return "/dev/fb\(number)"
  }
}
