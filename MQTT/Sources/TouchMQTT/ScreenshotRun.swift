import Glibc
import SystemPackage
import TouchHandlers
import TouchSystem

/// A picture of the panel, made by `touchtree ctl screenshot`: the daemon sends pixels, and a PNG is made of
/// them in a process of its own, so that the topics do not wait for it.
final class ScreenshotRun {
  /// The least time between two pictures, in milliseconds.
  static let pause = 3_000
  /// The longest picture that is published, in bytes.
  private static let mostBytes = 8 << 20

  private let process: pid_t
  private let picture, messages: PipeEnd
  private let loop: EventLoop
  private var source: EventLoop.Source?
  private var bytes: [UInt8] = []
  private let whenDone: (Result<[UInt8], Failure>) -> Void

  /// Starts the program.
  /// - Parameters:
  ///   - socket: the daemon's socket; nil for the usual one.
  ///   - whenDone: gets the PNG, or the reason why there is none.
  /// - Throws: the reason why it could not be started.
  init(
    socket: String?, in loop: EventLoop, whenDone: @escaping (Result<[UInt8], Failure>) -> Void
  ) throws(Failure) {
    // The program beside this one, or else the one that is installed.
    let own = OwnProgram.folder?.appending("touchtree").string ?? ""
    let program = access(own, X_OK) == 0 ? own : "touchtree"
    let words = [program, "ctl", "screenshot", "-"] + (socket.map { ["--socket", $0] } ?? [])
    (self.loop, self.whenDone) = (loop, whenDone)
    do {
      let command = try Command(words: words, path: ChildProcesses.ownPath)
      let (picture, messages) = (try Pipe(), try Pipe())
      process = try ProcessSpawn.start(
        command.executable, arguments: command.words, environment: ChildProcesses.ownEnvironment,
        output: picture.writing.rawValue, errors: messages.writing.rawValue)
      (self.picture, self.messages) = (picture.reading, messages.reading)
      source = try loop.watch(picture.reading.rawValue) { [weak self] in self?.read() }
    } catch {
      throw Failure("touchtree ctl cannot be started: \(error)")
    }
  }

  private func read() {
    if Self.read(picture, into: &bytes, upTo: Self.mostBytes + 1) { return }
    if let source { loop.unwatch(source) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status != 0 {
      var text: [UInt8] = []
      _ = Self.read(messages, into: &text, upTo: 1000)
      whenDone(.failure(Failure(String(decoding: text, as: UTF8.self).onOneLine)))
    } else if bytes.count > Self.mostBytes {
      whenDone(.failure(Failure("the picture has more than \(Self.mostBytes >> 20) MiB")))
    } else {
      whenDone(.success(bytes))
    }
  }

  /// Reads once, and keeps so many bytes in all.
  /// - Returns: false at the end.
  private static func read(_ end: PipeEnd, into bytes: inout [UInt8], upTo most: Int) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      do throws(Errno) {
        let count = try end.read(into: room)
        bytes += room.prefix(min(count, most - bytes.count))
        return count > 0
      } catch {
        return error == .interrupted
      }
    }
  }
}
