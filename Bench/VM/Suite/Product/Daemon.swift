import Foundation
import VMPictures

/// `touchtree run` in the guest, with everything that it leaves behind.
struct Daemon: Sendable {
  let machine: VirtualMachine
  let scene: Scene
  /// Whether the picture is not in the framebuffer's memory.
  let isByKMS: Bool
  private let process: GuestProcess
  private let manager: GuestProcess
  private let folder: URL

  var pid: Int { process.pid }
  /// Its log.
  var log: String { process.stderr }
  /// Its notifications to the service manager.
  var notifications: [String] { manager.stdout.split(separator: "\n").dropFirst().map(String.init) }
  var trace: [TraceLine] { get throws { try TraceLine.lines(of: text("trace.jsonl")) } }
  /// The trace as it was written.
  var traceText: String { text("trace.jsonl") }
  /// The plugin's lines about its calls.
  var record: [String] { text("bell.log").split(separator: "\n").map(String.init) }

  /// Starts it, and returns when it has reported that it is ready, and has opened `devices`.
  ///
  /// - Parameters:
  ///   - prefix: Goes before the program's name, as `vm-guest as …` does.
  ///   - configuration: Instead of the scene's.
  ///   - files: Copied next to the configuration.
  static func start(
    _ scene: Scene = Scene(), in machine: VirtualMachine, arguments: String = "", prefix: String = "",
    devices: [GuestDevice] = [], traced: Bool = true, configuration: String? = nil, files: [URL] = []
  ) async throws -> Daemon {
    let (folder, guest) = try await machine.newFolder()
    let text = configuration ?? scene.yaml(record: "\(guest)/bell.log")
    try Data(text.utf8).write(to: folder.appending(path: "vm.yaml"))
    for file in files {
      try FileManager.default.copyItem(at: file, to: folder.appending(path: file.lastPathComponent))
    }
    let socket = "/run/notify\(guest.replacingOccurrences(of: "/", with: "-"))"
    let manager = try await machine.spawn("umask 0; exec vm-guest notify \(socket)")
    try await VMTests.eventually("\(socket) is listened to") { manager.stdout.contains("listening\n") }

    let trace = traced ? "--trace \(guest)/trace.jsonl" : ""
    let arguments =
      VirtualMachine.display == "kms" && !arguments.contains("--display")
      ? "--display kms \(arguments)" : arguments
    let process = try await machine.spawn(
      "NOTIFY_SOCKET=\(socket) exec \(prefix) touchtree run --config \(guest)/vm.yaml \(trace) \(arguments)"
    )
    let daemon = Daemon(
      machine: machine, scene: scene, isByKMS: arguments.contains("--display kms"), process: process,
      manager: manager, folder: folder)
    try await daemon.eventually("touchtree run is ready") {
      daemon.notifications.contains { $0.split(separator: " ").contains("READY=1") }
    }
    for device in devices { try await daemon.opens(device.node) }
    return daemon
  }

  /// Waits like the free function, but a daemon that has ended is an error at once, and every error brings
  /// its log.
  func eventually(
    _ what: @autoclosure () -> String, _ condition: () async throws -> Bool
  ) async throws {
    do {
      try await VMTests.eventually(what()) {
        if try await condition() { return true }
        if try await process.hasEnded { throw MachineError("touchtree run ended before this: \(what())") }
        return false
      }
    } catch {
      throw MachineError("\(error)\nIts log:\n\(log)\nIts trace:\n\(text("trace.jsonl"))")
    }
  }

  /// Waits until it has opened a device.
  func opens(_ node: String) async throws {
    try await eventually("touchtree run opens \(node)") {
      try await machine.run("ls -l /proc/\(pid)/fd | grep -q '\(node)$'").status == 0
    }
  }

  /// The number of its processes that have not ended.
  var childCount: Int {
    get async throws {
      let count = try await machine.run("wc -w </proc/\(pid)/task/\(pid)/children").stdout
      return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
  }

  /// Waits until a view is highlighted, or is not any more: in the framebuffer's memory, and on the display
  /// as it is scanned out.
  func shows(_ target: Scene.Target, lit: Bool) async throws {
    let colour = lit ? scene.lit : target.background
    let (x, y) = target.sample
    var seen: Colour?
    if !isByKMS {
      try await eventually("\(target.view) is \(colour), not \(seen as Any), in the framebuffer at \(x),\(y)")
      {
        seen = try await machine.pixel(x, y)
        return seen == colour
      }
    }
    try await eventually("\(target.view) is \(colour), not \(seen as Any), on the display at \(x),\(y)") {
      seen = try await machine.screendump()[x, y]
      return seen == colour
    }
  }

  /// Waits until a phase has gone all the way up.
  func delivers(_ phase: String, upTo responder: String = "application") async throws {
    try await eventually("a touch that \(phase) comes to \(responder)") {
      try trace.responders(in: phase).contains(responder)
    }
  }

  func signal(_ name: String) async throws { try await process.signal(name) }

  /// Waits for its end; returns its status.
  @discardableResult
  func end() async throws -> Int32 {
    do {
      return try await process.end()
    } catch {
      throw MachineError("\(error)\nIts log:\n\(log)")
    }
  }

  /// The path of its configuration in the guest.
  var configurationPath: String { "/shared/\(folder.lastPathComponent)/vm.yaml" }

  /// Asks it to stop, as a service manager does; returns its status.
  @discardableResult
  func stop() async throws -> Int32 {
    try await signal("TERM")
    return try await end()
  }

  private func text(_ file: String) -> String {
    (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
  }
}
