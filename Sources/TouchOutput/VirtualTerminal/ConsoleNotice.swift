import SystemPackage

/// Why the console stays as it is, and what would change that. Something to log, not to stop for.
package struct ConsoleNotice: Error, Hashable, CustomStringConvertible {
  /// Why the terminal could not be taken over.
  package enum Problem: Hashable, Sendable {
    /// There is no such terminal.
    case missing
    /// The path leads to something that is no virtual terminal: a serial line, a pseudo-terminal, a file.
    case notTerminal
    /// The terminal may not be opened by this user.
    case notPermitted
    /// The terminal was opened, but the kernel lets only the processes that it controls change its mode.
    case notControlling
    /// Every virtual terminal is used by somebody.
    case allInUse
    /// Another touchtree has the terminal.
    case inUse
    /// The terminal is shown on another framebuffer, so that nothing of it is in the picture's way.
    case elsewhere
  }

  /// The terminal's path.
  package let path: String
  package let problem: Problem
  /// What the kernel answered, where it was asked.
  package let cause: Errno?

  package var description: String {
    "\(path): \(advice)" + (cause.map { " (\($0))" } ?? "")
  }

  private var advice: String {
    switch problem {
    case .missing:
      "the console stays as it is: there is no such virtual terminal; name one, such as /dev/tty1"
    case .notTerminal:
      "the console stays as it is: this is no virtual terminal; name one, such as /dev/tty1"
    case .notPermitted:
      "the console stays as it is: the terminal may not be opened by this user; "
        + "terminals belong to the group tty (SupplementaryGroups=tty in the unit)"
    case .notControlling:
      "the console stays as it is: only a process that the terminal controls may change its mode; "
        + "start from that terminal, or set TTYPath= and StandardInput=tty in the unit"
    case .allInUse:
      "the console stays as it is: every virtual terminal is in use; name one, such as /dev/tty1"
    case .inUse:
      "the console stays as it is: another touchtree has this terminal; end that one first, or take another terminal "
        + "(--tty new)"
    case .elsewhere:
      "the console stays as it is: it is shown on another framebuffer"
    }
  }
}
