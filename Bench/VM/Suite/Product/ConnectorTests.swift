import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// Displays by kernel mode setting, on machines with and without a framebuffer.
  @Suite struct Connectors {
    /// A machine with its displays. README.md has a table with the same rows.
    struct Hardware: Sendable, CustomTestStringConvertible {
      let testDescription: String
      var adapters = ["bochs-display"]
      var kernel = withoutFramebuffer
      /// The display's name in the log.
      var display: String
      var size = (width: 1280, height: 800)
      /// The rotation that `rotation: auto` has to find.
      var rotation = 0
      /// The adapter's name in QEMU, and which of its monitors.
      var screen: (device: String?, head: Int) = (nil, 0)
      /// The largest difference of a channel: QEMU widens 16 bits in its own way.
      var tolerance = 0
      var arguments = "--display auto"

      /// QEMU's cirrus needs the ports of a PC.
      var isPossible: Bool { Image.build == ".build" || adapters != ["cirrus-vga"] }

      static let withoutFramebuffer = "drm_kms_helper.fbdev_emulation=0"
    }

    static let machines = [
      Hardware(testDescription: "bochs with fb0", kernel: "", display: "/dev/fb0 "),
      Hardware(
        testDescription: "bochs without fb0", display: "/dev/dri/card0 Virtual-1 (bochs-drm, 1280x800"),
      Hardware(
        testDescription: "virtio", adapters: ["virtio-gpu-pci"],
        display: "/dev/dri/card0 Virtual-1 (virtio_gpu, 1280x800"),
      Hardware(
        testDescription: "virtio, the second of two monitors",
        adapters: ["virtio-gpu-pci,id=two,max_outputs=2"],
        kernel: "\(Hardware.withoutFramebuffer) video=Virtual-2:1024x768e",
        display: "/dev/dri/card0 Virtual-2 (virtio_gpu",
        size: (1024, 768), screen: ("two", 1), arguments: "--display kms:Virtual-2"),
      Hardware(
        testDescription: "cirrus, 16 bits, without fb0", adapters: ["cirrus-vga"],
        display: "/dev/dri/card0 VGA-1 (cirrus, 1024x768", size: (1024, 768), tolerance: 9),
      Hardware(
        testDescription: "cirrus, 16 bits, with fb0", adapters: ["cirrus-vga"], kernel: "",
        display: "/dev/fb0 ",
        size: (1024, 768), tolerance: 9),
      Hardware(
        testDescription: "two cards, the first without a monitor",
        adapters: ["bochs-display", "virtio-gpu-pci,id=second"],
        kernel: "\(Hardware.withoutFramebuffer) video=Virtual-1:d",
        display: "Virtual-2 (virtio_gpu, 1280x800",
        screen: ("second", 0)),
      Hardware(
        testDescription: "a console that is turned", kernel: "fbcon=rotate:1", display: "/dev/fb0 ",
        rotation: 90),
      Hardware(
        testDescription: "a panel with its right side up",
        kernel: "\(Hardware.withoutFramebuffer) video=Virtual-1:panel_orientation=right_side_up",
        display: "/dev/dri/card0 Virtual-1", rotation: 90),
      Hardware(
        testDescription: "a panel that stands upright",
        adapters: ["bochs-display,xres=800,yres=1280"],
        kernel: "\(Hardware.withoutFramebuffer) video=Virtual-1:panel_orientation=right_side_up",
        display: "/dev/dri/card0 Virtual-1 (bochs-drm, 800x1280", size: (800, 1280), rotation: 90),
      Hardware(
        testDescription: "a panel upside down with fb0",
        kernel: "video=Virtual-1:panel_orientation=upside_down", display: "/dev/fb0 ", rotation: 180),
    ]

    /// The night has all on each kernel; in `make test-all` each boots on one of the two.
    static let isNight = VirtualMachine.display == "kms"
    static let isNewer =
      ProcessInfo.processInfo.environment["TOUCHTREE_VM_DEBIAN"]?.hasPrefix("13") == true

    private static func byTurns<Row>(_ rows: [Row]) -> [Row] {
      rows.enumerated().filter { isNight || ($0.offset % 2 == 1) == isNewer }.map(\.element)
    }

    @Test(arguments: byTurns(machines).filter(\.isPossible))
    func `without a line of configuration picture and touch are right`(hardware: Hardware) async throws {
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .adapters(hardware.adapters, kernel: hardware.kernel))
      do {
        try await isRight(hardware, on: machine)
      } catch {
        await machine.stop()
        throw error
      }
      await machine.stop()
    }

    private func isRight(_ hardware: Hardware, on machine: VirtualMachine) async throws {
      let daemon = try await Daemon.start(
        in: machine, arguments: hardware.arguments, configuration: Self.tree())
      #expect(daemon.log.contains("ready: ") && daemon.log.contains(hardware.display), "\(daemon.log)")
      try await followsFinger(hardware, daemon)
      #expect(try await daemon.stop() == 0)
    }

    /// A finger's touch is seen, and its end.
    func followsFinger(_ hardware: Hardware, _ daemon: Daemon) async throws {
      let (machine, size) = (daemon.machine, hardware.size)
      let untouched = try await rendered(hardware, on: machine)
      try await isShown(untouched, hardware, daemon, "nothing touched")
      // QEMU's tablet covers the panel, however the panel is mounted.
      let place = (x: size.width / 3, y: size.height / 4)
      try await machine.movePointer(toX: place.x * 1280 / size.width, y: place.y * 800 / size.height)
      try await machine.pressPointer(true)
      try await daemon.delivers("began", upTo: "window")
      let began = try #require(
        try daemon.trace.last { $0.phase == "began" && $0.responder == "window" }?.point)
      let touched = try await rendered(hardware, on: machine, "--touch=\(began[0]),\(began[1])")
      #expect(touched.firstDifference(from: untouched) != nil)
      try await isShown(touched, hardware, daemon, "a finger")
      try await machine.pressPointer(false)
      try await isShown(untouched, hardware, daemon, "nothing touched any more")
    }

    /// Returns the picture of `render`, with the rotation in the file.
    func rendered(_ hardware: Hardware, on machine: VirtualMachine, _ options: String = "")
      async throws
      -> Picture
    {
      try Data(Self.tree(rotation: "\(hardware.rotation)").utf8)
        .write(to: machine.shared.appending(path: "expected.yaml"))
      let size = "\(hardware.size.width)x\(hardware.size.height)"
      let output = try await machine.run(
        "touchtree render /shared/expected.yaml --size \(size) \(options) -o /shared/expected.png")
      try #require(output.status == 0, "\(output.stderr)")
      return try Picture(png: machine.shared.appending(path: "expected.png").path)
    }

    func isShown(_ picture: Picture, _ hardware: Hardware, _ daemon: Daemon, _ what: String)
      async throws
    {
      var seen: String?
      try await daemon.eventually("the screen shows the picture with \(what): \(seen ?? "nothing")") {
        let screen = try await daemon.machine.screendump(
          of: hardware.screen.device, head: hardware.screen.head)
        guard screen.width == picture.width, screen.height == picture.height else {
          seen = "it has \(screen.width)x\(screen.height) pixels"
          return false
        }
        seen = screen.firstDifference(from: picture, tolerance: hardware.tolerance)
        return seen == nil
      }
    }

    /// Something in each corner that is not in the others.
    static func tree(rotation: String = "auto", mode: String = "", extra: String = "") -> String {
      """
      version: 1
      display: {background: "#101418", rotation: \(rotation)\(mode)}
      highlight: {view: {style: outline, color: "#35d6ff", width: 6}, touches: false}
      input: {cursor: never}
      \(extra)
      window:
        id: window
        subviews:
          - {id: upper, frame: [40, 40, 300, 200], background: "#c04020", corner_radius: 20}
          - {id: text, kind: label, frame: [400, 40, 300, 60], text: "Right way up", font: {size: 28, color: "#ffffff"}}
          - {id: all, frame: [0, 100, 1280, 560], background: "#24405c80"}
          - {id: lower, frame: [60, 520, 200, 120], background: "#208040"}

      """
    }

    // MARK: Cables

    @Test
    func `a cable is pulled and plugged, and a monitor is plugged in after the start`() async throws {
      let machine = try await VirtualMachine.booted(
        name: "connector",
        display: .adapters(["bochs-display"], kernel: "\(Hardware.withoutFramebuffer) video=Virtual-1:d"))
      var hardware = Self.machines[1]
      let daemon = try await Daemon.start(in: machine, configuration: Self.tree())
      #expect(daemon.log.contains("touchtree waits for a monitor"), "\(daemon.log)")
      func plug(_ state: String) async throws {
        // A driver's interrupt would do the second.
        try await machine.run(
          "echo \(state) >/sys/class/drm/card0-Virtual-1/status; echo change >/sys/class/drm/card0/uevent")
      }
      for round in 1...Self.rounds {
        try await plug("detect")
        try await daemon.eventually("it is back, round \(round)") {
          daemon.log.components(separatedBy: "the display is now").count == round + 1
        }
        // Kernel 6.12 has read no modes of a monitor that was off while it booted.
        if daemon.log.contains("1024x768@") { hardware.size = (1024, 768) }
        if round < 4 || round == Self.rounds {
          try await isShown(try await rendered(hardware, on: machine), hardware, daemon, "a cable")
        }
        try await plug("off")
        try await daemon.eventually("it is gone, round \(round)") {
          daemon.log.components(separatedBy: "the display is gone").count == round + 1
        }
      }
      #expect(try await daemon.stop() == 0)
      await machine.stop()
    }

    @Test(.enabled(if: isNight || isNewer))
    func `the monitor prefers another mode, and picture and touches adapt to it`() async throws {
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .resizable("virtio-gpu-pci", kernel: Hardware.withoutFramebuffer))
      let daemon = try await Daemon.start(in: machine, configuration: Self.tree())
      var hardware = Self.machines[2]
      for round in 1...Self.rounds {
        hardware.size = round % 2 == 0 ? (1280, 800) : (1024, 600)
        try await machine.resize(to: hardware.size.width, hardware.size.height)
        try await daemon.eventually("it has the mode, round \(round)") {
          daemon.log.components(separatedBy: "the display is now").count == round + 1
        }
        if round < 4 || round == Self.rounds {
          try await isShown(try await rendered(hardware, on: machine), hardware, daemon, "another mode")
        }
      }
      try await machine.movePointer(toX: 640, y: 400)
      try await machine.pressPointer(true)
      try await daemon.delivers("began", upTo: "window")
      let point = try #require(
        try daemon.trace.last { $0.phase == "began" && $0.responder == "window" }?.point)
      #expect(abs(point[0] - Double(hardware.size.width / 2)) < 2, "\(point)")
      try await machine.pressPointer(false)
      #expect(try await daemon.stop() == 0)
      await machine.stop()
    }

    /// The number of repetitions: 1000 for a night, by this variable.
    private static let rounds =
      ProcessInfo.processInfo.environment["TOUCHTREE_CONNECTOR_ROUNDS"].flatMap(Int.init) ?? 10

    @Test
    func `a card that is unplugged is waited for`() async throws {
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .adapters(["bochs-display"], kernel: Hardware.withoutFramebuffer))
      let daemon = try await Daemon.start(in: machine, configuration: Self.tree())
      let driver = "/sys/bus/pci/drivers/bochs-drm"
      let card = try await machine.run("cd \(driver) && ls -d 0000:* | tee unbind").stdout
        .trimmingCharacters(in: .newlines)
      try await daemon.eventually("it says that the display is gone") {
        daemon.log.contains("the display is gone")
      }
      try await machine.run("echo \(card) >\(driver)/bind")
      try await daemon.eventually("it is back") { daemon.log.contains("the display is now") }
      try await isShown(
        try await rendered(Self.machines[1], on: machine), Self.machines[1], daemon, "the card")
      #expect(try await daemon.stop() == 0)
      await machine.stop()
    }

    /// The witness refuses modes on a driver's behalf.
    @Test(.enabled(if: isNight || isNewer))
    func `a lesser mode is shown where the driver refuses the preferred one, not one that is asked for`()
      async throws
    {
      var hardware = Self.machines[1]
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .adapters(hardware.adapters, kernel: hardware.kernel))
      let witness = try await Witness(in: machine)
      let daemon = try await Daemon.start(
        in: machine, arguments: "--display kms", prefix: witness.prefix(.narrow),
        configuration: Self.tree())
      try await daemon.eventually("it has another mode") { daemon.log.contains("1024x768@60") }
      #expect(
        daemon.log.contains(
          "refuses the mode 1280x800@75 with 32 bits (Invalid argument), so it shows 1024x768@60"),
        "\(daemon.log)")
      hardware.size = (1024, 768)
      try await followsFinger(hardware, daemon)
      #expect(try await daemon.stop() == 0)

      try Data(Self.tree(mode: ", mode: 1280x800").utf8).write(
        to: machine.shared.appending(path: "asked.yaml"))
      let asked = try await machine.run(
        "\(witness.prefix(.narrow)) touchtree run --display kms --config /shared/asked.yaml")
      #expect(asked.status == 69, "\(asked)")
      #expect(asked.stderr.contains("a lesser one is display: {mode: 1280x768@60}"), "\(asked)")
      await machine.stop()
    }

    // MARK: Drivers without atomic requests

    /// Every driver in Debian's kernel takes them, and the calls of before too: the witness refuses the first
    /// on its behalf.
    @Test(arguments: byTurns([["bochs-display"], ["virtio-gpu-pci"]]))
    func `a driver without atomic requests shows, blanks and flips by the calls of before`(adapters: [String])
      async throws
    {
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .adapters(adapters, kernel: Hardware.withoutFramebuffer))
      let witness = try await Witness(in: machine)
      func start(_ extra: String = "") async throws -> Daemon {
        try await Daemon.start(
          in: machine, arguments: "--display kms", prefix: witness.prefix(.noAtomic),
          configuration: Self.list(extra: extra))
      }
      let daemon = try await start()
      try await isAsScreenshot(daemon)
      try await dragList(daemon)
      try await isAsScreenshot(daemon)
      let figures = try await machine.run("touchtree ctl stats --json").stdout
      #expect(figures.contains("intervals_us") == (adapters == ["bochs-display"]), "\(figures)")
      #expect(try await daemon.stop() == 0)
      let idle = try await start("idle: [{after: 1, blank: true}]")
      func isSwitched(_ times: Int) async throws {
        try await idle.eventually("it is switched off and on: \(times)") {
          witness.calls.count { $0 == "card0 property" } >= times
        }
      }
      try await isSwitched(1)
      try await machine.pressPointer(true)
      try await isSwitched(2)
      try await machine.pressPointer(false)
      #expect(try await idle.stop() == 0)
      let calls = Set(witness.calls.filter { $0.hasPrefix("card0 ") })
      // Nothing is gained by flips where a picture is copied.
      let wanted = ["card0 mode", "card0 dirty", "card0 property"]
      #expect(calls.isSuperset(of: wanted), "\(calls)")
      #expect(calls.contains("card0 flip") == (adapters == ["bochs-display"]), "\(calls)")
      #expect(!calls.contains("card0 atomic request"), "\(calls)")
      #expect(!(daemon.log + idle.log).contains("warning"), "\(daemon.log)\(idle.log)")
      await machine.stop()
    }

    // MARK: By turns, on the machine with a framebuffer

    @Test
    func `the console returns after every end`() async throws {
      let machine = try await Machines.main()
      let text = try await machine.consoleText(1)
      for signal in ["TERM", "SEGV", "KILL"] {
        let daemon = try await Daemon.start(
          in: machine, arguments: "--display kms", configuration: Self.tree())
        try await isShown(try await rendered(Self.machines[1], on: machine), Self.machines[1], daemon, "KMS")
        try await daemon.signal(signal)
        try await daemon.end()
        if signal == "KILL" { try await machine.run("touchtree console-restore /dev/tty1") }
        try await machine.shows(text, "the text is back after \(signal)")
      }
    }

    @Test
    func `other terminals are shown, and the picture returns`() async throws {
      let machine = try await Machines.main()
      let other = try await machine.consoleText(2)
      _ = try await machine.consoleText(1)
      let daemon = try await Daemon.start(in: machine, arguments: "--display kms", configuration: Self.tree())
      let picture = try await rendered(Self.machines[1], on: machine)
      for round in 1...Self.rounds {
        try await machine.run("chvt 2")
        if round < 4 || round == Self.rounds { try await machine.shows(other, "terminal 2") }
        try await machine.run("chvt 1")
        if round < 4 || round == Self.rounds {
          try await isShown(picture, Self.machines[1], daemon, "terminal 1")
        }
      }
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `who has the card is named, and a card belongs to one touchtree`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine, arguments: "--display kms", configuration: Self.tree())
      let second = try await machine.run(
        "touchtree run --config \(daemon.configurationPath) --display kms --control none --watch-socket none")
      #expect(second.status == 69, "\(second.stderr)")
      #expect(second.stderr.contains("touchtree (pid \(daemon.pid)) has it"), "\(second.stderr)")
      let list = try await machine.run("touchtree displays")
      #expect(list.stdout.contains("touchtree (pid \(daemon.pid)) has it"), "\(list.stdout)")
      #expect(try await daemon.stop() == 0)

      // A program that takes the card as a display server does, by the name of one.
      let server = try await machine.spawn(
        "cp /usr/bin/vm-guest /tmp/Xorg; exec /tmp/Xorg square \(try await machine.tabletNode()) /dev/dri/card0 "
          + "0,0,200x200 ff0000 00ff00 dirty")
      try await eventually("the server has the card") {
        try await machine.screendump()[100, 100] == Colour(0x00_ff_00)
      }
      for command in ["run --config \(daemon.configurationPath) --display kms", "displays"] {
        let output = try await machine.run("touchtree \(command)")
        let text = output.stdout + output.stderr
        #expect(text.contains("Xorg (pid \(server.pid)) has it"), "\(text)")
      }
      try await server.signal("KILL")
      try await server.end()
    }

    /// A compositor's card was opened by the seat's manager, and a service may look at neither.
    @Test
    func
      `a compositor that has the card of systemd-logind is named, also to a user who sees no other program`()
      async throws
    {
      let machine = try await Machines.main()
      let tablet = try await machine.tabletNode()
      let manager = try await machine.spawn(
        "cp /usr/bin/vm-guest /tmp/systemd-logind; exec /tmp/systemd-logind square \(tablet) /dev/dri/card0 "
          + "0,0,200x200 ff0000 00ff00 dirty")
      try await eventually("the manager has the card") {
        try await machine.screendump()[100, 100] == Colour(0x00_ff_00)
      }
      let number = try await machine.run("cat /sys/class/drm/card0/dev").stdout.trimmingCharacters(
        in: .newlines)
      try await machine.run(
        "mkdir -p /run/systemd/sessions; printf 'USER=pi\\nACTIVE=1\\nTYPE=wayland\\nSERVICE=lightdm\\nLEADER=812\\n"
          + "DEVICES=13:64 \(number)\\n' >/run/systemd/sessions/2")
      let session = "a Wayland session of pi (lightdm, pid 812) has it"
      for prefix in ["", "vm-guest as 990 990,44,104"] {
        let list = try await machine.run("\(prefix) touchtree displays")
        #expect(list.stdout.contains(session), "\(prefix): \(list)")
      }
      let compositor = try await machine.spawn(
        "exec 9<>/dev/dri/card0; cp /bin/busybox /tmp/sleep; exec /tmp/sleep 60")
      try await eventually("the compositor is named") {
        try await machine.run("touchtree displays").stdout.contains("sleep (pid \(compositor.pid)) has it")
      }
      for process in [compositor, manager] {
        try await process.signal("KILL")
        try await process.end()
      }
      try await machine.run("rm -r /run/systemd/sessions")
    }

    @Test
    func `a user in the group video needs no other right`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(
        Scene(console: "keep", isHandled: false), in: machine, arguments: "--display kms",
        prefix: "vm-guest as 990 990,44,104", traced: false)
      #expect(daemon.log.contains("Virtual-1 (bochs-drm"), "\(daemon.log)")
      try await daemon.eventually("it is shown") {
        try await machine.screendump()[daemon.scene.left.sample.x, daemon.scene.left.sample.y]
          == daemon.scene.left.background
      }
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `without libdrm the program starts, and says what is missing`() async throws {
      let machine = try await Machines.main()
      let library = try await machine.run(
        "ls /usr/lib/*/libdrm.so.2 /lib/*/libdrm.so.2 2>/dev/null | head -n 1"
      ).stdout
        .trimmingCharacters(in: .newlines)
      try Data(Self.tree().utf8).write(to: machine.shared.appending(path: "kms.yaml"))
      let output = try await machine.run(
        """
        mv \(library) /tmp/libdrm
        touchtree displays; touchtree run /shared/kms.yaml --display kms; echo $?
        mv /tmp/libdrm \(library)
        """)
      #expect(output.stdout.hasPrefix("/dev/fb0") && output.stdout.hasSuffix("69\n"), "\(output.stdout)")
      #expect(output.stderr.contains("apt-get install libdrm2"), "\(output.stderr)")
    }

    @Test
    func `it is dark while nothing is touched, and lit by a touch`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(
        in: machine, arguments: "--display kms",
        configuration: Self.tree(extra: "idle: [{after: 3, blank: true}]"))
      let picture = try await rendered(Self.machines[1], on: machine)
      try await daemon.eventually("it is dark") {
        let screen = try await machine.screendump()
        return screen.width != picture.width || screen[60, 560] == Colour(0)
      }
      try await machine.movePointer(toX: 640, y: 400)
      try await machine.pressPointer(true)
      try await machine.pressPointer(false)
      try await isShown(picture, Self.machines[1], daemon, "light")
      #expect(!daemon.log.contains("does not switch"), "\(daemon.log)")
      #expect(try await daemon.stop() == 0)
    }

    /// bochs scans the buffer out; virtio is told what has changed.
    @Test(arguments: byTurns([["bochs-display"], ["virtio-gpu-pci"]]))
    func `a moving finger allocates nothing, and while idle it is not woken, with and without a finger`(
      adapters: [String]
    ) async throws {
      let machine = try await VirtualMachine.booted(
        name: "connector", display: .adapters(adapters, kernel: Hardware.withoutFramebuffer))
      let finger = try await Finger.make(.multitouch, in: machine)
      let daemon = try await Figures.startCountingAllocations(
        Figures.changingScene, in: machine, [finger.device].compactMap(\.self), arguments: "--display kms")
      let first = try await Figures.allocations(of: daemon, finger, frames: 300)
      let many = try await Figures.allocations(of: daemon, finger, frames: 300)
      print("allocations of 300 moved frames by KMS, \(adapters[0]): \(first) at first, then \(many)")
      #expect(first > 0)
      // What is left of growing buffers.
      #expect(many < 10)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await Task.sleep(for: .seconds(1))
      #expect(try await Figures.wakeUps(of: daemon) == 0)
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)
      try await Task.sleep(for: .seconds(1))
      #expect(try await Figures.wakeUps(of: daemon) == 0)
      #expect(try await daemon.stop() == 0)
      await machine.stop()
    }

    /// A list over all of the screen.
    private static func list(extra: String = "") -> String {
      let rows = (0..<40).map {
        "{id: row\($0), frame: [0, \($0 * 100), 1280, 90], background: \"#\($0 % 2 == 0 ? "305070" : "704030")\"}"
      }
      return """
        version: 1
        highlight: {view: {style: none}, touches: false}
        input: {cursor: never}
        \(extra)
        window:
          subviews:
            - {id: list, kind: scroll, frame: [0, 0, 1280, 800], content: [1280, 4000], bounces: false, indicators: false, subviews: [\(rows.joined(separator: ", "))]}

        """
    }

    /// Drags the list up, looks what the kernel has then, and lets go.
    private func dragList(_ daemon: Daemon, _ look: () async throws -> Void = {}) async throws {
      let machine = daemon.machine
      try await machine.movePointer(toX: 640, y: 700)
      try await machine.pressPointer(true)
      for step in 1...40 { try await machine.movePointer(toX: 640, y: 700 - 15 * step) }
      try await look()
      try await machine.pressPointer(false)
    }

    /// It comes to rest, and the screen has what clients are told.
    private func isAsScreenshot(_ daemon: Daemon) async throws {
      let machine = daemon.machine
      var seen: String?
      try await daemon.eventually("the screen shows what a screenshot has: \(seen ?? "nothing")") {
        let shot = try await machine.run("touchtree ctl screenshot /shared/shot.png")
        try #require(shot.status == 0, "\(shot.stderr)")
        let picture = try Picture(png: machine.shared.appending(path: "shot.png").path)
        seen = try await machine.screendump().firstDifference(from: picture)
        return seen == nil
      }
    }

    @Test
    func `what moves over much of the screen is shown by turns of three buffers`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(in: machine, arguments: "--display kms", configuration: Self.list())
      try await machine.run("mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null")
      try await dragList(daemon) {
        let count = try await machine.run(
          "grep -c 'allocated by = touchtree' /sys/kernel/debug/dri/0/framebuffer")
        #expect(count.stdout == "3\n", "\(count)")
      }
      try await isAsScreenshot(daemon)
      #expect(try await daemon.stop() == 0)
    }
  }
}
