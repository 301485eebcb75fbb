import Foundation
import VMPictures

/// touchtree as the service that `make install` makes of it, with the configuration that comes along.
struct Service: Sendable {
  /// A view of the installed configuration that has the bell, in display pixels: its canvas of 800×480 is
  /// shown at 1.6 times its size, 16 pixels from the top.
  enum Horn {
    static let centre = (x: 698, y: 656)
    /// The middle of its lamp, which is on while it is touched.
    static let lamp = (x: 698, y: 586)
    static let off = Colour(0x31_3a_47)
    /// The warning colour, under the glow that shows the touch.
    static let lit = Colour(0xd9_ba_5b)
  }

  /// A line of the journal.
  struct Line: Decodable, Sendable {
    var message: String
    /// From 0, an emergency, to 7, debugging. (syslog(3))
    var priority: String

    enum CodingKeys: String, CodingKey {
      case message = "MESSAGE"
      case priority = "PRIORITY"
    }
  }

  let machine: VirtualMachine

  /// Starts it afresh, as it was installed, or with other lines in the unit's service section.
  static func start(in machine: VirtualMachine, overriding lines: String? = nil) async throws -> Service {
    let service = try await installed(in: machine, overriding: lines)
    try await service.control("restart touchtree")
    return service
  }

  /// The same before it is started.
  static func installed(in machine: VirtualMachine, overriding lines: String? = nil) async throws -> Service {
    let service = Service(machine: machine)
    // systemd reads its units again only if they change: under emulation that takes as long as a start.
    let changes = try await machine.run("ls -d \(dropIns) /run/systemd/system.control/touchtree.service.d")
    if !changes.stdout.isEmpty { try await service.control("revert touchtree") }
    if let lines { try await service.override(lines) }
    return service
  }

  private static let dropIns = "/run/systemd/system/touchtree.service.d"

  /// Lines that let it run another file.
  static func running(_ file: String) -> String {
    "ExecStart=\nExecStart=/usr/bin/touchtree run --config \(file)"
  }

  /// Runs `systemctl`; it must succeed.
  func control(_ arguments: String) async throws {
    let output = try await machine.run("systemctl \(arguments)")
    guard output.status == 0 else {
      let log = try await machine.run("journalctl -u touchtree -n 30 --no-pager").stdout
      throw MachineError("systemctl \(arguments): \(output.stderr)\n\(log)")
    }
  }

  /// Changes lines of the unit's service section until it is started afresh.
  func override(_ lines: String) async throws {
    try await machine.run(
      """
      mkdir -p \(Self.dropIns)
      cat >\(Self.dropIns)/test.conf <<'END'
      [Service]
      \(lines)
      END
      """)
    try await control("daemon-reload")
  }

  /// Returns a property of `systemctl show`.
  func property(_ name: String) async throws -> String {
    try await machine.run("systemctl show touchtree -P \(name)").stdout
      .trimmingCharacters(in: .newlines)
  }

  /// The log of the current or last process.
  func journal(of pid: String) async throws -> [Line] {
    let output = try await machine.run("journalctl --sync; journalctl _PID=\(pid) -o json --no-pager")
    return try output.stdout.split(separator: "\n")
      .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// Waits until the display shows a colour at the horn's lamp.
  func shows(_ colour: Colour) async throws {
    var seen: Colour?
    try await eventually("the horn's lamp is \(colour), not \(seen as Any)") {
      seen = try await machine.screendump()[Horn.lamp.x, Horn.lamp.y]
      return seen == colour
    }
  }

  /// Waits until it says a line that begins with `start`, and returns it. systemd may have its process still
  /// to start.
  func says(_ start: String) async throws -> Line {
    var lines: [Line] = []
    try await eventually("it says '\(start)', not \(lines.map(\.message))") {
      lines = try await journal(of: property("ExecMainPID"))
      return lines.contains { $0.message.hasPrefix(start) }
    }
    return lines.first { $0.message.hasPrefix(start) } ?? lines[0]
  }
}
