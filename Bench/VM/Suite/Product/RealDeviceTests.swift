import Testing

extension VirtualMachineTests {
  /// Every device that is known, made by uinput.
  @Suite struct RealDevices {
    @Test(arguments: RealDevice.all)
    func `a real device is classified, matched by its own snippet, and touches the view under it`(
      _ row: RealDevice
    ) async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(row.description, in: machine)
      let listed = try #require(
        try DeviceListing(await machine.run("touchtree devices --json").stdout).devices
          .first { $0.path == device.node })
      #expect(listed.name == row.name)
      #expect(listed.kind == row.kind)
      #expect(listed.reason?.contains(row.says) == true, "\(listed.reason ?? "")")

      var scene = Scene()
      scene.layout = .corners
      let stanza = try #require(listed.stanza)
      scene.input = ["devices:", "  \(stanza)"]
      if let calibration = row.calibration { scene.input.append("    calibration: \(calibration)") }
      // Nobody else, QEMU's tablet included.
      scene.input += ["  - {match: {name: \"*\"}, use: false}"]
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", devices: [device])
      var places = row.places
      var views = Scene.cornerViews
      if let beyond = row.beyond {
        places += [(beyond.0, row.y.lowerBound), (beyond.1, row.y.upperBound)]
        views += ["upper-left", "lower-right"]
      }
      try await device.send(places.enumerated().flatMap { row.tap($0.element, number: $0.offset + 1) })
      try await daemon.eventually("\(places.count) taps have ended") {
        try daemon.trace.lives.values.count { $0.last == "ended" } == places.count
      }
      #expect(try daemon.trace.hits == views)
      #expect(try daemon.trace.lives.values.allSatisfy { $0 == ["began", "ended"] })
      if row.beyond != nil {
        // Beyond the edge, as far as the device says: (4000 - 1000) of 1501 units are 2558 pixels of 1280.
        let began = try daemon.trace.last { $0.phase == "began" && $0.responder == "lower-right" }
        let point = try #require(began?.point)
        #expect(abs(point[0] - (2558.3 - 640)) < 0.5)
      }
      if let complaint = row.complaint {
        #expect(daemon.log.contains(complaint), "\(daemon.log)")
      } else if row.beyond == nil {
        #expect(!daemon.log.contains("kernel bug"), "\(daemon.log)")
      }
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `the collection of real devices is complete`() {
      #expect(RealDevice.all.count == 29)
    }
  }
}
