import Glibc
import SystemPackage

/// The error of a system call: the call, the reason and the advice are all that is known.
package struct SystemError: FailureError, Hashable, Sendable, CustomStringConvertible {
  package let call: String
  package let errno: Errno
  /// The path of the call, as the user named it; nil for a call without one, such as the event loop's.
  package let path: String?
  /// The advice, read after the reason; nil if nothing helps.
  package let hint: String?

  package init(_ call: String, _ errno: Errno, path: String? = nil, hint: String? = nil) {
    (self.call, self.errno, self.path, self.hint) = (call, errno, path, hint)
  }

  package var description: String {
    (path.map { "\($0): " } ?? "") + "\(call) failed: \(errno)" + (hint.map { "; \($0)" } ?? "")
  }

  package var failure: Failure { Failure(ExitStatus(errno), description) }
}

extension Errno {
  /// The advice when no more files can be opened, as a clause; nil for any other error.
  package var openFilesAdvice: String? {
    switch self {
    case .tooManyOpenFiles:
      "touchtree may have no more files open; raise the limit (ulimit -n 1024; in a systemd unit, LimitNOFILE=1024)"
    case .tooManyOpenFilesInSystem:
      "fs.file-max allows no more open files; raise it with sysctl, or end a program"
    default: nil
    }
  }
}

/// Returns the result of a C function, repeated after signals, or throws for −1 and errno.
@discardableResult
package func checked(_ call: String, _ body: () -> Int32) throws(SystemError) -> Int32 {
  while true {
    let result = body()
    if result != -1 { return result }
    let cause = Errno(rawValue: errno)
    if cause != .interrupted { throw SystemError(call, cause) }
  }
}

package struct OwnedDescriptor: ~Copyable {
  package let rawValue: Int32

  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = close(rawValue) }
}
