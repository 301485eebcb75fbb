import Glibc
import SystemPackage
import TouchCore
import TouchDaemon
import TouchInput
import TouchSystem

/// Any key, on the terminal that the program was started from or on a keyboard, aborts a calibration, which takes all
/// touches.
final class AbortKeys {
  private let loop: EventLoop
  private let body: () -> Void
  private var keyboards: [OpenDevice] = []
  private var terminal: TerminalKeys?

  /// - Parameter body: called with each key that is pressed.
  init(loop: EventLoop, _ body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
    // Where one cannot be watched, the others are left.
    for path in (try? DeviceDirectory().nodes()) ?? [] { try? watch(path) }
    if let terminal = TerminalKeys(.standardInput) {
      self.terminal = terminal
      _ = try? loop.watch(FileDescriptor.standardInput.rawValue) { [unowned self] in
        terminal.drain()
        self.body()
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
      if $0.pressesKey { body() }
    } onLoss: { _ in
      // It was unplugged; the other ways remain.
    }
    keyboards.append(keyboard)
  }

  /// Keys, and not the buttons of a mouse or a game controller. (`input-event-codes.h`: BTN_MISC, KEY_OK.)
  fileprivate static func isKey(_ code: UInt16) -> Bool { code > 0 && (code < 0x100 || code >= 0x160) }
}

extension InputFrame {
  fileprivate var pressesKey: Bool {
    events.contains { $0.type == EventCode.key && $0.value == 1 && AbortKeys.isKey($0.code) }
  }
}

/// A terminal that hands over every key at once and shows none, until this goes.
private final class TerminalKeys {
  private let terminal: FileDescriptor
  private var before = termios()

  /// Nil when it is not a terminal, or not one that this process is in the foreground of: changing that one's mode
  /// would stop the process. (tcsetattr(3), SIGTTOU.)
  init?(_ terminal: FileDescriptor) {
    self.terminal = terminal
    guard isatty(terminal.rawValue) == 1, tcgetpgrp(terminal.rawValue) == getpgrp(),
      tcgetattr(terminal.rawValue, &before) == 0
    else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(terminal.rawValue, TCSANOW, &silent) == 0 else { return nil }
  }

  deinit {
    // What was typed is not for the shell.
    _ = tcsetattr(terminal.rawValue, TCSAFLUSH, &before)
  }

  func drain() {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    _ = read(terminal.rawValue, &bytes, bytes.count)
  }
}
