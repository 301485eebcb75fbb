import Glibc
import SystemPackage
import TouchHandlers

/// Checks by getent whether a host's name is known, before the library looks it up for certificates: its call
/// waits up to 30 seconds for a name server.
final class NameLookup {
  /// The descriptor to watch for input, after which there is a `result()`.
  var descriptor: Int32 { output.rawValue }
  private let output: PipeEnd
  private let process: pid_t

  /// - Returns: nil for an address, and without getent. The library then looks the name up at once.
  init?(of host: String) {
    var address = in6_addr()
    guard inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1,
      let command = try? Command(words: ["getent", "ahosts", host], path: ChildProcesses.ownPath)
    else { return nil }
    do {
      let pipe = try Pipe()
      process = try ProcessSpawn.start(
        command.executable, arguments: command.words, environment: ChildProcesses.ownEnvironment,
        output: pipe.writing.rawValue)
      output = pipe.reading
    } catch {
      return nil
    }
  }

  deinit {
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
