import SystemPackage
import TouchSystem

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
