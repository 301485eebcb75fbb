import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Devices are followed by what they are, wherever and whenever they appear.
  @Suite struct Plugging {
    @Test
    func `unplugged in mid-touch a thousand times, each touch is cancelled, and nothing leaks`() async throws
    {
      let machine = try await Machines.main()
      var scene = Scene()
      scene.layout = .corners
      let trace = "/run/plugging.jsonl"
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800 --trace \(trace)", traced: false)
      // Each time the daemon has it open, and has seen the finger, before it goes.
      let loose = GuestDevice.Description.multitouch(name: "VM loose", x: 0...1279, y: 0...799)
      func plug(_ times: ClosedRange<Int>) async throws {
        let lines = times.flatMap { time in
          ["name \(loose.name)"] + loose.lines + [
            "create", "reader \(daemon.pid)",
            "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100",
            "written \(trace) \"touch\":\(time),\"phase\":\"began\"", "unplug",
          ]
        }
        let (folder, guest) = try await machine.newFolder()
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.appending(path: "plug"))
        let output = try await machine.run("vm-guest device <\(guest)/plug >/dev/null")
        #expect(output.status == 0, "\(output)")
        try await daemon.eventually("touch \(times.upperBound) is cancelled") {
          try await machine.run(
            "tail -n 9 \(trace) | grep -q '\"touch\":\(times.upperBound),\"phase\":\"cancelled\"'"
          ).status == 0
        }
      }
      func holds() async throws -> (descriptors: Int, kilobytes: Int) {
        let output = try await machine.run(
          "ls /proc/\(daemon.pid)/fd | wc -l; awk '/^VmRSS/ {print $2}' /proc/\(daemon.pid)/status")
        let numbers = output.stdout.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return (try #require(numbers.first), try #require(numbers.last))
      }
      try await plug(1...100)
      let early = try await holds()
      try await plug(101...1000)
      let late = try await holds()
      print("after 100 plugs: \(early), after 1000: \(late)")
      #expect(late.descriptors == early.descriptors)
      #expect(late.kilobytes - early.kilobytes <= 256)
      let output = try await machine.run(
        """
        for phase in began cancelled ended; do grep -c "\\"phase\\":\\"$phase\\",\\"responder\\":\\"upper-left\\"" \(trace); done
        """)
      #expect(output.stdout == "1000\n1000\n0\n")
      try await daemon.stop()
      try await machine.run("rm \(trace)")
    }

    @Test
    func `a chosen device is used again under another node, and another device under its node is not`()
      async throws
    {
      let machine = try await Machines.main()
      let first = try await GuestDevice.make(
        .multitouch(name: "VM mine", x: 0...1279, y: 0...799), in: machine)
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800 --device \(first.node)", devices: [first])
      try await first.destroy()
      try await daemon.eventually("it is let go") {
        try await machine.run("ls -l /proc/\(daemon.pid)/fd | grep -q /dev/input/event").status != 0
      }
      let stranger = try await GuestDevice.make(
        .multitouch(name: "VM stranger", x: 0...1279, y: 0...799), in: machine)
      #expect(stranger.node == first.node)
      let second = try await GuestDevice.make(
        .multitouch(name: "VM mine", x: 0...1279, y: 0...799), in: machine)
      #expect(second.node != first.node)
      try await daemon.opens(second.node)
      let down = "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100"
      try await stranger.send([down, "frame ABS_MT_TRACKING_ID=-1"])
      try await second.send([down, "frame ABS_MT_TRACKING_ID=-1"])
      try await daemon.eventually("a tap has ended") {
        try daemon.trace.lives.values.map(\.self) == [["began", "ended"]]
      }
      #expect(
        try await machine.run("ls -l /proc/\(daemon.pid)/fd | grep -q '\(stranger.node)$'").status != 0)
      try await daemon.stop()
    }

    @Test
    func `a device that replaces another between two looks is not taken for it`() async throws {
      let machine = try await Machines.main()
      let old = try await GuestDevice.make(.multitouch(name: "VM old", x: 0...1279, y: 0...799), in: machine)
      var scene = Scene()
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", devices: [old])
      try await old.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100"
      ])
      try await daemon.eventually("it is down") { try daemon.trace.hits == ["upper-left"] }
      try await daemon.signal("STOP")
      try await old.destroy()
      let new = try await GuestDevice.make(.singleTouch(name: "VM new", x: 0...1279, y: 0...799), in: machine)
      try await daemon.signal("CONT")
      try await daemon.opens(new.node)
      try await new.send(["frame ABS_X=1200 ABS_Y=700 BTN_TOUCH=1", "frame BTN_TOUCH=0"])
      try await daemon.eventually("its tap has ended") { try daemon.trace.lives[2] == ["began", "ended"] }
      #expect(try daemon.trace.lives[1] == ["began", "cancelled"])
      #expect(try daemon.trace.hits == ["upper-left", "lower-right"])
      try await daemon.stop()
    }

    @Test
    func `a node whose permissions come late is used as soon as they allow it, without a warning`()
      async throws
    {
      let machine = try await Machines.main()
      var scene = Scene(console: "keep", isHandled: false)
      scene.layout = .corners
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display headless:1280x800", prefix: "vm-guest as 990 990,104")
      let device = try await GuestDevice.make(
        .multitouch(name: "VM late", x: 0...1279, y: 0...799), in: machine)
      // The daemon has looked by now: it has seen what came later.
      let other = try await GuestDevice.make(
        .multitouch(name: "VM other", x: 0...1279, y: 0...799), in: machine)
      try await machine.run("chgrp 104 \(other.node) && chmod 660 \(other.node)")
      try await daemon.opens(other.node)
      #expect(!daemon.log.contains("\(device.node): not permitted"))
      try await machine.run("chgrp 104 \(device.node) && chmod 660 \(device.node)")
      try await daemon.opens(device.node)
      try await device.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=100 ABS_MT_POSITION_Y=100",
        "frame ABS_MT_TRACKING_ID=-1",
      ])
      try await daemon.eventually("a tap has ended") {
        try daemon.trace.lives.values.map(\.self) == [["began", "ended"]]
      }
      for node in [device.node, other.node] { #expect(!daemon.log.contains("warning: \(node)")) }
      try await daemon.stop()
    }

    /// It has input and dri of /dev, and no more: docs/boards.md, "In a container".
    @Test
    func `in a container without udev it shows its picture, and a touchscreen is replugged`()
      async throws
    {
      let machine = try await Machines.main()
      let entering = """
        exec unshare -m -n sh -c '
        mount -t tmpfs none /mnt && mkdir /mnt/input /mnt/dri && mknod -m 666 /mnt/null c 1 3
        mount --bind /dev/input /mnt/input && mount --bind /dev/dri /mnt/dri && mount -o rbind /mnt /dev
        exec "$@"' -
        """
      try await machine.run("mkdir -p /mnt; cat >/run/container <<'END'\n\(entering) \"$@\"\nEND")
      var scene = Scene(isHandled: false)
      scene.layout = .corners
      let description = GuestDevice.Description.multitouch(name: "VM panel", x: 0...1279, y: 0...799)
      let first = try await GuestDevice.make(description, in: machine)
      let daemon = try await Daemon.start(
        scene, in: machine, arguments: "--display auto", prefix: "sh /run/container")
      #expect(daemon.log.contains("ready: /dev/dri/card0"), "\(daemon.log)")
      /// What it has open has no path outside of its namespace.
      func opens(_ device: GuestDevice, times: Int) async throws {
        try await daemon.eventually("it opens \(device.node)") {
          daemon.log.components(separatedBy: "VM panel (\(device.node)): ").count == times + 1
        }
      }
      try await opens(first, times: 1)
      let tap = [
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=1 ABS_MT_POSITION_X=1200 ABS_MT_POSITION_Y=700",
        "frame ABS_MT_TRACKING_ID=-1",
      ]
      try await first.send(tap)
      try await first.destroy()
      let second = try await GuestDevice.make(description, in: machine)
      try await opens(second, times: second.node == first.node ? 2 : 1)
      try await second.send(tap)
      try await daemon.eventually("both taps have ended") {
        try daemon.trace.lives.values.map(\.self) == [["began", "ended"], ["began", "ended"]]
      }
      #expect(try daemon.trace.hits == ["lower-right", "lower-right"])
      try await daemon.eventually("its picture is shown") {
        try await machine.screendump()[1200, 700] == Colour(0x30_30_30)
      }
      #expect(try await daemon.stop() == 0)
    }
  }
}
