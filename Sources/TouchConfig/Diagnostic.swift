import TouchCore
import TouchYAML

/// Where something stands in a configuration file.
public typealias SourceLocation = TouchYAML.SourceLocation

/// One thing that is wrong with a file: where, what, and what to do about it.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// Whether the file can be used all the same.
  public enum Severity: String, Sendable {
    /// The file cannot be used, or only without what `isOfLook` tells.
    case error
    /// The file can be used, and part of it will not be as meant.
    case warning
  }

  /// The file's path, as it was given.
  public var file: String
  /// Where the offending value is.
  public var place: SourceLocation
  public var severity: Severity
  /// Whether an error is only about what cannot be painted: without it, the rest of the tree can be shown.
  public var isOfLook = false
  /// One sentence: the offending value, and what to write instead.
  public var message: String

  public init(file: String, place: SourceLocation, severity: Severity = .error, message: String) {
    self.file = file
    self.place = place
    self.severity = severity
    self.message = message
  }

  /// `file:line:column: severity: message`, the form that editors and compilers understand.
  public var description: String {
    "\(file):\(place.line):\(place.column): \(severity.rawValue): \(message)".onOneLine
  }
}
