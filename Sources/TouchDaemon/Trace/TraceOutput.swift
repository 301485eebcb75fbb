import SystemPackage
import TouchInspection
import TouchSystem

/// A trace that goes to a file or to standard output while the daemon runs.
package final class TraceOutput {
  /// Gets the steps as the dispatcher's observer.
  package let writer: TraceWriter
  /// Whether there is no point in going on without it.
  package let isAllThatIsWanted: Bool
  private let path: String
  private let output: LineOutput
  /// False once the reader read nothing for too long.
  private var isRead = true

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - backpressure: what happens when the reader does not read.
  /// - Throws: `SystemError` when the file cannot be made.
  package init(
    path: String, format: TraceWriter.Format, backpressure: LineOutput.Backpressure = .drops
  ) throws(SystemError) {
    let output: LineOutput
    do {
      output = try LineOutput(path: path, backpressure: backpressure)
    } catch {
      throw Self.error("open", error, path)
    }
    self.output = output
    self.path = path
    isAllThatIsWanted = backpressure == .waits
    writer = TraceWriter(format: format, isLive: true, write: output.write)
  }

  /// Writes what the turn brought, as far as it goes without waiting.
  ///
  /// - Throws: `SystemError` when the file cannot take it, such as on a full disk.
  package func flush() throws(SystemError) {
    do {
      try output.flush()
    } catch {
      throw Self.error("write", error, path)
    }
  }

  /// Lines that have to wait for the reader are written by the loop.
  package func follow(in loop: EventLoop) {
    output.follow(in: loop)
  }

  /// Waits for a reader that is behind, as long as it reads. What is played as fast as it goes would outrun any reader.
  ///
  /// - Throws: `SystemError` when the file cannot take it.
  package func awaitReader() throws(SystemError) {
    guard isRead else { return }
    do {
      isRead = try output.wait(until: 1 << 20, milliseconds: 1000)
    } catch {
      throw Self.error("write", error, path)
    }
  }

  /// Writes the rest at the end. A reader that is behind is waited for, but for no longer than two seconds.
  package func finish() {
    output.finish()
  }

  /// Lines that were dropped because the reader was too slow.
  package var droppedLines: Int { output.droppedLines }

  private static func error(_ call: String, _ cause: Errno, _ path: String) -> SystemError {
    SystemError(call, cause, path: path, hint: "name another file for the trace")
  }
}
