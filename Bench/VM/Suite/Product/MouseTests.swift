import Foundation
import Testing

extension VirtualMachineTests {
  /// A mouse besides touching, and a filter that waits, on a real kernel.
  @Suite struct Mice {
    private static let mouse = GuestDevice.Description(
      name: "VM mouse",
      lines: ["key BTN_LEFT BTN_RIGHT BTN_MIDDLE", "rel REL_X REL_Y REL_WHEEL REL_WHEEL_HI_RES"])

    /// The actions of a pointer, in the trace's words.
    private struct Line: Decodable {
      var event: String
      var phase: String?
      var button: String?
      var responder: String?
      var point: [Double]?
      var delta: [Double]?

      /// One word or two for what it is, and where or how far.
      var text: String {
        let numbers = (delta ?? point ?? []).map { String($0) }.joined(separator: " ")
        return [event, button, phase, numbers].compactMap(\.self).joined(separator: " ")
      }
    }

    /// The actions of the pointer on the left view, in order.
    private func pointer(_ daemon: Daemon) throws -> [String] {
      let text = daemon.traceText
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return try text[..<end].split(separator: "\n")
        .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        .filter { ["hover", "wheel", "button"].contains($0.event) && $0.responder == "left" }
        .map(\.text)
    }

    @Test
    func `a mouse hovers, turns its wheel once for each turn, and touches with its left button only`()
      async throws
    {
      let machine = try await Machines.main()
      let mouse = try await GuestDevice.make(Self.mouse, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [mouse])
      // Into the corner first: a pointer stops at the edge of the display.
      try await mouse.send(["frame REL_X=-5000 REL_Y=-5000", "frame REL_X=240 REL_Y=300"])
      var expected = ["hover entered 160.0 200.0"]
      // Each step waits for the one before, so that no two moves become one.
      let steps: [(frames: [String], shown: [String])] = [
        (["REL_X=10"], ["hover moved 170.0 200.0"]),
        (["REL_WHEEL=-1 REL_WHEEL_HI_RES=-120"], ["wheel 0.0 -1.0"]),
        (["REL_WHEEL_HI_RES=60"], ["wheel 0.0 0.5"]),
        (
          ["BTN_RIGHT=1", "BTN_RIGHT=0"],
          ["button right pressed 170.0 200.0", "button right released 170.0 200.0"]
        ),
        (["REL_X=1000"], ["hover left"]),
      ]
      for (frames, shown) in steps {
        try await daemon.eventually("the trace has \(expected)") {
          try pointer(daemon).count >= expected.count
        }
        try await mouse.send(frames.map { "frame \($0)" })
        expected += shown
      }
      try await daemon.eventually("the trace has \(expected)") {
        try pointer(daemon).count >= expected.count
      }
      let seen = try pointer(daemon)
      #expect(seen.dropLast() == expected.dropLast())
      #expect(seen.last?.hasPrefix("hover left") == true)
      #expect(try daemon.trace.hits.isEmpty, "neither hovering nor the right button touches")
      try await mouse.send(["frame REL_X=-1000", "frame BTN_LEFT=1", "frame BTN_LEFT=0"])
      try await daemon.delivers("ended")
      #expect(try daemon.trace.hits.count == 1)
      try await daemon.stop()
    }

    @Test
    func `the pointer is drawn while the mouse is used, and not after the screen was touched`() async throws {
      let machine = try await Machines.main()
      let mouse = try await GuestDevice.make(Self.mouse, in: machine)
      let finger = try await Finger.make(.multitouch, in: machine)
      let screen = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [mouse, screen])
      let left = daemon.scene.left
      func isDrawn(_ drawn: Bool, _ when: String) async throws {
        try await daemon.eventually("the pointer is \(drawn ? "" : "not ")drawn \(when)") {
          let picture = try await machine.framebuffer()
          let (x, y) = left.centre
          let isClean = (y - 24..<y + 40).allSatisfy { row in
            (x - 24..<x + 40).allSatisfy { picture[$0, row] == left.background }
          }
          return isClean != drawn
        }
      }
      try await daemon.shows(left, lit: false)
      try await isDrawn(false, "before the mouse comes to the view")
      try await mouse.send([
        "frame REL_X=-5000 REL_Y=-5000", "frame REL_X=\(left.centre.x) REL_Y=\(left.centre.y)",
      ])
      try await isDrawn(true, "while the mouse is used")
      try await finger.down(at: daemon.scene.knob.centre)
      try await isDrawn(false, "once the screen is touched")
      try await finger.up()
      try await daemon.delivers("ended")
      try await isDrawn(false, "after the finger has lifted")
      try await mouse.frame("REL_X=1")
      try await isDrawn(true, "when the mouse moves again")
      try await daemon.stop()
    }

    @Test
    func `a bouncing panel makes one touch, which ends without another frame`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.singleTouch, in: machine)
      let device = try #require(finger.device)
      let scene = Scene(input: [
        "devices:", "  - {match: {name: \"VM single*\"}, filter: {kind: debounce, milliseconds: 1000}}",
      ])
      let daemon = try await Daemon.start(scene, in: machine, devices: [device])
      try await finger.down(at: scene.left.centre)
      try await daemon.delivers("began")
      try await device.send(["frame BTN_TOUCH=0", "sleep 20", "frame BTN_TOUCH=1"])
      try await finger.up()
      try await daemon.delivers("ended")
      #expect(try daemon.trace.lives.values.map(\.self) == [["began", "ended"]])
      try await daemon.stop()
    }
  }
}
