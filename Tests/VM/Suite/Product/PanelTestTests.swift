import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree test`, by touching what it asks for on a panel with faults.
  @Suite struct PanelTest {
    /// Its x axis is inverted.
    private static let description = GuestDevice.Description(
      name: "Faulty panel",
      lines: [
        "id 0x18 0x0416 0x038f 1", "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 4000 0 0 20",
        "abs ABS_Y 0 2400 0 0 20", "abs ABS_MT_SLOT 0 1", "abs ABS_MT_TRACKING_ID 0 65535",
        "abs ABS_MT_POSITION_X 0 4000 0 0 20", "abs ABS_MT_POSITION_Y 0 2400 0 0 20",
      ])

    private func tap(_ device: GuestDevice, _ x: Double, _ y: Double, contact: Int) async throws {
      let place = "ABS_MT_POSITION_X=\(Int((1 - x) * 4000)) ABS_MT_POSITION_Y=\(Int(y * 2400))"
      try await device.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact) \(place) BTN_TOUCH=1", "sleep 20",
        "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0",
      ])
    }

    @Test
    func `a faulty panel is tested by touch, its faults are reported, and its recording is judged the same`()
      async throws
    {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let device = try await GuestDevice.make(Self.description, in: machine)
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_A KEY_S KEY_Q"]), in: machine)
      try await machine.run(
        """
        printf 'limits: {mapping: {faults: 0}, latency: {p50: 10000}, protocol: {violations: 0}}\\n' >/tmp/factory.yaml
        rm -rf /tmp/reports
        """)
      let process = try await machine.spawn(
        "exec touchtree test --device \(device.node) --only mapping,latency,taps,protocol --profile /tmp/factory.yaml "
          + "-o /tmp/reports")
      func asked(_ task: Int, _ words: String) async throws {
        try await eventually("task \(task), \(words), is asked for, not\n\(process.stderr)") {
          if try await process.hasEnded { throw MachineError("the test has ended: \(process.stderr)") }
          return process.stderr.split(separator: "\n").contains {
            $0.hasPrefix("\(task) of ") && $0.contains(words)
          }
        }
      }
      let corners = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
      for (index, corner) in corners.enumerated() {
        try await asked(
          index + 1, "mapping: Touch the cross. (pixel \(Int(corner.0 * 1280)),\(Int(corner.1 * 800)))")
        // The cross is on the screen, as the user sees it.
        let pixel = (x: Int(corner.0 * 1280), y: Int(corner.1 * 800))
        try await eventually("the cross is shown at \(pixel)") {
          let picture = try await machine.framebuffer()
          return picture[pixel.x + 10, pixel.y] == Colour(0xff_ff_ff)
            && picture[pixel.x, pixel.y + 10] == Colour(0xff_ff_ff)
        }
        try await tap(device, corner.0, corner.1, contact: index + 1)
      }
      // The taps are skipped by a key.
      try await asked(5, "taps")
      try await keyboard.send(["frame KEY_S=1", "frame KEY_S=0"])
      try await asked(6, "latency")
      for contact in 10..<20 { try await tap(device, 0.5, 0.5, contact: contact) }
      #expect(try await process.end() == 1, "\(process.stderr)")
      #expect(
        process.stdout.hasPrefix("FAILED: 1 of 4 tests failed: mapping; not judged: taps\n"),
        "\(process.stdout)")
      #expect(process.stdout.contains("calibration: [-1, 0, 1, 0, 1, 0]"))
      #expect(try await machine.consoleModes() == before)

      let files = try await machine.run("ls /tmp/reports").stdout.split(separator: "\n")
      #expect(files == ["recording.yml", "report.json", "report.png", "report.txt", "report.xml"])
      let again = try await machine.run(
        "touchtree test --replay /tmp/reports/recording.yml --profile /tmp/factory.yaml -o /tmp/again.json; "
          + "cmp /tmp/again.json /tmp/reports/report.json && echo same")
      #expect(again.stdout.hasSuffix("same\n"), "\(again.stdout)\(again.stderr)")
    }
  }
}
