import AttackFuzzing
import Glibc

/// The limits of every input, in time and memory. What exceeds them, traps or hangs ends the program with its
/// seed.
enum Limits {
  /// For one input, in seconds of this program's processor time.
  private static let processorTime = 2
  /// For one input, in seconds: a child hangs, and not this program. Longer than a busy host takes.
  private static let time = 900
  /// What the program may take at once, however small what it was asked is. In bytes.
  private static let addressSpace: rlim_t = 4 << 30

  nonisolated(unsafe) private static var seed: UInt64 = 0
  /// In KiB.
  nonisolated(unsafe) private static var memoryAtFirst = 0

  /// From now on a signal that ends the program prints the seed.
  static func watch() {
    var limit = rlimit(rlim_cur: addressSpace, rlim_max: addressSpace)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    // A stack that has overflowed has no room for a handler.
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGPROF, SIGALRM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Limits.end(by: $0) }
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// The next input begins.
  static func begin(_ seed: UInt64) {
    self.seed = seed
    set(ITIMER_PROF, processorTime)
    set(ITIMER_REAL, time)
  }

  /// - Parameter isFirst: what one input takes is not counted, because it loads what all of them need.
  /// - Returns: what the input took too much of.
  static func excess(of most: Int, isFirst: Bool) -> String? {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    if isFirst { memoryAtFirst = usage.ru_maxrss }
    let taken = usage.ru_maxrss - memoryAtFirst
    return taken > most ? "it took \(taken) KiB; \(most) are allowed" : nil
  }

  private static func set(_ timer: __itimer_which, _ seconds: Int) {
    var value = itimerval()
    value.it_value.tv_sec = seconds
    setitimer(__itimer_which_t(timer.rawValue), &value, nil)
  }

  /// In a signal handler: nothing that allocates.
  private static func end(by number: Int32) {
    write("seed ")
    write(seed)
    switch number {
    case SIGPROF: write(": it takes more than 2 s of processor time\n")
    case SIGALRM: write(": it takes more than a quarter of an hour\n")
    default:
      write(": ended by signal ")
      write(UInt64(number))
      write("\n")
    }
    if Child.current > 0 { kill(Child.current, SIGKILL) }
    _exit(1)
  }

  private static func write(_ text: StaticString) {
    _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func write(_ number: UInt64) {
    if number > 9 { write(number / 10) }
    var digit = UInt8(ascii: "0") + UInt8(number % 10)
    _ = Glibc.write(STDOUT_FILENO, &digit, 1)
  }
}
