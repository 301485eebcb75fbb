import CLinux.Process
@preconcurrency import Glibc
import SystemPackage
import TouchSystem

/// The processes that handlers start. It waits for each of them, and for no other process.
///
/// The daemon calls `reap()` after SIGCHLD, and `end()` at its own end.
///
///     start ─▶ running ──── ends by itself ────────────▶ done
///                 │ time limit, end(); persistent:         ▲
///                 │ ends and leaves a group                │
///                 ▼ SIGTERM to its group                   │
///               ending ──── 1 s: SIGKILL to its group ─────┘
package final class ChildProcesses {
  package enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// Ended by this object: the process took too long, or the daemon ends.
    case ended
  }

  /// The signals that the group of a command was sent.
  private enum State { case running, ending, killed }

  /// A command, with the processes that it started and that are still in its group.
  private struct Child {
    let pid: pid_t
    /// Whether the process runs as long as the daemon and is not waited for.
    let isPersistent: Bool
    let whenOverdue: () -> Void
    let whenDone: (Exit) -> Void
    /// A pipe for the group's life: the kernel kills the group when the writing end is closed.
    let lifeline: Pipe
    /// The reader of the first line; nil if the output goes to the log.
    var output: FirstLine?
    /// The reader into the log. It is nil for streams of the caller, and without a pipe. The process
    /// then writes to this process's standard error.
    var log: OutputReader?
    /// The timer for the time limit, then for SIGKILL; nil for neither.
    var timer: Int?
    var state = State.running
    /// Whether the command has ended and was reaped. The rest of its group is kept until SIGKILL.
    var isReaped = false
  }

  /// The environment of children, as `NAME=value`.
  private let environment: [String]
  package let path: String
  private weak var host: (any HandlerHost)?
  private var running: [Child] = []
  private var readers: [ObjectIdentifier: OutputReader] = [:]
  private var whenDrained: (() -> Void)?

  /// - Parameter environment: the environment of children, as `NAME=value`. Variables from the service
  ///   manager and other handlers that were meant for this process alone are left out.
  /// - Parameter host: the provider of timers for time limits, held weakly.
  package init(environment: [String] = ChildProcesses.ownEnvironment, host: any HandlerHost) {
    self.environment = environment.filter { variable in !Self.private.contains { variable.hasPrefix($0) } }
    path = Self.path(in: environment)
    self.host = host
  }

  private static let `private` = ["NOTIFY_SOCKET=", "WATCHDOG_PID=", "WATCHDOG_USEC=", "TOUCHTREE_"]

  /// The folders in which children of this process search commands.
  package static var ownPath: String { path(in: ownEnvironment) }

  private static func path(in environment: [String]) -> String {
    environment.first { $0.hasPrefix("PATH=") }.map { String($0.dropFirst(5)) } ?? "/usr/bin:/bin"
  }

  /// The number of processes that run, or have ended and were not reaped yet.
  package var count: Int { processIDs.count }

  package var processIDs: [Int32] { running.filter { !$0.isReaped }.map(\.pid) }

  /// Starts a command and returns at once.
  ///
  /// The input is /dev/null. Errors go to the log, and so does the output unless its first line is
  /// wanted. The command gets no other descriptor but a lifeline, and no signal is blocked or
  /// ignored in it. It has a session and a process group of its own, and no terminal. If this
  /// process ends first, the whole group is killed.
  /// - Parameters:
  ///   - variables: the variables after the environment of all children.
  ///   - streams: the streams of a process that runs as long as the daemon; they stay the caller's.
  ///   - timeLimit: the seconds until the group gets SIGTERM, and SIGKILL a second later; nil for none.
  ///   - log: gets the lines that the command writes; nil for this process's standard error.
  ///   - firstLine: called with the first line, when it is there or the command has ended, but not if the
  ///     command writes nothing. Nil sends the output to the log.
  ///   - whenOverdue: called at the time limit, before SIGTERM.
  ///   - whenDone: called once from `reap()`.
  /// - Returns: the process id.
  /// - Throws: the reason why the command could not be started.
  @discardableResult
  package func start(
    _ command: Command, adding variables: [(name: String, value: String)], timeLimit: Double?,
    streams: (input: Int32, output: Int32, errors: Int32)? = nil, log: OutputLog? = nil,
    firstLine: ((String) -> Void)? = nil,
    whenOverdue: @escaping () -> Void = {}, whenDone: @escaping (Exit) -> Void
  ) throws(Errno) -> Int32 {
    let environment = environment + variables.map { "\($0.name)=\($0.value)" }
    let errors = log == nil ? nil : try? Pipe()
    let (lifeline, first): (Pipe, Pipe?)
    do throws(SystemError) {
      (lifeline, first) = (try Pipe(), firstLine == nil ? nil : try Pipe())
    } catch {
      throw error.errno
    }
    var output: FirstLine?
    if let first, let firstLine, let host {
      output = FirstLine(of: first.reading, host: host, whenRead: firstLine)
    }
    let pid = try ProcessSpawn.start(
      command.executable, arguments: command.words, environment: environment, input: streams?.input,
      output: streams?.output ?? first?.writing.rawValue ?? errors?.writing.rawValue,
      errors: streams?.errors ?? errors?.writing.rawValue, lifeline: lifeline.reading.rawValue)
    var child = Child(
      pid: pid, isPersistent: streams != nil, whenOverdue: whenOverdue, whenDone: whenDone,
      lifeline: lifeline, output: output)
    child.timer = timeLimit.flatMap { timer(seconds: $0, forGroup: pid) }
    if let log, let errors { child.log = reader(of: errors.reading, into: log) }
    running.append(child)
    return pid
  }

  private func reader(of pipe: PipeEnd, into log: OutputLog) -> OutputReader? {
    guard let loop = host?.peers.loop else { return nil }
    let reader = OutputReader(of: pipe, into: log)
    let id = ObjectIdentifier(reader)
    do throws(SystemError) {
      try reader.begin(in: loop) { [weak self] in self?.readers[id] = nil }
    } catch {
      return nil
    }
    readers[id] = reader
    return reader
  }

  /// Reaps every process that has ended, without waiting.
  package func reap() {
    var done: [(child: Child, exit: Exit)] = []
    for index in running.indices where !running[index].isReaped {
      guard let exit = Self.exit(of: running[index].pid) else { continue }
      running[index].isReaped = true
      switch (exit, running[index].state) {
      case (.signal(SIGTERM), .ending), (.signal, .killed): done.append((running[index], .ended))
      // Another signal than ours.
      case (_, .ending), (_, .running), (_, .killed): done.append((running[index], exit))
      }
      if running[index].isPersistent { endRest(of: index) }
    }
    guard !done.isEmpty else { return }
    forgetEmptyGroups()
    // Callbacks come last, since one may start the next process.
    for (child, exit) in done {
      child.output?.finish()
      child.log?.drain()
      child.whenDone(exit)
    }
    reportDrained()
  }

  /// Ends the rest of a persistent process's group, whose successor starts helpers of its own.
  private func endRest(of index: Int) {
    let group = running[index].pid
    guard running[index].state == .running, kill(-group, SIGTERM) == 0 else { return }
    if let timer = running[index].timer { host?.cancelTimer(timer) }
    running[index].state = .ending
    running[index].timer = timer(seconds: Self.grace, forGroup: group)
  }

  /// Forgets processes that were reaped. The rest of a group that is being ended is kept until SIGKILL: its
  /// id is not given away. A command that ended by itself may leave processes behind.
  private func forgetEmptyGroups() {
    running.removeAll { child in
      guard child.isReaped, !(child.state == .ending && kill(-child.pid, 0) == 0) else { return false }
      if let timer = child.timer { host?.cancelTimer(timer) }
      child.lifeline.reading.stopSignals()
      return true
    }
  }

  /// Returns the way in which the process ended, or nil while it runs. (waitpid)
  private static func exit(of pid: pid_t) -> Exit? {
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(pid, &status, WNOHANG) } while result < 0 && errno == EINTR
    if result == 0 { return nil }
    // It was reaped elsewhere (ECHILD), so only its end is known.
    if result < 0 { return .status(0) }
    let signal = status & 0x7f
    return signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
  }

  /// The environment of this process, `NAME=value`.
  package static var ownEnvironment: [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next += 1
    }
    return variables
  }
}

// MARK: - Ending commands

extension ChildProcesses {
  private static let grace = 1.0
  /// The time before SIGTERM for a process that knows that it has to end, in seconds.
  private static let moment = 0.3

  /// Calls `body` once no command runs any more. Commands without a limit get one, in seconds.
  package func drain(limit: Double, _ body: @escaping () -> Void) {
    whenDrained = body
    for index in running.indices where running[index].timer == nil && !running[index].isPersistent {
      running[index].timer = timer(seconds: limit, forGroup: running[index].pid)
    }
    reportDrained()
  }

  private func reportDrained() {
    guard running.allSatisfy(\.isPersistent), let body = whenDrained else { return }
    whenDrained = nil
    body()
  }

  /// Ends a process by SIGTERM to its group, and SIGKILL a second later.
  package func end(_ pid: Int32) {
    guard let index = running.firstIndex(where: { $0.pid == pid }), running[index].state == .running else {
      return
    }
    if let timer = running[index].timer { host?.cancelTimer(timer) }
    timeIsUp(pid)
  }

  /// Ends a process that already knows of its end. It has a moment, and is then ended as by `end(_:)`.
  package func dismiss(_ pid: Int32) {
    guard let index = running.firstIndex(where: { $0.pid == pid }), running[index].state == .running else {
      return
    }
    if let timer = running[index].timer { host?.cancelTimer(timer) }
    running[index].timer = timer(seconds: Self.moment, forGroup: pid)
  }

  private func timer(seconds: Double, forGroup pid: pid_t) -> Int? {
    host?.addTimer(milliseconds: max(1, Int(seconds * 1000)), repeats: false) { [weak self] in
      self?.timeIsUp(pid)
    }
  }

  private func timeIsUp(_ pid: pid_t) {
    guard let index = running.firstIndex(where: { $0.pid == pid }) else { return }
    running[index].timer = nil
    if running[index].state != .running {
      running[index].state = .killed
      kill(-pid, SIGKILL)
      // The command itself is still waited for.
      if running[index].isReaped { running.remove(at: index) }
      return reportDrained()
    }
    running[index].state = .ending
    running[index].timer = timer(seconds: Self.grace, forGroup: pid)
    running[index].whenOverdue()
    kill(-pid, SIGTERM)
  }

  /// Ends all processes with the daemon, within two seconds. They first have a moment for the last touch;
  /// then their groups get SIGTERM, and SIGKILL a second later.
  package func end() {
    wait(seconds: Self.moment)
    for index in running.indices {
      running[index].state = .ending
      kill(-running[index].pid, SIGTERM)
    }
    wait(seconds: Self.grace)
    for index in running.indices {
      running[index].state = .killed
      kill(-running[index].pid, SIGKILL)
    }
    wait(seconds: 0.3)
  }

  /// Polls until no process is left, or the time is over: the loop does not run any more.
  private func wait(seconds: Double) {
    let step = 0.005
    for _ in 0..<Int(seconds / step) {
      reap()
      forgetEmptyGroups()
      if running.isEmpty { return }
      usleep(UInt32(step * 1e6))
    }
    reap()
  }
}

/// The only way in which processes are started.
package enum ProcessSpawn {
  /// Starts a program in a session of its own, and returns as soon as the program has taken over.
  /// (`touchtree_spawn`) The program has no descriptors but standard error and the given ones, and no signal
  /// is blocked or ignored in it. It is killed when this thread ends, for whatever reason.
  /// - Parameter input: the descriptor that the program reads; nil for /dev/null. - output, errors: the
  ///   descriptors that it writes; nil for this process's standard error.
  /// - Parameter lifeline: the reading end of a pipe for this program alone. Its process group is killed
  ///   when the other end is closed.
  /// - Returns: the process id, which is also that of the process group.
  /// - Throws: the reason why the program could not be started; ENOENT also for a script whose interpreter
  ///   is missing.
  package static func start(
    _ executable: String, arguments: [String], environment: [String], input: Int32? = nil,
    output: Int32? = nil, errors: Int32? = nil, lifeline: Int32? = nil
  ) throws(Errno) -> pid_t {
    let argv = CStringArray(arguments)
    let envp = CStringArray(environment)
    let pid = touchtree_spawn(
      executable, argv.pointers, envp.pointers, input ?? -1, output ?? -1, errors ?? -1,
      lifeline ?? -1)
    if pid < 0 { throw Errno(rawValue: -pid) }
    return pid
  }
}

/// Strings in the form of C: an array of pointers that ends with NULL.
private struct CStringArray: ~Copyable {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
