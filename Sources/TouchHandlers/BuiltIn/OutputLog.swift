import Logging
import SystemPackage
import TouchSystem

/// A program's lines in the log: 20 a second, and a repeated one every ten seconds, with counts.
package final class OutputLog {
  /// The beginning of each line in the log, such as `handler chime`.
  private let owner: String
  private let logger: Logger
  private var second: Int64 = 0
  private var linesInSecond = 0
  private var last: (line: String, second: Int64)?
  private var unlogged = 0

  private static let mostLinesInSecond = 20
  private static let interval: Int64 = 10

  init(owner: String, logger: Logger) { (self.owner, self.logger) = (owner, logger) }

  func add(_ line: String) {
    let now = MonotonicClock.nanoseconds() / 1_000_000_000
    if let last, last.line == line, now - last.second < Self.interval {
      unlogged += 1
      return
    }
    if now != second {
      (second, linesInSecond) = (now, 0)
      reportUnlogged()
    }
    linesInSecond += 1
    guard linesInSecond <= Self.mostLinesInSecond else {
      unlogged += 1
      return
    }
    last = (line, now)
    logger.info("\(owner): \(line)")
  }

  func addLongLine() { unlogged += 1 }

  func reportUnlogged() {
    guard unlogged > 0 else { return }
    logger.warning("\(owner): wrote \(unlogged) more lines, which are not logged")
    unlogged = 0
  }
}

final class OutputReader {
  private let pipe: PipeEnd
  private let log: OutputLog
  private var lines = LineReader(longest: longest)
  private var loop: EventLoop?
  private var watch: EventLoop.Source?
  private var whenEnded: () -> Void = {}

  /// The length at which a line is cut, in bytes.
  private static let longest = 4096
  /// The reader's portions in a full pipe, and one for its end. (`pipe(7)`: 65 536 bytes)
  private static let portions = 65_536 / longest + 1

  init(of pipe: PipeEnd, into log: OutputLog) {
    (self.pipe, self.log) = (pipe, log)
    pipe.stopBlocking()
  }

  deinit { stop() }

  /// - Parameter whenEnded: called once no program is left that could write.
  func begin(in loop: EventLoop, whenEnded: @escaping () -> Void = {}) throws(SystemError) {
    self.loop = loop
    watch = try loop.watch(pipe.rawValue, as: .later) { [weak self] in self?.read() }
    self.whenEnded = whenEnded
  }

  /// Logs the rest of an ended program's output. Programs that it has started may go on writing.
  func drain() {
    for _ in 0..<Self.portions where watch != nil { guard read() else { break } }
    log.reportUnlogged()
  }

  func end() {
    drain()
    stop()
  }

  private func stop() {
    guard let watch else { return }
    loop?.unwatch(watch)
    self.watch = nil
    whenEnded()
  }

  @discardableResult
  private func read() -> Bool {
    do throws(Errno) {
      let count = try lines.read { (room) throws(Errno) in try pipe.read(into: room) }
      takeLines()
      guard count == 0 else { return true }
      lines.rest { log.add(String(decoding: $0, as: UTF8.self)) }
      log.reportUnlogged()
      stop()
    } catch {
      if error != .resourceTemporarilyUnavailable && error != .interrupted { stop() }
    }
    return false
  }

  private func takeLines() {
    while true {
      switch lines.next({ log.add(String(decoding: $0, as: UTF8.self)) }) {
      case .line: break
      case .tooLong: log.addLongLine()
      case .incomplete: return
      }
    }
  }
}
