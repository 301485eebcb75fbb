import CLinux.Loop
import Glibc
import SystemPackage

/// The signals that ask the daemon to end. They have handlers of their own and are not only read between
/// turns, because a plugin may hang. If the loop does not take the request in time, they restore the console,
/// log the plugin's name and end the process. A process has one of these at a time.
package final class EndSignals {
  /// The signals by which users, shells and service managers end a program, with all commands.
  package static let numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let owner: OwnedDescriptor

  /// Begins with the head of lines on standard error; SIGHUP may be one of the signals.
  package init(logHead: String, hangupEnds: Bool = true) throws(SystemError) {
    let numbers = Self.numbers.filter { $0 != SIGHUP || hangupEnds }
    owner = OwnedDescriptor(
      try checked("eventfd") { touchtree_ends_catch(numbers, UInt32(numbers.count), logHead) })
  }

  deinit { touchtree_ends_release() }

  /// The descriptor, readable when one of the signals has arrived.
  package var descriptor: Int32 { owner.rawValue }

  /// Takes the request. Shutting down may now take long, and a plugin's call a second.
  package func take() { _ = touchtree_ends_take() }
}

/// SIGHUP while a daemon starts: a request to reload, as later, which must not end the program.
package enum EarlyHangup {
  /// Holds the signal until it is watched. Call it first.
  package static func hold() { change(SIG_BLOCK) }

  /// Lets the signal end the program if it means that the program's terminal is gone.
  package static func endIfMeant(_ terminal: ControllingTerminal) {
    if terminal.isGone { change(SIG_UNBLOCK) }
  }

  private static func change(_ how: Int32) {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGHUP)
    sigprocmask(how, &mask, nil)
  }
}

/// Signals that are read, so that they arrive between turns of the loop.
package final class SignalReader {
  private let owner: OwnedDescriptor
  private var mask = sigset_t()

  /// Blocks the signals for the one thread of the process, and opens a descriptor that reports them.
  package init(_ numbers: [Int32]) throws(SystemError) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in numbers { sigaddset(&mask, number) }
    try checked("sigprocmask") { sigprocmask(SIG_BLOCK, &mask, nil) }
    owner = OwnedDescriptor(try checked("signalfd") { signalfd(-1, &mask, touchtree_sfd_flags) })
    self.mask = mask
  }

  deinit { sigprocmask(SIG_UNBLOCK, &mask, nil) }

  package var descriptor: Int32 { owner.rawValue }

  package func read(_ body: (Int32) -> Void) {
    var info = signalfd_siginfo()
    while Glibc.read(owner.rawValue, &info, MemoryLayout<signalfd_siginfo>.size)
      == MemoryLayout<signalfd_siginfo>.size
    {
      body(Int32(info.ssi_signo))
    }
  }
}

/// The terminal from which the program was started. (`tty(4)`)
package struct ControllingTerminal {
  private let wasThere: Bool

  package init() { wasThere = Self.isThere }

  /// Whether it has been closed since. SIGHUP, which reports that, then asks the program to end.
  package var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    guard
      let terminal = try? FileDescriptor.open("/dev/tty", .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return false }
    try? terminal.close()
    return true
  }
}
