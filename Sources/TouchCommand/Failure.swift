import ArgumentParser
import SystemPackage
import TouchSystem

extension ParsableCommand {
  /// Runs the body; an error of it becomes a `Failure`, which has the exit status.
  package func exitingOnFailure(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let exit as ExitCode {
      throw exit
    } catch let error as ValidationError {
      throw error
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  /// As which an error ends a program.
  package init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any FailureError: self = error.failure
    // Whatever else is read or written has an error that names it.
    case let error as Errno: self.init("the answer cannot be written (\(error))")
    default: self.init("\(error)")
    }
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
