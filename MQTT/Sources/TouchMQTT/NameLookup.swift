import Glibc
import SystemPackage
import TouchHandlers

/// Checks by getent whether a host's name is known, before the library looks it up for certificates: its call
/// waits up to 30 seconds for a name server.
final class NameLookup {
  /// The descriptor to watch for input, after which there is a `result()`.
  let descriptor: Int32
  private let process: pid_t

  /// - Returns: nil for an address, and without getent. The library then looks the name up at once.
  init?(of host: String) {
    var address = in6_addr()
    guard inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1,
      let command = try? Command(words: ["getent", "ahosts", host], path: ChildProcesses.ownPath)
    else { return nil }
    var ends: [Int32] = [-1, -1]
    // A child only gets the named descriptors.
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[1]) }
    do throws(Errno) {
      process = try ProcessSpawn.start(
        command.executable, arguments: command.words, environment: ChildProcesses.ownEnvironment,
        output: ends[1])
    } catch {
      close(ends[0])
      return nil
    }
    descriptor = ends[0]
  }

  deinit {
    close(descriptor)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Reads the output: whether the name is known; nil while it is looked up.
  func result() -> Bool? {
    var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    let count = read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes))
    if count < 0, errno == EINTR { return nil }
    // Its first line is an address.
    return count > 0
  }
}
