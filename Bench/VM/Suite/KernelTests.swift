import Testing
import VMPictures

/// The abilities of the machine itself, on which every other suite relies.
extension VirtualMachineTests {
  @Suite struct Kernel {
    @Test
    func `the machine boots, and reports how long it took`() async throws {
      let machine = try await Machines.main()
      let kernel = try await machine.run("uname -r").stdout
      #expect(kernel.contains(Image.build == ".build" ? "-amd64" : "-arm64"))
      print("the virtual machine booted Debian's kernel \(kernel.dropLast()) in \(await machine.bootTime)")
    }

    @Test
    func `a command's status, output and errors are returned apart`() async throws {
      let machine = try await Machines.main()
      let output = try await machine.run("echo out; echo err >&2; exit 7")
      #expect(output.status == 7)
      #expect(output.stdout == "out\n")
      #expect(output.stderr == "err\n")
    }

    @Test
    func `the framebuffer has 1280×800 pixels of 32 bits, and one that is written is scanned out`()
      async throws
    {
      let machine = try await Machines.main()
      let layout = try await FramebufferLayout(line: machine.run("vm-guest framebuffer /dev/fb0").stdout)
      #expect(layout.width == 1280)
      #expect(layout.height == 800)
      #expect(layout.bitsPerPixel == 32)

      let colours = [Colour(0x12_34_56), Colour(0xfe_dc_ba)]
      // Not the last pixel of a row: the kernel's fbdev emulation (6.1, drm_fb_helper_memory_range_to_clip)
      // takes a write that ends where a row ends for an empty one, and shows it with the next.
      for (colour, (x, y)) in zip(colours, [(700, 400), (1278, 799)]) {
        let bytes = [colour.blue, colour.green, colour.red, 0].map { "\\x" + String($0, radix: 16) }.joined()
        try await machine.run(
          "printf '\(bytes)' | dd of=/dev/fb0 bs=4 seek=\(y * layout.lineLength / 4 + x) conv=notrunc")
        #expect(try await machine.pixel(x, y) == colour)
        try await eventually("\(colour) is scanned out at \(x),\(y)") {
          try await machine.screendump()[x, y] == colour
        }
      }
    }

    @Test
    func `the console is in text mode`() async throws {
      let machine = try await Machines.main()
      let output = try await machine.run("vm-guest console /dev/tty1")
      #expect(output.stdout == "display=text keyboard=unicode switching=automatic\n")
    }

    @Test(arguments: [
      Row(
        .multitouch(x: 10_000...20_000, y: -100...700, slots: 5),
        is: [
          "property INPUT_PROP_DIRECT", "abs ABS_MT_SLOT 0 4 0 0 0",
          "abs ABS_MT_POSITION_X 10000 20000 0 0 0",
        ],
        sends:
          "ABS_MT_SLOT=2 ABS_MT_TRACKING_ID=41 ABS_MT_POSITION_X=10003 ABS_MT_POSITION_Y=-7 BTN_TOUCH=1"),
      Row(
        .singleTouch(x: 0...4095, y: 0...4095), is: ["key BTN_TOUCH", "abs ABS_Y 0 4095 0 0 0"],
        sends: "ABS_X=17 ABS_Y=4000 BTN_TOUCH=1"),
      Row(
        .mouse(), is: ["key BTN_LEFT", "rel REL_X", "rel REL_WHEEL"], sends: "REL_X=-5 REL_Y=9 BTN_LEFT=1"),
    ])
    func `an input device has the capabilities and events that the test gives it`(_ row: Row) async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(row.device, in: machine)
      let watch = try await machine.spawn("exec vm-guest watch \(device.node)")
      try await eventually("\(device.node) is watched") { watch.stdout.contains("watching\n") }
      let description = watch.stdout.split(separator: "\n").map(String.init)
      #expect(description.contains("name \(row.device.name)"))
      for line in row.description { #expect(description.contains(line)) }

      try await device.frame(row.events)
      let reported: [Substring] = row.events.split(separator: " ") + ["SYN_REPORT=0"]
      try await eventually("\(device.node) reports \(reported), not \(watch.stdout)") {
        let lines = watch.stdout.split(separator: "\n")
        return reported.allSatisfy { lines.contains($0) }
      }

      try await device.destroy()
      try await eventually("\(device.node) goes") { watch.stdout.hasSuffix("gone\n") }
      try await watch.end()
    }

    struct Row: Sendable, CustomTestStringConvertible {
      var device: GuestDevice.Description
      var description: [String]
      var events: String

      init(_ device: GuestDevice.Description, is description: [String], sends events: String) {
        self.device = device
        self.description = description
        self.events = events
      }

      var testDescription: String { device.name }
    }

    @Test
    func `the tablet is moved and pressed from outside`() async throws {
      let machine = try await Machines.main()
      let node = try await machine.tabletNode()
      let watch = try await machine.spawn("exec vm-guest watch \(node)")
      try await eventually("\(node) is watched") { watch.stdout.contains("watching\n") }
      // Somewhere else first: a place where it is already would not be reported.
      try await machine.movePointer(toX: 3, y: 5)
      try await machine.movePointer(toX: 640, y: 400)
      try await machine.pressPointer(true)
      try await machine.pressPointer(false)
      try await eventually("the tablet's button is seen up again, not \(watch.stdout)") {
        watch.stdout.hasSuffix("BTN_LEFT=0\nSYN_REPORT=0\n")
      }
      #expect(watch.stdout.contains("ABS_X=16396\n"))
      #expect(watch.stdout.contains("ABS_Y=16403\n"))
      #expect(watch.stdout.contains("BTN_LEFT=1\n"))
      try await watch.signal("KILL")
      #expect(try await watch.end() == 137)
      #expect(try await watch.hasEnded)
    }
  }
}
