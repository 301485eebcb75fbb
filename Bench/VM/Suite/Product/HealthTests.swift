import Testing
import VMPictures

extension VirtualMachineTests {
  /// `touchtree health --glass` names what is wrong with a real display, real devices and real consoles.
  @Suite struct Health {
    /// Waits until the line begins in this way, and checks the status.
    private func names(_ start: String, _ daemon: Daemon, _ options: String = "--glass") async throws {
      var line = ""
      try await daemon.eventually("\(start), not \(line)") {
        let output = try await daemon.machine.run("touchtree health \(options)")
        line = output.stdout
        return line.hasPrefix(start) && output.status == (start.hasPrefix("well") ? 0 : 1)
      }
    }

    private func isWell(_ daemon: Daemon) async throws { try await names("well: ", daemon) }

    @Test func `what is wrong with the display is named until it is right again`() async throws {
      let machine = try await Machines.main()
      try await machine.run(
        """
        mount -t tmpfs backlight /sys/class/backlight && mkdir /sys/class/backlight/panel &&
        cd /sys/class/backlight/panel && echo 100 >max_brightness && echo 80 >brightness
        """)
      try await machine.run("chvt 1")
      let daemon = try await Daemon.start(in: machine)
      try await daemon.shows(daemon.scene.left, lit: false)
      let well = try await machine.run("touchtree health --glass")
      #expect(well.status == 0 && well.stdout.hasSuffix("; its pixels are there\n"), "\(well)")
      // Each line makes something wrong, and the next one makes it right. The daemon is not told.
      for (wrong, code, right) in [
        ("chvt 2", "not_shown", "chvt 1"),
        (
          "echo 0 >/sys/class/backlight/panel/brightness", "backlight_off",
          "echo 80 >/sys/class/backlight/panel/brightness"
        ),
        (
          "echo off >/sys/class/drm/card0-Virtual-1/status", "cable_out",
          "echo detect >/sys/class/drm/card0-Virtual-1/status"
        ),
        ("echo 4 >/sys/class/graphics/fb0/blank", "display_off", "echo 0 >/sys/class/graphics/fb0/blank"),
        ("head -c 200000 /dev/urandom >/dev/fb0", "other_pixels", "chvt 2; sleep 1; chvt 1"),
      ] {
        try await machine.run(wrong)
        try await names("not well: \(code): ", daemon)
        try await machine.run(right)
        try await isWell(daemon)
      }
      #expect(try await machine.run("touchtree ctl blank on").status == 0)
      try await names("well: ", daemon)
      #expect(try await machine.run("touchtree ctl blank off").status == 0)
      try await isWell(daemon)
      #expect(try await daemon.stop() == 0)
      try await machine.run("umount /sys/class/backlight")
    }

    @Test func `another program on the card is named, whose picture a framebuffer does not have`()
      async throws
    {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(Scene(console: "keep"), in: machine)
      try await daemon.shows(daemon.scene.left, lit: false)
      let other = try await machine.spawn(
        "exec touchtree run --config \(daemon.configurationPath) --display kms --control none --watch-socket none"
      )
      try await names("not well: other_picture: /dev/fb0: the card shows another picture: ", daemon)
      try await other.signal("TERM")
      try await other.end()
      try await isWell(daemon)
      #expect(try await daemon.stop() == 0)
    }

    @Test func `a connector's buffer is compared by root, and not by others`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine, arguments: "--display kms")
      var line = ""
      try await daemon.eventually("the pixels are compared: \(line)") {
        line = try await machine.run("touchtree health --glass").stdout
        return line.hasPrefix("well: /dev/dri/card0 ") && line.hasSuffix("; its pixels are there\n")
      }
      // No card of the machine has an overlay.
      let covered = try await machine.run(
        "\(Witness(in: machine).prefix(.overlay)) touchtree health --glass")
      #expect(covered.status == 1, "\(covered)")
      #expect(
        covered.stdout.hasPrefix("not well: other_picture: /dev/dri/card0 Virtual-1: plane "), "\(covered)")
      #expect(try await daemon.stop() == 0)
    }

    @Test func `a stuck finger and a device that is gone are named`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let node = try #require(finger.device).node
      let daemon = try await Daemon.start(in: machine, arguments: "--device \(node)")
      try await daemon.opens(node)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await isWell(daemon)
      try await machine.run("sleep 61")
      try await names("not well: stuck_finger: ", daemon)
      try await finger.up()
      try await isWell(daemon)
      try await finger.device?.destroy()
      try await names("not well: no_device: ", daemon)
      #expect(try await daemon.stop() == 0)
    }

    @Test func `a touchscreen that is silent or unplugged is missed, though a tablet is there`() async throws
    {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let daemon = try await Daemon.start(in: machine, devices: [device])
      let switched = "/sys/class/input/\(device.node.split(separator: "/").last ?? "")/device/inhibited"
      try await isWell(daemon)
      try await machine.run("echo 1 >\(switched)")
      try await names(
        "not well: device_missing: VM touchscreen (\(device.node)) reports nothing; ", daemon, "")
      try await machine.run("echo 0 >\(switched)")
      try await isWell(daemon)
      try await device.destroy()
      try await names("not well: device_missing: VM touchscreen (\(device.node)) was unplugged; ", daemon, "")
      try await daemon.opens(try #require(try await Finger.make(.multitouch, in: machine).device).node)
      try await isWell(daemon)
      #expect(try await daemon.stop() == 0)
    }

    @Test(arguments: [("hang", "no_answer"), ("exit", "not_running")])
    func `a plugin that hangs or ends the daemon is named`(does: String, code: String) async throws {
      let machine = try await Machines.main()
      try await machine.installPlugin(AsService.Ending.plugin, as: "libending.so")
      let daemon = try await Daemon.start(
        in: machine, traced: false,
        configuration: """
          version: 1
          handlers: {ender: {kind: plugin, path: libending.so, config: {touched: \(does)}}}
          window: {id: window, handlers: [ender]}
          """)
      try await isWell(daemon)
      try await machine.run("timeout 1 touchtree ctl touch 100,100")
      try await names("not well: \(code): ", daemon, "")
      // One of them has ended.
      try await machine.run("kill -KILL \(daemon.pid)")
      try await daemon.end()
    }

    @Test func `a daemon that is asked is woken once for each answer`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine)
      try await isWell(daemon)
      let wakeUps = try await Figures.wakeUps(of: daemon, during: "touchtree health --glass --for 60")
      #expect(wakeUps <= 8, "five answers, a client that comes and goes, and the framebuffer that it closes")
      #expect(try await daemon.stop() == 0)
    }

    @Test func `a daemon that is frozen, closed to a user, short of room, or gone is named`() async throws {
      let machine = try await Machines.main()
      try await machine.run(
        "mkdir -p /run/full && mount -t tmpfs -o size=16k full /run/full && head -c 100000 /dev/zero >/run/full/filler"
      )
      let daemon = try await Daemon.start(in: machine, arguments: "--stats-file /run/full/touchtree.prom")
      try await names(
        "not well: not_written: the statistics are not written. /run/full/touchtree.prom: ", daemon)
      try await machine.run("rm /run/full/filler")
      // The next figures are written 15 seconds after they change: each question is a client.
      try await isWell(daemon)
      let other = try await machine.run(
        "vm-guest as 65534 65534 touchtree health --socket /run/touchtree/control.sock")
      #expect(other.status == 1 && other.stdout.hasPrefix("not well: not_permitted: "), "\(other)")
      try await machine.run("mv /run/touchtree/control.sock /run/moved.sock")
      try await names("not well: not_running: /run/touchtree/control.sock: ", daemon)
      try await machine.run("mv /run/moved.sock /run/touchtree/control.sock")
      try await daemon.signal("STOP")
      try await names("not well: no_answer: ", daemon)
      try await daemon.signal("CONT")
      try await isWell(daemon)
      try await daemon.signal("KILL")
      try await daemon.end()
      let gone = try await machine.run("touchtree health; umount /run/full")
      #expect(gone.stdout.hasPrefix("not well: not_running: "), "\(gone)")
    }
  }
}
