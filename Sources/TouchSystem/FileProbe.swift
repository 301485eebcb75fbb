import CLinux.Process
import Glibc
import SystemPackage

/// Tests whether file systems answer, by reading files in a child process. A share whose server is down stops
/// every process that opens a file on it, until SIGKILL: the daemon could neither deliver touches nor end.
package final class FileProbe {
  private let paths: [String]
  private let child: pid_t
  private let progress: OwnedDescriptor
  private var begun = 0
  private var isReaped = false

  /// Starts to read, if a process can be started.
  package init(_ paths: [String]) throws(SystemError) {
    self.paths = paths
    var arguments: [UnsafePointer<CChar>?] = paths.map { UnsafePointer(strdup($0)) }
    defer { for case let argument? in arguments { free(UnsafeMutableRawPointer(mutating: argument)) } }
    arguments.append(nil)
    var end: Int32 = -1
    child = touchtree_probe(arguments, &end)
    guard child > 0 else { throw SystemError("fork", Errno(rawValue: -child)) }
    progress = OwnedDescriptor(end)
  }

  deinit {
    guard !isReaped else { return }
    kill(child, SIGKILL)
    // A child that cannot be killed yet soon belongs to init.
    waitpid(child, nil, WNOHANG)
  }

  /// The descriptor, which hangs up when everything was read.
  package var descriptor: Int32 { progress.rawValue }

  /// Waits some milliseconds, or without limit for −1. Returns whether all was read, or does not exist.
  package func answers(within milliseconds: Int32) -> Bool {
    guard !isReaped else { return true }
    var event = pollfd(fd: progress.rawValue, events: 0, revents: 0)
    guard let count = try? checked("poll", { poll(&event, 1, milliseconds) }), count > 0 else { return false }
    waitpid(child, nil, 0)
    isReaped = true
    return true
  }

  /// The failure that names the file whose file system does not answer.
  package var silence: Failure {
    var bytes = [UInt8](repeating: 0, count: paths.count)
    begun += max(0, read(progress.rawValue, &bytes, bytes.count))
    let path = paths[min(max(begun, 1), paths.count) - 1]
    return Failure("\(path): its file system does not answer; the configuration is read as soon as it does")
  }
}
