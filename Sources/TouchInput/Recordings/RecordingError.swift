import SystemPackage

/// Why a recording cannot be used.
package struct RecordingError: Error, Hashable, Sendable {
  /// What kind of fault it is; the message has the details.
  package enum Reason: Hashable, Sendable {
    case noSuchFile
    case notPermitted
    /// Not a file that can be read, or reading failed.
    case unreadable
    /// More than `RecordingFile.limit`.
    case tooLarge
    /// Neither evemu's text nor libinput's.
    case otherFormat
    /// A line that is not what it should be.
    case malformed
    /// The file ends in the middle of a line.
    case cut
    /// Neither the file nor one beside it describes the device.
    case noDescription
    /// A description, but nothing recorded.
    case noEvents
    /// No device in it is one that touchtree uses.
    case noUsableDevice
  }

  package var reason: Reason
  /// The path as it was given.
  package var file: String
  /// Counted from 1; nil when it is about the whole file.
  package var line: Int?
  /// What is wrong, and what to do.
  package var message: String

  /// - Parameter line: counted from 1; nil when it is about the whole file.
  package init(_ reason: Reason, file: String, line: Int? = nil, message: String) {
    self.reason = reason
    self.file = file
    self.line = line
    self.message = message
  }
}

extension RecordingError {
  /// A line that is wrong, or where the file ends too early.
  init(file: String, line: Int, isCut: Bool, message: String) {
    self.init(
      isCut ? .cut : .malformed, file: file, line: line,
      message: isCut ? "the file ends with this line, and seems cut off here: \(message)" : message)
  }
}

extension RecordingError: CustomStringConvertible {
  package var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}
