import SystemPackage
import TouchSystem

/// The reason why a display, console, backlight or picture cannot be used, with name and advice.
package struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, which decides the exit status; the description is for people.
  package enum Kind: Hashable, Sendable {
    case missing
    /// The path leads to something else, such as a file in place of a framebuffer or a virtual terminal.
    case wrongKind
    case badName
    /// This user may not open the device, or this process may not change it.
    case notPermitted
    case inUse
    /// The console is shown on another display, and does not cover the picture.
    case elsewhere
    /// The device works in a way that touchtree does not support.
    case unsupported
    case contradictory
    /// The picture is larger than any headless display.
    case tooLarge
    /// A picture's file could not be opened, read, written or renamed. The cause decides the exit status.
    case file
    /// A picture cannot be decoded or encoded.
    case badPicture
    /// Standard output is a terminal, which would show a picture's bytes as characters.
    case terminalOutput
    /// A system call failed in another way.
    case failed
  }

  package let kind: Kind
  /// The path of the device or the file, or a name for one without a path.
  package let path: String
  /// The fault and the advice; empty if the cause is enough.
  package let detail: String
  /// The failed system call's error; nil if no call failed.
  package let cause: Errno?

  /// - Parameter detail: the fault and the advice, shown after the path.
  package init(_ kind: Kind, path: String, detail: String = "", cause: Errno? = nil) {
    (self.kind, self.path, self.detail, self.cause) = (kind, path, detail, cause)
  }

  package var description: String {
    guard let cause else { return "\(path): \(detail)" }
    return detail.isEmpty ? "\(path): \(cause)" : "\(path): \(detail) (\(cause))"
  }
}

extension DisplayError: FailureError {
  package var failure: Failure {
    switch kind {
    case .notPermitted: Failure(.notPermitted, description)
    case .tooLarge: Failure(.badConfiguration, description)
    case .badName, .terminalOutput: Failure(.usage, description)
    case .file: Failure(ExitStatus(cause ?? .ioError), description + Self.pictureAdvice)
    case .badPicture: Failure(.badAnswer, description + Self.pictureAdvice)
    case .missing, .wrongKind, .inUse, .elsewhere, .unsupported, .contradictory, .failed:
      Failure(.unavailable, description)
    }
  }

  private static let pictureAdvice = "; name a picture that can be written"
}
