import Foundation

/// QEMU's machine protocol, as far as it is needed. (QEMU `docs/interop/qmp-spec.txt`.)
struct Monitor {
  let socket: LineSocket

  /// Answers the greeting. Nothing else may be sent before.
  nonisolated(nonsending) func begin() async throws {
    try await execute("qmp_capabilities")
  }

  nonisolated(nonsending) func execute(_ command: String, _ arguments: [String: Any] = [:]) async throws {
    let request = try JSONSerialization.data(withJSONObject: ["execute": command, "arguments": arguments])
    try socket.send(String(decoding: request, as: UTF8.self))
    // A greeting and events may come before the answer.
    try await eventually("QEMU answers \(command)") {
      while let line = try socket.nextLine() {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if object?["return"] != nil { return true }
        if let error = object?["error"] { throw MachineError("QEMU refused \(command): \(error)") }
      }
      return false
    }
  }
}
