/// A font of icons, with names from its `post` table and characters from its `cmap`. (OpenType 1.9.1, `post`
/// version 2.0; `cmap` formats 4 and 12)
package struct IconFont: Sendable {
  /// The family's name in fontconfig.
  package static let family = "Material Design Icons"
  package static let package = "fonts-materialdesignicons-webfont"
  package static let path =
    "/usr/share/fonts/truetype/materialdesignicons-webfont/materialdesignicons-webfont.ttf"

  /// The installed font, read on first use; nil for none.
  package static let installed = IconFont(path: path)

  package let names: [String]
  private let characters: [String: Unicode.Scalar]

  /// The size of the largest file, in bytes. Larger ones are no fonts of icons.
  private static let largestFile = 16 << 20

  /// Returns nil for a file that does not exist, or has no names.
  package init?(path: String) {
    guard let bytes = try? FileContents.read(path, upTo: Self.largestFile, waits: false) else { return nil }
    self.init(FontFile(bytes))
  }

  private init?(_ file: FontFile) {
    let names = file.glyphNames
    var characters: [String: Unicode.Scalar] = [:]
    characters.reserveCapacity(names.count)
    for (glyph, scalar) in file.characters where names.indices.contains(glyph) {
      if !names[glyph].isEmpty { characters[names[glyph]] = scalar }
    }
    guard !characters.isEmpty else { return nil }
    self.characters = characters
    self.names = characters.keys.sorted()
  }

  /// Returns the character of an icon; nil for a name that the font does not have.
  package func character(_ name: String) -> Unicode.Scalar? { characters[name] }
}

/// The tables of a TrueType file. Bytes outside count as 0: a broken one has wrong names at worst.
private struct FontFile {
  private let bytes: [UInt8]
  private var tables: [UInt32: Range<Int>] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for index in 0..<min(64, short(4)) {
      let record = 12 + 16 * index
      let start = long(record + 8)
      tables[UInt32(long(record))] = start..<start + long(record + 12)
    }
  }

  private func byte(_ offset: Int) -> Int { bytes.indices.contains(offset) ? Int(bytes[offset]) : 0 }
  private func short(_ offset: Int) -> Int { byte(offset) << 8 | byte(offset + 1) }
  private func long(_ offset: Int) -> Int { short(offset) << 16 | short(offset + 2) }

  private func table(_ tag: StaticString) -> Range<Int>? {
    tables[tag.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }]
  }

  /// The name of each glyph; empty for the standard names of every font, which no icon has.
  var glyphNames: [String] {
    guard let post = table("post"), long(post.lowerBound) == 0x2_0000 else { return [] }
    let end = min(post.upperBound, bytes.count)
    let count = short(post.lowerBound + 32)
    var own: [String] = []
    var next = post.lowerBound + 34 + 2 * count
    while next < end {
      let length = byte(next)
      guard next + 1 + length <= end else { break }
      own.append(String(decoding: bytes[next + 1..<next + 1 + length], as: UTF8.self))
      next += 1 + length
    }
    return (0..<count).map { glyph in
      let index = short(post.lowerBound + 34 + 2 * glyph) - Self.standardNames
      return own.indices.contains(index) ? own[index] : ""
    }
  }

  /// The number of standard names. (Apple's TrueType Reference Manual, `post`.)
  private static let standardNames = 258

  var characters: [(glyph: Int, scalar: Unicode.Scalar)] {
    guard let cmap = table("cmap") else { return [] }
    var found: [(glyph: Int, scalar: Unicode.Scalar)] = []
    for index in 0..<min(16, short(cmap.lowerBound + 2)) {
      let subtable = cmap.lowerBound + long(cmap.lowerBound + 4 + 8 * index + 4)
      switch short(subtable) {
      case 4: appendSegments(of: subtable, to: &found)
      case 12: appendGroups(of: subtable, to: &found)
      default: break
      }
      if !found.isEmpty { break }
    }
    return found
  }

  private func appendSegments(of table: Int, to found: inout [(glyph: Int, scalar: Unicode.Scalar)]) {
    let double = short(table + 6)
    for segment in stride(from: 0, to: min(double, 1 << 14), by: 2) {
      let (end, start) = (short(table + 14 + segment), short(table + 16 + double + segment))
      let (delta, place) = (short(table + 16 + 2 * double + segment), table + 16 + 3 * double + segment)
      let offset = short(place)
      guard start <= end, start < 0xffff else { continue }
      for code in start...end {
        var glyph = code
        if offset != 0 { glyph = short(place + offset + 2 * (code - start)) }
        glyph = offset != 0 && glyph == 0 ? 0 : (glyph + delta) & 0xffff
        if glyph != 0, let scalar = Unicode.Scalar(UInt32(code)) { found.append((glyph, scalar)) }
      }
    }
  }

  private func appendGroups(of table: Int, to found: inout [(glyph: Int, scalar: Unicode.Scalar)]) {
    for group in 0..<min(1 << 14, long(table + 12)) {
      let record = table + 16 + 12 * group
      let (start, end, glyph) = (long(record), long(record + 4), long(record + 8))
      guard start <= end, end - start < 1 << 16 else { continue }
      for code in start...end {
        if let scalar = Unicode.Scalar(UInt32(code)) { found.append((glyph + code - start, scalar)) }
      }
    }
  }
}
