import Foundation
import Testing

extension VirtualMachineTests {
  /// What cannot be done is refused with a sentence and the right status, and the console is as it was.
  @Suite struct Refusals {
    struct Row: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var arguments: String
      var status: Int32
      /// Each is in the message.
      var says: [String]
      /// A shell command to run before.
      var setUp = "true"
      var scene = Scene()
      /// Goes before the program's name.
      var prefix = ""
    }

    @Test(arguments: [
      Row(
        testDescription: "a display that is not there", arguments: "--display /dev/fb9", status: 69,
        says: ["/dev/fb9"]),
      Row(
        testDescription: "a display that is no framebuffer", arguments: "--display /dev/null", status: 69,
        says: ["/dev/null"]),
      Row(
        testDescription: "a device that is not there", arguments: "--device /dev/input/event99", status: 69,
        says: ["/dev/input/event99"]),
      Row(
        testDescription: "a device that is no evdev node", arguments: "--device /dev/null", status: 69,
        says: ["/dev/null"]),
      Row(
        testDescription: "a configuration that is not there, without /proc",
        arguments: "--config /nowhere.yaml",
        status: 66, says: ["/nowhere.yaml"], prefix: "unshare -m sh -c 'umount -l /proc && exec \"$@\"' sh"),
      Row(
        testDescription: "a configuration that is not there", arguments: "--config /nowhere.yaml", status: 66,
        says: ["/nowhere.yaml"]),
      Row(
        testDescription: "a configuration that is broken", arguments: "--config /tmp/broken.yaml", status: 78,
        says: ["/tmp/broken.yaml:2:", "windw", "window"],
        setUp: "printf 'version: 1\\nwindw: {}\\n' >/tmp/broken.yaml"),
      Row(
        testDescription: "a plugin that is not there", arguments: "", status: 78,
        says: ["/usr/lib/touchtree/libnone.so"],
        scene: Scene(plugin: "/usr/lib/touchtree/libnone.so")),
      Row(
        testDescription: "a plugin that others may write", arguments: "", status: 78,
        says: ["/usr/lib/touchtree/libopen.so", "every user", "chmod"],
        setUp:
          "cp /usr/lib/touchtree/libbell.so /usr/lib/touchtree/libopen.so; chmod 666 /usr/lib/touchtree/libopen.so",
        scene: Scene(plugin: "/usr/lib/touchtree/libopen.so")),
      Row(
        testDescription: "a display that is not permitted", arguments: "", status: 77,
        says: ["/dev/fb0", "video"],
        scene: Scene(console: "keep", isHandled: false), prefix: "vm-guest as 65534 65534"),
      Row(
        testDescription: "devices that are not permitted", arguments: "", status: 77,
        says: ["/dev/input", "input"],
        scene: Scene(console: "keep", isHandled: false), prefix: "vm-guest as 65534 65534,44"),
    ])
    func `what run cannot use ends it, with its exit status and the reason`(_ row: Row) async throws {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let (_, guest) = try await machine.newFolder()
      let yaml = row.scene.yaml(record: "\(guest)/bell.log")
      let config = row.arguments.contains("--config") ? "" : "--config /tmp/refused.yaml"
      let output = try await machine.run(
        """
        cat >/tmp/refused.yaml <<'END'
        \(yaml)
        END
        \(row.setUp)
        exec \(row.prefix) touchtree run \(config) \(row.arguments)
        """)
      #expect(output.status == row.status, "\(output.stderr)")
      for text in row.says { #expect(output.stderr.contains(text)) }
      #expect(try await machine.consoleModes() == before)
    }

    @Test
    func `a user in the groups video and input needs nothing more`() async throws {
      let machine = try await Machines.main()
      let daemon = try await Daemon.start(
        Scene(console: "keep", isHandled: false), in: machine, prefix: "vm-guest as 990 990,44,104",
        traced: false)
      let finger = try await Finger.make(.tablet, in: machine)
      try await finger.down(at: daemon.scene.left.centre)
      try await daemon.shows(daemon.scene.left, lit: true)
      try await finger.up()
      try await daemon.shows(daemon.scene.left, lit: false)
      #expect(try await daemon.stop() == 0)
    }

    @Test
    func `a machine without a display is reported, with the modules that would make one`() async throws {
      let machine = try await VirtualMachine.booted(name: "no-display", display: .none)
      let (folder, guest) = try await machine.newFolder()
      try Data(Scene().yaml(record: "\(guest)/bell.log").utf8).write(to: folder.appending(path: "vm.yaml"))
      let output = try await machine.run("touchtree run --config \(guest)/vm.yaml")
      #expect(output.status == 69, "\(output.stderr)")
      #expect(output.stderr.contains("/dev/fb"))
      await machine.stop()
    }
  }
}
