import CLinux.Process
import Glibc
import SystemPackage

/// The one place where processes are started.
enum ProcessSpawn {
  /// Starts a program in a session of its own, with /dev/null as input, this process' standard error as output and
  /// errors, no other descriptor, no signal blocked and none ignored. It is killed when this thread ends, whatever the
  /// reason. Returns as soon as the program has taken over. (`touchtree_spawn`)
  ///
  /// - Returns: its process id, which is also that of its process group.
  /// - Throws: why it could not be started; ENOENT also for a script whose interpreter is missing.
  static func start(
    _ executable: String, arguments: [String], environment: [String]
  ) throws(Errno) -> pid_t {
    let argv = CStringArray(arguments)
    let envp = CStringArray(environment)
    let pid = touchtree_spawn(executable, argv.pointers, envp.pointers)
    if pid < 0 { throw Errno(rawValue: -pid) }
    return pid
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
