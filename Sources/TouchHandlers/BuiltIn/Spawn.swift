import CLinux.Process
import Glibc
import SystemPackage

/// The one place where processes are started. (posix_spawn)
enum Spawn {
  /// Starts a program with /dev/null as input, this process' standard error as output and errors, no other
  /// descriptor, no signal blocked and none ignored. Returns as soon as the program has taken over.
  ///
  /// - Throws: why it could not be started; ENOENT also for a script whose interpreter is missing.
  static func start(
    _ executable: String, arguments: [String], environment: [String]
  ) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
    try check(posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO))
    // Ours are all closed on exec; a library's, or an inherited one, may not be.
    try check(posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))

    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    try check(posix_spawnattr_setsigmask(&attributes, &signals))
    sigfillset(&signals)
    try check(posix_spawnattr_setsigdefault(&attributes, &signals))
    try check(
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))

    let argv = CStringArray(arguments)
    let envp = CStringArray(environment)
    var pid: pid_t = 0
    try check(posix_spawn(&pid, executable, &actions, &attributes, argv.pointers, envp.pointers))
    return pid
  }

  /// posix_spawn and its helpers return the error instead of setting errno.
  private static func check(_ result: Int32) throws(Errno) {
    if result != 0 { throw Errno(rawValue: result) }
  }
}

/// Strings as C wants them: an array of pointers that ends with NULL.
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
