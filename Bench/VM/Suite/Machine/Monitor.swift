import Foundation

/// QEMU's machine protocol, as far as it is needed. (QEMU `docs/interop/qmp-spec.txt`.)
struct Monitor {
  let socket: LineSocket

  /// Answers the greeting. Nothing else may be sent before.
  nonisolated(nonsending) func begin() async throws {
    try await execute("qmp_capabilities")
  }

  /// Returns the answer of a command that answers with text.
  @discardableResult
  nonisolated(nonsending) func execute(
    _ command: String, _ arguments: [String: Any] = [:]
  ) async throws -> String {
    let request = try JSONSerialization.data(withJSONObject: ["execute": command, "arguments": arguments])
    try socket.send(String(decoding: request, as: UTF8.self))
    var text = ""
    // A greeting and events may come before the answer.
    try await eventually("QEMU answers \(command)") {
      while let line = try socket.nextLine() {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if let answer = object?["return"] {
          text = answer as? String ?? ""
          return true
        }
        if let error = object?["error"] { throw MachineError("QEMU refused \(command): \(error)") }
      }
      return false
    }
    return text
  }
}
