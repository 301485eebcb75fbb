import CLinux.Display
import Glibc
import SystemPackage

/// The virtual terminal that the framebuffer belongs to, in graphics mode with its keyboard mute.
///
/// Otherwise the kernel's console draws its cursor, prompt and messages over the picture, and what is typed
/// reaches the shell underneath. Text mode and keyboard come back when the value goes, and when the process dies
/// of a fault signal; after SIGKILL only somebody else can bring them back (`restore(tty:)`).
///
/// There is one console in a process at a time. Switching terminals (VT_PROCESS) is not built.
public struct Console: ~Copyable {
  /// What the terminal's keyboard does while the picture is on it.
  public enum Keyboard: Hashable, Sendable {
    /// Nothing: a kiosk's visitors cannot end the program.
    case mute
    /// It sends signals, so that Ctrl-C works for whoever started the program from this terminal. In any other case
    /// it is mute too: what is typed would reach another program.
    case signals
  }

  /// The terminal that was taken.
  public let path: String
  private let terminal: FileDescriptor

  /// Takes a terminal: graphics mode, keyboard off.
  ///
  /// - Parameters:
  ///   - tty: the terminal, such as `/dev/tty1`. Nil means the one this process runs on, or else the one in the
  ///     foreground.
  ///   - keyboard: what becomes of it meanwhile.
  /// - Throws: `ConsoleNotice` when the console stays as it is. That is no reason to stop.
  public init(tty: String?, keyboard: Keyboard = .mute) throws(ConsoleNotice) {
    let (terminal, path) = try Self.openTerminal(tty)
    do throws(ConsoleNotice) {
      try Self.hide(terminal, path, keyboard)
    } catch {
      try? terminal.close()
      throw error
    }
    self.terminal = terminal
    self.path = path
  }

  deinit {
    touchtree_console_restore()
    touchtree_console_disarm()
    try? terminal.close()
  }

  /// Puts the console back at once. Only makes ioctls, so a signal handler may call it; later calls do nothing.
  public static func restoreNow() {
    touchtree_console_restore()
  }

  /// Puts a terminal back to text mode with its keyboard on, whoever took it: for the unit's ExecStopPost.
  ///
  /// - Parameter tty: the terminal; nil as in `init(tty:)`.
  /// - Throws: `ConsoleNotice` when it cannot be done.
  public static func restore(tty: String?) throws(ConsoleNotice) {
    let (terminal, path) = try openTerminal(tty)
    defer { try? terminal.close() }
    // The keyboard first: a terminal in text mode that cannot be typed on looks restored and is not.
    var keyboard: Int32 = 0
    if touchtree_vt_get_keyboard(terminal.rawValue, &keyboard) == 0, keyboard == K_OFF {
      _ = touchtree_vt_set_keyboard(terminal.rawValue, K_UNICODE)
    }
    guard touchtree_vt_set_mode(terminal.rawValue, KD_TEXT) == 0 else {
      throw ConsoleNotice(path: path, problem: .notControlling, cause: Errno(rawValue: errno))
    }
  }

  private static func hide(
    _ terminal: FileDescriptor, _ path: String, _ use: Keyboard
  ) throws(ConsoleNotice) {
    var keyboard = K_UNICODE
    _ = touchtree_vt_get_keyboard(terminal.rawValue, &keyboard)
    // Off is what a run that was killed left behind, not what anybody wants back.
    if keyboard == K_OFF { keyboard = K_UNICODE }
    // Armed first: a fault between the two calls must not leave the console in graphics mode.
    arm(terminal, keyboard: keyboard)
    guard touchtree_vt_set_mode(terminal.rawValue, KD_GRAPHICS) == 0 else {
      let cause = Errno(rawValue: errno)
      touchtree_console_disarm()
      throw ConsoleNotice(path: path, problem: .notControlling, cause: cause)
    }
    if use == .signals && touchtree_console_quiet() != 0 { return }
    _ = touchtree_vt_set_keyboard(terminal.rawValue, K_OFF)
  }

  /// From here on the terminal is put back when the process dies of a fault signal.
  static func arm(_ terminal: FileDescriptor, keyboard: Int32) {
    touchtree_console_arm(terminal.rawValue, keyboard)
  }

  private static func openTerminal(_ tty: String?) throws(ConsoleNotice) -> (FileDescriptor, String) {
    if let tty { return (try open(tty), tty) }
    // Standard input is the terminal when systemd gave us one; /dev/tty is it when a person started us there.
    if let terminal = try? FileDescriptor.standardInput.duplicate() {
      if isVirtualTerminal(terminal) { return (terminal, "standard input") }
      try? terminal.close()
    }
    if let terminal = try? open("/dev/tty") { return (terminal, "/dev/tty") }
    return (try open("/dev/tty0"), "/dev/tty0")
  }

  private static func open(_ path: String) throws(ConsoleNotice) -> FileDescriptor {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ConsoleNotice(path: path, problem: .missing, cause: Errno(rawValue: errno))
    }
    guard touchtree_is_terminal(&status) != 0 else {
      throw ConsoleNotice(path: path, problem: .notTerminal, cause: nil)
    }
    let terminal: FileDescriptor
    do {
      // The group tty may write to terminals, not read them; writing is enough for what is done here.
      let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]
      do {
        terminal = try FileDescriptor.open(path, .readWrite, options: options)
      } catch Errno.permissionDenied {
        terminal = try FileDescriptor.open(path, .writeOnly, options: options)
      }
    } catch {
      let cause = error as? Errno ?? .ioError
      let denied = cause == .permissionDenied || cause == .notPermitted
      throw ConsoleNotice(path: path, problem: denied ? .notPermitted : .missing, cause: cause)
    }
    guard isVirtualTerminal(terminal) else {
      try? terminal.close()
      throw ConsoleNotice(path: path, problem: .notTerminal, cause: nil)
    }
    return terminal
  }

  private static func isVirtualTerminal(_ terminal: FileDescriptor) -> Bool {
    var mode: Int32 = 0
    return touchtree_vt_get_mode(terminal.rawValue, &mode) == 0
  }
}
