import Logging
import TouchCore
import TouchSystem

/// A provider of figures for programs that watch the machine.
package protocol MetricsSource: AnyObject {
  /// A number that changes with every figure.
  var revision: Int { get }
  /// The figures, in the text format of Prometheus.
  var metrics: String { get }
}

/// A file with the figures of `ctl stats`, written at the start, at the end, and 15 seconds after a change.
package final class StatisticsFile: TurnHook {
  /// The time from a change to the write, in microseconds.
  private static let interval: Int64 = 15_000_000

  package var turnPlace: TurnPlace?
  private let path: String
  private let source: any MetricsSource
  private let loop: EventLoop
  private let log: Logger
  private var written: Int?
  /// The time at which changes are written; nil while there are none.
  private(set) var due: Timestamp?
  /// The reason why the figures were not written, which is logged once; nil if they were.
  private(set) var problem: String?

  package init(path: String, of source: any MetricsSource, in loop: EventLoop, log: Logger) {
    (self.path, self.source, self.loop, self.log) = (path, source, loop, log)
    loop.addHook(self, at: .record)
  }

  /// Writes the figures if they are due, or schedules it. While a write waits, frames compute nothing.
  package func turnEnds(at now: Timestamp) {
    if let due, now < due { return }
    guard source.revision != written else {
      due = nil
      return
    }
    guard written == nil || due != nil else {
      let time = now.advanced(byMicroseconds: Self.interval)
      due = time
      // The turn that the timer begins writes at its end.
      _ = loop.addTimer(at: time) {}
      return
    }
    due = nil
    write()
  }

  /// Writes changes at once, because no turn follows.
  package func finish() { if source.revision != written { write() } }

  private func write() {
    written = source.revision
    do throws(SystemError) {
      try FileContents.replace(path, with: Array(source.metrics.utf8), for: .sharing)
      problem = nil
    } catch {
      let error = SystemError(
        error.call, error.errno, path: path,
        hint: "give --stats-file a file in a folder that touchtree may write to")
      let isNew = problem == nil
      problem = "the statistics are not written. \(error)"
      if isNew, let problem { log.warning("\(problem)") }
    }
  }
}
