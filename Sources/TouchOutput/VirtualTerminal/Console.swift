import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

/// The virtual terminal of the display, in graphics mode with its keyboard off: the kernel's console would
/// draw over the picture, and the keyboard would reach the shell underneath. Both are restored when the value
/// is destroyed and after signals that can be caught; after SIGKILL, another process has to (`restore(_:)`).
/// The kernel asks before it shows another terminal (`releaseSignal`). A process has one console at a time.
package struct Console: ~Copyable {
  /// The terminal's keyboard while the picture is shown.
  package enum Keyboard: Hashable, Sendable {
    /// The keyboard is off, so that visitors of a kiosk cannot stop the program.
    case mute
    /// The keyboard sends signals, so that Ctrl-C works, if the program was started here; else it is off.
    case signals
  }

  package enum Choice: Hashable, Sendable {
    /// The terminal of this process, or else the visible one.
    case own
    /// A terminal by its path, such as `/dev/tty1`. It is brought to the front.
    case path(String)
    /// An unused terminal. It is brought to the front, and the previous one is shown again at the end.
    case unused
  }

  /// The signal that the kernel sends before it shows another terminal. Stop drawing and call `letGo()`;
  /// until then the kernel waits. The signal must be blocked or caught before a console is taken.
  package static let releaseSignal = touchtree_vt_release_signal()
  /// The signal when the terminal is visible again; call `acknowledge()`. It must be blocked or caught.
  package static let acquireSignal = touchtree_vt_acquire_signal()

  package let path: String
  /// The number in `/dev/ttyN`, as `chvt` takes it; 0 if unknown.
  package let number: Int32
  /// Whether the terminal is visible. While it is not, a picture would appear on another program's terminal.
  package private(set) var isSeen: Bool
  private let terminal: FileDescriptor
  /// The lock that keeps other instances of touchtree off the terminal; nil if it cannot be locked.
  private let claim: FileDescriptor?
  /// The number of a terminal that was unused, and is freed at the end; 0 for others.
  private let allocated: Int32

  /// Takes a terminal: graphics mode, keyboard off.
  /// - Parameter keyboard: the keyboard's effect until the console is restored.
  /// - Parameter display: the display of the picture. The choice `own` leaves a terminal alone that is
  ///   shown on another one.
  /// - Throws: `DisplayError` if the console cannot be taken. It is then unchanged, and the program can go
  ///   on.
  package init(
    _ choice: Choice, keyboard: Keyboard = .mute, under display: (any Display)? = nil
  ) throws(DisplayError) {
    let found = try VirtualTerminal(choice)
    var claim: FileDescriptor?
    do throws(DisplayError) {
      if choice == .own, display?.shows(console: found.number) == false {
        throw .console(.elsewhere, found.path)
      }
      claim = try found.claim()
      // This terminal is a display server's, which would never be asked for the card again. A killed program
      // that has left graphics mode on has no card.
      if choice == .own, found.isSeen, found.isInGraphics, let user = display?.otherUser {
        throw .console(.shown(by: user), found.path)
      }
      try Self.hide(found, keyboard)
    } catch {
      try? claim?.close()
      try? found.descriptor.close()
      throw error
    }
    self.claim = claim
    terminal = found.descriptor
    path = found.path
    number = found.number
    allocated = choice == .unused ? found.number : 0
    // This is read after switching was taken over, so that every later change sends a signal.
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
    // Freeing fails while the terminal is still visible. It then stays allocated.
    if allocated > 0, let any = try? VirtualTerminal(path: "/dev/tty0") {
      try? terminal.close()
      _ = touchtree_vt_disallocate(any.descriptor.rawValue, allocated)
      try? any.descriptor.close()
    } else {
      try? terminal.close()
    }
  }

  /// Allows the switch to another terminal, after `releaseSignal`; false if the kernel did not ask.
  package mutating func letGo() -> Bool {
    guard touchtree_vt_let_go(terminal.rawValue) == 0 else { return false }
    isSeen = false
    return true
  }

  /// Confirms that the terminal is visible again, after `acquireSignal`. Everything has to be drawn again.
  package mutating func acknowledge() {
    _ = touchtree_vt_acknowledge(terminal.rawValue)
    isSeen = true
  }

  /// Shows another terminal, if this one is visible and its keyboard is off; else the kernel does.
  package func show(_ number: Int32) {
    var keyboard: Int32 = 0
    guard isSeen, touchtree_vt_get_keyboard(terminal.rawValue, &keyboard) == 0, keyboard == K_OFF else {
      return
    }
    _ = touchtree_vt_activate(terminal.rawValue, number)
  }

  /// Restores text mode, keyboard and switching of a killed program's terminal, for the unit's ExecStopPost.
  /// It throws if another touchtree still uses the terminal.
  package static func restore(_ choice: Choice) throws(DisplayError) {
    let terminal = try VirtualTerminal(choice)
    defer { try? terminal.descriptor.close() }
    let claim = try terminal.claim()
    defer { try? claim?.close() }
    let descriptor = terminal.descriptor.rawValue
    // The keyboard first: a terminal in text mode with its keyboard off looks restored and is not.
    var keyboard: Int32 = 0
    if touchtree_vt_get_keyboard(descriptor, &keyboard) == 0, keyboard == K_OFF {
      _ = touchtree_vt_set_keyboard(descriptor, K_UNICODE)
    }
    guard touchtree_vt_set_mode(descriptor, KD_TEXT) == 0 else {
      throw .console(.notControlling, terminal.path, cause: Errno(rawValue: errno))
    }
    _ = touchtree_vt_switch_automatically(descriptor)
    // The kernel shows the console on the card of another touchtree too.
    KMSLease.showAgain()
  }

  private static func hide(_ terminal: VirtualTerminal, _ use: Keyboard) throws(DisplayError) {
    let descriptor = terminal.descriptor.rawValue
    var keyboard = K_UNICODE
    _ = touchtree_vt_get_keyboard(descriptor, &keyboard)
    // A killed run leaves the keyboard off, which must not be restored.
    if keyboard == K_OFF { keyboard = K_UNICODE }
    // Armed first: a fault between the calls must not leave the console in graphics mode.
    arm(terminal.descriptor, keyboard: keyboard)
    guard touchtree_vt_set_mode(descriptor, KD_GRAPHICS) == 0, touchtree_console_take_switches() == 0 else {
      let cause = Errno(rawValue: errno)
      touchtree_console_restore()
      touchtree_console_disarm()
      throw .console(.notControlling, terminal.path, cause: cause)
    }
    if use == .signals && touchtree_console_quiet() != 0 { return }
    _ = touchtree_vt_set_keyboard(descriptor, K_OFF)
  }

  /// Arms the restoration of the terminal for the case that the process dies of a signal.
  static func arm(_ terminal: FileDescriptor, keyboard: Int32) {
    touchtree_console_arm(terminal.rawValue, keyboard)
  }
}

extension DisplayError {
  /// The reason why the console could not be taken or restored. It is logged, and the program goes on.
  enum ConsoleProblem {
    case missing, notTerminal, notPermitted, notControlling, allInUse, inUse, elsewhere
    /// Another program shows its picture there. The text is a sentence that names it.
    case shown(by: String)
  }

  static func console(_ problem: ConsoleProblem, _ path: String, cause: Errno? = nil) -> DisplayError {
    let (kind, reason): (Kind, String) =
      switch problem {
      case .missing: (.missing, "there is no such virtual terminal; name one, such as /dev/tty1")
      // This is a serial line, a pseudo-terminal or a file.
      case .notTerminal: (.wrongKind, "this is not a virtual terminal; name one, such as /dev/tty1")
      case .notPermitted:
        (
          .notPermitted,
          "this user may not open the terminal; terminals belong to the group tty "
            + "(SupplementaryGroups=tty in the unit)"
        )
      case .notControlling:
        (
          .notPermitted,
          "only a process whose controlling terminal it is may change its mode; start touchtree from that terminal, "
            + "or set TTYPath= and StandardInput=tty in the unit"
        )
      case .allInUse: (.inUse, "every virtual terminal is in use; name one, such as /dev/tty1")
      case .inUse:
        (.inUse, "another touchtree has this terminal; stop it first, or use another terminal (--tty new)")
      case .shown(by: let user):
        (
          .inUse,
          "\(user), and its picture is seen there; end that program, or use another terminal (--tty new)"
        )
      case .elsewhere: (.elsewhere, "it is shown on another framebuffer")
      }
    return DisplayError(kind, path: path, detail: "the console stays as it is: \(reason)", cause: cause)
  }
}
