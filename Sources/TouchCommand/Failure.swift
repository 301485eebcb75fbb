import ArgumentParser
import SystemPackage
import TouchSystem

extension ParsableCommand {
  /// Runs the body and turns its error into a `Failure`, which has the exit status.
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
  package init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any FailureError: self = error.failure
    // All other reading and writing has errors that name the file.
    case let error as Errno: self.init("the answer cannot be written (\(error))")
    default: self.init("\(error)")
    }
  }
}
