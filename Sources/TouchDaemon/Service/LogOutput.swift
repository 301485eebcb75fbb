import Glibc
import Logging
import TouchConfig
import TouchCore

/// Writes log lines to standard error: for people, or with the priorities that the journal reads from `<6>` on.
/// (systemd `sd-daemon(3)`.)
package struct LogOutput: LogHandler {
  /// Kept, since the logging library asks for it; it is not written.
  package var metadata: Logger.Metadata = [:]
  /// Lines below it are not written.
  package var logLevel: Logger.Level
  private let isJournal: Bool
  private let label: String
  private let held: DeferredLog

  /// Finds out by itself whether standard error leads to the journal. (`JOURNAL_STREAM`, systemd.exec(5).)
  ///
  /// - Parameter held: where lines go.
  package init(label: String, level: Logger.Level, held: DeferredLog = DeferredLog()) {
    self.label = label
    self.held = held
    self.logLevel = level
    isJournal = Self.standardErrorIsJournal
  }

  /// What a line on standard error begins with that is no log line: its priority where the journal reads it.
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
    // One message is one line, whatever it names: the journal reads a priority at the start of each line.
    held.write(head + "\(event.message)".onOneLine + "\n")
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
