import Foundation
import Testing

extension VirtualMachineTests {
  /// Keyboards, knobs and scanners on a real kernel.
  @Suite struct Keys {
    private static let keyboard = GuestDevice.Description(
      name: "VM keyboard", lines: ["key " + letters.map { "KEY_\($0)" }.joined(separator: " ")])
    private static let letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890".map(String.init)
      + ["ENTER", "TAB", "ESC", "LEFTSHIFT", "LEFTCTRL", "LEFTALT", "F1", "F2", "F3", "SPACE"]
    private static let knob = GuestDevice.Description(
      name: "VM knob", lines: ["key KEY_ENTER", "rel REL_DIAL"])

    private static let file = """
      version: 1
      highlight: {view: none, touches: false}
      application:
        keys: {F1: [send: {to: subscribers, message: F1}]}
        scanned: [set: {code: {text: "{text}"}}]
      window:
        subviews:
          - {id: code, kind: label, frame: [0, 0, 800, 40], text: none}
          - {id: a, kind: button, frame: [0, 60, 200, 80], text: A}
          - {id: volume, kind: slider, frame: [0, 160, 200, 40], step: 0.1, value: 0.5}
      """

    /// The trace's lines about keys: `press 1 began enter a`, `focus a`, `scanned 4006381333931`.
    private struct Line: Decodable {
      var event: String
      var press: Int?
      var phase: String?
      var key: String?
      var responder: String?
      var view: String?
      var text: String?
      var action: String?
      var value: Double?
    }

    private func lines(_ daemon: Daemon) throws -> [Line] {
      let text = daemon.traceText
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return try text[..<end].split(separator: "\n")
        .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// The phases of each press at the first responder that got it.
    private func lives(_ daemon: Daemon) throws -> [[String]] {
      var lives: [(press: Int, responder: String?, phases: [String])] = []
      for line in try lines(daemon) where line.event == "press" {
        guard let press = line.press, let phase = line.phase else { continue }
        if let index = lives.firstIndex(where: { $0.press == press }) {
          if lives[index].responder == line.responder { lives[index].phases.append(phase) }
        } else {
          lives.append((press, line.responder, [phase]))
        }
      }
      return lives.map(\.phases)
    }

    private func type(_ key: String) -> [String] { ["frame KEY_\(key)=1", "frame KEY_\(key)=0"] }

    /// The number of writes of `emit` that took so long that a scanner would have paused.
    private func stalls(of device: GuestDevice) -> Int {
      device.output.split(separator: "\n").count { $0 == "stalled" }
    }

    private func start(_ devices: [GuestDevice], in machine: VirtualMachine) async throws -> Daemon {
      try await Daemon.start(
        in: machine,
        arguments: "--display headless:800x480 "
          + devices.map { "--device \($0.node)" }.joined(separator: " "),
        devices: devices, configuration: Self.file)
    }

    @Test
    func `a keyboard moves the focus and presses, and a knob edits`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(Self.keyboard, in: machine)
      let knob = try await GuestDevice.make(Self.knob, in: machine)
      let daemon = try await start([keyboard, knob], in: machine)
      try await keyboard.send(type("TAB") + type("ENTER"))
      try await daemon.eventually("a is pressed") {
        try lines(daemon).contains { $0.action == "touchUpInside" && $0.view == "a" }
      }
      try await knob.send(["frame REL_DIAL=1"] + type("ENTER") + ["frame REL_DIAL=2", "frame REL_DIAL=-1"])
      try await daemon.eventually("the volume is 0.6") {
        guard let value = try lines(daemon).last(where: { $0.event == "value" })?.value else { return false }
        return abs(value - 0.6) < 0.001
      }
      #expect(try lives(daemon).allSatisfy { $0 == ["began", "ended"] })
      try await daemon.stop()
      for device in [keyboard, knob] { try await device.destroy() }
    }

    @Test
    func `two devices that are unplugged in the middle of a press leave none`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(Self.keyboard, in: machine)
      let knob = try await GuestDevice.make(Self.knob, in: machine)
      let daemon = try await start([keyboard, knob], in: machine)
      try await keyboard.send(type("TAB") + ["frame KEY_ENTER=1"])
      try await knob.send(["frame KEY_ENTER=1"])
      try await daemon.eventually("three presses have begun") { try lives(daemon).count == 3 }
      try await keyboard.kill()
      try await knob.kill()
      // The kernel reports the keys of a device that goes as released. Whoever reads that before it is gone
      // has seen them end, and else they are cancelled.
      try await daemon.eventually("each has one end") {
        try lives(daemon).allSatisfy { $0 == ["began", "ended"] || $0 == ["began", "cancelled"] }
      }
      #expect(try lives(daemon).count == 3)
      try await daemon.stop()
    }

    @Test
    func `a scanner types 1 000 keys a second, and each code is one text`() async throws {
      let machine = try await Machines.main()
      let scanner = try await GuestDevice.make(Self.keyboard, in: machine)
      let daemon = try await start([scanner], in: machine)
      var (number, read) = (0, 0)
      while read < 20, number < 200 {
        let code = "40063813\(10_000 + number)"
        number += 1
        let before = (lines: try lines(daemon).count, stalls: stalls(of: scanner))
        let frames = code.flatMap { type(String($0)) } + type("ENTER")
        let events = frames.map { $0.replacing("frame ", with: "") + " SYN_REPORT=0" }
        // In one write; then the daemon reads, because the kernel keeps 64 events of a keyboard.
        let write = ["emit " + events.joined(separator: " "), "reader \(daemon.pid)"]
        try await scanner.send(write + type("F1"))
        try await daemon.eventually("code \(number) is read") {
          Set(try lines(daemon).filter { $0.key == "f1" && $0.phase == "ended" }.map(\.press)).count == number
        }
        // Where the host stops the machine for a moment, the keys are as slow as a person's.
        guard stalls(of: scanner) == before.stalls else { continue }
        read += 1
        let new = try lines(daemon).dropFirst(before.lines)
        #expect(new.filter { $0.event == "scanned" }.compactMap(\.text) == [code])
        #expect(new.allSatisfy { $0.press == nil || $0.key == "f1" })
      }
      #expect(read == 20)
      try await daemon.stop()
      try await scanner.destroy()
    }

    /// A keyboard with a keypad, and a light for num lock.
    private static let keypad = GuestDevice.Description(
      name: "VM keypad",
      lines: keyboard.lines + [
        "key KEY_KP1 KEY_KP2 KEY_KPENTER KEY_NUMLOCK", "bit EV_LED LED_NUML",
      ])

    /// Notes what each event of a key says of its device.
    private static func naming(in guest: String) -> String {
      """
      version: 1
      highlight: {view: none, touches: false}
      input: {keyboard: {layout: us}, devices: [{match: {name: "VM scanner"}, scanner: true}]}
      keyboard: {shows: never}
      handlers:
        witness:
          kind: process
          command: [sh, -c, 'echo "{\\"type\\":\\"ready\\",\\"protocol\\":1}"; exec cat >\(guest)/events']
          wants: [press, scanned]
      application: {handlers: [witness]}
      window:
        subviews:
          - {id: pin, kind: text_field, frame: [0, 0, 300, 44], editing: true}
      """
    }

    @Test
    func `num lock is on with its light, and events name the keyboard and the scanner`() async throws {
      let machine = try await Machines.main()
      let (_, guest) = try await machine.newFolder()
      let keypad = try await GuestDevice.make(Self.keypad, in: machine)
      let scanner = try await GuestDevice.make(
        GuestDevice.Description(name: "VM scanner", lines: Self.keyboard.lines), in: machine)
      let watch = try await machine.spawn("exec vm-guest watch \(keypad.node)")
      try await eventually("the keypad is watched") { watch.stdout.contains("watching\n") }
      func lights() -> [String] {
        watch.stdout.split(separator: "\n").map(String.init).filter { $0.hasPrefix("LED_") }
      }
      let daemon = try await Daemon.start(
        in: machine,
        arguments: "--display headless:800x480 --device \(keypad.node) --device \(scanner.node)",
        devices: [keypad, scanner], configuration: Self.naming(in: guest))
      try await eventually("num lock is lit") { lights().last == "LED_NUML=1" }
      try await keypad.send(type("KP1") + type("KP2"))
      try await daemon.eventually("12 is typed") {
        try lines(daemon).count { $0.view == "pin" && $0.action == "editingChanged" } == 2
      }
      // A lock's key changes its light by libxkbcommon, which the machine does not have.
      // Escape leaves the field, so that the code is a scan.
      try await keypad.send(type("ESC") + type("F1"))
      try await scanner.send("4006".flatMap { type(String($0)) } + type("ENTER"))
      try await daemon.eventually("a code is read") { try lines(daemon).contains { $0.text == "4006" } }
      try await daemon.stop()
      let events = try await machine.run("cat \(guest)/events").stdout.split(separator: "\n")
      func devices(_ type: String) -> Set<String> {
        Set(
          events.filter { $0.contains("\"type\":\"\(type)\"") }
            .compactMap { $0.firstMatch(of: /"device":"([^"]*)"/).map { String($0.output.1) } })
      }
      #expect(devices("scanned") == ["VM scanner"])
      #expect(devices("press") == ["VM keypad"])
      for device in [keypad, scanner] { try await device.destroy() }
    }

    @Test
    func `ctrl, alt and a function key show another terminal although the keyboard is off`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(Self.keyboard, in: machine)
      let daemon = try await Daemon.start(in: machine, devices: [keyboard])
      #expect(try await machine.consoleModes().hasPrefix("display=graphics keyboard=off"))
      let home = try await machine.run("fgconsole 2>/dev/null || cat /sys/class/tty/tty0/active").stdout
      try await keyboard.send(["frame KEY_LEFTCTRL=1", "frame KEY_LEFTALT=1"] + type("F3"))
      try await keyboard.send(["frame KEY_LEFTALT=0", "frame KEY_LEFTCTRL=0"])
      try await eventually("terminal 3 is shown") {
        try await machine.run("cat /sys/class/tty/tty0/active").stdout == "tty3\n"
      }
      try await machine.run("chvt \(home.filter(\.isNumber))")
      try await daemon.stop()
      try await keyboard.destroy()
    }

    /// Two rows of two keys, each 400 × 240.
    private static let typing = """
      version: 1
      highlight: {view: none, touches: false}
      input: {keyboard: {layout: us}}
      keyboards: {four: {rows: [a B, ö delete]}}
      window:
        subviews:
          - {id: keys, kind: keyboard, to: kernel, layout: four, frame: [0, 0, 800, 480]}
      """

    /// The keys that `vm-guest watch` has read, such as `KEY_A=1`.
    private func keys(_ watch: GuestProcess) -> [String] {
      watch.stdout.split(separator: "\n").map(String.init).filter { $0.hasPrefix("KEY_") }
    }

    @Test
    func `what is typed on the screen goes to other programs, and every key comes up`() async throws {
      let machine = try await Machines.main()
      let panel = try await GuestDevice.make(.singleTouch(x: 0...799, y: 0...479), in: machine)
      let daemon = try await Daemon.start(
        in: machine, arguments: "--display headless:800x480", devices: [panel], configuration: Self.typing)
      var node: String?
      try await daemon.eventually("it has made a keyboard") {
        node = daemon.log.matches(of: /goes to other programs, as (\/dev\/input\/event\d+)/).last
          .map { String($0.output.1) }
        return node != nil
      }
      let watch = try await machine.spawn("exec vm-guest watch \(try #require(node))")
      try await eventually("the keyboard is read") { watch.stdout.contains("watching\n") }
      func tap(_ x: Int, _ y: Int) async throws {
        try await panel.send(["frame ABS_X=\(x) ABS_Y=\(y) BTN_TOUCH=1", "frame BTN_TOUCH=0"])
      }
      for (x, y) in [(200, 120), (600, 120), (200, 360), (200, 360), (600, 360)] { try await tap(x, y) }
      try await daemon.eventually("delete has come up") { keys(watch).contains("KEY_BACKSPACE=0") }
      #expect(
        keys(watch) == [
          "KEY_A=1", "KEY_A=0", "KEY_LEFTSHIFT=1", "KEY_B=1", "KEY_B=0", "KEY_LEFTSHIFT=0", "KEY_BACKSPACE=1",
          "KEY_BACKSPACE=0",
        ])
      #expect(daemon.log.matches(of: /has no keys for .*ö/).count == 1, "\(daemon.log)")
      // It does not read what it types.
      #expect(!daemon.traceText.contains("\"event\":\"press\""), "\(daemon.traceText)")

      // A reload keeps the keyboard.
      try await daemon.signal("HUP")
      try await daemon.eventually("it is reloaded") { daemon.log.contains("reloaded ") }
      try await tap(200, 120)
      try await daemon.eventually("a second a is typed") {
        keys(watch).count { $0 == "KEY_A=0" } == 2
      }
      // Killed while a finger is on a key, it leaves none down, and no keyboard.
      try await panel.send(["frame ABS_X=200 ABS_Y=120 BTN_TOUCH=1"])
      try await daemon.signal("KILL")
      _ = try? await daemon.end()
      try await eventually("the keyboard is gone") { watch.stdout.contains("gone\n") }
      let (down, up) = (keys(watch).filter { $0.hasSuffix("=1") }, keys(watch).filter { $0.hasSuffix("=0") })
      #expect(down.map { $0.dropLast(2) }.sorted() == up.map { $0.dropLast(2) }.sorted())
      try await panel.destroy()
    }
  }
}
