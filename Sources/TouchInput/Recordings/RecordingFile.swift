import SystemPackage

/// Reads whole recording files, within bounds.
public enum RecordingFile {
  /// The largest file that is read, in bytes: 64 MiB, about an hour of a ten-finger screen.
  public static let limit = 64 << 20

  static func read(_ path: String) throws(RecordingError) -> [UInt8] {
    do {
      let status = try Stat(FilePath(path))
      guard status.type == .regular else {
        let what = status.type == .directory ? "a directory" : "not a regular file"
        throw RecordingError(.unreadable, file: path, message: "it is \(what), not a recording")
      }
      let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
      return try file.closeAfter { try read(file, path: path) }
    } catch let error as RecordingError {
      throw error
    } catch let error as Errno {
      throw RecordingError(reason(for: error), file: path, message: "cannot read it: \(error)")
    } catch {
      throw RecordingError(.unreadable, file: path, message: "cannot read it")
    }
  }

  private static func reason(for error: Errno) -> RecordingError.Reason {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory: .noSuchFile
    case .permissionDenied, .notPermitted: .notPermitted
    default: .unreadable
    }
  }

  private static func read(_ file: FileDescriptor, path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let chunk = 64 << 10
    while true {
      let part = try [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if part.isEmpty { return bytes }
      bytes += part
      if bytes.count > limit {
        throw RecordingError(
          .tooLarge, file: path, message: "it is larger than \(limit >> 20) MiB; record a shorter session")
      }
    }
  }
}
