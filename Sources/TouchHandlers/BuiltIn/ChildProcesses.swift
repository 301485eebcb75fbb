@preconcurrency import Glibc
public import SystemPackage

/// The processes that handlers start. It forgets none of them: each is waited for, and nobody else's ever is.
///
/// The daemon calls `reap()` when SIGCHLD has come.
public final class ChildProcesses {
  /// How a process ended.
  public enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  private struct Child {
    let pid: pid_t
    let whenDone: (Exit) -> Void
  }

  /// `NAME=value`, as children get it.
  private let environment: [String]
  /// The value of PATH, in which commands are searched.
  public let path: String
  private var running: [Child] = []

  /// - Parameter environment: `NAME=value`, as children get it. What the service manager and other handlers
  ///   said to this process alone is left out.
  public init(environment: [String] = ChildProcesses.ownEnvironment) {
    self.environment = environment.filter { variable in
      !Self.private.contains { variable.hasPrefix($0) }
    }
    path = environment.first { $0.hasPrefix("PATH=") }.map { String($0.dropFirst(5)) } ?? "/usr/bin:/bin"
  }

  private static let `private` = ["NOTIFY_SOCKET=", "WATCHDOG_PID=", "WATCHDOG_USEC=", "TOUCHTREE_"]

  /// How many are running, or have ended and were not reaped yet.
  public var count: Int { running.count }

  /// The ids of the processes that `count` counts.
  public var processIDs: [Int32] { running.map(\.pid) }

  /// Starts a command and returns at once. Its input is /dev/null, its output and errors go to this
  /// process' standard error, and no other descriptor, blocked signal or ignored signal is handed down.
  ///
  /// - Parameters:
  ///   - variables: come after the environment of all children.
  ///   - whenDone: called from `reap()`, once.
  /// - Throws: why it could not be started.
  public func start(
    _ command: Command, adding variables: [(name: String, value: String)],
    whenDone: @escaping (Exit) -> Void
  ) throws(Errno) {
    let environment = environment + variables.map { "\($0.name)=\($0.value)" }
    let pid = try Spawn.start(command.executable, arguments: command.words, environment: environment)
    running.append(Child(pid: pid, whenDone: whenDone))
  }

  /// Takes leave of every process that has ended. Returns at once when there is none.
  public func reap() {
    var done: [(child: Child, exit: Exit)] = []
    running.removeAll { child in
      guard let exit = Self.exit(of: child.pid) else { return false }
      done.append((child, exit))
      return true
    }
    // Afterwards, since a callback may start the next one.
    for (child, exit) in done { child.whenDone(exit) }
  }

  /// How the process ended, or nil while it runs. (waitpid)
  private static func exit(of pid: pid_t) -> Exit? {
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(pid, &status, WNOHANG) } while result < 0 && errno == EINTR
    if result == 0 { return nil }
    // Somebody else took it (ECHILD): nothing is known but that it is over.
    if result < 0 { return .status(0) }
    let signal = status & 0x7f
    return signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
  }

  /// The environment of this process, `NAME=value`.
  public static var ownEnvironment: [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next += 1
    }
    return variables
  }
}
