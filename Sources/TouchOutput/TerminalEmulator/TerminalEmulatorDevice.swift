import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

/// A terminal that was taken over: raw, on its other screen, with its mouse. It is given back when the value goes, and
/// when the process dies of a fault signal.
final class TerminalEmulatorDevice {
  let path: String
  /// Neither of them blocks. Two, so that each can be watched for something else.
  let input: FileDescriptor
  let output: FileDescriptor
  private let farewell: UnsafeMutableBufferPointer<UInt8>
  private var isTaken = false
  /// Whether the terminal was given pictures by kitty's protocol.
  var keepsPictures = false

  /// How long a terminal that does not read is waited for when it is given back, in milliseconds.
  private static let patience: Int32 = 500

  /// Opens the terminal that standard output is.
  ///
  /// - Throws: `DisplayError` when it is none.
  init() throws(DisplayError) {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw DisplayError(
        .missing, path: "terminal",
        detail: "standard output is not a terminal: run touchtree in one, without a pipe or a redirection, "
          + "or choose another display")
    }
    let path = Self.path
    do {
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
      input = try FileDescriptor.open(path, .readWrite, options: options)
      output = try FileDescriptor.open(path, .writeOnly, options: options)
    } catch {
      throw DisplayError(
        .failed, path: path, detail: "the terminal cannot be opened", cause: error as? Errno ?? .ioError)
    }
    self.path = path
    farewell = .allocate(capacity: TerminalBytes.leave.count)
    _ = farewell.initialize(from: TerminalBytes.leave)
    try take()
  }

  deinit {
    restore()
    try? input.close()
    try? output.close()
    farewell.deallocate()
  }

  private static var path: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
      guard let start = name.baseAddress, ttyname_r(STDOUT_FILENO, start, name.count) == 0 else {
        return "/dev/tty"
      }
      return String(cString: start)
    }
  }

  /// Whether escape codes would be shown as letters, as in an editor's window.
  static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? false }

  /// Whether another program is the terminal, which takes kitty's texts for titles. (tmux, screen)
  var isMultiplexer: Bool {
    guard let name = getenv("TERM").map({ String(cString: $0) }) else { return false }
    let isTmux = getenv("TMUX").map { strlen($0) > 0 } ?? false
    return isTmux || name.hasPrefix("tmux") || name.hasPrefix("screen")
  }

  /// Makes the terminal raw. What it shows stays.
  ///
  /// - Throws: `DisplayError` when its settings cannot be changed.
  func take() throws(DisplayError) {
    guard !isTaken else { return }
    guard touchtree_terminal_take(output.rawValue, farewell.baseAddress, farewell.count) == 0 else {
      throw DisplayError(
        .failed, path: path, detail: "the terminal's settings cannot be changed",
        cause: Errno(rawValue: errno))
    }
    isTaken = true
  }

  /// Gives the terminal back as it was.
  func restore() {
    guard isTaken else { return }
    isTaken = false
    if keepsPictures { writeInTime(TerminalBytes.forgetPictures, milliseconds: Self.patience) }
    writeInTime(TerminalBytes.leave, milliseconds: Self.patience)
    touchtree_terminal_give_back()
  }

  /// In cells, and in pixels where the terminal says so.
  var size: (columns: Int, rows: Int, width: Int, height: Int) {
    var size = winsize()
    guard touchtree_terminal_size(output.rawValue, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24, 0, 0)
    }
    return (Int(size.ws_col), Int(size.ws_row), Int(size.ws_xpixel), Int(size.ws_ypixel))
  }

  /// Reads what is there.
  ///
  /// - Returns: how many bytes, or nil when nobody will ever write any more.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      let count = try input.read(into: buffer)
      return count == 0 ? nil : count
    } catch {
      return error as? Errno == .wouldBlock || error as? Errno == .interrupted ? 0 : nil
    }
  }

  /// Writes as much as goes without waiting; what cannot be written to any more counts as written.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    do {
      return try bytes.withUnsafeBytes { try output.write($0) }
    } catch {
      return error as? Errno == .wouldBlock || error as? Errno == .interrupted ? 0 : bytes.count
    }
  }

  /// Writes all of it, unless the terminal takes nothing for too long.
  func writeInTime(_ bytes: [UInt8], milliseconds: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      var request = pollfd(fd: output.rawValue, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, milliseconds) == 1 else { return }
      rest = rest.dropFirst(write(rest))
    }
  }

  /// Waits for something to read.
  func awaitInput(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) == 1
  }
}
