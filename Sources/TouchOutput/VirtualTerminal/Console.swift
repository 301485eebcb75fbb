import CLinux.Display
import Glibc
import SystemPackage

/// The virtual terminal that the framebuffer belongs to, in graphics mode with its keyboard mute.
///
/// Otherwise the kernel's console draws its cursor, prompt and messages over the picture, and what is typed
/// reaches the shell underneath. Text mode and keyboard come back when the value goes, and when the process dies
/// of a signal that can be caught; after SIGKILL only somebody else can bring them back (`restore(tty:)`).
///
/// The kernel asks before it shows another terminal: see `releaseSignal`. There is one console in a process at a time.
package struct Console: ~Copyable {
  /// What the terminal's keyboard does while the picture is on it.
  package enum Keyboard: Hashable, Sendable {
    /// Nothing: a kiosk's visitors cannot end the program.
    case mute
    /// It sends signals, so that Ctrl-C works for whoever started the program from this terminal. In any other case
    /// it is mute too: what is typed would reach another program.
    case signals
  }

  /// Which terminal to take.
  package enum Choice: Hashable, Sendable {
    /// The one this process runs on, or else the one that is seen.
    case own
    /// One by its path, such as `/dev/tty1`. It is brought to the front.
    case path(String)
    /// One that nobody uses. It is brought to the front, and what was there before comes back in the end.
    case unused
  }

  /// The kernel sends it when another terminal is to be seen. Answer with `letGo()` when nothing will be drawn any more;
  /// until then the kernel waits. It must be blocked or caught before a console is taken.
  package static let releaseSignal = touchtree_vt_release_signal()
  /// The kernel sends it when the terminal is seen again. Answer with `acknowledge()`. It must be blocked or caught, too.
  package static let acquireSignal = touchtree_vt_acquire_signal()

  /// The terminal that was taken.
  package let path: String
  /// Whether the terminal is the one that is seen. What is drawn while it is not shows on somebody else's.
  package private(set) var isSeen: Bool
  private let terminal: FileDescriptor
  /// Has the lock that keeps other touchtrees off the terminal; nil where there is none to be had.
  private let claim: FileDescriptor?
  /// The number of a terminal that was unused, and is to be so again; 0 for others.
  private let allocated: Int32

  /// Takes a terminal: graphics mode, keyboard off.
  ///
  /// - Parameters:
  ///   - keyboard: what becomes of it meanwhile.
  ///   - framebuffer: where the picture is. A terminal that nobody named and that is shown on another one is left alone.
  /// - Throws: `ConsoleNotice` when the console stays as it is. That is no reason to stop.
  package init(
    _ choice: Choice, keyboard: Keyboard = .mute, under framebuffer: Framebuffer? = nil
  ) throws(ConsoleNotice) {
    let found = try VirtualTerminal(choice)
    var claim: FileDescriptor?
    do throws(ConsoleNotice) {
      if choice == .own, framebuffer?.shows(console: found.number) == false {
        throw ConsoleNotice(path: found.path, problem: .elsewhere, cause: nil)
      }
      claim = try found.claim()
      try Self.hide(found, keyboard)
    } catch {
      try? claim?.close()
      try? found.descriptor.close()
      throw error
    }
    self.claim = claim
    terminal = found.descriptor
    path = found.path
    allocated = choice == .unused ? found.number : 0
    // Asked after switching was taken over: from here on, changes are signals.
    let active = touchtree_vt_active(found.descriptor.rawValue)
    isSeen = found.number == 0 || active == found.number
    guard choice != .own, !isSeen else { return }
    touchtree_console_return_to(active)
    _ = touchtree_vt_activate(found.descriptor.rawValue, found.number)
  }

  deinit {
    touchtree_console_restore()
    touchtree_console_disarm()
    try? claim?.close()
    // Fails while it is still seen; then it stays, empty.
    if allocated > 0, let any = try? VirtualTerminal(path: "/dev/tty0") {
      try? terminal.close()
      _ = touchtree_vt_disallocate(any.descriptor.rawValue, allocated)
      try? any.descriptor.close()
    } else {
      try? terminal.close()
    }
  }

  /// Lets another terminal be seen, after `releaseSignal`. Nothing may be drawn from here on.
  ///
  /// - Returns: false when the kernel did not ask: the terminal is still seen.
  package mutating func letGo() -> Bool {
    guard touchtree_vt_let_go(terminal.rawValue) == 0 else { return false }
    isSeen = false
    return true
  }

  /// Takes note that the terminal is seen again, after `acquireSignal`. Everything has to be drawn anew.
  package mutating func acknowledge() {
    _ = touchtree_vt_acknowledge(terminal.rawValue)
    isSeen = true
  }

  /// Puts the console back at once. Only makes ioctls, so a signal handler may call it; later calls do nothing.
  package static func restoreNow() {
    touchtree_console_restore()
  }

  /// Puts a terminal back to text mode with its keyboard on and automatic switching, after whoever took it: for the
  /// unit's ExecStopPost. One that another of us still has is left to it.
  ///
  /// - Throws: `ConsoleNotice` when it cannot be done.
  package static func restore(_ choice: Choice) throws(ConsoleNotice) {
    let terminal = try VirtualTerminal(choice)
    defer { try? terminal.descriptor.close() }
    let claim = try terminal.claim()
    defer { try? claim?.close() }
    let descriptor = terminal.descriptor.rawValue
    // The keyboard first: a terminal in text mode that cannot be typed on looks restored and is not.
    var keyboard: Int32 = 0
    if touchtree_vt_get_keyboard(descriptor, &keyboard) == 0, keyboard == K_OFF {
      _ = touchtree_vt_set_keyboard(descriptor, K_UNICODE)
    }
    guard touchtree_vt_set_mode(descriptor, KD_TEXT) == 0 else {
      throw ConsoleNotice(path: terminal.path, problem: .notControlling, cause: Errno(rawValue: errno))
    }
    _ = touchtree_vt_switch_automatically(descriptor)
  }

  private static func hide(_ terminal: VirtualTerminal, _ use: Keyboard) throws(ConsoleNotice) {
    let descriptor = terminal.descriptor.rawValue
    var keyboard = K_UNICODE
    _ = touchtree_vt_get_keyboard(descriptor, &keyboard)
    // Off is what a run that was killed left behind, not what anybody wants back.
    if keyboard == K_OFF { keyboard = K_UNICODE }
    // Armed first: a fault between the calls must not leave the console in graphics mode.
    arm(terminal.descriptor, keyboard: keyboard)
    guard touchtree_vt_set_mode(descriptor, KD_GRAPHICS) == 0, touchtree_console_take_switches() == 0 else {
      let cause = Errno(rawValue: errno)
      touchtree_console_restore()
      touchtree_console_disarm()
      throw ConsoleNotice(path: terminal.path, problem: .notControlling, cause: cause)
    }
    if use == .signals && touchtree_console_quiet() != 0 { return }
    _ = touchtree_vt_set_keyboard(descriptor, K_OFF)
  }

  /// From here on the terminal is put back when the process dies of a signal.
  static func arm(_ terminal: FileDescriptor, keyboard: Int32) {
    touchtree_console_arm(terminal.rawValue, keyboard)
  }
}
