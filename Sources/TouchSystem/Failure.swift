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
  /// No device or display.
  case unavailable = 69
  case notPermitted = 77
  case badConfiguration = 78

  /// A file that should have been read or written.
  package init(_ cause: Errno) {
    switch cause {
    case .permissionDenied, .notPermitted, .readOnlyFileSystem: self = .notPermitted
    case .noSuchFileOrDirectory, .notDirectory: self = .noSuchFile
    default: self = .badAnswer
    }
  }
}

/// Why something cannot be done, and the status with which a program ends for it.
///
/// This is the error of everything whose kinds the program does not tell apart: whoever notices writes the sentence. Where it
/// does, the error has a type of its own, such as `DeviceError`, which can be had as a failure (`FailureError`).
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package var status: ExitStatus
  /// What, where, why, and what to do; one line for each thing that is wrong.
  package var message: String
  /// Whether the message is diagnostics with their places in a file.
  package var isOfFile = false

  /// One line, whatever it names.
  package init(_ status: ExitStatus, _ message: String) {
    self.init(status, lines: [message])
  }

  /// One that nothing more is known about than the sentence.
  package init(_ message: String) {
    self.init(.badAnswer, message)
  }

  package init(_ status: ExitStatus, lines: [String]) {
    self.status = status
    message = lines.map(\.onOneLine).joined(separator: "\n")
  }

  /// Everything that is wrong with a file, each with its place: `file:line:column: error: what`.
  package init(ofFile lines: [String]) {
    self.init(.badConfiguration, lines: lines)
    isOfFile = true
  }

  package var description: String { message }

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

/// An error whose kinds the program tells apart. Its failure is the same for people.
package protocol FailureError: Error {
  var failure: Failure { get }
}
