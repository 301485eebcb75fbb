/// A place in a text file. Lines and columns are counted from 1, columns in characters.
public struct Place: Hashable, Comparable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Where a file begins.
  public static let start = Place(line: 1, column: 1)

  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// One thing that is wrong with a file: where, what, and what to do about it.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    /// The file cannot be used.
    case error
    /// The file can be used, and part of it will not be as meant.
    case warning
  }

  /// The file's path, as it was given.
  public var file: String
  public var place: Place
  public var severity: Severity
  /// One sentence: the offending value, and what to write instead.
  public var message: String

  public init(file: String, place: Place, severity: Severity = .error, message: String) {
    self.file = file
    self.place = place
    self.severity = severity
    self.message = message
  }

  /// `file:line:column: severity: message`, the form that editors and compilers understand.
  public var description: String {
    "\(file):\(place.line):\(place.column): \(severity.rawValue): \(message)"
  }
}
