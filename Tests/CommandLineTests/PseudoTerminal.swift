import Foundation

/// A program that runs in a terminal, and the terminal, as far as it has to be one.
final class PseudoTerminal {
  struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let output: String
    var description: String { "not seen in time: \(what); the terminal got \(output.suffix(600))" }
  }

  private let master: Int32
  private let slave: Int32
  private let process = Process()
  private let before: termios
  /// What the terminal answers when it is asked what it can.
  private let answer: String
  private(set) var renderer: CharacterScreen
  /// Everything that was written to the terminal.
  private(set) var written: [UInt8] = []

  /// In seconds.
  private static let longest = 30.0

  /// - Parameters:
  ///   - answer: to the question what the terminal can do.
  ///   - kind: what the environment says that it is.
  init(
    _ arguments: [String], columns: Int, rows: Int, answer: String = "\u{1b}[?62;22c",
    kind: String = "xterm-256color"
  ) throws {
    var (master, slave) = (Int32(-1), Int32(-1))
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw POSIXError(.EIO) }
    // The program must not keep the other end open.
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    (self.master, self.slave, self.answer) = (master, slave, answer)
    before = try settings(of: slave)
    renderer = CharacterScreen(columns: columns, rows: rows)
    process.executableURL = Program.executable
    // Several run at once, and the machine has one usual place for the socket.
    let hasSocket = arguments.first != "run" || arguments.contains("--control")
    process.arguments = arguments + (hasSocket ? [] : ["--control", "none"])
    process.currentDirectoryURL = Program.package
    // Swift's own backtraces ask on the terminal what to do next.
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "SWIFT_BACKTRACE": "enable=no", "TERM": kind, "TMUX": "",
        "FONTCONFIG_FILE": Program.fonts,
      ]) { $1 }
    let end = FileHandle(fileDescriptor: slave)
    (process.standardInput, process.standardOutput, process.standardError) = (end, end, end)
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
    close(slave)
  }

  /// Whether the terminal's settings are those that it had in the beginning.
  var isAsBefore: Bool {
    guard let now = try? settings(of: slave) else { return false }
    return now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag
      && now.c_cflag == before.c_cflag
  }

  var text: String { String(decoding: written, as: UTF8.self) }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Whether the program's signals are its own: one for its group does not reach the shell that runs the
  /// tests.
  var isJob: Bool { getpgid(process.processIdentifier) == process.processIdentifier }

  /// Whether the program is stopped.
  var isStopped: Bool {
    let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    return status?.split(separator: ")").last?.hasPrefix(" T") ?? false
  }

  /// Gives the terminal another size, as a window's edge that is dragged does.
  ///
  /// - Parameter tells: whether the program hears of it; a stopped one does not.
  func resize(columns: Int, rows: Int, tells: Bool = true) throws {
    renderer = CharacterScreen(columns: columns, rows: rows)
    guard let path = ttyname(slave) else { throw POSIXError(.ENOTTY) }
    _ = try Program.run(
      "/usr/bin/stty", ["-F", String(cString: path), "rows", "\(rows)", "cols", "\(columns)"], in: "/")
    // The kernel tells the terminal's own processes, and this one is not.
    if tells { signal(SIGWINCH) }
  }

  /// Reads what the program writes until something is so.
  func until(_ what: String, _ condition: () -> Bool) throws {
    let limit = Date(timeIntervalSinceNow: Self.longest)
    while !condition() {
      guard Date() < limit else { throw TimedOut(what: what, output: text) }
      _ = readSome(milliseconds: 100)
    }
  }

  /// Reads until the program has nothing more to write for a moment.
  func untilQuiet() {
    while readSome(milliseconds: 300) {}
  }

  /// Waits for the program's end; its status, or minus the signal that ended it.
  ///
  /// - Parameter reads: whether its output is read until then.
  func end(reads: Bool = true) throws -> Int32 {
    let limit = Date(timeIntervalSinceNow: Self.longest)
    while process.isRunning {
      guard Date() < limit else { throw TimedOut(what: "its end", output: text) }
      if reads { _ = readSome(milliseconds: 50) } else { usleep(20_000) }
    }
    if reads { while readSome(milliseconds: 50) {} }
    return process.awaitEnd()
  }

  private func readSome(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) == 1, request.revents & Int16(POLLIN) != 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    written += buffer.prefix(count)
    renderer.take(buffer.prefix(count))
    if String(decoding: buffer.prefix(count), as: UTF8.self).contains("\u{1b}[c") { type(answer) }
    return true
  }
}

private func settings(of terminal: Int32) throws -> termios {
  var settings = termios()
  guard tcgetattr(terminal, &settings) == 0 else { throw POSIXError(.ENOTTY) }
  return settings
}

/// What a terminal shows of half blocks, as pixels, and the modes that are set.
struct CharacterScreen {
  let columns: Int
  let rows: Int
  /// 0xRRGGBB, row by row, two rows for each of the terminal's; nil where nothing was written.
  private(set) var pixels: [UInt32?]
  private(set) var modes: [Int: Bool] = [:]
  /// Cells that were written to.
  private(set) var writes = 0
  private var place = (column: 0, row: 0)
  private var letter: UInt32?
  private var ground: UInt32?
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    pixels = Array(repeating: nil, count: columns * rows * 2)
  }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    var index = 0
    while index < pending.count, let length = takeOne(pending[index...]) { index += length }
    pending.removeFirst(index)
  }

  /// How long what comes next is, or nil when not all of it is there.
  private mutating func takeOne(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch bytes.first {
    case 0x1b:
      guard bytes.count > 1 else { return nil }
      switch bytes[bytes.startIndex + 1] {
      case UInt8(ascii: "["):
        guard let end = bytes.dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else { return nil }
        control(bytes[(bytes.startIndex + 2)..<end], bytes[end])
        return end - bytes.startIndex + 1
      case UInt8(ascii: "_"), UInt8(ascii: "P"):
        let text = bytes.dropFirst(2)
        guard let end = text.indices.dropLast().first(where: { text[$0] == 0x1b && text[$0 + 1] == 0x5c })
        else { return nil }
        return end - bytes.startIndex + 2
      default: return 2
      }
    case 0xe2:
      guard bytes.count > 2 else { return nil }
      if Array(bytes.prefix(3)) == Array("▀".utf8) { put(letter, ground) }
      return 3
    case UInt8(ascii: " "):
      put(ground, ground)
      return 1
    default: return 1
    }
  }

  private mutating func put(_ upper: UInt32?, _ lower: UInt32?) {
    if place.column < columns, place.row < rows {
      pixels[place.row * 2 * columns + place.column] = upper
      pixels[(place.row * 2 + 1) * columns + place.column] = lower
    }
    place.column += 1
    writes += 1
  }

  private mutating func control(_ parameters: ArraySlice<UInt8>, _ final: UInt8) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    let numbers = String(decoding: parameters.dropFirst(isPrivate ? 1 : 0), as: UTF8.self)
      .split(separator: ";").map { Int($0) ?? 0 }
    switch Character(UnicodeScalar(final)) {
    case "H": place = ((numbers.dropFirst().first ?? 1) - 1, (numbers.first ?? 1) - 1)
    case "J": pixels = pixels.map { _ in nil }
    case "h" where isPrivate, "l" where isPrivate: modes[numbers.first ?? 0] = final == UInt8(ascii: "h")
    case "m" where numbers.count == 5:
      let color = UInt32(numbers[2] << 16 | numbers[3] << 8 | numbers[4])
      if numbers[0] == 38 { letter = color } else { ground = color }
    case "m": (letter, ground) = (nil, nil)
    default: break
    }
  }
}
