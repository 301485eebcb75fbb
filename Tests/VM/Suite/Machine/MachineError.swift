/// Something that the virtual machine did not do. The message is a sentence; the serial log's end follows it.
struct MachineError: Error, CustomStringConvertible {
  var message: String
  var serialLog: String?

  init(_ message: String, serialLog: String? = nil) {
    self.message = message
    self.serialLog = serialLog
  }

  var description: String {
    guard let serialLog, !serialLog.isEmpty else { return message }
    return "\(message)\nThe serial log ends:\n\(serialLog)"
  }
}

/// Asks `condition` until it holds; throws a sentence made of `what` when it does not within `limit`, which is long
/// enough for a busy host: benchmarks measure speed.
nonisolated(nonsending) func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = .seconds(180),
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < end else { throw MachineError("\(what()): not within \(limit)") }
    try await Task.sleep(for: .milliseconds(10))
  }
}
