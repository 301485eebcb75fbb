import TouchSystem

/// The reason why an application cannot start or go on. The description is
/// for people: what, where, why, and what to do.
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

  private let failure: Failure

  /// The kind of fault.
  public var reason: Reason {
    switch failure.status {
    case .unavailable: .unavailable
    case .notPermitted: .notPermitted
    case .noSuchFile, .badConfiguration, .badRecording: .file
    case .badAnswer, .incomplete, .usage: .other
    }
  }

  /// The error in one line, or in several lines if there are several errors.
  public var description: String { failure.message }

  /// The exit status of a program that ends for this reason, as that of `touchtree`.
  ///
  /// It is 69 without a display or device, 77 without permission, 66 or 78 for a
  /// file, and 1 for anything else. (`sysexits.h`.)
  public var exitStatus: Int32 { failure.status.rawValue }

  package init(_ error: any Error) {
    if let error = error as? ApplicationError {
      self = error
      return
    }
    var failure = (error as? any FailureError)?.failure ?? error as? Failure ?? Failure("\(error)")
    // Messages name an option of `touchtree run`. An environment variable has the same effect here.
    failure.message.replace("--display ", with: "TOUCHKIT_DISPLAY=")
    self.failure = failure
  }

  /// Writes the error to standard error, under the program's name.
  func report(as program: String) { failure.report(as: program) }
}
