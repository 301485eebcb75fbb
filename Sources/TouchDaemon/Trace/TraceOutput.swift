import SystemPackage
import TouchInspection
import TouchSystem

/// A trace to a file or to standard output while the daemon runs.
package final class TraceOutput {
  /// The dispatcher's observer, which writes the steps.
  package let writer: TraceWriter
  /// Whether the run is useless without the trace.
  package let isAllThatIsWanted: Bool
  private let path: String
  private let output: LineOutput
  private var isRead = true

  /// Writes to a file, or `-` for standard output, with a behaviour towards a reader that does not read.
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

  /// Writes the lines of the turn without waiting, or throws if the file cannot take them.
  package func flush() throws(SystemError) {
    do {
      try output.flush()
    } catch {
      throw Self.error("write", error, path)
    }
  }

  package func follow(in loop: EventLoop) { output.follow(in: loop) }

  /// Waits for a slow reader, which a recording that is played at full speed would outrun. It throws if the
  /// file cannot take the lines.
  package func awaitReader() throws(SystemError) {
    guard isRead else { return }
    do {
      isRead = try output.wait(until: 1 << 20, milliseconds: 1000)
    } catch {
      throw Self.error("write", error, path)
    }
  }

  /// Writes the rest at the end, and waits at most two seconds for a slow reader.
  package func finish() { output.finish() }

  /// The number of lines that were dropped because the reader was too slow.
  package var droppedLines: Int { output.droppedLines }

  private static func error(_ call: String, _ cause: Errno, _ path: String) -> SystemError {
    SystemError(call, cause, path: path, hint: "name another file for the trace")
  }
}
