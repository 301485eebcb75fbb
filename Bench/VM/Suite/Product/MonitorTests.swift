import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree monitor`.
  @Suite struct Monitoring {
    struct Line: Decodable {
      struct Event: Decodable {
        var type: String
        var code: String
        var value: Int
      }
      struct Contact: Decodable {
        var change: String
        var position: [Double]
        var window: [Double]
      }
      struct Touch: Decodable {
        var phase: String
        var view: String?
      }

      var event: String
      var device: String
      var state: String?
      var reason: String?
      var filters: [String]?
      var timeUs: Int?
      var events: [Event]?
      var contacts: [Contact]?
      var touches: [Touch]?
      var intervalMs: Double?
    }

    private func lines(of process: GuestProcess) throws -> [Line] {
      let text = process.stdout
      guard let end = text.lastIndex(of: "\n") else { return [] }
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try text[..<end].split(separator: "\n").map {
        try decoder.decode(Line.self, from: Data($0.utf8))
      }
    }

    /// Starts it, and returns when it looks at a device.
    private func start(
      in machine: VirtualMachine, _ arguments: String, scene: Scene = Scene()
    ) async throws -> GuestProcess {
      let (folder, guest) = try await machine.newFolder()
      try scene.yaml(record: "\(guest)/bell.log")
        .write(to: folder.appending(path: "vm.yaml"), atomically: true, encoding: .utf8)
      let process = try await machine.spawn(
        "exec touchtree monitor --config \(guest)/vm.yaml --size 1280x800 \(arguments)")
      try await eventually("the monitor looks at a device") {
        if try await process.hasEnded { throw MachineError("it ended: \(process.stderr)") }
        return process.stdout.contains("\n")
      }
      return process
    }

    @Test
    func `each frame shows the events, the contacts, their positions, and the touches on their views`()
      async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let monitor = try await start(in: machine, "--json --device \(device.node)")
      let target = Scene().left
      try await finger.down(at: target.centre)
      try await device.frame(finger.multitouchPosition((400, 300)))
      try await finger.up()
      try await eventually("three frames are shown") {
        try lines(of: monitor).count { $0.event == "frame" } == 3
      }
      // When the last finger has lifted, a line about delays may follow.
      let shown = try lines(of: monitor).filter { $0.event != "latency" }
      #expect(shown[0].event == "device" && shown[0].state == "used" && shown[0].device == "VM touchscreen")
      #expect(shown.dropFirst().map { $0.touches?.map(\.phase) } == [["began"], ["moved"], ["ended"]])
      #expect(shown.dropFirst().allSatisfy { $0.touches?.map(\.view) == ["left"] })
      #expect(shown.dropFirst().map { $0.contacts?.map(\.change) } == [["began"], ["moved"], ["ended"]])
      let codes = shown[1].events?.map(\.code)
      #expect(
        codes == ["ABS_MT_TRACKING_ID", "ABS_MT_POSITION_X", "ABS_MT_POSITION_Y", "BTN_TOUCH"])
      let place = try #require(shown[1].contacts?.first?.window)
      #expect(abs(place[0] - Double(target.centre.x)) < 1.5 && abs(place[1] - Double(target.centre.y)) < 1.5)
      #expect(shown[1].intervalMs == nil && shown[2].intervalMs != nil)
      try await monitor.signal("INT")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
    }

    @Test
    func `a lift that a filter delays is shown when it is released, without a frame`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.singleTouch, in: machine)
      let device = try #require(finger.device)
      var scene = Scene()
      scene.input = [
        "devices:", "  - {match: {name: \"VM single*\"}, filter: {kind: debounce, milliseconds: 300}}",
      ]
      let monitor = try await start(in: machine, "--json --device \(device.node)", scene: scene)
      try await finger.down(at: scene.left.centre)
      try await finger.up()
      try await eventually("the lift is shown") { try lines(of: monitor).contains { $0.event == "deadline" } }
      let shown = try lines(of: monitor)
      #expect(shown[0].filters == ["debounce"])
      let frames = shown.filter { $0.event == "frame" }
      #expect(frames.map { $0.touches?.map(\.phase) } == [["began"], []])
      #expect(frames.last?.events?.map(\.code) == ["BTN_TOUCH"], "the events of the device are shown, too")
      let late = try #require(shown.first { $0.event == "deadline" })
      #expect(late.contacts?.map(\.change) == ["ended"] && late.touches?.map(\.phase) == ["ended"])
      #expect(late.touches?.map(\.view) == ["left"])
      let lifted = try #require(frames.last?.timeUs)
      #expect(late.timeUs == lifted + 300_000)
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
    }

    @Test
    func `a device that a rule excludes is shown as not used, unless --device names it`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.singleTouch, in: machine)
      var scene = Scene()
      scene.input = ["devices:", "  - {match: {name: \"VM single*\"}, use: false}"]
      let monitor = try await start(in: machine, "--json", scene: scene)
      let shown = try lines(of: monitor).filter { $0.event == "device" && $0.device.hasPrefix("VM single") }
      #expect(shown.map(\.state) == ["unused"])
      #expect(shown.first?.reason?.contains("vm.yaml:") == true, "\(shown)")
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
      let node = try #require(finger.device?.node)
      let chosen = try await start(in: machine, "--json --device \(node)", scene: scene)
      #expect(try lines(of: chosen).first?.state == "used")
      try await chosen.signal("TERM")
      #expect(try await chosen.end() == 0, "\(chosen.stderr)")
    }

    @Test
    func `a device that touchtree does not use is shown, with the reason`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keypad", lines: ["key KEY_A KEY_B"]), in: machine)
      let monitor = try await start(in: machine, "--json --device \(keyboard.node)")
      try await keyboard.send(["frame KEY_B=1", "frame KEY_B=0"])
      try await eventually("both frames are shown") { try lines(of: monitor).count == 3 }
      let shown = try lines(of: monitor)
      #expect(shown[0].state == "unused")
      #expect(shown.dropFirst().map { $0.events?.map(\.code) } == [["KEY_B"], ["KEY_B"]])
      #expect(shown.dropFirst().allSatisfy { $0.contacts?.isEmpty == true })
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
    }

    @Test
    func `an unplugged device is reported as gone, and shown again when it returns`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let monitor = try await start(in: machine, "--json --device \(device.node)")
      try await finger.down(at: (100, 100))
      try await device.destroy()
      try await eventually("it is reported as gone") { try lines(of: monitor).last?.state == "gone" }
      #expect(try lines(of: monitor).last?.touches?.map(\.phase) == ["cancelled"])
      let again = try await Finger.make(.multitouch, in: machine)
      try await eventually("it is looked at again") { try lines(of: monitor).last?.state == "used" }
      try await again.down(at: (100, 100))
      try await eventually("its frames are shown") {
        try lines(of: monitor).last?.contacts?.map(\.change) == ["began"]
      }
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
    }

    @Test
    func `a device whose node went is shown for as long as it is plugged in`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let monitor = try await start(in: machine, "--json --device \(device.node)")
      #expect(try await machine.run("mv \(device.node) \(device.node).hidden").status == 0)
      try await finger.down(at: (100, 100))
      try await eventually("its frame is shown") {
        try lines(of: monitor).last?.contacts?.map(\.change) == ["began"]
      }
      #expect(try !lines(of: monitor).contains { $0.state == "gone" })
      #expect(try await machine.run("mv \(device.node).hidden \(device.node)").status == 0)
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0, "\(monitor.stderr)")
    }

    @Test
    func `while it grabs, no other program receives the events`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let monitor = try await start(in: machine, "--grab --device \(device.node)")
      try await finger.down(at: daemon.scene.left.centre, contact: 1)
      try await finger.up()
      try await eventually("the monitor shows the touch") { monitor.stdout.contains("touch 1 ended on left") }
      #expect(
        monitor.stdout.contains("contact 1 began at (") && monitor.stdout.contains("ABS_MT_TRACKING_ID"))
      try await monitor.signal("TERM")
      #expect(try await monitor.end() == 0)
      try await finger.down(at: daemon.scene.knob.centre, contact: 2)
      try await finger.up()
      try await daemon.delivers("ended")
      #expect(try daemon.trace.hits == ["knob"])
      try await daemon.stop()
    }

    @Test
    func `monitor ends when its reader closes the pipe`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let outcome = try await machine.run(
        """
        mkfifo /run/monitor.$$
        touchtree monitor --device \(device.node) >/run/monitor.$$ & head -n 1 </run/monitor.$$
        wait $!
        """)
      #expect(outcome.status == 0, "\(outcome.stderr)")
      #expect(outcome.stdout.contains("VM touchscreen  used as multitouch"))
      #expect(outcome.stderr.isEmpty)
    }
  }
}
