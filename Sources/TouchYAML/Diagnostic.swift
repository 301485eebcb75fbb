import TouchCore
import TouchSystem

/// A fault of a file: its place, the fault, and the advice.
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    /// The file cannot be used, or, if the error `isCosmetic`, only without that value.
    case error
    /// The file can be used, and part of it will not be as meant.
    case warning
  }

  /// The file's path, as it was given; empty if only the text is known.
  package var file: String
  package var place: SourceLocation
  package var severity: Severity
  /// Whether an error concerns only painting, so that the rest of the tree can be shown.
  package var isCosmetic = false
  /// One sentence: the offending value, and the correction.
  package var message: String

  package init(file: String = "", place: SourceLocation, severity: Severity = .error, message: String) {
    (self.file, self.place, self.severity, self.message) = (file, place, severity, message)
  }

  /// `file:line:column: severity: message`, the form that editors and compilers understand.
  package var description: String {
    "\(file):\(place.line):\(place.column): \(severity.rawValue): \(message)".onOneLine
  }
}
