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

/// Asks `condition` until it holds; throws a sentence made of `what` after a quarter of an hour. Whatever is
/// awaited takes a second or two on a quiet host, so the limit ends a test that hangs, and measures nothing.
nonisolated(nonsending) func eventually(
  _ what: @autoclosure () -> String, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(900)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw MachineError("\(what()): not within a quarter of an hour") }
    try await Task.sleep(for: .milliseconds(10))
  }
}
