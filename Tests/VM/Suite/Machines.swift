import Testing

/// Everything that needs the virtual machine, one test at a time.
@Suite("In the virtual machine", .serialized)
enum VirtualMachineTests {}

/// The machine that tests share.
enum Machines {
  private static let booted = Task { try await VirtualMachine(name: "main") }

  /// With the display and QEMU's tablet, and without anything that an earlier test left running. The first call boots it.
  static func main() async throws -> VirtualMachine {
    let machine = try await booted.value
    try await machine.reset()
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
}
