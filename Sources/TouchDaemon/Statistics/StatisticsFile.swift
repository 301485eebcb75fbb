import Logging
import TouchSystem

/// A file with the figures of `ctl stats`, for programs that watch the machine.
///
/// It is written at the start, at the end, and 15 seconds after something changed, with all that has changed by then. While
/// nothing changes, no timer runs.
package final class StatisticsFile {
  /// In milliseconds.
  private static let interval = 15_000

  private let path: String
  private let addTimer: (Int, @escaping () -> Void) -> Void
  private let log: Logger
  /// The revision that the file has; nil for none.
  private var written: Int?
  private var isWaiting = false
  /// Whether the next turn writes.
  private var isDue = true
  private var hasFailed = false

  /// - Parameter addTimer: calls something once, after a time in milliseconds.
  package init(path: String, log: Logger, addTimer: @escaping (Int, @escaping () -> Void) -> Void) {
    self.path = path
    self.log = log
    self.addTimer = addTimer
  }

  /// Ends a turn of the loop: writes the figures if it is time for that, or sees to it that they are written later.
  ///
  /// - Parameters:
  ///   - revision: another one whenever a figure has changed. It is not asked for while a write waits for its time, so that
  ///     frames do not pay for it.
  ///   - isLast: whether no turn follows.
  package func turnEnded(_ revision: @autoclosure () -> Int, isLast: Bool = false, _ text: () -> String) {
    guard !isWaiting || isLast else { return }
    let revision = revision()
    guard revision != written else { return }
    if isDue || isLast {
      isDue = false
      written = revision
      write(text())
    } else {
      isWaiting = true
      addTimer(Self.interval) { [weak self] in
        self?.isWaiting = false
        self?.isDue = true
      }
    }
  }

  /// Logs the first failure of several in a row.
  private func write(_ text: String) {
    do throws(SystemError) {
      try FileContents.replace(path, with: Array(text.utf8), for: .sharing)
      hasFailed = false
    } catch {
      guard !hasFailed else { return }
      hasFailed = true
      let error = SystemError(
        error.call, error.errno, path: path,
        hint: "give --stats-file a file in a folder that touchtree may write to")
      log.warning("the statistics are not written. \(error)")
    }
  }
}
