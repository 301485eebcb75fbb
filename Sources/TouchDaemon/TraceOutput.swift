import SystemPackage

/// A trace that goes to a file or to standard output while the daemon runs.
public final class TraceOutput {
  public let writer: TraceWriter
  private let output: LineOutput

  /// - Parameter path: the file; `-` is standard output.
  /// - Throws: `TraceError` when the file cannot be made.
  public init(path: String, format: TraceWriter.Format) throws {
    let output: LineOutput
    do {
      output = try LineOutput(path: path)
    } catch {
      throw TraceError(path: path, cause: error)
    }
    self.output = output
    writer = TraceWriter(format: format, write: output.write)
  }

  func flush() {
    output.flush()
  }
}

/// A trace cannot be written.
public struct TraceError: Error, CustomStringConvertible {
  public let path: String
  public let cause: Errno

  public var description: String { "\(path): the trace cannot be written (\(cause)); name another file." }
}
