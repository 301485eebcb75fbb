import Glibc
import SystemPackage
import TouchCore
import TouchInput
import TouchKit
import TouchSystem

/// Keys on the program's terminal or a keyboard, which abort a calibration and control a test.
final class AbortKeys {
  enum Key {
    case again, skip, next, quit, other

    init(byte: UInt8) {
      switch byte {
      case UInt8(ascii: "a"): self = .again
      case UInt8(ascii: "s"): self = .skip
      case UInt8(ascii: "n"), 0x0a, 0x0d, 0x20: self = .next
      case UInt8(ascii: "q"), 0x1b, 0x03: self = .quit
      default: self = .other
      }
    }

    /// Reads a key of a keyboard. (`input-event-codes.h`: KEY_A, KEY_S, KEY_N, KEY_ENTER and others)
    fileprivate init(code: UInt16) {
      switch code {
      case 30: self = .again
      case 31: self = .skip
      case 49, 28, 57: self = .next
      case 16, 1: self = .quit
      default: self = .other
      }
    }
  }

  private let loop: EventLoop
  private let body: (Key) -> Void
  private var keyboards: [OpenDevice] = []
  private var terminal: TerminalKeys?

  /// Calls `body` with each key; a terminal that is the display reads its own.
  init(loop: EventLoop, watchesTerminal: Bool = true, _ body: @escaping (Key) -> Void) {
    (self.loop, self.body) = (loop, body)
    // If one keyboard cannot be watched, the others still are.
    for path in (try? DeviceDirectory().nodes()) ?? [] { try? watch(path) }
    if watchesTerminal, let terminal = TerminalKeys(.standardInput) {
      self.terminal = terminal
      _ = try? loop.watch(FileDescriptor.standardInput.rawValue) { [unowned self] in
        for byte in terminal.drain() { self.body(Key(byte: byte)) }
      }
    }
  }

  private func watch(_ path: String) throws {
    let device = try EvdevDevice(path: path)
    let capabilities = device.description.capabilities
    guard DeviceClassifier.classify(capabilities).kind == nil, capabilities.keys.contains(where: Self.isKey)
    else { return }
    let keyboard = OpenDevice(device)
    try keyboard.watch(in: loop) { [unowned self] in
      for code in $0.pressedKeys { body(Key(code: code)) }
    } onLoss: { _ in
      // The keyboard was unplugged, but the other ways remain.
    }
    keyboards.append(keyboard)
  }

  /// Returns whether a code is a key, and no button. (`input-event-codes.h`: BTN_MISC, KEY_OK)
  fileprivate static func isKey(_ code: UInt16) -> Bool { code > 0 && (code < 0x100 || code >= 0x160) }
}

extension InputFrame {
  fileprivate var pressedKeys: [UInt16] {
    events.filter { $0.type == EventCode.key && $0.value == 1 && AbortKeys.isKey($0.code) }.map(\.code)
  }
}

/// A terminal that delivers every key at once and shows none, as long as this object lives.
final class TerminalKeys {
  private let terminal: FileDescriptor
  private var before = termios()

  /// Fails without a terminal, or in its background, where changing the mode would stop the process.
  /// (tcsetattr(3), SIGTTOU) A terminal that is not the session's may be changed.
  init?(_ terminal: FileDescriptor) {
    self.terminal = terminal
    let owner = tcgetpgrp(terminal.rawValue)
    guard isatty(terminal.rawValue) == 1, owner == getpgrp() || owner == -1,
      tcgetattr(terminal.rawValue, &before) == 0
    else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(terminal.rawValue, TCSANOW, &silent) == 0 else { return nil }
  }

  deinit {
    // Pending keys are not for the shell.
    _ = tcsetattr(terminal.rawValue, TCSAFLUSH, &before)
  }

  func drain() -> ArraySlice<UInt8> {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    // This needs a line of its own: in one expression, the bytes would be those from before the call.
    let count = read(terminal.rawValue, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}
