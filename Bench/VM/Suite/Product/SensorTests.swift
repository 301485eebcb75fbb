import Testing

extension VirtualMachineTests {
  /// Values that follow sensors of the kernel's input.
  @Suite struct Sensors {
    private static let file = """
      version: 1
      highlight: {view: none, touches: false}
      idle: [{after: 6, blank: true}]
      values:
        light: {value: 80, source: {device: "gpio-als*", event: ABS_MISC, hysteresis: 10, every: 0.05}}
        near: {value: false, source: {device: pir, event: SW_FRONT_PROXIMITY, wakes: true}}
      window:
        subviews: [{id: shown, kind: label, frame: [0, 0, 800, 40], text: "{light:.0f} {near}"}]
      """

    @Test func `a light sensor sets a value, a hand lights the display, and nothing else wakes the daemon`()
      async throws
    {
      let machine = try await Machines.main()
      let light = try await GuestDevice.make(
        .init(name: "gpio-als 0", lines: ["abs ABS_MISC 0 4000", "abs ABS_THROTTLE 0 1000"]), in: machine)
      let socket = "/run/sensors.sock"
      let daemon = try await Daemon.start(
        in: machine, arguments: "--display headless:800x480 --control \(socket)", devices: [light],
        traced: false,
        configuration: Self.file)
      func shows(_ text: String) async throws {
        try await daemon.eventually("the label is \(text)") {
          try await machine.run("touchtree ctl tree --json --socket \(socket)").stdout
            .contains(#""text":"\#(text)""#)
        }
      }
      func isDark() async throws -> Bool {
        try await machine.run("touchtree ctl stats --json --socket \(socket)").stdout.contains(
          #""dark":true"#)
      }
      try await shows("0 false")
      try await light.frame("ABS_MISC=250")
      try await shows("250 false")
      try await light.frame("ABS_MISC=255")
      try await light.frame("ABS_MISC=300")
      try await shows("300 false")
      try await daemon.eventually("the display is dark") { try await isDark() }
      let wakeUps = try await Figures.wakeUps(of: daemon)
      #expect(wakeUps == 0)

      // It is plugged in now.
      let hand = try await GuestDevice.make(
        .init(name: "pir", lines: ["bit EV_SW SW_FRONT_PROXIMITY"]), in: machine)
      try await daemon.opens(hand.node)
      try await hand.frame("SW_FRONT_PROXIMITY=1")
      try await shows("300 true")
      #expect(try await !isDark())
      #expect(try await Figures.wakeUps(of: daemon) == 0, "as long as somebody is there, no stage comes")
      #expect(try await !isDark())
      try await hand.frame("SW_FRONT_PROXIMITY=0")
      try await daemon.eventually("nobody is there") { try await isDark() }
      try await light.destroy()
      try await shows("80 false")
      #expect(try await daemon.stop() == 0)
    }
  }
}
