import Testing

extension VirtualMachineTests {
  /// Devices that go, come, stall and lie.
  @Suite struct Devices {
    @Test
    func `a device that is removed cancels its touch, and the others continue`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let (left, knob) = (daemon.scene.left, daemon.scene.knob)
      try await finger.down(at: left.centre)
      try await daemon.shows(left, lit: true)

      try await device.destroy()
      try await daemon.shows(left, lit: false)
      try await daemon.delivers("cancelled")
      #expect(try daemon.trace.responders(in: "cancelled") == left.chain)
      #expect(try daemon.trace.responders(in: "ended") == [])
      #expect(daemon.record.last?.hasPrefix("cancelled ") == true)

      let other = try await Finger.make(.tablet, in: machine)
      try await other.down(at: knob.centre)
      try await daemon.shows(knob, lit: true)
      try await other.up()
      try await daemon.shows(knob, lit: false)
      try await daemon.stop()
    }

    @Test
    func `a device that is plugged in while it runs is used`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine)
      for _ in 1...2 {
        let finger = try await Finger.make(.multitouch, in: machine)
        let device = try #require(finger.device)
        try await daemon.opens(device.node)
        try await finger.down(at: daemon.scene.knob.centre)
        try await daemon.shows(daemon.scene.knob, lit: true)
        try await finger.up()
        try await daemon.shows(daemon.scene.knob, lit: false)
        try await device.destroy()
      }
      try await daemon.stop()
    }

    @Test(arguments: [
      Finger.Kind.multitouch, .singleTouch,
    ])
    func `a contact that was down before the start is ignored until it lifts`(_ kind: Finger.Kind)
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(kind, in: machine)
      let device = try #require(finger.device)
      let scene = Scene()
      try await finger.down(at: scene.left.centre, contact: 1)
      let daemon = try await Daemon.start(scene, in: machine, devices: [device])

      // It moves and lifts; its next touch counts.
      try await device.frame(kind == .multitouch ? "ABS_MT_POSITION_X=12345" : "ABS_X=777")
      try await finger.up()
      try await finger.down(at: scene.knob.centre, contact: 2)
      try await daemon.shows(scene.knob, lit: true)
      try await finger.up()
      try await daemon.shows(scene.knob, lit: false)
      #expect(try daemon.trace.hits == ["knob"])
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "ended"]])
      #expect(daemon.record.allSatisfy { $0.contains(" view=knob ") })
      try await daemon.stop()
    }

    @Test
    func `after dropped events the touch that is gone is cancelled, and the one that is down begins`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let (left, knob) = (daemon.scene.left, daemon.scene.knob)
      try await finger.down(at: left.centre, contact: 1)
      try await daemon.shows(left, lit: true)

      // More than the kernel keeps for a reader that does not read.
      try await daemon.signal("STOP")
      try await device.send((0..<3000).map { "frame ABS_MT_POSITION_X=\(11_000 + $0 % 2)" })
      try await finger.up()
      try await finger.down(at: knob.centre, contact: 2)
      try await device.send(["say written"])
      try await daemon.signal("CONT")

      try await daemon.shows(knob, lit: true)
      try await daemon.shows(left, lit: false)
      try await finger.up()
      try await daemon.shows(knob, lit: false)
      #expect(try daemon.trace.hits == ["left", "knob"])
      #expect(try daemon.trace.responders(in: "cancelled") == left.chain)
      #expect(try daemon.trace.responders(in: "ended") == knob.chain)
      try await daemon.stop()
    }

    @Test
    func `a tracking id that changes without a lift ends a touch and begins another, which is no bug`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      try await finger.down(at: daemon.scene.left.centre, contact: 5)
      try await daemon.shows(daemon.scene.left, lit: true)
      for contact in [6, 5, 7] {
        try await device.frame("ABS_MT_TRACKING_ID=\(contact)")
      }
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)

      let lives = try daemon.trace.lives
      #expect(lives.count == 4)
      for (touch, life) in lives { #expect(life == ["began", "ended"], "touch \(touch)") }
      #expect(!daemon.log.contains("kernel bug"))
      try await daemon.stop()
    }

    @Test
    func `a contact outside the declared range touches the edge`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      try await device.send([
        "frame ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=900000 ABS_MT_POSITION_Y=-900000 BTN_TOUCH=1",
        "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0",
      ])
      // Whatever it made of that, the next touch is whole.
      try await finger.down(at: daemon.scene.knob.centre, contact: 2)
      try await daemon.shows(daemon.scene.knob, lit: true)
      try await finger.up()
      try await daemon.shows(daemon.scene.knob, lit: false)
      #expect(try daemon.trace.lives.values.allSatisfy { $0 == ["began", "ended"] })
      #expect(daemon.record.allSatisfy { $0.contains(" view=knob ") })
      try await daemon.stop()
    }

    @Test
    func `devices --json lists each device`() async throws {
      let machine = try await Machines.main()
      let devices = [
        GuestDevice.Description.multitouch(name: "Panel 1", x: 0...100, y: 0...100),
        .singleTouch(name: "Panel \"2\"", x: 0...100, y: 0...100), .mouse(name: "Mäuschen"),
      ]
      for device in devices { _ = try await GuestDevice.make(device, in: machine) }
      let output = try await machine.run("touchtree devices --json")
      #expect(output.status == 0)
      let kinds = try DeviceListing(output.stdout).kinds
      #expect(kinds["Panel 1"] == "multitouch")
      #expect(kinds["Panel \"2\""] == "single-touch")
      #expect(kinds["Mäuschen"] == "relative-pointer")
      #expect(kinds["QEMU Virtio Tablet"] == "absolute-pointer")
      #expect(kinds.keys.contains("QEMU Virtio Keyboard"))
      #expect(kinds["QEMU Virtio Keyboard"] == String?.none)
    }

    @Test
    func `devices prints what a bug report needs: identity, node, size, protocol, contacts`() async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(
        .init(
          name: "VM sized",
          lines: [
            "phys usb-vm/input0", "id 3 0xeef 0xa107 1", "property INPUT_PROP_DIRECT", "key BTN_TOUCH",
            "abs ABS_MT_SLOT 0 9", "abs ABS_MT_TRACKING_ID 0 65535", "abs ABS_MT_POSITION_X 0 4095 0 0 13",
            "abs ABS_MT_POSITION_Y 0 4095 2 0 24",
          ]), in: machine)
      let listed = try #require(
        try DeviceListing(await machine.run("touchtree devices --json").stdout).devices
          .first { $0.path == device.node })
      #expect(listed.syspath?.hasPrefix("/sys/devices/virtual/input/input") == true)
      #expect(listed.phys == "usb-vm/input0")
      #expect(listed.protocol == "B")
      #expect(listed.contacts == 10)
      #expect(listed.widthMillimetres == 315)
      #expect(listed.heightMillimetres == 170.625)
      #expect(listed.stanza == "- match: {name: \"VM sized\", vendor: 0x0eef, product: 0xa107}")
      let text = try await machine.run("touchtree devices").stdout
      let lines = [
        "\(device.node)  VM sized", "  used as multitouch: It is a multitouch screen: 10 slots, ",
        "  bus 0x0003, vendor 0x0eef, product 0xa107, version 0x0001, phys usb-vm/input0",
        "  /sys/devices/virtual/input/input",
        "  ABS_MT_POSITION_Y 0…4095, fuzz 2, 24 units a millimetre, 170.63 mm",
        "  315 × 171 mm", "  multitouch protocol B, up to 10 contacts",
        "  configuration: - match: {name: \"VM sized\", vendor: 0x0eef, product: 0xa107}",
      ]
      for line in lines { #expect(text.contains(line), "\(line) is not in\n\(text)") }
    }
  }
}
