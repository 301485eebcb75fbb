import Glibc
import TouchSystem

/// Passes on a command's first line and drops the rest, so that it never waits for room.
final class FirstLine {
  /// The length at which a line is cut, in bytes.
  private static let longest = 4096

  private let pipe: PipeEnd
  private weak var host: (any HandlerHost)?
  private var whenRead: ((String) -> Void)?
  private var watch: Int?
  private var bytes: [UInt8] = []

  /// - Parameter whenRead: called at most once.
  init(of pipe: PipeEnd, host: any HandlerHost, whenRead: @escaping (String) -> Void) {
    self.pipe = pipe
    pipe.stopBlocking()
    self.host = host
    self.whenRead = whenRead
    do throws(SystemError) {
      watch = try host.watch(pipe.rawValue) { [weak self] in self?.read() }
    } catch {
      host.logger.warning(
        "the output of a command is not read before the command ends: \(error); allow more open files (LimitNOFILE=)"
      )
    }
  }

  deinit { stop() }

  private func stop() {
    if let watch { host?.unwatch(watch) }
    watch = nil
  }

  func finish() {
    while whenRead != nil, read() {}
    stop()
    if !bytes.isEmpty { handOn() }
  }

  @discardableResult
  private func read() -> Bool {
    var part = [UInt8](repeating: 0, count: Self.longest)
    let count = Glibc.read(pipe.rawValue, &part, part.count)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return false }
    guard count > 0 else {
      // Everything is read, and no process is left that writes.
      if !bytes.isEmpty { handOn() }
      stop()
      return false
    }
    guard whenRead != nil else { return true }
    bytes += part.prefix(count)
    if bytes.contains(UInt8(ascii: "\n")) || bytes.count >= Self.longest { handOn() }
    return true
  }

  private func handOn() {
    var line = bytes.prefix(Self.longest).prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    bytes = []
    let body = whenRead
    whenRead = nil
    // A text on the screen has no NUL.
    body?(String(decoding: line.filter { $0 != 0 }, as: UTF8.self))
  }
}
