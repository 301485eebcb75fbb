import SystemPackage

/// The exit statuses of touchtree's programs. (BSD `sysexits.h`, as far as they use it.)
package enum ExitStatus: Int32, Sendable {
  /// It completed, but the result is negative: there is no such view, or the answer cannot be written.
  case badAnswer = 1
  /// A panel's test in which not everything could be judged.
  case incomplete = 2
  case usage = 64
  case badRecording = 65
  case noSuchFile = 66
  case unavailable = 69
  case notPermitted = 77
  case badConfiguration = 78

  /// The status for a file that could not be read or written.
  package init(_ cause: Errno) {
    switch cause {
    case .permissionDenied, .notPermitted, .readOnlyFileSystem: self = .notPermitted
    case .noSuchFileOrDirectory, .notDirectory: self = .noSuchFile
    default: self = .badAnswer
    }
  }
}

/// An error for people, and the exit status. It is for all errors whose kinds are not distinguished: the
/// finder writes the sentence. Others, such as `DeviceError`, can be converted (`FailureError`).
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package var status: ExitStatus
  /// The fault, its place, the reason and the advice; one line for each fault.
  package var message: String
  package var isOfFile = false

  /// Makes a failure of one line; control characters in it are escaped.
  package init(_ status: ExitStatus, _ message: String) { self.init(status, lines: [message]) }

  /// Makes a failure of which only the sentence is known.
  package init(_ message: String) { self.init(.badAnswer, message) }

  package init(_ status: ExitStatus, lines: [String]) {
    self.status = status
    message = lines.map(\.onOneLine).joined(separator: "\n")
  }

  /// Makes a failure of all faults of a file, each with its place: `file:line:column: error: what`.
  package init(ofFile lines: [String]) {
    self.init(.badConfiguration, lines: lines)
    isOfFile = true
  }

  package var description: String { message }

  /// Writes the message to standard error after the program's name, or as diagnostics with their file's.
  package func report(as program: String) {
    let head = LogOutput.head(of: .error, forPeople: isOfFile ? "" : "\(program): error: ")
    let next = LogOutput.head(of: .error, forPeople: "")
    for (index, line) in message.split(separator: "\n").enumerated() {
      StandardError.write(line: (index == 0 ? head : next) + line)
    }
  }
}

/// Messages that are not part of the output.
package enum StandardError {
  package static func write(line: String) {
    let output = LineOutput(.standardError)
    output.write(line: line)
    // There is nowhere else to report that this failed.
    try? output.flush()
  }
}

/// An error whose kinds the program distinguishes. Its failure is the same for people.
package protocol FailureError: Error {
  var failure: Failure { get }
}
