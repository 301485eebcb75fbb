import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// `touchtree calibrate`, by touching what it shows.
  @Suite struct Calibration {
    /// A panel whose axes are swapped, one of them mirrored, and both of them off: it reports nothing that is
    /// true.
    private struct SkewedPanel {
      static let description = GuestDevice.Description(
        name: "Skewed \"Panel\"",
        lines: [
          "id 0x18 0x1234 0xabcd 1", "property INPUT_PROP_DIRECT", "key BTN_TOUCH",
          "abs ABS_X 0 4095 0 0 20", "abs ABS_Y -500 3500 0 0 30", "abs ABS_MT_SLOT 0 4",
          "abs ABS_MT_TRACKING_ID 0 65535", "abs ABS_MT_POSITION_X 0 4095 0 0 20",
          "abs ABS_MT_POSITION_Y -500 3500 0 0 30",
        ])

      let device: GuestDevice

      func position(_ pixel: (x: Int, y: Int)) -> String {
        let across = Double(pixel.x) / 1280
        let down = Double(pixel.y) / 800
        let x = 300 + 3500 * down + 40 * across
        let y = 3300 - 3600 * across + 25 * down
        return "ABS_MT_POSITION_X=\(Int(x)) ABS_MT_POSITION_Y=\(Int(y))"
      }

      func down(at pixel: (x: Int, y: Int), contact: Int) async throws {
        try await device.frame("ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact) \(position(pixel)) BTN_TOUCH=1")
      }

      func up() async throws {
        try await device.frame("ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0")
      }
    }

    private static let config = "printf 'display: {console: hide}\\nwindow: {}\\n' >/tmp/calibrate.yaml"

    private func start(_ arguments: String, in machine: VirtualMachine) async throws -> GuestProcess {
      try await machine.spawn(
        "\(Self.config); exec touchtree calibrate --config /tmp/calibrate.yaml \(arguments)")
    }

    /// Waits for a point, and returns the pixel that it asks to touch.
    private func asked(for name: String, by process: GuestProcess) async throws -> (x: Int, y: Int) {
      var pixel: (x: Int, y: Int)?
      try await eventually("\(name) is asked for, not\n\(process.stderr)") {
        if try await process.hasEnded { throw MachineError("calibrate has ended: \(process.stderr)") }
        let line = process.stderr.split(separator: "\n").last { $0.hasPrefix("\(name): ") }
        let numbers = line?.split { !$0.isNumber }.suffix(2).compactMap { Int($0) } ?? []
        pixel = numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        return pixel != nil
      }
      return try #require(pixel)
    }

    /// Touches everything that it asks for, and returns when it has ended.
    private func touchAll(_ panel: SkewedPanel, _ process: GuestProcess, beside: Bool = false) async throws {
      let names = (1...5).map { "point \($0) of 5" } + ["the check point"]
      for (index, name) in names.enumerated() {
        let pixel = try await asked(for: name, by: process)
        let machine = process.machine
        try await eventually("the cross is shown at \(pixel)") {
          let picture = try await machine.framebuffer()
          return picture[pixel.x, pixel.y] == Colour(0xff_ff_ff)
            && picture[pixel.x + 10, pixel.y] == Colour(0xff_ff_ff)
            && picture[pixel.x + 10, pixel.y + 10] != Colour(0xff_ff_ff)
        }
        if beside && index == 1 {
          // A second finger, far away: that press counts for nothing.
          try await panel.device.send([
            "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=90 \(panel.position((9, 9))) BTN_TOUCH=1",
            "frame ABS_MT_SLOT=1 ABS_MT_TRACKING_ID=91 \(panel.position((700, 700)))", "sleep 60",
            "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1",
            "frame ABS_MT_SLOT=1 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0", "sleep 150",
          ])
        }
        // One wild position among good ones.
        try await panel.device.send([
          "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(index) \(panel.position(pixel)) BTN_TOUCH=1", "sleep 20",
          "frame \(panel.position((pixel.x + 40, pixel.y + 30)))", "sleep 20",
          "frame \(panel.position(pixel))", "sleep 20",
          "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0",
        ])
      }
    }

    @Test
    func `a skewed panel is calibrated by touch, and its snippet puts each touch where the finger is`()
      async throws
    {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let panel = SkewedPanel(device: try await GuestDevice.make(SkewedPanel.description, in: machine))
      let process = try await start("", in: machine)
      try await touchAll(panel, process, beside: true)
      #expect(try await process.end() == 0, "\(process.stderr)")
      #expect(process.stderr.contains("calibrating Skewed \"Panel\" (\(panel.device.node))"))
      #expect(process.stderr.contains("Two fingers."))
      #expect(process.stderr.contains("the panel is turned by 90 degrees: go on"), "\(process.stderr)")
      #expect(process.stderr.contains(" mm), at the check point by "), "\(process.stderr)")
      let stanza = process.stdout
      #expect(stanza.hasPrefix("# touchtree calibrate: off by "))
      #expect(stanza.contains("{name: \"Skewed \\\"Panel\\\"\", vendor: 0x1234, product: 0xabcd}"))
      #expect(stanza.contains("calibrated_for: {rotation: 0, axes: [0, 4095, -500, 3500]}"))
      #expect(try await machine.consoleModes() == before)

      let daemon = try await Daemon.start(
        Scene(input: Scene.input(of: stanza)), in: machine, devices: [panel.device])
      for (index, target) in [daemon.scene.left, daemon.scene.knob].enumerated() {
        try await panel.down(at: target.centre, contact: 200 + index)
        try await daemon.shows(target, lit: true)
        try await panel.up()
        try await daemon.shows(target, lit: false)
      }
      for line in try daemon.trace where line.event == "touch" && line.responder == line.view {
        #expect(line.point != nil)
      }
      let begins = try daemon.trace.filter { $0.phase == "began" && $0.responder == "window" }.compactMap(
        \.point)
      for (begin, target) in zip(begins, [daemon.scene.left, daemon.scene.knob]) {
        #expect(
          abs(begin[0] - Double(target.centre.x)) < 3 && abs(begin[1] - Double(target.centre.y)) < 3,
          "\(begin)")
      }
      #expect(begins.count == 2)
      try await daemon.stop()

      // What it was made for is not so any more.
      let turned = stanza.replacingOccurrences(of: "{rotation: 0,", with: "{rotation: 90,")
      let stale = try await Daemon.start(
        Scene(input: Scene.input(of: turned)), in: machine, devices: [panel.device])
      #expect(stale.log.contains("the calibration is stale and ignored"), "\(stale.log)")
      try await stale.stop()
    }

    /// Nothing else tells: its driver declares the width of the panel for the axis along its height.
    @Test
    func `two touches tell that a panel's ranges are declared for each other`() async throws {
      let machine = try await Machines.main()
      let panel = try await GuestDevice.make(
        GuestDevice.Description(
          name: "Transposed panel",
          lines: ["property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 799", "abs ABS_Y 0 1279"]),
        in: machine)
      let process = try await start("--device \(panel.node)", in: machine)
      for name in ["point 1 of 5", "point 2 of 5"] {
        let pixel = try await asked(for: name, by: process)
        try await panel.send([
          "frame ABS_X=\(pixel.x) ABS_Y=\(pixel.y) BTN_TOUCH=1", "sleep 60", "frame BTN_TOUCH=0",
        ])
      }
      try await eventually("it says what is wrong, not\n\(process.stderr)") {
        process.stderr.contains(
          "the driver declares the range of each axis for the other one (x 0…799, y 0…1279)")
      }
      try await process.signal("TERM")
      #expect(try await process.end() == 1)
      try await panel.destroy()
    }

    @Test
    func `calibrate ignores the device's calibration, and writes libinput's udev rule`() async throws {
      let machine = try await Machines.main()
      let panel = SkewedPanel(device: try await GuestDevice.make(SkewedPanel.description, in: machine))
      let process = try await machine.spawn(
        """
        cat >/tmp/calibrated.yaml <<'END'
        input: {devices: [{match: {vendor: 0x1234}, calibration: [0.1, 0, 0, 0, 0.1, 0], rotation: 90}]}
        window: {}
        END
        exec touchtree calibrate --config /tmp/calibrated.yaml --device \(panel.device.node) --udev -o /tmp/99.rules
        """)
      try await touchAll(panel, process)
      #expect(try await process.end() == 0, "\(process.stderr)")
      #expect(process.stdout == "")
      let rule = try await machine.run("cat /tmp/99.rules").stdout
      #expect(
        rule.contains(#"ATTRS{name}=="Skewed ?Panel?", ATTRS{id/vendor}=="1234", ATTRS{id/product}=="abcd""#))
      let matrix =
        rule.split(separator: "\"").dropLast().last?.split(separator: " ").compactMap { Double($0) } ?? []
      // x comes from the device's y, mirrored; y from its x.
      #expect(matrix.count == 6, "\(rule)")
      #expect(abs(matrix[0]) < 0.05 && matrix[1] < -1 && matrix[3] > 1 && abs(matrix[4]) < 0.05, "\(rule)")
    }

    @Test(arguments: ["key", "terminal", "TERM", "silence"])
    func `calibrate can be left without touch: it writes nothing and restores the console`(_ way: String)
      async throws
    {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let panel = try await GuestDevice.make(SkewedPanel.description, in: machine)
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_A KEY_ENTER"]), in: machine)
      let (folder, guest) = try await machine.newFolder()
      // It shows on one terminal and is started from another, where no keyboard types.
      try """
      \(Self.config)
      touchtree calibrate --config /tmp/calibrate.yaml --tty /dev/tty1 --timeout \(way == "silence" ? 1 : 600) \
        </dev/tty5 >\(guest)/out 2>\(guest)/err
      echo $? >\(guest)/status

      """.write(to: folder.appending(path: "run.sh"), atomically: true, encoding: .utf8)
      let process = try await machine.spawn("exec setsid sh \(guest)/run.sh")
      let text = { (name: String) in
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
      }
      try await eventually("the first point is asked for: \(text("err"))") {
        text("err").contains("point 1 of 5")
      }
      if way != "silence" {
        #expect(try await machine.consoleModes().hasPrefix("display=graphics "))
      }
      switch way {
      case "key": try await keyboard.send(["frame KEY_ENTER=1", "frame KEY_ENTER=0"])
      case "terminal": try await machine.run("vm-guest console /dev/tty5 type x")
      case "TERM": try await machine.run("kill -TERM $(pidof touchtree)")
      default: break
      }
      try await eventually("calibrate has ended: \(text("err"))") { text("status") == "1\n" }
      let reasons = [
        "key": "by a key", "terminal": "by a key", "TERM": "by a signal",
        "silence": "no valid touch for 1 second",
      ]
      #expect(text("err").contains("\(reasons[way] ?? ""); nothing was written"), "\(text("err"))")
      #expect(text("out") == "")
      #expect(try await machine.consoleModes() == before)
      try await process.end()
      try await keyboard.destroy()
      try await panel.destroy()
    }
  }
}
