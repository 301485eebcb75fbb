import Foundation
import Testing

extension VirtualMachineTests.AsService {
  /// The properties that udev has of a device, on the machine where udev runs.
  @Suite struct Udev {
    private static let described = [
      GuestDevice.Description(
        name: "VM calibrated",
        lines: [
          "property INPUT_PROP_DIRECT", "key BTN_TOUCH KEY_POWER", "abs ABS_X 0 4095 0 0 20",
          "abs ABS_Y 0 2047 0 0 20", "abs ABS_MT_SLOT 0 9", "abs ABS_MT_TRACKING_ID 0 65535",
          "abs ABS_MT_POSITION_X 0 4095 0 0 20", "abs ABS_MT_POSITION_Y 0 2047 0 0 20",
        ]),
      GuestDevice.Description(
        name: "VM touchpad",
        lines: [
          "property INPUT_PROP_POINTER", "property INPUT_PROP_BUTTONPAD",
          "key BTN_LEFT BTN_TOUCH BTN_TOOL_FINGER", "abs ABS_X 0 1000 0 0 10", "abs ABS_Y 0 500 0 0 10",
        ]),
      GuestDevice.Description(
        name: "VM joystick", lines: ["key BTN_TRIGGER BTN_THUMB", "abs ABS_X 0 99", "abs ABS_Y 0 99"]),
      .mouse(),
    ]

    @Test(arguments: described)
    func `a recording has udev's properties, and without udev those that udev would assign`(
      description: GuestDevice.Description
    ) async throws {
      let machine = try await Machines.service()
      try await machine.run(
        """
        systemctl stop touchtree; mkdir -p /run/udev/rules.d
        echo 'SUBSYSTEM=="input", ATTRS{name}=="VM calibrated", ENV{LIBINPUT_CALIBRATION_MATRIX}="0.5 0 0 0 1 0"' \
          >/run/udev/rules.d/99-vm.rules
        udevadm control --reload
        """)
      let device = try await GuestDevice.make(description, in: machine)
      try await machine.run("udevadm settle")
      let known = try await machine.run("udevadm info -q property -n \(device.node)").stdout
        .split(separator: "\n").filter { $0.hasPrefix("ID_INPUT") || $0.hasPrefix("LIBINPUT_") }
        .map(String.init).sorted()
      func recorded(_ prefix: String) async throws -> (origin: String, entries: [String]) {
        let recorder = try await Recorder.start(
          in: machine, arguments: "--device \(device.node)", prefix: prefix)
        try await recorder.stop()
        let lines = recorder.text.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("    properties: # ") })
        let entries = lines[(start + 1)...].prefix { $0.hasPrefix("    - ") }.map { String($0.dropFirst(6)) }
        return (lines[start], entries.sorted())
      }
      let live = try await recorded("")
      #expect(live.origin.hasSuffix("from udev's database"))
      #expect(live.entries == known)
      #expect(
        known.contains("LIBINPUT_CALIBRATION_MATRIX=0.5 0 0 0 1 0") == (description.name == "VM calibrated"))
      let alone = try await recorded("unshare -m sh -c 'mount -t tmpfs none /run/udev && exec \"$@\"' -")
      #expect(alone.origin.contains("udev does not run"))
      // Where a touchpad is built in is a matter of the hardware database.
      #expect(alone.entries == known.filter { $0.hasPrefix("ID_INPUT") && !$0.contains("_INTEGRATION") })
      try await device.destroy()
      try await machine.run("rm /run/udev/rules.d/99-vm.rules; udevadm control --reload")
    }

    @Test(arguments: ["", "unshare -n"])
    func `a rule that names a link waits for udev to make it, with and without udev's messages`(
      prefix: String
    ) async throws {
      let machine = try await Machines.service()
      try await machine.run("systemctl stop touchtree")
      // A rule that takes its time.
      try await machine.run(
        """
        mkdir -p /run/udev/rules.d
        echo 'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="VM linked", PROGRAM="/bin/sleep 0.5", SYMLINK+="input/vm-panel"' \
          >/run/udev/rules.d/99-vm.rules
        udevadm control --reload
        """)
      var scene = Scene(console: "keep", isHandled: false)
      scene.layout = .corners
      scene.input = [
        "devices:", "  - match: {path: /dev/input/vm-panel}", "    rotation: 180",
        "  - {match: {name: \"*Tablet*\"}, use: true}", "  - {match: {name: \"*\"}, use: false}",
      ]
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", prefix: prefix)
      for round in 1...2 {
        let device = try await GuestDevice.make(
          .multitouch(name: "VM linked", x: 0...1279, y: 0...799), in: machine)
        try await daemon.opens(device.node)
        try await device.send([
          "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100",
          "frame ABS_MT_TRACKING_ID=-1",
        ])
        try await daemon.eventually("tap \(round) has ended") {
          try daemon.trace.lives[round] == ["began", "ended"]
        }
        try await device.destroy()
      }
      #expect(try daemon.trace.hits == ["lower-right", "lower-right"])
      #expect(!daemon.log.contains("warning"), "\(daemon.log)")
      try await daemon.stop()
      try await machine.run("rm /run/udev/rules.d/99-vm.rules; udevadm control --reload")
    }
  }
}
