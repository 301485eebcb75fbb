import Foundation

/// A command that was started in the guest.
struct GuestProcess: Sendable {
  let machine: VirtualMachine
  let job: Int
  let command: String
  let folder: URL

  var pid: Int { Int(text("pid").dropLast()) ?? 0 }
  /// The output so far.
  var stdout: String { text("stdout") }
  var stderr: String { text("stderr") }

  var hasEnded: Bool {
    get async throws { try await machine.hasFinished(job) }
  }

  /// Waits for its end; returns its status, which for a signal is 128 more than the signal.
  @discardableResult
  func end() async throws -> Int32 {
    do {
      try await eventually("'\(command)' ends") { try await hasEnded }
    } catch {
      throw MachineError("\(error)\n\(stderr)", serialLog: await machine.serialTail)
    }
    guard let status = Int32(text("status").trimmingCharacters(in: .newlines)) else {
      throw MachineError("'\(command)' left no status")
    }
    return status
  }

  /// Sends it a signal, named without SIG.
  func signal(_ name: String) async throws {
    let output = try await machine.run("kill -\(name) \(pid)")
    guard output.status == 0 else { throw MachineError("kill -\(name) of '\(command)': \(output.stderr)") }
  }

  /// One of the files that the guest keeps for it.
  func text(_ file: String) -> String {
    (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
  }
}
