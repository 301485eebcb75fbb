import Foundation
import Testing

/// Everything that needs the virtual machine, one test at a time.
@Suite("In the virtual machine", .serialized)
enum VirtualMachineTests {
  /// The most lines that a warning has had time for since `start`, if it is logged once a minute. The clock
  /// of an emulated machine may be faster than the host's, so half a minute counts as one.
  static func mostWarnings(since start: ContinuousClock.Instant) -> Int {
    1 + Int((ContinuousClock.now - start) / .seconds(30))
  }
}

/// The machines that tests share.
enum Machines {
  /// Processes that run side by side on one image need files of their own: `Tests/run` gives one of them this
  /// variable.
  private static let name = ProcessInfo.processInfo.environment["TOUCHTREE_VM_NAME"] ?? "main"

  private static let booted = Task { try await VirtualMachine.booted(name: name) }
  private static let bootedService = Task {
    try await VirtualMachine.booted(name: "service", image: .service)
  }

  private static let bootedSoak = Task { try await VirtualMachine.booted(name: "soak") }

  /// With the display and QEMU's tablet, and without anything that an earlier test left running. The first
  /// call boots it.
  static func main() async throws -> VirtualMachine {
    let machine = try await booted.value
    try await machine.reset()
    return machine
  }

  /// The same hardware for what takes minutes, in a process of its own.
  static func soak() async throws -> VirtualMachine {
    let machine = try await bootedSoak.value
    try await machine.reset()
    return machine
  }

  /// The same hardware under systemd, with touchtree installed. The first call boots it, and waits until
  /// everything that belongs to booting is over.
  static func service() async throws -> VirtualMachine {
    let machine = try await bootedService.value
    try await machine.reset()
    let state = try await machine.run("systemctl is-system-running --wait")
    guard ["running\n", "degraded\n"].contains(state.stdout) else {
      throw MachineError("systemd is \(state)", serialLog: await machine.serialTail)
    }
    return machine
  }
}

extension VirtualMachine {
  /// The event node of QEMU's tablet.
  func tabletNode() async throws -> String {
    let names = try await run("grep -l 'QEMU Virtio Tablet' /sys/class/input/event*/device/name").stdout
    guard let event = names.split(separator: "/").first(where: { $0.hasPrefix("event") }) else {
      throw MachineError("QEMU's tablet is not there", serialLog: serialTail)
    }
    return "/dev/input/\(event)"
  }

  /// Builds a plugin here, and puts it among the guest's.
  ///
  /// - Parameter source: its text in C.
  func installPlugin(_ source: String, as name: String) async throws {
    let (folder, guest) = try newFolder()
    try Data(source.utf8).write(to: folder.appending(path: "plugin.c"))
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    let arm64 = Image.root.appending(path: ".cache/arm64/root").path
    let cc =
      Image.build == ".build"
      ? ["cc"] : ["clang", "--target=aarch64-linux-gnu", "--sysroot=\(arm64)", "-fuse-ld=lld"]
    compiler.arguments =
      cc + [
        "-shared", "-fPIC", "-I", Image.root.appending(path: "Sources/CTouchtree/include").path,
        "-o", folder.appending(path: "plugin.so").path, folder.appending(path: "plugin.c").path,
      ]
    try compiler.run()
    try await eventually("the plugin is built") { !compiler.isRunning }
    let path = "/usr/lib/touchtree/\(name)"
    // Beside the old one, which a process may have mapped.
    let installed = try await run(
      "cp \(guest)/plugin.so \(path).new && chmod 755 \(path).new && mv \(path).new \(path)")
    guard installed.status == 0 else { throw MachineError("\(name) is not installed: \(installed.stderr)") }
  }
}
