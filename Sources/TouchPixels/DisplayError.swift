import SystemPackage

/// Why a display cannot be used: which one, what is wrong, why, and what to do.
package struct DisplayError: Error, Hashable, CustomStringConvertible {
  /// What kind of fault it is; programs look at this, people at the description.
  package enum Kind: Hashable, Sendable {
    /// There is no such device.
    case missing
    /// The path leads to something, but not to a framebuffer.
    case notFramebuffer
    /// The device may not be opened by this user.
    case notPermitted
    /// Another touchtree has it.
    case inUse
    /// The framebuffer works in a way that is not built.
    case unsupported
    /// The framebuffer's numbers contradict each other.
    case contradictory
    /// What is to be shown is larger than any display that is only memory.
    case tooLarge
    /// A system call failed in another way.
    case failed
  }

  package let kind: Kind
  /// The device's path, or a name for a display that has none.
  package let path: String
  /// What is wrong, and what to do about it, in words.
  package let detail: String
  /// What the kernel answered, where it was asked.
  package let cause: Errno?

  /// - Parameter detail: what is wrong and what to do, to be read after the path.
  package init(_ kind: Kind, path: String, detail: String, cause: Errno? = nil) {
    self.kind = kind
    self.path = path
    self.detail = detail
    self.cause = cause
  }

  package var description: String {
    "\(path): \(detail)" + (cause.map { " (\($0))" } ?? "")
  }
}
