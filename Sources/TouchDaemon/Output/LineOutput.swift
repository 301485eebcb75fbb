import Glibc
import SystemPackage
import TouchCore

/// Where lines go: standard output, standard error, or a file. Lines are kept until `flush()`, so that a turn of
/// the loop makes one system call.
public final class LineOutput {
  /// What happens when the other end does not read.
  public enum Patience: Sendable {
    /// Writing waits: for a command whose output is all that it does.
    case waits
    /// Lines are kept up to a limit, and dropped beyond it: for a daemon that must go on.
    case drops
  }

  /// Lines that were dropped since the output was made.
  public private(set) var droppedLines = 0
  private let descriptor: FileDescriptor
  private let isOwned: Bool
  private let patience: Patience
  private var buffer: [UInt8] = []
  /// What is kept before `flush()`, in bytes: a daemon drops what is more, for a reader that is slow; a command writes it.
  private static let mostKept = 1 << 20
  /// Why a command could not write before `flush()`, which tells.
  private var failure: Errno?

  /// Writes to a descriptor that somebody else closes.
  public init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    isOwned = false
    patience = .waits
  }

  /// Writes to a new or emptied file; `-` is standard output.
  ///
  /// - Throws: `Errno` when the file cannot be made.
  public init(path: String, patience: Patience) throws(Errno) {
    self.patience = patience
    if path == "-" {
      descriptor = .standardOutput
      isOwned = false
      return
    }
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw error as? Errno ?? .ioError
    }
    isOwned = true
  }

  deinit {
    _ = try? flush()
    if isOwned { try? descriptor.close() }
  }

  /// - Parameter bytes: one line, with its line feed.
  public func write(_ bytes: [UInt8]) {
    if patience == .drops && buffer.count > Self.mostKept {
      droppedLines += 1
      return
    }
    guard failure == nil else { return }
    buffer.append(contentsOf: bytes)
    guard patience == .waits, buffer.count > Self.mostKept else { return }
    do throws(Errno) { try flush() } catch { failure = error }
  }

  /// Writes a line, and whatever it names stays on it: what a terminal would obey is escaped, line feeds too.
  ///
  /// - Parameter line: without its line feed.
  public func write(line: String) {
    write(Array(line.onOneLine.utf8) + [UInt8(ascii: "\n")])
  }

  /// Writes what is kept; a patient output all of it, the other one as much as goes without waiting.
  ///
  /// - Throws: `Errno` when the file cannot take it. What was kept is gone then.
  public func flush() throws(Errno) {
    if let failure { throw failure }
    guard !buffer.isEmpty else { return }
    do {
      switch patience {
      case .waits:
        _ = try descriptor.writeAll(buffer)
        buffer.removeAll(keepingCapacity: true)
      case .drops: try writeWithoutWaiting()
      }
    } catch {
      buffer.removeAll()
      throw error as? Errno ?? .ioError
    }
  }

  private func writeWithoutWaiting() throws {
    var written = 0
    while written < buffer.count && descriptor.takesMore {
      // A pipe that takes anything takes this much at once. (PIPE_BUF, pipe(7).)
      let end = min(written + 4096, buffer.count)
      written += try buffer[written..<end].withUnsafeBytes { try descriptor.write($0) }
    }
    buffer.removeFirst(written)
  }
}

extension FileDescriptor {
  /// Whether up to 4096 bytes can be written now without waiting. (`poll(2)`)
  var takesMore: Bool {
    var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) == 1
  }
}
