import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// The whole way: kernel event, contact, hit test, chain, plugin, highlight, display.
  @Suite struct Touching {
    @Test(arguments: Finger.Kind.allCases, [Scene().left, Scene().knob])
    func `a touch highlights its view, goes up the chain and reaches the plugin, until the lift`(
      _ kind: Finger.Kind, _ target: Scene.Target
    ) async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(kind, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [finger.device].compactMap(\.self))
      try await daemon.shows(target, lit: false)

      try await finger.down(at: target.centre)
      try await daemon.shows(target, lit: true)
      try await daemon.delivers("began")
      #expect(try daemon.trace.hits == [target.view])
      #expect(try daemon.trace.first { $0.event == "chain" }?.responders == target.chain)
      #expect(try daemon.trace.responders(in: "began") == target.chain)
      #expect(try daemon.trace.responders(in: "ended") == [])

      try await finger.up()
      try await daemon.shows(target, lit: false)
      try await daemon.delivers("ended")
      #expect(try daemon.trace.responders(in: "began") == target.chain)
      #expect(try daemon.trace.responders(in: "ended") == target.chain)
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "ended"]])

      // The middle of the view, give or take the device's own coarseness.
      let began = try #require(try daemon.trace.first { $0.event == "touch" && $0.phase == "began" })
      let point = try #require(began.point)
      #expect(abs(point[0] - Double(target.frame[2] / 2)) < 1.5)
      #expect(abs(point[1] - Double(target.frame[3] / 2)) < 1.5)
      #expect(began.disposition == "forward")

      let calls = daemon.record
      #expect(calls.count { $0.hasPrefix("began ") } == 1)
      #expect(calls.count { $0.hasPrefix("ended ") } == 1)
      #expect(calls.first?.hasPrefix("began ") == true)
      #expect(calls.last?.hasPrefix("ended ") == true)
      #expect(calls.allSatisfy { $0.contains(" view=\(target.view) ") })

      #expect(try await daemon.stop() == 0)
    }

    /// Its part of Swift's runtime lies beside the program's.
    @Test
    func `a plugin in Swift is loaded, and changes the view that is touched`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      var scene = Scene()
      scene.plugin = "/usr/lib/touchtree/liblamp.so"
      let daemon = try await Daemon.start(scene, in: machine, devices: [finger.device].compactMap(\.self))
      let (x, y) = scene.left.centre
      for (contact, colour) in [(1, Colour(0xff_d7_5e)), (2, Colour(0x3a_3a_3a))] {
        try await finger.down(at: scene.left.centre, contact: contact)
        try await finger.up()
        try await daemon.eventually("the lamp is \(colour)") { try await machine.pixel(x, y) == colour }
      }
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `two fingers highlight two views at once, each until its own finger lifts`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let (left, knob) = (daemon.scene.left, daemon.scene.knob)

      // Both in one frame, in slots that are not next to each other.
      try await device.frame(
        "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=7 \(finger.multitouchPosition(left.centre)) "
          + "ABS_MT_SLOT=4 ABS_MT_TRACKING_ID=8 \(finger.multitouchPosition(knob.centre)) BTN_TOUCH=1")
      try await daemon.shows(left, lit: true)
      try await daemon.shows(knob, lit: true)

      try await device.frame("ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1")
      try await daemon.shows(left, lit: false)
      try await daemon.shows(knob, lit: true)

      try await device.frame("ABS_MT_SLOT=4 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0")
      try await daemon.shows(knob, lit: false)
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "ended"], ["began", "ended"]])
      try await daemon.stop()
    }

    @Test
    func `a quick tap, within one millisecond, is delivered completely`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let taps = 1...20
      try await device.send(
        taps.flatMap {
          [
            "frame ABS_MT_TRACKING_ID=\($0) \(finger.multitouchPosition(daemon.scene.knob.centre)) BTN_TOUCH=1",
            "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0",
          ]
        })
      try await daemon.eventually("\(taps.count) taps have ended") {
        try daemon.trace.responders(in: "ended").count { $0 == "application" } == taps.count
      }
      #expect(try daemon.trace.lives.count == taps.count)
      #expect(try daemon.trace.lives.values.allSatisfy { $0 == ["began", "ended"] })
      try await daemon.stop()
    }

    @Test
    func
      `keys without coordinates are where the example's stacks put them on this display, and a code opens the lock`()
      async throws
    {
      let example = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../config/examples/keypad.yaml").standardized
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let handler = try String(
        contentsOf: example.deletingLastPathComponent().appending(path: "keypad.sh"), encoding: .utf8)
      try await machine.run("cat >/run/keypad.sh <<'END'\n\(handler)END\nchmod 755 /run/keypad.sh")
      // Not private here: the trace shows which keys are pressed.
      let configuration = try String(contentsOf: example, encoding: .utf8)
        .replacing("private: true", with: "private: false").replacing("./keypad.sh", with: "/run/keypad.sh")
      let daemon = try await Daemon.start(
        in: machine, devices: [finger.device].compactMap(\.self), configuration: configuration)
      func shows(_ colour: Colour) async throws {
        try await daemon.eventually("the label is \(colour)") {
          let picture = try await machine.framebuffer()
          return (27..<293).contains { x in (27..<160).contains { picture[x, $0] == colour } }
        }
      }
      try await shows(Colour(0xa3_ad_bb))
      // A grid of 3 columns and 4 rows below a line of 40, on 384 × 240 units, which are 1280 × 800 pixels.
      var presses: [String] = []
      func press(_ key: String, _ x: Int, _ y: Int) async throws {
        presses.append(key)
        try await finger.down(at: (x, y), contact: presses.count)
        try await finger.up()
        try await daemon.eventually("\(presses) are pressed") {
          try daemon.trace.hits == presses && daemon.trace.lives.count == presses.count
            && daemon.trace.lives.values.allSatisfy { $0 == ["began", "ended"] }
        }
      }
      for (key, x, y) in [("key-5", 640, 403), ("clear", 222, 710), ("ok", 1058, 710)] {
        try await press(key, x, y)
      }
      try await shows(Colour(0xa3_ad_bb))
      let code = [("key-2", 640, 250), ("key-5", 640, 403), ("key-8", 640, 557), ("key-0", 640, 710)]
      for (key, x, y) in code + [("ok", 1058, 710)] {
        try await press(key, x, y)
      }
      try await shows(Colour(0x35_c9_82))
      try await daemon.stop()
    }
  }
}
