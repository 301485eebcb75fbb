import Glibc
import SystemPackage
import TouchCore

/// Writes lines to standard output, standard error or a file, by one system call for each turn.
package final class LineOutput {
  /// The behaviour when the reader does not read.
  package enum Backpressure: Sendable {
    /// Writing waits: for a command that only writes.
    case waits
    /// Lines are kept up to a limit, and dropped beyond it: for a daemon that must go on.
    case drops
  }

  /// The number of lines that were dropped since the output was made.
  package private(set) var droppedLines = 0
  private let descriptor: FileDescriptor
  private let isOwned: Bool
  private let backpressure: Backpressure
  /// The writer that does not block; nil for an output that waits.
  private let writer: UnblockedWriter?
  private var buffer: [UInt8] = []
  private var written = 0
  /// The loop that wakes for room while bytes remain; nil if the output follows none.
  private var loop: EventLoop?
  private var room: EventLoop.Source?
  /// The error of the last write, which the next `flush()` throws.
  private var failure: Errno?

  /// The limit of a daemon's buffer, in bytes.
  package static let mostBehind = 16 << 20
  /// The bytes that a command keeps before it writes, and the storage that a daemon does not free.
  private static let mostKept = 1 << 20

  /// Writes to a descriptor that the caller closes.
  package init(_ descriptor: FileDescriptor, backpressure: Backpressure = .waits) {
    self.descriptor = descriptor
    isOwned = false
    self.backpressure = backpressure
    writer = backpressure == .drops ? UnblockedWriter(descriptor, isOwned: false) : nil
  }

  /// Writes to a new or emptied file, which may not be possible; `-` is standard output.
  package init(path: String, backpressure: Backpressure) throws(Errno) {
    self.backpressure = backpressure
    if path == "-" {
      descriptor = .standardOutput
      isOwned = false
    } else {
      do {
        descriptor = try FileDescriptor.open(
          FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
      } catch {
        throw error as? Errno ?? .ioError
      }
      isOwned = true
    }
    writer = backpressure == .drops ? UnblockedWriter(descriptor, isOwned: isOwned) : nil
  }

  deinit {
    finish()
    if isOwned { try? descriptor.close() }
  }

  package var backlog: Int { buffer.count - written }

  /// - Parameter bytes: one line, with its line feed.
  package func write(_ bytes: [UInt8]) {
    if backpressure == .drops && backlog + bytes.count > Self.mostBehind {
      droppedLines += 1
      return
    }
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    guard backpressure == .waits, buffer.count > Self.mostKept else { return }
    do throws(Errno) { try flush() } catch { failure = error }
  }

  /// Writes one line. Everything that a terminal would obey is escaped, line feeds too.
  package func write(line: String) { write(Array(line.onOneLine.utf8) + [UInt8(ascii: "\n")]) }

  /// Writes the kept bytes: all if the output waits, otherwise as many as are taken, and the rest later in a
  /// loop. After an error they are dropped.
  package func flush() throws(Errno) {
    do {
      if let failure { throw failure }
      guard backlog > 0 else { return }
      if let writer {
        while backlog > 0, let count = try writer.write(buffer[written...]) { written += count }
      } else {
        written += try descriptor.writeAll(buffer)
      }
    } catch {
      forget()
      throw error as? Errno ?? .ioError
    }
    if backlog == 0 {
      forget()
    } else {
      awaitRoom()
      // Moving the rest costs as much as writing it did, so that is done only once in a while.
      if written > buffer.count / 2 {
        buffer.removeFirst(written)
        written = 0
      }
    }
  }

  private func forget() {
    buffer.removeAll(keepingCapacity: buffer.capacity <= Self.mostKept)
    written = 0
    if let room { loop?.unwatch(room) }
    room = nil
  }

  // MARK: Slow readers

  /// Makes the loop write the remaining bytes as soon as there is room.
  package func follow(in loop: EventLoop) {
    self.loop = loop
    if backlog > 0 { awaitRoom() }
  }

  private func awaitRoom() {
    guard room == nil, let loop, let writer else { return }
    // A descriptor that cannot be watched, such as a file's, always has room.
    room = try? loop.watch(writer.descriptor.rawValue, for: .output) { [weak self] in
      guard let self else { return }
      do throws(Errno) { try flush() } catch { failure = error }
    }
  }

  /// Waits until no more than `rest` bytes are kept, and returns whether that is so. It gives up after
  /// milliseconds without reading, or at `end` on the monotonic clock, in nanoseconds.
  package func wait(until rest: Int, milliseconds: Int64, end: Int64 = .max) throws(Errno) -> Bool {
    try flush()
    var limit = MonotonicClock.nanoseconds() + milliseconds * 1_000_000
    while backlog > rest, let writer {
      let left = min(limit, end) - MonotonicClock.nanoseconds()
      guard left > 0 else { return false }
      let before = backlog
      if writer.awaitRoom(milliseconds: Int32(left / 1_000_000)) { try flush() }
      if backlog < before {
        limit = MonotonicClock.nanoseconds() + milliseconds * 1_000_000
      } else {
        // Another process that shares the pipe took the room first.
        usleep(1000)
      }
    }
    return true
  }

  /// Writes the rest while the reader reads, two seconds at most. Lines that remain count as dropped.
  package func finish() {
    if let room { loop?.unwatch(room) }
    room = nil
    loop = nil
    do throws(Errno) {
      _ = try wait(until: 0, milliseconds: 500, end: MonotonicClock.nanoseconds() + 2_000_000_000)
    } catch {
      failure = error
    }
    droppedLines += buffer[written...].withUnsafeBytes { Self.lines(in: $0) }
    forget()
  }
}

extension LineOutput {
  /// Counts the line feeds. (memchr)
  private static func lines(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var rest = bytes[...]
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
      let found = memchr(start, 0x0a, rest.count)
    {
      count += 1
      rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
    }
    return count
  }
}

/// Writes without blocking, and without O_NONBLOCK, which other processes would share. A pipe or a terminal
/// is opened again as a file of our own, a socket takes MSG_DONTWAIT, and a file never blocks.
private final class UnblockedWriter {
  private enum Kind {
    /// An open file of our own that does not block.
    case nonBlocking
    case socket
    /// A pipe of another user, which cannot be opened again and may block. It is polled first, and gets no
    /// more than a pipe with any room takes at once. (PIPE_BUF, pipe(7).)
    case shared
    /// A file, or a device that takes everything.
    case unlimited
  }

  /// The descriptor, which is also watched for room.
  let descriptor: FileDescriptor
  private let kind: Kind
  private let isReopened: Bool

  /// - Parameter isOwned: whether no other process shares the open file.
  init(_ original: FileDescriptor, isOwned: Bool) {
    var status = stat()
    let mode = fstat(original.rawValue, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    let canBlock = mode == S_IFIFO || (mode == S_IFCHR && isatty(original.rawValue) == 1)
    if canBlock && isOwned {
      _ = fcntl(original.rawValue, F_SETFL, fcntl(original.rawValue, F_GETFL) | O_NONBLOCK)
    }
    let own =
      canBlock && !isOwned
      ? open("/proc/self/fd/\(original.rawValue)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
    isReopened = own >= 0
    descriptor = isReopened ? FileDescriptor(rawValue: own) : original
    kind =
      mode == S_IFSOCK ? .socket : !canBlock ? .unlimited : isOwned || isReopened ? .nonBlocking : .shared
  }

  deinit { if isReopened { try? descriptor.close() } }

  /// - Returns: the number of bytes that were written; nil when there is no room.
  func write(_ bytes: ArraySlice<UInt8>) throws -> Int? {
    do {
      switch kind {
      case .nonBlocking, .unlimited: return try bytes.withUnsafeBytes { try descriptor.write($0) }
      case .shared:
        guard awaitRoom(milliseconds: 0) else { return nil }
        return try bytes.prefix(Int(PIPE_BUF)).withUnsafeBytes { try descriptor.write($0) }
      case .socket:
        let count = bytes.withUnsafeBytes {
          send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if count < 0 { throw Errno(rawValue: errno) }
        return count
      }
    } catch let error as Errno where error == .wouldBlock || error == .resourceTemporarilyUnavailable {
      return nil
    }
  }

  /// Whether there is room within a time. (`poll(2)`)
  func awaitRoom(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, milliseconds) == 1
  }
}

package enum TerminalColumns {
  /// The width in characters; nil if standard output is no terminal with colours. (ioctl_tty(2): TIOCGWINSZ.)
  package static var ofStandardOutput: Int? {
    guard isatty(STDOUT_FILENO) == 1, getenv("TERM").map({ String(cString: $0) }) != "dumb" else {
      return nil
    }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
