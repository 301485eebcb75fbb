import Glibc
import SystemPackage

/// Log lines that would run into a picture on the same terminal: kept until the picture is gone.
///
/// Belongs to the thread that made it, the loop's. A line of any other thread, such as a plugin's, is not kept.
public final class HeldLog: @unchecked Sendable {
  private let thread = pthread_self()
  private var lines: [UInt8] = []
  private var droppedLines = 0
  private var isHolding = false

  /// In bytes. What comes last says most about an end.
  private static let mostKept = 1 << 16

  /// Lines are let through until the terminal shows a picture.
  public init() {}

  deinit {
    release()
  }

  /// Keeps lines from now on, if standard error is a terminal at all.
  func hold() {
    isHolding = isatty(STDERR_FILENO) == 1
  }

  /// Writes what was kept, and keeps nothing any more.
  public func release() {
    isHolding = false
    if droppedLines > 0 {
      lines = Array("touchtree: \(droppedLines) earlier lines of the log were dropped\n".utf8) + lines
    }
    _ = try? FileDescriptor.standardError.writeAll(lines)
    lines = []
    droppedLines = 0
  }

  /// - Returns: whether the line was kept, so that nobody else has to write it.
  func take(_ line: String) -> Bool {
    guard pthread_equal(pthread_self(), thread) != 0, isHolding else { return false }
    lines.append(contentsOf: line.utf8)
    while lines.count > Self.mostKept, let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
      lines.removeSubrange(...end)
      droppedLines += 1
    }
    return true
  }
}
