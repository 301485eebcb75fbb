import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree bridge`: what another program reads of the devices that it makes. The other program is
  /// touchtree.
  @Suite struct Bridging {
    /// Starts a bridge, and returns when it has made a device.
    private func start(
      in machine: VirtualMachine, _ arguments: String
    ) async throws -> (process: GuestProcess, node: String) {
      let process = try await machine.spawn("exec touchtree bridge --palms \(arguments)")
      var node: String?
      try await eventually("a device is bridged, not: \(process.stderr)") {
        if try await process.hasEnded { throw MachineError("the bridge ended: \(process.stderr)") }
        node = nodes(of: process).first
        return node != nil
      }
      return (process, try #require(node))
    }

    private func nodes(of process: GuestProcess) -> [String] {
      process.stderr.matches(of: /bridged as (\/dev\/input\/event\d+)\n/).map { String($0.output.1) }
    }

    /// Those that report otherwise than the protocol says, in the most different ways.
    private static let odd = OddDevices.rows.filter { row in
      ["turns into a palm", "hovers", "far outside", "within one frame", "one list", "never lifts"]
        .contains { row.testDescription.contains($0) }
    }

    @Test(arguments: odd)
    func `an odd device is a good one to others`(_ row: OddDevices.Row) async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(row.device, in: machine)
      let bridge = try await start(in: machine, "--device \(device.node)")
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800 --device \(bridge.node)")
      try await device.send(row.frames.map { "frame \($0)" })
      try await daemon.eventually("\(row.hits.count) touches") {
        try daemon.trace.hits.count == row.hits.count
      }
      if !row.lives.contains(where: { $0.last != "ended" }) {
        try await daemon.eventually("every touch has ended") {
          try daemon.trace.lives.values.allSatisfy { ["ended", "cancelled"].contains($0.last) }
        }
      }
      // At the end of the bridge nothing stays down.
      try await bridge.process.signal("TERM")
      #expect(try await bridge.process.end() == 0)
      try await daemon.eventually("what was down is cancelled") {
        try daemon.trace.lives.values.allSatisfy { ["ended", "cancelled"].contains($0.last) }
      }
      try await daemon.stop()
      let trace = try daemon.trace
      #expect(trace.hits == row.hits)
      #expect(trace.lives.sorted { $0.key < $1.key }.map(\.value) == row.lives)
      #expect(!daemon.log.contains("kernel bug"), "\(daemon.log)")
      #expect(bridge.process.stderr.contains(row.says ?? "bridged as"), "\(bridge.process.stderr)")
    }

    @Test
    func `a panel is taken, turned and measured, and a bridge does not bridge a bridge`() async throws {
      let machine = try await Machines.main()
      let device = try await GuestDevice.make(
        .init(
          name: "VM portrait",
          lines: [
            "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_MT_SLOT 0 4",
            "abs ABS_MT_TRACKING_ID 0 65535",
            "abs ABS_MT_POSITION_X 0 4799 0 0 50", "abs ABS_MT_POSITION_Y 0 7999 0 0 50",
          ]), in: machine)
      let (folder, guest) = try await machine.newFolder()
      let rule = "input: {devices: [{match: {name: VM portrait}, rotation: 90}]}\nwindow: {id: window}\n"
      try Data(rule.utf8).write(to: folder.appending(path: "turned.yaml"))
      let bridge = try await start(in: machine, "--config \(guest)/turned.yaml")
      let listing = try DeviceListing(await machine.run("touchtree devices --json").stdout)
      let made = try #require(listing.devices.first { $0.path == bridge.node })
      #expect(made.name == "VM portrait (touchtree bridge)" && made.kind == "multitouch")
      let second = try await machine.run("touchtree bridge --device \(bridge.node)")
      #expect(second.status == 69)
      #expect(second.stderr.contains("a touchtree bridge has made it"), "\(second.stderr)")

      let monitor = try await machine.spawn("exec touchtree monitor --json --device \(bridge.node)")
      try await eventually("it is monitored") { monitor.stdout.contains("\n") }
      let other = try await machine.spawn("exec touchtree monitor --json --device \(device.node)")
      try await eventually("the taken one is, too") { other.stdout.contains("\n") }
      // A quarter clockwise: what is at the left of the panel is at the top of the picture.
      try await device.frame(
        "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=7 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=7899 BTN_TOUCH=1")
      try await eventually("the touch has come through") { monitor.stdout.contains("\"began\"") }
      #expect(
        monitor.stdout.contains(#"{"type":"EV_ABS","code":"ABS_MT_POSITION_X","value":101}"#),
        "\(monitor.stdout)")
      #expect(!other.stdout.contains("ABS_MT_POSITION_X\",\"value\""), "\(other.stdout)")
    }

    /// TOUCHTREE_BRIDGE_ROUNDS=1000 for a night.
    private static let rounds =
      ProcessInfo.processInfo.environment["TOUCHTREE_BRIDGE_ROUNDS"].flatMap { Int($0) } ?? 10

    @Test
    func `a panel that is unplugged in mid-touch leaves no finger behind, however often`() async throws {
      let machine = try await Machines.main()
      let bridge = try await machine.spawn("exec touchtree bridge --palms")
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(scene, in: machine, arguments: "--display headless:1280x800")
      for round in 1...Self.rounds {
        let device = try await GuestDevice.make(
          .multitouch(name: "VM loose", x: 0...1279, y: 0...799), in: machine)
        try await eventually("it is bridged the \(round). time: \(bridge.stderr)") {
          nodes(of: bridge).count == round
        }
        try await daemon.opens(try #require(nodes(of: bridge).last))
        try await device.frame(
          "ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100 BTN_TOUCH=1")
        try await daemon.eventually("touch \(round) began") { try daemon.trace.lives.count == round }
        try await device.kill()
        try await daemon.eventually("touch \(round) is cancelled") {
          try daemon.trace.lives.values.allSatisfy { $0 == ["began", "cancelled"] }
        }
      }
      try await daemon.stop()
    }
  }
}
