import CLinux.Process
import Glibc
import SystemPackage
import TouchSystem

/// Reads a command's output. It passes on the first line and drops the
/// rest, so that the command never waits for room.
final class FirstLine {
  /// The length at which a line is cut, in bytes.
  private static let longest = 4096

  private let descriptor: OwnedDescriptor
  private weak var host: (any HandlerHost)?
  private var whenRead: ((String) -> Void)?
  private var watch: Int?
  private var bytes: [UInt8] = []

  /// Returns the two ends of a pipe, which the caller closes.
  /// Programs inherit neither, and reading does not wait.
  static func makePipe() throws(Errno) -> (read: Int32, write: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutablePointer(to: &ends) {
      $0.withMemoryRebound(to: Int32.self, capacity: 2) { touchtree_pipe($0) }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    // Only this end stops blocking, because the other one is another open file.
    _ = fcntl(ends.0, F_SETFL, O_NONBLOCK)
    return (ends.0, ends.1)
  }

  /// - Parameters:
  ///   - descriptor: a descriptor to take over; reading from it must not wait.
  ///   - whenRead: called at most once.
  init(descriptor: Int32, host: any HandlerHost, whenRead: @escaping (String) -> Void) {
    self.descriptor = OwnedDescriptor(descriptor)
    self.host = host
    self.whenRead = whenRead
    do throws(SystemError) {
      watch = try host.watch(descriptor) { [weak self] in self?.read() }
    } catch {
      host.logger.warning(
        "the output of a command is not read before the command ends: \(error); allow more open files (LimitNOFILE=)"
      )
    }
  }

  deinit {
    stop()
  }

  private func stop() {
    if let watch { host?.unwatch(watch) }
    watch = nil
  }

  /// Reads the whole output of a command that has ended.
  func finish() {
    while whenRead != nil, read() {}
    stop()
    if !bytes.isEmpty { handOn() }
  }

  /// Reads, and returns whether there was something to read.
  @discardableResult
  private func read() -> Bool {
    var part = [UInt8](repeating: 0, count: Self.longest)
    let count = Glibc.read(descriptor.rawValue, &part, part.count)
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
