import SystemPackage

/// Old evemu recordings are pairs: the description is in a `.desc` file beside the `.events` file, with the same name
/// up to a dot.
enum EvemuPair {
  /// Looks for "A.B.desc", then "A.desc", beside "A.B.events".
  static func descriptionBeside(_ path: String) throws(RecordingError) -> DeviceDescription? {
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
