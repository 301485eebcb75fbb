import Foundation

/// An input device in the guest, made by uinput, and played from here.
struct GuestDevice: Sendable {
  /// The description of a device, in the words of `vm-guest device`.
  struct Description: Sendable {
    var name: String
    var lines: [String]

    /// Protocol B, with BTN_TOUCH and the first contact's place repeated for programs without multitouch.
    static func multitouch(
      name: String = "VM touchscreen", x: ClosedRange<Int>, y: ClosedRange<Int>, slots: Int = 10
    ) -> Self {
      Self(
        name: name,
        lines: [
          "property INPUT_PROP_DIRECT", "key BTN_TOUCH",
          "abs ABS_X \(x.lowerBound) \(x.upperBound)", "abs ABS_Y \(y.lowerBound) \(y.upperBound)",
          "abs ABS_MT_SLOT 0 \(slots - 1)", "abs ABS_MT_TRACKING_ID 0 65535",
          "abs ABS_MT_POSITION_X \(x.lowerBound) \(x.upperBound)",
          "abs ABS_MT_POSITION_Y \(y.lowerBound) \(y.upperBound)",
        ])
    }

    /// One contact: BTN_TOUCH, ABS_X and ABS_Y.
    static func singleTouch(
      name: String = "VM single touch", x: ClosedRange<Int>, y: ClosedRange<Int>
    ) -> Self {
      Self(
        name: name,
        lines: [
          "property INPUT_PROP_DIRECT", "key BTN_TOUCH",
          "abs ABS_X \(x.lowerBound) \(x.upperBound)", "abs ABS_Y \(y.lowerBound) \(y.upperBound)",
        ])
    }

    static func mouse(name: String = "VM mouse") -> Self {
      Self(name: name, lines: ["key BTN_LEFT BTN_RIGHT BTN_MIDDLE", "rel REL_X REL_Y REL_WHEEL"])
    }
  }

  /// Its event node.
  let node: String
  private let process: GuestProcess
  private let pipe: String

  /// Makes the device, and returns when its node is there.
  static func make(_ description: Description, in machine: VirtualMachine) async throws -> Self {
    // Opened for both directions, the pipe never ends while we write to it now and then.
    let process = try await machine.spawn("mkfifo /run/device.$$ && exec vm-guest device <>/run/device.$$")
    let pipe = "/run/device.\(process.pid)"
    try await eventually("the pipe of \(description.name) is there") {
      try await machine.run("test -p \(pipe)").status == 0
    }
    let maker = Self(node: "", process: process, pipe: pipe)
    try await maker.send(["name \(description.name)"] + description.lines + ["create"])
    guard let node = process.stdout.split(separator: "\n").first(where: { $0.hasPrefix("/dev/input/") })
    else {
      throw MachineError("\(description.name) got no event node", serialLog: await machine.serialTail)
    }
    return Self(node: String(node), process: process, pipe: pipe)
  }

  /// Performs commands of `vm-guest device`, and returns when the kernel has all of their events.
  func send(_ lines: [String]) async throws {
    let before = answers
    let script = (lines + ["say done"]).joined(separator: "\n")
    try await process.machine.run("cat >\(pipe) <<'END'\n\(script)\nEND")
    try await eventually("the device maker takes \(lines.first ?? "nothing")") {
      if try await process.hasEnded { throw MachineError("the device maker ended: \(process.stderr)") }
      return answers > before
    }
  }

  /// Performs commands, and does not wait for them.
  func begin(_ lines: [String]) async throws {
    try await process.machine.run("cat >\(pipe) <<'END'\n\(lines.joined(separator: "\n"))\nEND")
  }

  /// The output of the device maker.
  var output: String { process.stdout }

  private var answers: Int { process.stdout.split(separator: "\n").count { $0 == "done" } }

  /// Reports these events, `CODE=VALUE` separated by spaces, and a SYN_REPORT.
  func frame(_ events: String) async throws {
    try await send(["frame \(events)"])
  }

  /// Unplugs it in the middle of what it does: the kernel removes a device whose maker ends.
  func kill() async throws {
    try await process.signal("KILL")
    try await process.end()
  }

  /// Unplugs it.
  func destroy() async throws {
    try await process.machine.run("echo destroy >\(pipe)")
    try await process.end()
  }
}
