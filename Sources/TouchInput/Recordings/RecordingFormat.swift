/// What kind of recording a file is, by its beginning.
enum RecordingFormat {
  /// A letter and a colon begin every line: <https://www.freedesktop.org/wiki/Evemu/>.
  case evemu
  /// YAML: libinput-record(1).
  case libinput

  /// - Throws: `otherFormat`, when it is neither.
  init(of bytes: [UInt8], file: String) throws(RecordingError) {
    if bytes.isEmpty {
      throw RecordingError(.noEvents, file: file, message: "the file is empty; record again")
    }
    if bytes.prefix(512).contains(0) {
      throw RecordingError(
        .otherFormat, file: file, line: 1, message: "this is no text, so no recording of evemu or libinput")
    }
    var number = 0
    for line in bytes.prefix(64 << 10).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      var content = EvemuLine(number == 1 ? line.withoutByteOrderMark : line)
      if content.isBlankOrComment { continue }
      let text = content.text()
      if let key = content.takeKey(), EvemuLine.keys.contains(key) {
        self = .evemu
        return
      }
      guard Self.beginsYAML(text) else {
        throw RecordingError(
          .otherFormat, file: file, line: number, message: "this is not an evemu or libinput recording")
      }
      self = .libinput
      return
    }
    // Nothing but comments: the reader of evemu's text says what is missing.
    self = .evemu
  }

  /// Whether a line with content can be the first one of libinput's format.
  private static func beginsYAML(_ line: String) -> Bool {
    if line.hasPrefix("---") || line.hasPrefix("%YAML") || line.hasPrefix("{") { return true }
    let keys = ["version", "ndevices", "libinput", "system", "devices", "touchtree"]
    return keys.contains { key in
      line.hasPrefix(key + ":") || line.hasPrefix("\"\(key)\":") || line.hasPrefix("'\(key)':")
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without what some editors begin a UTF-8 file with.
  var withoutByteOrderMark: Self { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self }
}
