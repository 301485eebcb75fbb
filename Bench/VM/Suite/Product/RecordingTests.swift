import Foundation
import Testing

extension VirtualMachineTests {
  /// `touchtree record` and `touchtree replay`, with devices that exist.
  @Suite struct Recordings {
    @Test
    func `a recording gives the live trace when it is replayed, byte for byte`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.multitouch, in: machine)
      let device = try #require(finger.device)
      let scene = Scene()
      // An earlier touch: the kernel does not tell its place again, so the recording has to know it.
      try await finger.down(at: scene.left.centre, contact: 1)
      try await finger.up()
      let daemon = try await Daemon.start(scene, in: machine, devices: [device])
      let recorder = try await Recorder.start(in: machine, arguments: "--device \(device.node)")

      var length = 0
      func step(_ events: String) async throws {
        try await device.frame(events)
        try await daemon.eventually("'\(events)' is in the trace") { daemon.traceText.utf8.count > length }
        length = daemon.traceText.utf8.count
      }
      try await step("ABS_MT_TRACKING_ID=2 BTN_TOUCH=1")
      for place in [(400, 300), (500, 320), (600, 400)] {
        try await step(finger.multitouchPosition(place))
      }
      try await step(
        "ABS_MT_SLOT=3 ABS_MT_TRACKING_ID=3 \(finger.multitouchPosition(scene.knob.centre))")
      try await step("ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=-1")
      try await step("ABS_MT_SLOT=3 ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0")
      let live = daemon.traceText
      try await recorder.stop()
      try await daemon.stop()

      #expect(try TraceLine.lines(of: live).hits == ["left", "knob"])
      let replayed = try await recorder.replay(scene)
      #expect(replayed.status == 0, "\(replayed.stderr)")
      #expect(replayed.stdout == live)
    }

    @Test
    func `a recording that is played through uinput touches the same views, and can be recorded`()
      async throws
    {
      let machine = try await Machines.main()
      let scene = Scene()
      let (folder, guest) = try await machine.newFolder()
      let original = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Tests/Recordings/slots.yml").standardized
      try FileManager.default.copyItem(at: original, to: folder.appending(path: "rec.yml"))
      try scene.yaml(record: "\(guest)/bell.log")
        .write(to: folder.appending(path: "vm.yaml"), atomically: true, encoding: .utf8)
      let expected = try await machine.run(
        "touchtree replay \(guest)/rec.yml --config \(guest)/vm.yaml --json --size 1280x800")
      #expect(expected.status == 0, "\(expected.stderr)")
      let lines = try TraceLine.lines(of: expected.stdout)
      #expect(lines.lives.count == 5)

      let daemon = try await Daemon.start(scene, in: machine)
      let player = try await machine.spawn("exec touchtree replay \(guest)/rec.yml --uinput --wait 6")
      try await eventually("the player prints its node") { player.stdout.hasPrefix("/dev/input/event") }
      let node = player.stdout.trimmingCharacters(in: .newlines)
      try await daemon.opens(node)
      let recorder = try await Recorder.start(in: machine, arguments: "--device \(node)")
      #expect(try await player.end() == 0, "\(player.stderr)")
      // The device is unplugged, so the recorder has nothing more to do.
      #expect(try await recorder.process.end() == 0)
      #expect(
        recorder.process.stderr.contains("Recorded multitouch: 33 frames"), "\(recorder.process.stderr)")

      try await daemon.eventually("every touch has ended") { try daemon.trace.lives == lines.lives }
      #expect(try daemon.trace.hits == lines.hits)
      try await daemon.stop()
      #expect(try await recorder.replay(scene).stdout == expected.stdout)
    }

    @Test
    func `a recorded keyboard types on the console only with the option for it`() async throws {
      let machine = try await Machines.main()
      let (folder, guest) = try await machine.newFolder()
      // "touch x" and Enter: T O U C H, space, X.
      let keys = [20, 24, 22, 46, 35, 57, 45, 28].flatMap { key in
        [1, 0].map { "0001 \(String(key, radix: 16)) \($0)" }
      }
      let events = keys.enumerated().map { number, event in
        let time = "E: 0.\(number < 10 ? "0" : "")\(number)0000"
        return "\(time) \(event)\n\(time) 0000 0000 0\n"
      }
      try """
      N: VM recorded keyboard
      I: 0003 0001 0002 0003
      B: 01 00 00 50 11 08 60 00 02
      \(events.joined())
      """.write(to: folder.appending(path: "keys.evemu"), atomically: true, encoding: .utf8)
      let shell = try await machine.spawn("chvt 1; cd \(guest) && exec sh </dev/tty1")
      func isTyped() -> Bool { FileManager.default.fileExists(atPath: folder.appending(path: "x").path) }

      let safe = try await machine.run("touchtree replay \(guest)/keys.evemu --uinput --wait 0.2")
      #expect(safe.status == 0)
      #expect(safe.stderr.contains("left out 8 codes of keys and switches, and 16 events"), "\(safe.stderr)")
      #expect(safe.stderr.contains("--keys"))
      // A shell that had read a command would run it before this one.
      try await machine.run("vm-guest console /dev/tty1 type 'touch y\n'")
      try await eventually("the shell runs what is typed after it") {
        FileManager.default.fileExists(atPath: folder.appending(path: "y").path)
      }
      #expect(!isTyped())

      let asked = try await machine.run("touchtree replay \(guest)/keys.evemu --uinput --wait 0.2 --keys")
      #expect(asked.status == 0 && !asked.stderr.contains("left out"), "\(asked.stderr)")
      try await eventually("with --keys the shell runs the command") { isTyped() }
      try await shell.signal("KILL")
    }

    @Test
    func `without --device the touchscreen is recorded, and Ctrl-C leaves a complete file`() async throws {
      let machine = try await Machines.main()
      let finger = try await Finger.make(.singleTouch, in: machine)
      let recorder = try await Recorder.start(in: machine)
      #expect(recorder.process.stderr.contains("recording VM single touch"))
      #expect(!recorder.process.stderr.contains("Tablet"))
      try await finger.down(at: (100, 100))
      try await eventually("the frame is in the file") { recorder.text.contains("BTN_TOUCH 1") }
      try await finger.up()
      try await recorder.stop(by: "INT")
      #expect(recorder.text.contains("BTN_TOUCH 0"))
      let replayed = try await recorder.replay(Scene())
      #expect(try TraceLine.lines(of: replayed.stdout).lives.values.map(\.self) == [["began", "ended"]])
    }

    @Test
    func `typed keys are recorded as KEY_A`() async throws {
      let machine = try await Machines.main()
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(
          name: "VM keypad", lines: ["key KEY_B KEY_ENTER BTN_LEFT", "bit EV_MSC MSC_SCAN"]),
        in: machine)
      let recorder = try await Recorder.start(in: machine, arguments: "--device \(keyboard.node)")
      try await keyboard.send([
        "frame MSC_SCAN=458757 KEY_B=1", "frame KEY_B=0", "frame KEY_ENTER=1", "frame BTN_LEFT=1",
      ])
      try await eventually("four frames are in the file") { recorder.text.contains("EV_KEY / BTN_LEFT 1") }
      try await recorder.stop()
      #expect(recorder.text.components(separatedBy: "EV_KEY / KEY_A ").count == 4)
      #expect(recorder.text.contains("EV_MSC / MSC_SCAN 30\n"))
      for secret in ["/ KEY_B", "/ KEY_ENTER", "458757"] { #expect(!recorder.text.contains(secret)) }
    }

    @Test
    func `several devices in one recording are replayed together`() async throws {
      let machine = try await Machines.main()
      let scene = Scene()
      let one = try await Finger.make(.singleTouch, in: machine)
      let two = try await Finger.make(.multitouch, in: machine)
      let recorder = try await Recorder.start(in: machine)
      try await one.down(at: scene.left.centre)
      try await two.down(at: scene.knob.centre)
      try await one.up()
      try await two.up()
      try await recorder.stop()
      #expect(recorder.text.contains("ndevices: 2\n"))
      let replayed = try await recorder.replay(scene)
      let lines = try TraceLine.lines(of: replayed.stdout)
      #expect(lines.hits == ["left", "knob"])
      #expect(lines.lives.values.map(\.self) == [["began", "ended"], ["began", "ended"]])
    }

    @Test
    func `without permission for uinput, the udev rule that grants it is printed`() async throws {
      let machine = try await Machines.main()
      let (folder, guest) = try await machine.newFolder()
      let demo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../config/demo.evemu").standardized
      try FileManager.default.copyItem(at: demo, to: folder.appending(path: "demo.evemu"))
      try await machine.run("chmod 600 /dev/uinput")
      let outcome = try await machine.run(
        "vm-guest as 1000 1000 touchtree replay \(guest)/demo.evemu --uinput")
      #expect(outcome.status == 77)
      #expect(outcome.stderr.contains(#"KERNEL=="uinput""#), "\(outcome.stderr)")
    }
  }
}

/// `touchtree record` in the guest.
struct Recorder: Sendable {
  let process: GuestProcess
  private let folder: URL
  private let guest: String

  /// Starts it, and returns when it listens.
  static func start(
    in machine: VirtualMachine, arguments: String = "", prefix: String = ""
  ) async throws -> Recorder {
    let (folder, guest) = try await machine.newFolder()
    let process = try await machine.spawn("exec \(prefix) touchtree record -o \(guest)/rec.yml \(arguments)")
    let recorder = Recorder(process: process, folder: folder, guest: guest)
    try await eventually("the recorder listens") {
      if try await process.hasEnded { throw MachineError("it ended: \(process.stderr)") }
      return process.stderr.contains("recording ")
    }
    return recorder
  }

  /// The contents of the file.
  var text: String {
    (try? String(contentsOf: folder.appending(path: "rec.yml"), encoding: .utf8)) ?? ""
  }

  func stop(by signal: String = "TERM") async throws {
    try await process.signal(signal)
    let status = try await process.end()
    guard status == 0 else { throw MachineError("record ended with \(status): \(process.stderr)") }
  }

  /// Plays the file into a scene.
  func replay(_ scene: Scene) async throws -> VirtualMachine.Output {
    try scene.yaml(record: "\(guest)/bell.log")
      .write(to: folder.appending(path: "vm.yaml"), atomically: true, encoding: .utf8)
    return try await process.machine.run(
      "touchtree replay \(guest)/rec.yml --config \(guest)/vm.yaml --json --size 1280x800")
  }
}
