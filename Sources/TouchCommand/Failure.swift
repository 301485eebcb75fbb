import SystemPackage
import TouchHandlers
import TouchSystem

/// The exit statuses of touchtree's programs. (BSD `sysexits.h`, as far as they use it.)
package enum ExitStatus: Int32 {
  /// It completed, but the result is negative: there is no such view, or the answer cannot be written.
  case badAnswer = 1
  /// A panel's test in which not everything could be judged.
  case incomplete = 2
  case usage = 64
  case badRecording = 65
  case noSuchFile = 66
  /// No device or display.
  case unavailable = 69
  case notPermitted = 77
  case badConfiguration = 78
}

extension ExitStatus {
  /// A file that should have been read or written.
  package init(_ cause: Errno) {
    switch cause {
    case .permissionDenied, .notPermitted, .readOnlyFileSystem: self = .notPermitted
    case .noSuchFileOrDirectory, .notDirectory: self = .noSuchFile
    default: self = .badAnswer
    }
  }

  package init(_ error: ControlError) {
    switch error.reason {
    case .system(_, let cause): self.init(cause)
    case .tooLong: self = .usage
    case .taken, .occupied, .noDaemon, .silent, .ended, .gone, .garbled, .refused, .otherVersion,
      .otherProtocol:
      self = .unavailable
    }
  }
}

/// Why a command ends without having done its work.
package struct Failure: Error {
  package var status: ExitStatus
  /// What, where, why, and what to do; one line for each thing that is wrong.
  package var message: String
  /// Whether the message is diagnostics with their places in a file.
  package var isOfFile = false

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// An error that is one line, whatever it names.
  package init(_ status: ExitStatus, line error: any Error) {
    self.init(status, "\(error)".onOneLine)
  }

  /// Writes the message to standard error. Diagnostics of a file begin with the file's name, so that editors find the
  /// place; everything else begins with the program's name.
  package func report(as program: String) {
    let head = LogOutput.head(of: .error, forPeople: isOfFile ? "" : "\(program): error: ")
    let next = LogOutput.head(of: .error, forPeople: "")
    for (index, line) in message.split(separator: "\n").enumerated() {
      StandardError.write(line: (index == 0 ? head : next) + line)
    }
  }
}

/// Messages, which are not part of the answer.
package enum StandardError {
  package static func write(line: String) {
    let output = LineOutput(.standardError)
    output.write(line: line)
    // There is nowhere else to report that this failed.
    try? output.flush()
  }
}
