import SystemPackage
import TouchSystem

/// Reads whole recording files, within bounds.
package enum RecordingFile {
  /// The largest file that is read, in bytes: 256 MiB, about four hours of a ten-finger screen. It is held in memory.
  package static let limit = 256 << 20

  static func read(_ path: String) throws(RecordingError) -> [UInt8] {
    do {
      let status = try Stat(FilePath(path))
      // A pipe is how a compressed recording comes: replay <(xz -dc bug.yml.xz).
      guard status.type == .regular || status.type == .fifo else {
        let what =
          status.type == .directory ? "this is a folder" : "this is neither a regular file nor a pipe"
        throw RecordingError(.unreadable, file: path, message: what + "; give the path of a recording")
      }
      guard status.size <= limit else { throw tooLarge(path) }
      let bytes = try FileContents.read(path, upTo: limit + 1)
      guard bytes.count <= limit else { throw tooLarge(path) }
      return bytes
    } catch let error as RecordingError {
      throw error
    } catch let error as Errno {
      throw RecordingError(reason(for: error), file: path, message: message(for: error))
    } catch {
      throw RecordingError(.unreadable, file: path, message: "it cannot be read; check the file")
    }
  }

  private static func reason(for error: Errno) -> RecordingError.Reason {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory: .noSuchFile
    case .permissionDenied, .notPermitted: .notPermitted
    default: .unreadable
    }
  }

  private static func message(for error: Errno) -> String {
    switch reason(for: error) {
    case .noSuchFile: "no such recording; check the path (\(error))"
    case .notPermitted: "not permitted to read it; change its mode, or run as a user that may (\(error))"
    default: "it cannot be read; check the file (\(error))"
    }
  }

  private static func tooLarge(_ path: String) -> RecordingError {
    RecordingError(
      .tooLarge, file: path, message: "it is larger than \(limit >> 20) MiB; keep the part that matters")
  }
}

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
    /// Neither the file nor a `.desc` file next to it describes the device.
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
