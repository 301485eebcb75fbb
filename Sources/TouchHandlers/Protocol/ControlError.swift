import SystemPackage
import TouchSystem

/// The reason why a daemon cannot take requests or cannot be reached.
package struct ControlError: FailureError, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The daemon finds another one at the path.
    case taken
    /// The daemon finds something other than a socket at the path.
    case occupied
    /// The path is longer than the limit in bytes.
    case tooLong(limit: Int)
    case noDaemon
    /// The daemon takes a request of `ctl` and does not answer in time.
    case silent
    /// The daemon ended before it answered `ctl`.
    case ended
    /// The daemon reported its end to `ctl`.
    case left
    /// A request of `ctl` is longer than the daemon accepts, in bytes.
    case longRequest(Int)
    /// The daemon of `ctl view` ended, and none was there for a time.
    case gone(seconds: Int)
    /// The answer is unknown to this version of `ctl`.
    case garbled
    case refused(because: String)
    /// The daemon speaks another version of the protocol than `ctl`.
    case otherVersion(Int)
    /// The socket is no stream, which is all that `ctl` understands.
    case otherProtocol
    case system(call: String, cause: Errno)
  }

  package let path: String
  package let reason: Reason
  private var option = "--control"

  package init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

  /// - Parameter call: the C function that failed.
  package init(path: String, call: String, _ cause: Errno) {
    self.init(path: path, reason: .system(call: call, cause: cause))
  }

  package func of(_ option: String) -> ControlError {
    var error = self
    error.option = option
    return error
  }

  private var isPermission: Bool {
    switch reason {
    case .system(_, .permissionDenied), .system(_, .notPermitted), .system(_, .readOnlyFileSystem): true
    default: false
    }
  }

  package var description: String { "\(path): \(sentence)" }

  package var failure: Failure {
    switch reason {
    case .system(_, let cause): Failure(ExitStatus(cause), description)
    case .tooLong, .longRequest: Failure(.usage, description)
    case .taken, .occupied, .noDaemon, .silent, .ended, .left, .gone, .garbled, .refused, .otherVersion,
      .otherProtocol:
      Failure(.unavailable, description)
    }
  }

  private var sentence: String {
    switch reason {
    case .taken:
      "another touchtree has this socket; give this one another with \(option) PATH, or \(option) none"
    case .occupied: "the path exists and is not a socket; name another one with \(option)"
    case .tooLong(let limit): "a socket's name can have \(limit) bytes at most; name a shorter one"
    case .noDaemon:
      "no touchtree answers here. Start one with `touchtree run`; if it was started with --control PATH, "
        + "give --socket PATH"
    case .silent:
      "touchtree does not answer; it may be stopped, busy in a plugin, or without free file descriptors: see its log"
    case .ended: "touchtree ended before it answered"
    case .left: "touchtree has ended"
    case .longRequest(let count):
      "this request has \(count) bytes, and a line of the protocol at most \(LineReader.longestMessage); give less, or in parts"
    case .gone(let seconds):
      "touchtree ended and did not return within \(seconds) s; start it, and type `touchtree ctl view` again"
    case .garbled:
      "the answer is not one that this version of touchtree knows; use the version that is running"
    case .refused(let reason): "touchtree takes no requests from here: \(reason.onOneLine)"
    case .otherVersion(let version):
      "what listens here speaks version \(version) of the protocol, and this program version \(Message.version); "
        + "use the touchtree that is running"
    case .otherProtocol:
      "what listens here is an older touchtree, or another program; use the touchtree that is running, or restart it"
    case .system("open", .noSuchFileOrDirectory), .system("open", .notDirectory):
      "there is no such folder; make it, or name another socket with \(option)"
    case .system("open", let cause) where isPermission, .system("bind", let cause) where isPermission:
      "a socket cannot be made here (\(cause)); name one in a folder of yours with \(option)"
    case .system(_, let cause) where isPermission:
      "not permitted (\(cause)); it takes the user that runs touchtree, its group, or root"
    case .system(let call, let cause): "\(call) failed: \(cause)"
    }
  }
}
