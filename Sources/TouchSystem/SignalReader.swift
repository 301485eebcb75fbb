import CLinux.Loop
import Glibc
import SystemPackage

/// Signals as something to read, so that they arrive between turns of the loop.
package final class SignalReader {
  private let owner: OwnedDescriptor
  private var mask = sigset_t()

  /// Blocks the signals for the process' one thread and opens a descriptor that reports them.
  package init(_ numbers: [Int32]) throws(LoopError) {
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
