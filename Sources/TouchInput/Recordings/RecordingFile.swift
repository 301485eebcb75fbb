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
