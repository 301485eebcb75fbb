@preconcurrency import Glibc
import SystemPackage
import TouchSystem

/// A program that shares this one's terminal, group and environment, such as ssh, which may ask for a
/// passphrase.
package struct PlainProcess {
  package let id: pid_t

  /// Starts a program. (`posix_spawnp(3)`)
  /// - Parameters:
  ///   - words: the program, which is searched in PATH, and its arguments.
  ///   - input, output: the descriptors that it reads and writes; nil for those of this program.
  /// - Throws: `SystemError`.
  package init(_ words: [String], input: Int32? = nil, output: Int32? = nil) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this program's loop reads are not blocked in others.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    let problem = posix_spawnp(&id, words[0], &actions, &attributes, arguments, environ)
    guard problem == 0 else { throw SystemError("posix_spawn", Errno(rawValue: problem), path: words[0]) }
    self.id = id
  }

  /// Ends it, and waits until it has ended.
  package func end() {
    kill(id, SIGTERM)
    wait()
  }

  /// Waits until it has ended.
  /// - Returns: its exit status; 128 and the signal's number after a signal.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 { if errno != EINTR { return 0 } }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}

/// A program that ends with its owner.
final class OwnedProcess {
  private let process: PlainProcess

  init(_ process: PlainProcess) { self.process = process }

  deinit { process.end() }
}
