import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

/// A terminal in raw mode, on its alternate screen, with mouse reports, restored at the end and after faults.
final class TerminalEmulatorDevice {
  let path: String
  /// The descriptor for reading, watched apart from `output`. Both are non-blocking.
  let input: FileDescriptor
  let output: FileDescriptor
  private let farewell: UnsafeMutableBufferPointer<UInt8>
  private var isTaken = false
  /// Whether the terminal may hold pictures of the kitty graphics protocol.
  var keepsPictures = false

  /// The longest wait for a terminal that does not read while it is restored, in milliseconds.
  private static let restoreTimeout: Int32 = 500

  init() throws(DisplayError) {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw DisplayError(
        .missing, path: "terminal",
        detail: "standard output is not a terminal: run this in one, without a pipe or a redirection, "
          + "or use another display")
    }
    let path = Self.path
    do {
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
      input = try FileDescriptor.open(path, .readWrite, options: options)
      output = try FileDescriptor.open(path, .writeOnly, options: options)
    } catch {
      throw DisplayError(
        .failed, path: path, detail: "cannot open the terminal", cause: error as? Errno ?? .ioError)
    }
    self.path = path
    farewell = .allocate(capacity: EscapeSequences.leave.count)
    _ = farewell.initialize(from: EscapeSequences.leave)
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

  /// Whether the terminal has no escape sequences, such as a shell inside an editor.
  static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? false }

  /// Whether a multiplexer is the terminal: tmux and screen take kitty's queries for window titles.
  var isMultiplexer: Bool {
    guard let name = getenv("TERM").map({ String(cString: $0) }) else { return false }
    let isTmux = getenv("TMUX").map { strlen($0) > 0 } ?? false
    return isTmux || name.hasPrefix("tmux") || name.hasPrefix("screen")
  }

  /// Puts the terminal into raw mode. Its contents stay.
  func take() throws(DisplayError) {
    guard !isTaken else { return }
    guard touchtree_terminal_take(output.rawValue, farewell.baseAddress, farewell.count) == 0 else {
      throw DisplayError(
        .failed, path: path, detail: "cannot change the terminal's settings",
        cause: Errno(rawValue: errno))
    }
    isTaken = true
  }

  func restore() {
    guard isTaken else { return }
    isTaken = false
    if keepsPictures { writeInTime(EscapeSequences.forgetPictures, milliseconds: Self.restoreTimeout) }
    writeInTime(EscapeSequences.leave, milliseconds: Self.restoreTimeout)
    touchtree_terminal_restore()
  }

  /// The size in cells, and in pixels; the latter is 0 if the terminal does not report it.
  var size: (columns: Int, rows: Int, width: Int, height: Int) {
    var size = winsize()
    guard touchtree_terminal_size(output.rawValue, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24, 0, 0)
    }
    return (Int(size.ws_col), Int(size.ws_row), Int(size.ws_xpixel), Int(size.ws_ypixel))
  }

  /// Reads available input and returns the number of bytes; nil at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      let count = try input.read(into: buffer)
      return count == 0 ? nil : count
    } catch {
      return error as? Errno == .wouldBlock || error as? Errno == .interrupted ? 0 : nil
    }
  }

  /// Writes without waiting, and returns the number of bytes. After an error all count as written.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    do {
      return try bytes.withUnsafeBytes { try output.write($0) }
    } catch {
      return error as? Errno == .wouldBlock || error as? Errno == .interrupted ? 0 : bytes.count
    }
  }

  /// Writes everything, unless the terminal takes no output for `milliseconds`.
  func writeInTime(_ bytes: [UInt8], milliseconds: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      var request = pollfd(fd: output.rawValue, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, milliseconds) == 1 else { return }
      rest = rest.dropFirst(write(rest))
    }
  }

  func awaitInput(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) == 1
  }
}
