import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Framebuffers whose pixels are not 32 bits of red, green and blue in the usual order.
  @Suite struct Depths {
    struct Mode: Sendable, CustomTestStringConvertible {
      var testDescription: String
      /// For `vm-guest framebuffer`.
      var words: String
      var meaning: ExpectedMemory.Meaning
      /// Entries of the colour map, for those that have one.
      var entries = 0
    }

    /// The kernel's virtual framebuffer puts red lowest. At 16 bits, green has one bit more, unless there is
    /// alpha.
    @Test(arguments: [
      Mode(testDescription: "1 bit, black is 1", words: "640x480x1", meaning: .inverted),
      Mode(
        testDescription: "1 bit, the first pixel within a byte",
        words: "640x480x1 virtual=704x500 offset=13,9",
        meaning: .inverted),
      Mode(testDescription: "8 bits with a colour map", words: "640x480x8", meaning: .cube, entries: 256),
      Mode(
        testDescription: "8 bits of grey, with an offset",
        words: "640x480x8 grey=1 virtual=651x500 offset=11,3",
        meaning: .grey, entries: 256),
      Mode(testDescription: "16 bits, BGR 565", words: "640x480x16", meaning: .channels),
      Mode(
        testDescription: "16 bits, ABGR 1555, with an offset",
        words: "640x480x16 alpha=1 virtual=645x490 offset=5,10", meaning: .channels),
      Mode(testDescription: "24 bits", words: "640x480x24 virtual=649x481 offset=9,1", meaning: .channels),
      Mode(
        testDescription: "32 bits", words: "640x480x32 virtual=700x600 offset=60,120", meaning: .channels),
    ])
    func `the memory holds the picture before, during and after a touch, and no other byte is written`(
      _ mode: Mode
    ) async throws {
      let machine = try await Machines.main()
      let node = try await machine.virtualFramebuffer()
      let output = try await machine.run("vm-guest framebuffer \(node) \(mode.words)")
      try #require(output.status == 0, "\(output.stderr)")
      let layout = try FramebufferLayout(line: output.stdout)
      #expect(mode.words.hasPrefix("\(layout.width)x\(layout.height)x\(layout.bitsPerPixel)"))
      try await machine.fill(node, with: "Z")
      let colors = try await machine.run("vm-guest colors \(node) 256").stdout
      let expected = ExpectedMemory(layout: layout, meaning: mode.meaning, before: UInt8(ascii: "Z"))

      let scene = Scene(width: 640, height: 480, lit: Colour(0xff_00_00))
      let finger = try await Finger.make(.multitouch, in: machine, display: (640, 480))
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display \(node) --device \(device.node)", devices: [device])

      let pictures = [nil, "left", "knob"].map { view in
        (view, expected.bytes(4_194_304, showing: scene.drawing(lit: view)))
      }
      /// Waits until the memory is right, and says which byte is not.
      func holds(lit view: String?) async throws {
        let bytes = try #require(pictures.first { $0.0 == view }?.1)
        var wrong = ""
        try await daemon.eventually("the memory is as expected with \(view ?? "nothing") lit, not\(wrong)") {
          let memory = try await machine.memory(of: node)
          if memory == bytes { return true }
          if let offset = firstDifference(of: memory, from: bytes) {
            wrong =
              " byte \(offset) (row \(offset / layout.lineLength)): \(memory[offset]) instead of \(bytes[offset])"
          }
          return false
        }
      }
      try await holds(lit: nil)
      for (contact, target) in [scene.left, scene.knob].enumerated() {
        try await finger.down(at: target.centre, contact: contact)
        try await holds(lit: target.view)
        let shot = try await machine.screenshot()
        let wrong = shot.firstDifference(from: expected.shown(scene.drawing(lit: target.view)))
        #expect(wrong == nil, "in the screenshot")
        try await finger.up()
        try await holds(lit: nil)
      }
      if mode.entries > 0 { try await hasColors(mode, node, machine) }
      try await daemon.stop()
      #expect(try await machine.run("vm-guest colors \(node) 256").stdout == colors)
    }

    private func hasColors(_ mode: Mode, _ node: String, _ machine: VirtualMachine) async throws {
      let map = try await machine.run("vm-guest colors \(node) \(mode.entries)").stdout
        .split(separator: "\n").map { line in line.split(separator: " ").compactMap { Int($0) } }
      try #require(map.count == mode.entries)
      if case .cube = mode.meaning {
        for red in 0..<6 {
          for green in 0..<6 {
            for blue in 0..<6 {
              #expect(map[red * 36 + green * 6 + blue] == [red * 13_107, green * 13_107, blue * 13_107])
            }
          }
        }
      } else {
        #expect(map == (0..<256).map { Array(repeating: $0 * 257, count: 3) })
      }
    }
  }
}

extension VirtualMachine {
  /// The node of the kernel's virtual framebuffer, which the first call makes. Debian's kernels for ARM have
  /// none: the test that asks for it ends.
  func virtualFramebuffer() async throws -> String {
    if Image.build != ".build" { try Test.cancel("Debian's kernels for ARM have no vfb") }
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

  /// Writes one byte all over the virtual framebuffer's memory. (busybox's `tr` takes seconds for that.)
  func fill(_ node: String, with byte: Unicode.Scalar) async throws {
    // Reading it from the shared folder takes a second: once is enough.
    let kept = "/tmp/fill-\(byte)"
    if try await run("test -e \(kept)").status != 0 {
      try Data(repeating: UInt8(ascii: byte), count: 4_194_304).write(to: shared.appending(path: "fill"))
      try await run("mv /shared/fill \(kept)")
    }
    try await run("cat \(kept) >\(node)")
  }
}
