import SystemPackage
import TouchCore

/// A recorded session of one device, in evemu's text: <https://www.freedesktop.org/wiki/Evemu/>.
///
/// Newer files describe their device themselves. Older ones are pairs: the description is in a `.desc` file beside
/// the `.events` file, with the same name up to a dot.
public struct EvemuRecording: Sendable {
  public var description: DeviceDescription
  /// How the device was before the first frame. The format does not say, so nothing is down.
  public var initialState: InitialState
  /// In order of time. The times are the recording's own; where they begin is up to its recorder.
  public var frames: [InputFrame]
  /// What was left out or put right while reading, as sentences with the file's name.
  public var notices: [String]

  /// Reads a file, and the description beside it where it has none of its own.
  ///
  /// - Throws: what is wrong with which line of which file.
  public init(path: String) throws(RecordingError) {
    var text = try EvemuText(RecordingFile.read(path), file: path)
    if text.description == nil {
      text.description = try Self.descriptionBeside(path)
    }
    try self.init(text, file: path)
  }

  /// Reads a self-describing recording from memory. `file` is what messages call it.
  public init(text: String, file: String) throws(RecordingError) {
    try self.init(EvemuText(Array(text.utf8), file: file), file: file)
  }

  private init(_ text: EvemuText, file: String) throws(RecordingError) {
    guard let description = text.description else {
      throw RecordingError(
        .noDescription, file: file,
        message:
          "it does not say what device it is of (no N:, I: and B: lines), nor does a .desc file beside it")
    }
    guard !text.frames.isEmpty else {
      let why = file.hasSuffix(".desc") ? "; give the .events file beside it" : ""
      throw RecordingError(.noEvents, file: file, message: "it has no whole frame of events\(why)")
    }
    self.description = description
    let slots = description.capabilities.slotCount ?? 0
    initialState = InitialState(slots: Array(repeating: InitialState.Slot(), count: slots))
    frames = text.frames
    notices = text.notices
  }

  /// Looks for "A.B.desc", then "A.desc", beside "A.B.events".
  private static func descriptionBeside(_ path: String) throws(RecordingError) -> DeviceDescription? {
    for candidate in descriptionPaths(for: path) {
      do throws(RecordingError) {
        return try EvemuText(RecordingFile.read(candidate), file: candidate).description
      } catch {
        guard error.reason == .noSuchFile else { throw error }
      }
    }
    return nil
  }

  static func descriptionPaths(for path: String) -> [String] {
    let path = FilePath(path)
    guard var name = path.lastComponent?.string[...] else { return [] }
    var candidates: [String] = []
    while let dot = name.lastIndex(of: "."), dot > name.startIndex {
      name = name[..<dot]
      let candidate = path.removingLastComponent().appending("\(name).desc")
      if candidate != path { candidates.append(candidate.string) }
    }
    return candidates
  }
}
