/// An archive of files, as `tar -x` reads it. (POSIX.1-1988, ustar)
struct TarArchive {
  private(set) var bytes: [UInt8] = []

  /// Adds a file.
  /// - Parameters:
  ///   - name: its path in the archive.
  ///   - isProgram: whether it may be run.
  /// - Returns: false if the name is too long for the format.
  mutating func add(_ name: String, _ contents: [UInt8], isProgram: Bool) -> Bool {
    guard let (prefix, name) = Self.split(name) else { return false }
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at place: Int) {
      for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(name, at: 0)
    put(isProgram ? "0000755" : "0000644", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(octal(contents.count, 11), at: 124)
    put(octal(0, 11), at: 136)
    // The sum is taken with blanks in its place.
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(prefix, at: 345)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
    bytes += header + contents
    bytes += [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
    return true
  }

  /// Ends the archive.
  mutating func finish() { bytes += [UInt8](repeating: 0, count: 1024) }

  /// Divides a path into the two fields that the format has: 155 and 100 bytes, without the slash between
  /// them.
  private static func split(_ path: String) -> (prefix: String, name: String)? {
    if path.utf8.count <= 100 { return ("", path) }
    for slash in path.indices where path[slash] == "/" {
      let (prefix, name) = (path[..<slash], path[path.index(after: slash)...])
      if prefix.utf8.count <= 155 && name.utf8.count <= 100 { return (String(prefix), String(name)) }
    }
    return nil
  }
}
