import CLinux.Process
import Glibc
import Logging
import SystemPackage
import TouchSystem

// Pipes to processes. Of a process handler, two of them carry the protocol, a third one its errors.

/// (`pipe(7)`) The end that stays here does not block.
final class PipeEnd {
  private let descriptor: OwnedDescriptor
  var rawValue: Int32 { descriptor.rawValue }

  init(owning descriptor: Int32) {
    self.descriptor = OwnedDescriptor(descriptor)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    let count = Glibc.read(rawValue, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }

  /// Ours alone: the other end of a pipe is another open file.
  func stopBlocking() {
    _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK)
  }

  /// Of a lifeline, whose open file the process shares: the other end may then be closed without a signal. (`touchtree_spawn`)
  func stopSignals() {
    _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) & ~O_ASYNC)
  }
}

struct Pipe {
  let reading: PipeEnd
  let writing: PipeEnd

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { touchtree_pipe(&ends) }
    reading = PipeEnd(owning: ends[0])
    writing = PipeEnd(owning: ends[1])
  }
}

/// Standard output and input of a process.
final class PipeChannel: PeerChannel {
  private let reading: PipeEnd
  private let writing: PipeEnd

  init(input: PipeEnd, output: PipeEnd) {
    reading = input
    writing = output
    input.stopBlocking()
    output.stopBlocking()
  }

  var input: Int32 { reading.rawValue }
  var output: Int32 { writing.rawValue }
  var takesFiles: Bool { false }
  var isRead: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try reading.read(into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int {
    let count = Glibc.write(writing.rawValue, bytes.baseAddress, bytes.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }
}

/// Standard error of a process, line by line in the log. Of a process that writes more than a person can read, the rest is
/// counted.
final class HandlerErrorLog {
  private let pipe: PipeEnd
  private let handler: String
  private let logger: Logger
  private var reader = LineReader(longest: 4096)
  private var loop: EventLoop?
  private var watch: EventLoop.Source?
  private var second: Int64 = 0
  private var linesInSecond = 0
  private var unlogged = 0

  private static let mostLinesInSecond = 20

  init(of pipe: PipeEnd, handler: String, logger: Logger) {
    self.pipe = pipe
    self.handler = handler
    self.logger = logger
    pipe.stopBlocking()
  }

  deinit {
    stop()
  }

  func begin(in loop: EventLoop) throws(SystemError) {
    self.loop = loop
    watch = try loop.watch(pipe.rawValue, as: .later) { [unowned self] in read() }
  }

  /// Logs what is left.
  func end() {
    guard watch != nil else { return }
    read()
    stop()
  }

  private func stop() {
    if let watch { loop?.unwatch(watch) }
    watch = nil
  }

  private func read() {
    do throws(Errno) {
      let count = try reader.read { (room) throws(Errno) in try pipe.read(into: room) }
      takeLines()
      guard count == 0 else { return }
      reader.rest { log(String(decoding: $0, as: UTF8.self)) }
      reportUnlogged()
      stop()
    } catch {
      if error != .resourceTemporarilyUnavailable && error != .interrupted { stop() }
    }
  }

  private func takeLines() {
    while true {
      switch reader.next({ log(String(decoding: $0, as: UTF8.self)) }) {
      case .line: break
      case .tooLong: unlogged += 1
      case .incomplete: return
      }
    }
  }

  private func log(_ line: String) {
    let now = MonotonicClock.nanoseconds() / 1_000_000_000
    if now != second {
      (second, linesInSecond) = (now, 0)
      reportUnlogged()
    }
    linesInSecond += 1
    guard linesInSecond <= Self.mostLinesInSecond else {
      unlogged += 1
      return
    }
    logger.info("handler \(handler): \(line)")
  }

  private func reportUnlogged() {
    guard unlogged > 0 else { return }
    logger.warning("handler \(handler): wrote \(unlogged) more lines to standard error, which are not logged")
    unlogged = 0
  }
}
