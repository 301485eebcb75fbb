import Glibc
import Logging
import SystemPackage

/// Writes log lines to standard error, for the journal with priorities from `<6>` on. (`sd-daemon(3)`)
package struct LogOutput: LogHandler {
  /// The metadata, which the logging library requires; it is not written.
  package var metadata: Logger.Metadata = [:]
  /// The lowest level that is written.
  package var logLevel: Logger.Level
  private let isJournal: Bool
  private let label: String
  private let held: DeferredLog

  /// The longest line in bytes. A message that quotes a program's text could have any length.
  private static let longestLine = 2000

  /// Makes the output of a logger; `held` is where lines go. Standard error may lead to the journal.
  /// (`JOURNAL_STREAM`, systemd.exec(5))
  package init(label: String, level: Logger.Level, held: DeferredLog = DeferredLog()) {
    (self.label, self.held, self.logLevel) = (label, held, level)
    isJournal = Self.standardErrorIsJournal
  }

  /// Returns the start of a line beside the logger: its priority if the journal reads it.
  package static func head(of level: Logger.Level, forPeople text: String) -> String {
    standardErrorIsJournal ? "<\(level.journalPriority)>" : text
  }

  private static var standardErrorIsJournal: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let head = isJournal ? "<\(event.level.journalPriority)>" : "\(label): \(event.level.prefix)"
    // One message is one line, whatever it contains: the journal reads a priority at the start of each line.
    held.write(head + "\(event.message)".onOneLine.shortened(toBytes: Self.longestLine) + "\n")
  }
}

extension Logger.Level {
  fileprivate var journalPriority: Int {
    switch self {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }

  fileprivate var prefix: String {
    switch self {
    case .critical, .error: "error: "
    case .warning: "warning: "
    case .notice, .info: ""
    case .debug, .trace: "debug: "
    }
  }
}

/// Writes the log to standard error. A slow reader gets its lines later, up to the bound of `LineOutput`.
/// Lines that would run into a picture on the same terminal are kept until the picture is gone. It belongs to
/// the thread that made it, the loop's. A line of any other thread, such as a plugin's, is not kept.
package final class DeferredLog: @unchecked Sendable {
  private let thread = pthread_self()
  private let output = LineOutput(.standardError, backpressure: .drops)
  private var lines: [UInt8] = []
  private var droppedLines = 0
  private var reportedDrops = 0
  private var isHolding = false

  /// The bytes that are kept while a picture is shown. The last lines are kept: they explain an end best.
  private static let mostKept = 1 << 16

  /// Makes a log that writes lines at once, until the terminal shows a picture.
  package init() {}

  deinit { finish() }

  package func follow(in loop: EventLoop) { output.follow(in: loop) }

  /// Keeps lines from now on, if standard error is a terminal.
  package func hold() { isHolding = isatty(STDERR_FILENO) == 1 }

  /// Writes the kept lines, and keeps no more.
  package func release() {
    guard isHolding else { return }
    isHolding = false
    if droppedLines > 0 {
      output.write(line: Self.head + "\(droppedLines) earlier lines of the log were dropped")
    }
    output.write(lines)
    try? output.flush()
    lines = []
    droppedLines = 0
  }

  /// Writes everything at the end, and waits for a slow reader, but for no longer than two seconds.
  package func finish() {
    release()
    reportDrops()
    output.finish()
  }

  /// - Parameter line: with its line feed.
  package func write(_ line: String) {
    guard pthread_equal(pthread_self(), thread) != 0 else { return Self.writeAtOnce(line) }
    guard isHolding else {
      reportDrops()
      output.write(Array(line.utf8))
      // There is nowhere else to report that this failed.
      try? output.flush()
      return
    }
    lines.append(contentsOf: line.utf8)
    while lines.count > Self.mostKept, let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
      lines.removeSubrange(...end)
      droppedLines += 1
    }
  }

  /// Writes a line of another thread, if there is room, cut if a pipe could block. (PIPE_BUF, pipe(7))
  private static func writeAtOnce(_ line: String) {
    var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, 0) == 1 else { return }
    var bytes = Array(line.utf8)
    if bytes.count > Int(PIPE_BUF) {
      bytes.replaceSubrange((Int(PIPE_BUF) - 1)..., with: [UInt8(ascii: "\n")])
    }
    _ = try? bytes.withUnsafeBytes { try FileDescriptor.standardError.write($0) }
  }

  /// Reports dropped lines, once the reader has caught up somewhat.
  private func reportDrops() {
    let count = output.droppedLines - reportedDrops
    guard count > 0, output.backlog < LineOutput.mostBehind / 2 else { return }
    output.write(line: Self.head + "\(count) lines of the log were dropped: its reader was too slow")
    reportedDrops += count
  }

  private static var head: String { LogOutput.head(of: .warning, forPeople: "touchtree: warning: ") }
}
