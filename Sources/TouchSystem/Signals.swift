import CLinux.Loop
import Glibc
import SystemPackage

/// The signals that ask the daemon to end.
///
/// They have handlers of their own and are not only read between turns, because a plugin may hang: if the loop does not
/// take the request in time, they end the process, with the console restored and a line in the log that names the plugin.
/// A process has one of these at a time.
package final class EndSignals {
  /// The signals by which users, shells and service managers end a program: each command that runs until then ends by these.
  package static let numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let owner: OwnedDescriptor

  /// - Parameters:
  ///   - logHead: what a line on standard error begins with.
  ///   - hangupEnds: whether SIGHUP is one of them.
  package init(logHead: String, hangupEnds: Bool = true) throws(SystemError) {
    let numbers = Self.numbers.filter { $0 != SIGHUP || hangupEnds }
    owner = OwnedDescriptor(
      try checked("eventfd") { touchtree_ends_catch(numbers, UInt32(numbers.count), logHead) })
  }

  deinit {
    touchtree_ends_release()
  }

  /// Readable when one of the signals came.
  package var descriptor: Int32 { owner.rawValue }

  /// Takes the request: from here on shutting down may take as long as it needs, and a plugin a second for each call.
  package func take() {
    _ = touchtree_ends_take()
  }
}

/// SIGHUP while a daemon starts: a request to reload, as later, which must not end the program that is about to read it.
package enum EarlyHangup {
  /// Lets the signal wait until it is watched. Call it first thing.
  package static func hold() {
    change(SIG_BLOCK)
  }

  /// Lets the signal end the program, if the terminal that it was started from is gone: that is what it reports then.
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

/// Signals as something to read, so that they arrive between turns of the loop.
package final class SignalReader {
  private let owner: OwnedDescriptor
  private var mask = sigset_t()

  /// Blocks the signals for the one thread of the process and opens a descriptor that reports them.
  package init(_ numbers: [Int32]) throws(SystemError) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in numbers { sigaddset(&mask, number) }
    try checked("sigprocmask") { sigprocmask(SIG_BLOCK, &mask, nil) }
    owner = OwnedDescriptor(
      try checked("signalfd") { signalfd(-1, &mask, touchtree_sfd_flags) })
    self.mask = mask
  }

  deinit {
    sigprocmask(SIG_UNBLOCK, &mask, nil)
  }

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

/// The terminal that the program was started from. (`tty(4)`)
package struct ControllingTerminal {
  private let wasThere: Bool

  /// Looks whether there is one.
  package init() {
    wasThere = Self.isThere
  }

  /// Whether it has been closed since. Then SIGHUP, which it is reported by, asks the program to end.
  package var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    guard
      let terminal = try? FileDescriptor.open("/dev/tty", .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return false }
    try? terminal.close()
    return true
  }
}
