import Glibc
import SystemPackage

/// Owns a descriptor and closes it.
package struct OwnedDescriptor: ~Copyable {
  package let rawValue: Int32

  package init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    _ = close(rawValue)
  }
}

/// A system call failed while the loop was set up or ran.
package struct LoopError: Error, CustomStringConvertible {
  /// The C function that failed.
  package let call: String
  package let cause: Errno

  package var description: String { "\(call) failed: \(cause)" }
}

/// Gives the result of a C function that answers −1 and sets errno, or throws.
@discardableResult
package func checked(_ call: String, _ body: () -> Int32) throws(LoopError) -> Int32 {
  while true {
    let result = body()
    if result != -1 { return result }
    let cause = Errno(rawValue: errno)
    if cause != .interrupted { throw LoopError(call: call, cause: cause) }
  }
}
