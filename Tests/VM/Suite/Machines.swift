import Testing

/// Everything that needs the virtual machine, one test at a time.
@Suite("In the virtual machine", .serialized)
enum VirtualMachineTests {}

/// The machines that tests share, each booted when it is first asked for.
enum Machines {
  /// With the display and QEMU's tablet.
  static let main = Task { try await VirtualMachine(name: "main") }
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
}
