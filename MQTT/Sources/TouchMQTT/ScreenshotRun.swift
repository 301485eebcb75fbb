import Glibc
import TouchSystem

/// A picture of the panel, made by `touchtree ctl screenshot`: the daemon sends pixels, and a PNG is made of them in a
/// process of its own, so that the topics do not wait for it.
final class ScreenshotRun {
  /// The least time between two pictures, in milliseconds.
  static let pause = 3_000
  /// The longest picture that is published, in bytes.
  private static let mostBytes = 8 << 20

  private let file: UnsafeMutablePointer<FILE>
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
    let line = words.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
    guard let file = popen(line.joined(separator: " ") + " 2>&1", "re") else {
      throw Failure("touchtree ctl cannot be started: \(String(cString: strerror(errno)))")
    }
    (self.file, self.loop, self.whenDone) = (file, loop, whenDone)
    do throws(SystemError) {
      source = try loop.watch(fileno(file)) { [weak self] in self?.read() }
    } catch {
      pclose(file)
      throw Failure("\(error)")
    }
  }

  private func read() {
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      let count = Glibc.read(fileno(file), room.baseAddress, room.count)
      if count > 0, bytes.count <= Self.mostBytes { bytes += room.prefix(count) }
      return count
    }
    if count > 0 || count < 0 && errno == EINTR { return }
    if let source { loop.unwatch(source) }
    let isMade = pclose(file) == 0
    if !isMade {
      whenDone(.failure(Failure(String(decoding: bytes.prefix(1000), as: UTF8.self).onOneLine)))
    } else if bytes.count > Self.mostBytes {
      whenDone(.failure(Failure("the picture has more than \(Self.mostBytes >> 20) MiB")))
    } else {
      whenDone(.success(bytes))
    }
  }
}
