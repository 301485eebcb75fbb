import Testing

extension VirtualMachineTests {
  /// The faults of drivers, and the habits of few.
  @Suite struct OddDevices {
    struct Row: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var device: GuestDevice.Description
      var frames: [String]
      /// The views that are hit, in order.
      var hits: [String]
      /// The outcome of each touch, in order.
      var lives: [[String]]
      var says: String?
    }

    /// 1280×800, ten slots, with everything that a contact can say.
    private static let panel = GuestDevice.Description(
      name: "VM panel",
      lines: [
        "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 1279", "abs ABS_Y 0 799",
        "abs ABS_MT_SLOT 0 9",
        "abs ABS_MT_TRACKING_ID 0 65535", "abs ABS_MT_POSITION_X 0 1279", "abs ABS_MT_POSITION_Y 0 799",
        "abs ABS_MT_TOOL_TYPE 0 2", "abs ABS_MT_TOUCH_MAJOR 0 255", "abs ABS_MT_DISTANCE 0 15",
        "abs ABS_MT_PRESSURE 0 255",
      ])
    private static let list = GuestDevice.Description(
      name: "VM list panel",
      lines: ["key BTN_TOUCH", "abs ABS_X 0 1279", "abs ABS_Y 0 799", "abs ABS_MT_POSITION_X 0 1279"]
        + ["abs ABS_MT_POSITION_Y 0 799", "abs ABS_MT_TOUCH_MAJOR 0 255"])

    private static func single(_ name: String, _ lines: [String]) -> GuestDevice.Description {
      GuestDevice.Description(name: name, lines: lines + ["abs ABS_X 0 1279", "abs ABS_Y 0 799"])
    }

    private static let tap = ["began", "ended"]
    private static let upperLeft = "ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100"
    private static let lowerRight = "ABS_MT_POSITION_X=1200 ABS_MT_POSITION_Y=700"

    static let rows = [
      Row(
        testDescription: "a palm at began is never delivered, even if it turns into a finger",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_TOOL_TYPE=2 \(upperLeft)", "ABS_MT_TOOL_TYPE=0",
          "ABS_MT_POSITION_X=90", "ABS_MT_TRACKING_ID=-1", "ABS_MT_TRACKING_ID=2 \(lowerRight)",
          "ABS_MT_TRACKING_ID=-1",
        ], hits: ["lower-right"], lives: [tap]),
      Row(
        testDescription: "a finger that turns into a palm is cancelled, and dead until it lifts",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 \(upperLeft)", "ABS_MT_TOOL_TYPE=2", "ABS_MT_TOOL_TYPE=0",
          "ABS_MT_POSITION_X=90", "ABS_MT_TRACKING_ID=-1", "ABS_MT_TRACKING_ID=2 \(lowerRight)",
          "ABS_MT_TRACKING_ID=-1",
        ], hits: ["upper-left", "lower-right"], lives: [["began", "cancelled"], tap]),
      Row(
        testDescription: "a finger that hovers touches when it lands, and has ended when it rises (QUANTA)",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_DISTANCE=9 \(upperLeft)", lowerRight,
          "ABS_MT_DISTANCE=0",
          "ABS_MT_DISTANCE=3", upperLeft, "ABS_MT_DISTANCE=0", "ABS_MT_TRACKING_ID=-1",
        ], hits: ["lower-right", "upper-left"], lives: [tap, tap]),
      Row(
        testDescription: "a size of 0 is that of a light finger, which stays down",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_TOUCH_MAJOR=8 \(upperLeft)", "ABS_MT_TOUCH_MAJOR=0",
          "ABS_MT_TOUCH_MAJOR=7", "ABS_MT_TRACKING_ID=-1",
        ], hits: ["upper-left"], lives: [tap]),
      Row(
        testDescription: "on a multitouch panel, BTN_TOUCH and ABS_X say nothing",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 \(upperLeft) BTN_TOUCH=1 ABS_X=1200 ABS_Y=700", "BTN_TOUCH=0",
          "BTN_TOUCH=1 ABS_X=3", "BTN_TOUCH=0", "ABS_MT_TRACKING_ID=-1",
        ], hits: ["upper-left"], lives: [tap]),
      Row(
        testDescription: "a ghost far outside hits what is on the edge, and is logged once (ft5x06)",
        device: panel,
        frames: [
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=499 ABS_MT_POSITION_Y=-3616",
          "ABS_MT_TRACKING_ID=-1",
          "ABS_MT_TRACKING_ID=2 ABS_MT_POSITION_X=498 ABS_MT_POSITION_Y=-3610", "ABS_MT_TRACKING_ID=-1",
        ], hits: ["upper-left", "upper-left"], lives: [tap, tap],
        says: "reports y -3616, outside its own range"),
      Row(
        testDescription: "a tap within one frame is a tap",
        device: panel,
        frames: ["ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 \(upperLeft) ABS_MT_TRACKING_ID=-1"],
        hits: ["upper-left"], lives: [tap]),
      Row(
        testDescription: "two fingers of one list, one of which goes on (N-Trig)",
        device: list,
        frames: [
          "\(upperLeft) SYN_MT_REPORT=0 \(lowerRight) SYN_MT_REPORT=0 BTN_TOUCH=1",
          "\(lowerRight) SYN_MT_REPORT=0", "BTN_TOUCH=0",
        ], hits: ["upper-left", "lower-right"], lives: [tap, tap]),
      Row(
        testDescription: "a list in another order is the same fingers",
        device: list,
        frames: [
          "\(upperLeft) SYN_MT_REPORT=0 \(lowerRight) SYN_MT_REPORT=0",
          "\(lowerRight) SYN_MT_REPORT=0 \(upperLeft) SYN_MT_REPORT=0", "SYN_MT_REPORT=0",
        ], hits: ["upper-left", "lower-right"], lives: [tap, tap]),
      Row(
        testDescription: "a panel with a mouse button is a panel (eGalaxTouch Virtual)",
        device: single("VM eGalax", ["property INPUT_PROP_DIRECT", "key BTN_LEFT BTN_RIGHT"]),
        frames: ["ABS_X=100 ABS_Y=100 BTN_LEFT=1", "BTN_LEFT=0", "BTN_RIGHT=1", "BTN_RIGHT=0"],
        hits: ["upper-left"], lives: [tap]),
      Row(
        testDescription: "slots that are there only because every axis is (fake multitouch)",
        device: single(
          "VM fake",
          ["key BTN_TOUCH", "abs 46 0 255", "abs ABS_MT_SLOT 0 5", "abs ABS_MT_POSITION_X 0 255"]
            + ["abs ABS_MT_POSITION_Y 0 255"]),
        frames: ["ABS_X=100 ABS_Y=100 BTN_TOUCH=1", "BTN_TOUCH=0"], hits: ["upper-left"], lives: [tap]),
      Row(
        testDescription: "slots without positions leave the one finger",
        device: single("VM slots", ["key BTN_TOUCH", "abs ABS_MT_SLOT 0 5", "abs ABS_MT_TRACKING_ID 0 255"]),
        frames: ["ABS_X=1200 ABS_Y=700 BTN_TOUCH=1", "BTN_TOUCH=0"], hits: ["lower-right"], lives: [tap]),
      Row(
        testDescription: "a multitouch range of one value leaves the one finger",
        device: single(
          "VM flat",
          ["key BTN_TOUCH", "abs ABS_MT_SLOT 0 5", "abs ABS_MT_TRACKING_ID 0 255"]
            + ["abs ABS_MT_POSITION_X 0 0", "abs ABS_MT_POSITION_Y 0 0"]),
        frames: ["ABS_X=1200 ABS_Y=700 BTN_TOUCH=1", "BTN_TOUCH=0"], hits: ["lower-right"], lives: [tap]),
      Row(
        testDescription: "a panel that never lifts is cancelled at the end, and not before (tslib #140)",
        device: single("VM never up", ["key BTN_TOUCH"]),
        frames: ["ABS_X=100 ABS_Y=100 BTN_TOUCH=1", "ABS_X=1200", "ABS_X=300"], hits: ["upper-left"],
        lives: [["began", "cancelled"]]),
    ]

    @Test(arguments: rows)
    func `an odd device gives whole touches on the right views`(_ row: Row) async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(row.device, in: machine)
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800 --device \(device.node)",
        devices: [device])
      try await device.send(row.frames.map { "frame \($0)" })
      try await daemon.eventually("\(row.hits.count) touches") {
        try daemon.trace.hits.count == row.hits.count
      }
      if !row.lives.contains(where: { $0.last != "ended" }) {
        try await daemon.eventually("every touch has ended") {
          try daemon.trace.lives.values.allSatisfy { $0.last == "ended" }
        }
      }
      #expect(try await daemon.stop() == 0)
      let trace = try daemon.trace
      #expect(trace.hits == row.hits)
      #expect(trace.lives.sorted { $0.key < $1.key }.map(\.value) == row.lives)
      let complaints = daemon.log.split(separator: "\n").filter { $0.contains("kernel bug") }
      #expect(complaints.count == (row.says == nil ? 0 : 1), "\(complaints)")
      if let says = row.says { #expect(complaints.first?.contains(says) == true, "\(complaints)") }
    }

    @Test
    func `an unusable device is rejected with the reason`() async throws {
      let machine = try await Machines.main()
      let xy = ["abs ABS_X 0 799", "abs ABS_Y 0 479"]
      let rows: [(name: String, lines: [String], says: String)] = [
        ("min is max", ["key BTN_TOUCH", "abs ABS_X 0 799", "abs ABS_Y 5 5"], "ABS_Y goes from 5 to 5"),
        ("min above max", ["key BTN_TOUCH"] + xy, "ABS_X goes from 799 to 0"),
        ("no button", xy, "neither BTN_TOUCH, BTN_LEFT nor ABS_PRESSURE"),
        ("x alone", ["key BTN_TOUCH", "abs ABS_X 0 799"], "ABS_X but no ABS_Y"),
        (
          "MT x alone",
          ["key BTN_TOUCH", "abs ABS_MT_SLOT 0 4", "abs ABS_MT_TRACKING_ID 0 9"]
            + ["abs ABS_MT_POSITION_X 0 799"], "ABS_MT_POSITION_X but no ABS_MT_POSITION_Y"
        ),
        ("no axes", ["key BTN_TOUCH"], "BTN_TOUCH, but no axes"),
        ("slots alone", ["abs ABS_MT_SLOT 0 4", "abs ABS_MT_TRACKING_ID 0 9"], "It reports no position"),
        (
          "touchpad", ["property INPUT_PROP_POINTER", "key BTN_TOUCH BTN_TOOL_FINGER BTN_LEFT"] + xy,
          "touchpad"
        ),
        ("pen", ["property INPUT_PROP_DIRECT", "key BTN_TOUCH BTN_TOOL_PEN BTN_STYLUS"] + xy, "a pen"),
        ("stick", ["key BTN_TRIGGER BTN_THUMB"] + xy, "joystick"),
        ("tilt", ["property INPUT_PROP_ACCELEROMETER"] + xy, "accelerometer"),
        ("keyboard", ["key KEY_POWER"], "keys or buttons"),
      ]
      var nodes: [String] = []
      for row in rows {
        let device = try await GuestDevice.make(.init(name: row.name, lines: row.lines), in: machine)
        if row.name == "min above max" { try await device.send(["range ABS_X 799 0"]) }
        nodes.append(device.node)
      }
      let listing = try DeviceListing(await machine.run("touchtree devices --json").stdout)
      for (row, node) in zip(rows, nodes) {
        let device = try #require(listing.devices.first { $0.path == node })
        #expect(device.kind == nil, "\(row.name)")
        #expect(device.reason?.contains(row.says) == true, "\(row.name): \(device.reason ?? "")")
      }
      let run = try await machine.run(
        "touchtree run --config /shared/none.yaml --device \(nodes[0]); touchtree devices")
      #expect(run.stdout.contains("not used: Its driver declares no usable range: ABS_Y goes from 5 to 5."))
    }

    @Test
    func `a mouse that carries multitouch axes is a mouse (Magic Mouse)`() async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(
        .init(
          name: "Magic Mouse",
          lines: [
            "key BTN_LEFT BTN_RIGHT BTN_MIDDLE", "rel REL_X REL_Y REL_WHEEL REL_HWHEEL",
            "abs ABS_MT_SLOT 0 15",
            "abs ABS_MT_TRACKING_ID 0 65535", "abs ABS_MT_POSITION_X -1100 1258 4 0 26",
            "abs ABS_MT_POSITION_Y -1589 2047 4 0 70",
          ]), in: machine)
      let listing = try DeviceListing(await machine.run("touchtree devices --json").stdout)
      #expect(listing.devices.first { $0.path == device.node }?.kind == "relative-pointer")
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800 --device \(device.node)",
        devices: [device])
      // Fingers on its back touch nothing; only the left button presses; the pointer stays on the screen.
      try await device.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=0 ABS_MT_POSITION_Y=0",
        "frame ABS_MT_TRACKING_ID=-1", "frame BTN_RIGHT=1", "frame BTN_RIGHT=0",
        "frame REL_X=9999 REL_Y=9999",
        "frame REL_X=-1270 REL_Y=-790", "frame BTN_LEFT=1", "frame BTN_LEFT=0",
      ])
      try await daemon.eventually("the click has ended") {
        try daemon.trace.lives.values.map(\.self) == [["began", "ended"]]
      }
      #expect(try daemon.trace.hits == ["upper-left"])
      try await daemon.stop()
    }
  }
}
