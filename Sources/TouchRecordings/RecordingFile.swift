import SystemPackage
import TouchSystem

package enum RecordingFile {
  /// The largest file's bytes: 256 MiB, four hours of a ten-finger screen. It is held in memory.
  package static let limit = 256 << 20

  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    let status = try readable(path) { () throws(Errno) in try Stat(FilePath(path)) }
    // A compressed recording comes through a pipe: replay <(xz -dc bug.yml.xz).
    guard status.type == .regular || status.type == .fifo else {
      let what = status.type == .directory ? "this is a folder" : "this is neither a regular file nor a pipe"
      throw .recording(path, what + "; give the path of a recording")
    }
    if status.size <= limit {
      let bytes = try readable(path) { () throws(Errno) in try FileContents.read(path, upTo: limit + 1) }
      if bytes.count <= limit { return bytes }
    }
    throw .recording(path, "it is larger than \(limit >> 20) MiB; keep the part that matters")
  }

  private static func readable<Result>(
    _ path: String, _ read: () throws(Errno) -> Result
  ) throws(Failure) -> Result {
    do {
      return try read()
    } catch {
      let status = ExitStatus(error)
      switch status {
      case .noSuchFile: throw Failure(status, "\(path): no such recording; check the path (\(error))")
      case .notPermitted:
        throw Failure(
          status,
          "\(path): not permitted to read it; change its mode, or run as a user that may (\(error))")
      default: throw .recording(path, "it cannot be read; check the file (\(error))")
      }
    }
  }
}

extension Failure {
  /// The failure of a recording that cannot be used, with its path, the line from 1 (nil for the file), at
  /// which it may be cut, and fault and advice.
  package static func recording(
    _ file: String, line: Int? = nil, isCut: Bool = false, _ message: String
  ) -> Failure {
    let cut = isCut ? "the file ends with this line, and seems cut off here: " : ""
    return Failure(.badRecording, file + (line.map { ":\($0)" } ?? "") + ": \(cut)\(message)")
  }
}
