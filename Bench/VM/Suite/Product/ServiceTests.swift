import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// The unit under the systemd that it is for.
  @Suite struct AsService {
    private let text = "display=text keyboard=unicode switching=automatic\n"

    @Test
    func `after boot the service runs in the login prompt's place, without warnings`() async throws {
      let machine = try await Machines.service()
      #expect(try await machine.run("systemctl is-enabled touchtree").stdout == "enabled\n")
      print("the virtual machine booted systemd in \(await machine.bootTime)")
      let service = try await Service.start(in: machine)
      #expect(try await service.property("ActiveState") == "active")
      #expect(try await service.property("StatusText").hasPrefix("Showing /dev/fb0"))
      #expect(try await machine.run("systemctl is-active getty@tty1").stdout == "inactive\n")
      #expect(try await machine.consoleModes() == "display=graphics keyboard=off switching=process\n")
      #expect(try await service.says("ready: /dev/fb0").priority == "6")
      let lines = try await service.journal(of: service.property("ExecMainPID")).map(\.message)
      // Nor is it a warning that a machine is not done starting yet.
      let usual = ["ready: ", " (/dev/input/event", "udev has not set its permissions yet"]
      #expect(lines.allSatisfy { line in usual.contains(where: line.contains) }, "\(lines)")
    }

    @Test
    func `systemd verifies the unit, and rates its exposure as low`() async throws {
      let machine = try await Machines.service()
      let units = "touchtree.service touchtree@second.service touchtree-bridge.service"
      let verdict = try await machine.run("systemd-analyze verify \(units) 2>&1")
      #expect(verdict.status == 0)
      #expect(verdict.stdout == "")
      // An exposure of at most 1.5 of 10.
      let exposure = try await machine.run("systemd-analyze security --threshold=15 \(units)")
      #expect(exposure.status == 0, "\(exposure.stdout.suffix(200))")
    }

    @Test
    func `a second instance shows its file on a second display, and leaves the first and its console alone`()
      async throws
    {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let node = try await machine.virtualFramebuffer()
      let panel = try await GuestDevice.make(
        GuestDevice.Description(
          name: "VM second panel",
          lines: ["property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 4095", "abs ABS_Y 0 4095"]),
        in: machine)
      defer { withExtendedLifetime(panel) {} }
      let modes = try await machine.consoleModes()
      try await machine.run(
        """
        vm-guest framebuffer \(node) 640x480x32
        cat >/etc/touchtree/second.yaml <<'END'
        version: 1
        display: {device: \(node), background: "#ff0000"}
        input: {devices: [{match: {name: "VM second*"}}, {match: {name: "*"}, use: false}]}
        window: {subviews: [{id: there, kind: button, frame: [0, 0, 640, 480]}]}
        END
        """)
      try await service.control("start touchtree@second")
      let socket = "--socket /run/touchtree-second/control.sock"
      #expect(try await machine.run("touchtree ctl hit 9,9 \(socket)").stdout == "there\n")
      #expect(try await machine.pixel(600, 400, of: node) == Colour(0xff_00_00))
      try await service.shows(Service.Horn.off)
      #expect(try await machine.run("touchtree ctl hit 436,396").stdout == "horn\n")
      #expect(try await machine.consoleModes() == modes)
      // Each is reloaded and stopped by itself, and has its own copy of what worked.
      try await machine.run("sed -i s/there/here/ /etc/touchtree/second.yaml")
      try await service.control("reload touchtree@second")
      #expect(try await machine.run("touchtree ctl hit 9,9 \(socket)").stdout == "here\n")
      #expect(
        try await machine.run("ls /var/lib/touchtree/second").stdout == "%etc%touchtree%second.yaml\n")
      try await service.control("stop touchtree@second")
      #expect(try await machine.run("test -e /run/touchtree-second").status != 0)
      try await service.shows(Service.Horn.off)
      #expect(try await machine.consoleModes() == modes)
      // Other tests have one display.
      #expect(try await machine.run("rm /etc/touchtree/second.yaml && rmmod vfb").status == 0)
    }

    /// Boots a machine of its own: in the night, with the other suites by KMS.
    @Test(.enabled(if: VirtualMachine.display == "kms"))
    func `a second instance shows its file on a second card by KMS, and leaves the first alone`() async throws
    {
      let machine = try await VirtualMachine.booted(
        name: "second-card", image: .service,
        display: .adapters(
          ["bochs-display,id=first", "virtio-gpu-pci,id=second"], kernel: "drm_kms_helper.fbdev_emulation=0"))
      let panel = try await secondInstance(in: machine)
      let service = try await Service.start(in: machine)
      try await service.control("start touchtree@second")
      #expect(try await service.property("StatusText").hasPrefix("Showing /dev/dri/card"))
      try await secondIsTouched(panel, on: machine, "second")
      try await service.shows(Service.Horn.off)
      try await service.control("stop touchtree@second")
      try await service.shows(Service.Horn.off)
      await machine.stop()
    }

    /// Neither instance may look at the other, and both are users without rights.
    @Test(.enabled(if: VirtualMachine.display == "kms"))
    func `a second instance borrows a connector of the first one's card, and each outlives the other`()
      async throws
    {
      let machine = try await VirtualMachine.booted(
        name: "second-card", image: .service,
        display: .adapters(
          ["virtio-gpu-pci,id=two,max_outputs=2"],
          kernel: "drm_kms_helper.fbdev_emulation=0 video=Virtual-2:1024x768e"))
      let panel = try await secondInstance(in: machine)
      let service = try await Service.start(in: machine)
      try await service.control("start touchtree@second")
      try await secondIsTouched(panel, on: machine, "two", head: 1)
      try await service.shows(Service.Horn.off)
      for unit in ["touchtree", "touchtree@second"] {
        let first = try await machine.run("systemctl show \(unit) -P MainPID").stdout
        try await service.control("kill -s KILL \(unit)")
        try await eventually("\(unit) is started again") {
          let now = try await machine.run("systemctl show \(unit) -P MainPID").stdout
          let state = try await machine.run("systemctl is-active \(unit)").stdout
          return now != first && now != "0\n" && state == "active\n"
        }
        try await secondIsTouched(panel, on: machine, "two", head: 1)
        try await service.shows(Service.Horn.off)
      }
      await machine.stop()
    }

    /// A file for a second instance, on the connector Virtual-2, and a panel that belongs to it.
    private func secondInstance(in machine: VirtualMachine) async throws -> GuestDevice {
      try await machine.run(
        """
        cat >/etc/touchtree/second.yaml <<'END'
        version: 1
        display: {device: "kms:Virtual-2", background: "#ff0000"}
        highlight: {view: {style: fill, color: "#00ff00"}, touches: false}
        input: {devices: [{match: {name: "VM second*"}}, {match: {name: "*"}, use: false}]}
        window: {subviews: [{id: there, kind: button, frame: [0, 0, 640, 400]}]}
        END
        """)
      return try await GuestDevice.make(
        GuestDevice.Description(
          name: "VM second panel",
          lines: ["property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 4095", "abs ABS_Y 0 4095"]),
        in: machine)
    }

    /// Its picture is seen, and a touch.
    private func secondIsTouched(
      _ panel: GuestDevice, on machine: VirtualMachine, _ device: String, head: Int = 0
    ) async throws {
      func shows(_ colour: Colour) async throws {
        try await eventually("the second screen shows \(colour)") {
          let screen = try await machine.screendump(of: device, head: head)
          return screen.width > 600 && screen.height > 350 && screen[600, 350] == colour
        }
      }
      try await shows(Colour(0xff_00_00))
      try await panel.frame("ABS_X=1000 ABS_Y=1000 BTN_TOUCH=1")
      try await shows(Colour(0x00_ff_00))
      try await panel.frame("BTN_TOUCH=0")
      try await shows(Colour(0xff_00_00))
    }

    @Test
    func `the drop-ins to copy allow what they are for`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      // A file of sysfs that root may write: what is read-only is the mount.
      func canWriteSysfs() async throws -> Bool {
        let pid = try await service.property("MainPID")
        return try await machine.run(
          "nsenter -m -t \(pid) sh -c 'echo 0 >/sys/devices/virtual/graphics/fbcon/cursor_blink'"
        ).status == 0
      }
      #expect(try await !canWriteSysfs())
      let verdict = try await machine.run(
        """
        mkdir -p /run/systemd/system/touchtree.service.d
        cp /usr/share/doc/touchtree/systemd/*.conf /run/systemd/system/touchtree.service.d
        systemctl daemon-reload
        systemd-analyze verify touchtree.service 2>&1
        """)
      #expect(verdict.stdout == "")
      for (name, value) in [
        ("StateDirectory", "touchtree kiosk"), ("ProtectHome", "read-only"),
        ("SupplementaryGroups", "input video tty audio"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_NETLINK AF_UNIX"),
        ("IPAddressAllow", "::/0 0.0.0.0/0"),
      ] {
        let words = try await service.property(name).split(separator: " ").sorted()
        #expect(words == value.split(separator: " ").sorted(), "\(name)")
      }
      try await service.control("restart touchtree")
      #expect(try await canWriteSysfs())
      let rule = try await machine.run(
        "udevadm test /sys/class/graphics/fb0 2>&1 | grep -F 90-touchtree-backlight.rules")
      #expect(!rule.stdout.isEmpty && !rule.stdout.contains("nvalid"), "\(rule.stdout)")
    }

    @Test
    func `the service runs as its own user, in the groups of its devices, without capabilities`() async throws
    {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let ids = try await machine.run(
        "id -u touchtree; grep -E '^(input|video|tty|touchtree-watch):' /etc/group | cut -d : -f 3"
      )
      .stdout.split(separator: "\n")
      let status = try await machine.run(
        "cat /proc/\(service.property("MainPID"))/status"
      ).stdout.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
      func field(_ name: String) -> [Substring]? {
        status.first { $0.first == "\(name):" }?.dropFirst().map(\.self)
      }
      let user = try #require(ids.first)
      #expect(user != "0")
      #expect(field("Uid") == [user, user, user, user])
      let groups = try #require(field("Groups"))
      for group in ids.dropFirst() { #expect(groups.contains(group)) }
      #expect(groups.count == 5)
      for set in ["CapPrm", "CapEff", "CapBnd", "CapAmb"] { #expect(field(set) == ["0000000000000000"]) }
      #expect(field("NoNewPrivs") == ["1"])
    }

    @Test
    func `root may query the service, and others may not`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let hit = try await machine.run("touchtree ctl hit 436,396")
      #expect(hit.stdout == "horn\n", "\(hit.stderr)")
      try await service.shows(Service.Horn.off)
      let screen = try await machine.framebuffer()
      #expect(try await machine.screenshot().firstDifference(from: screen) == nil)
      let other = try await machine.run("vm-guest as 65534 65534 touchtree ctl tree")
      #expect(other.status == 77)
      #expect(other.stderr.contains("/run/touchtree/control.sock: not permitted"), "\(other.stderr)")
      try await service.control("stop touchtree")
      let gone = try await machine.run("touchtree ctl tree")
      #expect(gone.status == 69)
      #expect(gone.stderr.contains("no touchtree answers here"))
    }

    @Test
    func `who is in the group for watching may look, and not act`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.shows(Service.Horn.off)
      let socket = "/run/touchtree/watch.sock"
      let owners = try await machine.run("stat -c '%U %G %a' \(socket)")
      #expect(owners.stdout == "touchtree touchtree-watch 660\n", "\(owners.stderr)")
      let group = try await machine.run("grep '^touchtree-watch:' /etc/group | cut -d : -f 3").stdout
        .dropLast()
      func ctl(_ request: String, _ group: Substring) async throws -> (status: Int32, stderr: String) {
        let output = try await machine.run(
          "vm-guest as 65534 \(group) touchtree ctl \(request) --socket \(socket)")
        return (output.status, output.stderr)
      }
      #expect(try await ctl("tree", group).status == 0)
      let refused = try await ctl("reload", group)
      #expect(
        refused.status == 77 && refused.stderr.contains("/run/touchtree/control.sock"), "\(refused.stderr)")
      #expect(try await ctl("tree", "65534").status == 77)
      #expect(try await machine.run("vm-guest as 65534 \(group) touchtree ctl tree").status == 77)
    }

    @Test
    func `the service is ready when the first picture is shown, and not before`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.control("stop touchtree")
      let (x, y) = Service.Horn.lamp
      #expect(try await machine.pixel(x, y) != Service.Horn.off)
      try await machine.run(
        "systemctl start touchtree && cat /dev/fb0 >/shared/at-start")
      let layout = try await FramebufferLayout(line: machine.run("vm-guest framebuffer /dev/fb0").stdout)
      let picture = try Picture(
        memory: Data(contentsOf: machine.shared.appending(path: "at-start")), layout: layout)
      #expect(picture[x, y] == Service.Horn.off)
    }

    @Test
    func `a press under systemd highlights the view and rings the plugin`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let finger = try await Finger.make(.tablet, in: machine)
      try await service.shows(Service.Horn.off)
      try await finger.down(at: Service.Horn.centre)
      try await service.shows(Service.Horn.lit)
      try await finger.up()
      try await service.shows(Service.Horn.off)
      #expect(try await service.says("handler bell: touchUpInside").priority == "6")
    }

    @Test
    func `a journal that is restarted or killed gets the lines that follow`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let pid = try await service.property("MainPID")
      let finger = try await Finger.make(.tablet, in: machine)
      func presses() async throws -> Int {
        try await service.journal(of: pid).count { $0.message.hasPrefix("handler bell: touchUpInside") }
      }
      for command in ["restart systemd-journald", "kill -s KILL systemd-journald"] {
        let before = try await presses()
        try await service.control(command)
        try await eventually("the journal is back") {
          try await machine.run("systemctl is-active systemd-journald").stdout == "active\n"
        }
        try await service.shows(Service.Horn.off)
        try await finger.down(at: Service.Horn.centre)
        try await service.shows(Service.Horn.lit)
        try await finger.up()
        try await eventually("the press is in the journal after \(command)") { try await presses() > before }
      }
      #expect(try await service.property("MainPID") == pid)
    }

    @Test
    func `a touchscreen that is plugged in later is used, and a slow udev gives no warning`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let finger = try await Finger.make(.multitouch, in: machine)
      _ = try await service.says("VM touchscreen (\(try #require(finger.device).node)): multitouch")
      try await finger.down(at: Service.Horn.centre)
      try await service.shows(Service.Horn.lit)
      try await finger.up()
      try await service.shows(Service.Horn.off)
      let lines = try await service.journal(of: service.property("MainPID"))
      #expect(lines.allSatisfy { $0.priority == "6" }, "\(lines)")

      // What is to be complained of is a warning.
      for slot in [0, 1] {
        try await finger.device?.frame(
          "ABS_MT_SLOT=\(slot) ABS_MT_TRACKING_ID=7 ABS_MT_POSITION_X=10 ABS_MT_POSITION_Y=\(10 + slot)")
      }
      #expect(try await service.says("kernel bug: ").priority == "4")
    }

    @Test
    func `the bridge's service takes a panel, and gives a repaired one to whoever shows the picture`()
      async throws
    {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.control("start touchtree-bridge")
      let finger = try await Finger.make(.singleTouch, in: machine)
      let node = try #require(finger.device).node
      var log = ""
      try await eventually("\(node) is bridged, not: \(log)") {
        log = try await machine.run("journalctl --sync; journalctl -u touchtree-bridge -o cat --no-pager")
          .stdout
        return log.contains("VM single touch (\(node)): single-touch, bridged as /dev/input/event")
      }
      _ = try await service.says("VM single touch (touchtree bridge) (/dev/input/event")
      try await finger.down(at: Service.Horn.centre)
      try await service.shows(Service.Horn.lit)
      try await service.control("stop touchtree-bridge")
      try await service.shows(Service.Horn.off)
      #expect(try await machine.run("systemctl show touchtree-bridge -P Result").stdout == "success\n")
    }

    @Test
    func `when the service is stopped, the terminal is restored`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.control("stop touchtree")
      #expect(try await service.property("Result") == "success")
      #expect(try await machine.consoleModes() == text)
      try await service.control("start touchtree")
      #expect(try await machine.consoleModes() != text)
    }

    @Test
    func `when the service is killed, the terminal is restored`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine, overriding: "Restart=no")
      try await machine.run("kill -KILL \(service.property("MainPID"))")
      try await eventually("it has failed") { try await service.property("ActiveState") == "failed" }
      #expect(try await machine.consoleModes() == text)
    }

    @Test
    func `when the service is killed, it restarts`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      let pid = try await service.property("MainPID")
      try await machine.run("kill -KILL \(pid)")
      try await eventually("another one is up") {
        let other = try await service.property("MainPID")
        let state = try await service.property("ActiveState")
        return ![pid, "0"].contains(other) && state == "active"
      }
      #expect(try await service.property("NRestarts") == "1")
      #expect(try await machine.consoleModes() != text)
      try await service.shows(Service.Horn.off)
    }

    @Test
    func `the service waits for a display that appears later`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.control("stop touchtree")
      let driver = "/sys/bus/pci/drivers/bochs-drm"
      let card = try await machine.run("cd \(driver) && ls -d 0000:* | tee unbind").stdout
        .trimmingCharacters(in: .newlines)
      let early = try await machine.run("systemctl start touchtree")
      #expect(early.status != 0)
      #expect(try await service.property("ActiveState") == "activating")
      try await machine.run("echo \(card) >\(driver)/bind")
      try await eventually("it is up") {
        try await service.property("ActiveState") == "active"
      }
      try await service.shows(Service.Horn.off)
    }

    @Test
    func `the service waits for a display whose permissions udev has not set yet`() async throws {
      let machine = try await Machines.service()
      let service = try await Service.start(in: machine)
      try await service.control("stop touchtree")
      try await machine.run(
        """
        rm /run/udev/data/c29:0
        chown root:root /dev/fb0
        chmod 600 /dev/fb0
        systemctl start --no-block touchtree
        """)
      #expect(try await service.says("/dev/fb0: udev has not set its permissions yet").priority == "6")
      try await machine.run("udevadm trigger --action=add /sys/class/graphics/fb0")
      try await eventually("it is up") { try await service.property("ActiveState") == "active" }
      #expect(try await service.property("NRestarts") == "0")
      #expect(try await service.property("StatusText").hasPrefix("Showing /dev/fb0"))
      try await service.shows(Service.Horn.off)
    }

    @Test
    func `commands run, are ended when they take too long, and are reported`() async throws {
      let machine = try await Machines.service()
      let finger = try await Finger.make(.tablet, in: machine)
      let file = "/run/commands.yaml"
      try await machine.run(
        """
        cat >\(file) <<'END'
        handlers:
          chime: {kind: exec, when: pressed, timeout: 0.5, command: [sh, -c, "trap '' TERM; while :; do sleep 600; done"]}
          fail: {kind: exec, when: pressed, command: [sh, -c, "exit 3"]}
        window: {subviews: [{id: pad, frame: [0, 0, 1280, 800], handlers: [chime, fail]}]}
        END
        """)
      let service = try await Service.start(in: machine, overriding: Service.running(file))
      try await finger.down(at: Service.Horn.centre)
      try await finger.up()
      #expect(try await service.says("handler fail: sh exited with status 3").priority == "4")
      #expect(
        try await service.says("handler chime: sh still ran 0.5 s after ended of touch 1 on pad").priority
          == "4")
      try await eventually("the daemon is alone") {
        try await machine.run("cat /sys/fs/cgroup/system.slice/touchtree.service/cgroup.procs | wc -l").stdout
          == "1\n"
      }
    }

    @Test
    func `a command in a home folder is rejected with the unit's setting as the reason`() async throws {
      let machine = try await Machines.service()
      let file = "/run/hidden.yaml"
      try await machine.run(
        """
        printf '#!/bin/sh\\n' >/root/bell.sh && chmod 755 /root/bell.sh
        cat >\(file) <<'END'
        handlers: {bell: {kind: exec, when: pressed, command: [/root/bell.sh]}}
        window: {handlers: [bell]}
        END
        """)
      let service = try await Service.installed(in: machine, overriding: Service.running(file))
      #expect(try await machine.run("systemctl restart touchtree").status != 0)
      #expect(try await service.property("ExecMainStatus") == "78")
      let line = try await service.says("\(file):1:12: error: handler bell: ")
      #expect(
        line.message.contains("ProtectHome=") && line.message.contains("systemctl edit touchtree"), "\(line)")
    }

    @Test
    func `a wrong configuration fails at once with its position, and the login prompt keeps the screen`()
      async throws
    {
      let machine = try await Machines.service()
      let file = "/run/wrong.yaml"
      try await machine.run("sed 's/^window:/windw:/' /etc/touchtree/touchtree.yaml >\(file)")
      let service = try await Service.installed(in: machine, overriding: Service.running(file))
      let start = try await machine.run("systemctl restart touchtree")
      #expect(start.status != 0)
      #expect(try await service.property("ActiveState") == "failed")
      #expect(try await service.property("ExecMainStatus") == "78")
      #expect(try await service.says("\(file):").priority == "3")
      try await eventually("the login prompt is there") {
        try await machine.run("systemctl is-active getty@tty1").status == 0
      }
      #expect(try await machine.consoleModes() == text)
      _ = try await Service.start(in: machine)
      #expect(try await machine.run("systemctl is-active getty@tty1").status != 0)
    }

    @Test
    func `a group that does not exist fails the start once, and the login prompt keeps the screen`()
      async throws
    {
      let machine = try await Machines.service()
      let service = try await Service.installed(in: machine, overriding: "SupplementaryGroups=nowhere")
      #expect(try await machine.run("systemctl restart touchtree").status != 0)
      #expect(try await service.property("ExecMainStatus") == "216")
      #expect(try await service.property("ActiveState") == "failed")
      #expect(try await service.property("NRestarts") == "0")
      try await eventually("the login prompt is there") {
        try await machine.run("systemctl is-active getty@tty1").status == 0
      }
      _ = try await Service.start(in: machine)
    }

    @Test
    func
      `systemctl reload shows the new file and cancels touches; a broken one is refused, and a restart shows what worked`()
      async throws
    {
      let machine = try await Machines.service()
      let file = "/run/reload.yaml"
      try await machine.run("cp /etc/touchtree/touchtree.yaml \(file)")
      let service = try await Service.start(in: machine, overriding: Service.running("\(file) --fallback"))
      let pid = try await service.property("MainPID")
      let finger = try await Finger.make(.tablet, in: machine)
      try await service.shows(Service.Horn.off)
      try await finger.down(at: Service.Horn.centre)
      try await service.shows(Service.Horn.lit)
      // The horn's lamp while it is off.
      let other = Colour(0xff_00_ff)
      try await machine.run(
        ##"sed -i '/id: horn-lamp/s/background: fill/background: "#ff00ff"/' \##(file)"##)
      try await service.control("reload touchtree")
      // The finger is still down.
      try await service.shows(other)
      _ = try await service.says("handler bell: touchCancel")
      try await finger.up()
      #expect(try await service.property("MainPID") == pid)
      #expect(try await service.property("NRestarts") == "0")
      #expect(try await service.property("ActiveState") == "active")

      try await machine.run("sed -i 's/^window:/windw:/' \(file)")
      let refused = try await machine.run("systemctl reload touchtree")
      #expect(refused.status != 0)
      #expect(try await service.says("\(file):").priority == "3")
      #expect(try await service.property("MainPID") == pid)
      #expect(try await service.property("StatusText").contains("; not reloaded: \(file):"))
      try await service.shows(other)
      #expect(try await machine.consoleModes() != text)

      try await service.control("restart touchtree")
      #expect(try await service.property("MainPID") != pid)
      try await service.shows(other)
      #expect(
        try await service.property("StatusText").hasPrefix("Showing the last configuration that worked on"))
      let statistics = try await machine.run("touchtree ctl stats").stdout
      #expect(statistics.contains("so the last configuration that worked is shown"), "\(statistics)")
      #expect(try await service.says("\(file):").priority == "3")
    }
  }
}
