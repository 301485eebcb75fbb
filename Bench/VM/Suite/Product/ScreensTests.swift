import Testing

extension VirtualMachineTests {
  /// More than one panel at once.
  @Suite struct Screens {
    @Test
    func `panels with different regions and rotations are touched at once`() async throws {
      let machine = try await Machines.main()
      let names = ["VM left", "VM right", "VM whole"]
      var devices: [GuestDevice] = []
      for name in names {
        devices.append(
          try await GuestDevice.make(.multitouch(name: name, x: 0...999, y: 0...999), in: machine))
      }
      var scene = Scene()
      scene.layout = .corners
      scene.input = [
        "devices:",
        "  - {match: {name: VM left}, output: [0, 0, 640, 800]}",
        "  - {match: {name: VM right}, output: [640, 0, 640, 800], rotation: 180}",
        "  - {match: {name: VM whole}, calibration: [0, 1, 0, 1, 0, 0]}",
      ]
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", devices: devices)
      // The same slots, tracking ids and places on each.
      let down = "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=900 ABS_MT_POSITION_Y=100"
      let second = "ABS_MT_SLOT=1 ABS_MT_TRACKING_ID=2 ABS_MT_POSITION_X=900 ABS_MT_POSITION_Y=900"
      for device in devices { try await device.send(["frame \(down)", "frame \(second)"]) }
      try await daemon.eventually("six fingers are down") { try daemon.trace.hits.count == 6 }
      #expect(
        try daemon.trace.hits == [
          "upper-left", "lower-left", "lower-right", "upper-right", "lower-left", "lower-right",
        ])
      #expect(try daemon.trace.lives.values.allSatisfy { $0 == ["began"] })
      // One goes in mid-touch; the others do not notice.
      try await devices[1].destroy()
      try await daemon.eventually("its two touches are cancelled") {
        try daemon.trace.lives.values.count { $0 == ["began", "cancelled"] } == 2
      }
      for device in [devices[0], devices[2]] {
        try await device.send([
          "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1 ABS_MT_SLOT=1 ABS_MT_TRACKING_ID=-1"
        ])
      }
      try await daemon.eventually("the other four have ended") {
        try daemon.trace.lives.values.count { $0 == ["began", "ended"] } == 4
      }
      #expect(try daemon.trace.lives.count == 6)
      try await daemon.stop()
    }
  }
}
