import TouchSystem

/// Why an application cannot start or go on. The description is for people: what, where, why, and what to do.
public struct ApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Reason: Sendable {
    /// There is no display or device, or another program uses it.
    case unavailable
    /// This user may not use it; the description names the group or the rule that permits it.
    case notPermitted
    /// A file cannot be used.
    case file
    /// Anything else, such as a system call that failed.
    case other
  }

  /// The kind of fault.
  public let reason: Reason
  /// One line, or several where several things are wrong.
  public let description: String

  package init(_ error: any Error) {
    if let error = error as? ApplicationError {
      self = error
      return
    }
    let failure = (error as? any FailureError)?.failure ?? error as? Failure
    reason =
      switch failure?.status {
      case .unavailable: .unavailable
      case .notPermitted: .notPermitted
      case .noSuchFile, .badConfiguration, .badRecording: .file
      case .badAnswer, .incomplete, .usage, nil: .other
      }
    // Messages name an option of `touchtree run`; what does the same here is in the environment.
    description = (failure?.message ?? "\(error)").replacing("--display ", with: "TOUCHKIT_DISPLAY=")
  }
}
