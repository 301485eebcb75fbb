import CFcft
import Glibc

/// One face at one size, with pictures of single characters and the widths of measured words.
final class Font {
  let handle: UnsafeMutablePointer<fcft_font>
  let library: TextLibrary
  /// The em size, in pixels.
  let pixelSize: Double
  private let work: TextWork
  private var answers: [UInt32: Bool] = [:]
  /// The widths of words, in pixels.
  private var widths = RecentlyUsed<[UInt32], Int>(limit: 128 << 10)
  private struct DirectedWord: Hashable {
    let scalars: [UInt32]
    let direction: TextRun.Direction?
  }
  private var advances = RecentlyUsed<DirectedWord, [(place: Int, advance: Int)]>(limit: 512 << 10)
  /// The words of the text that is being laid out, so that each is drawn once.
  private var words: [[UInt32]: ShapedWord] = [:]

  /// The approximate size, in bytes, of a font in the libraries, with the widths.
  static let leastSize = 256 << 10

  /// The space added after each letter, in pixels.
  let letterSpacing: Double
  private let lineHeightFactor: Double

  /// Makes the font of a key, with one of fontconfig's families, counting drawn glyphs; nil without a font or
  /// replacement, or fcft.
  init?(_ key: TextCache.FontKey, work: TextWork) {
    guard case .success(let library) = TextLibrary.shared else { return nil }
    // These characters end the family's name in a fontconfig pattern.
    let escaped = key.family.reduce(into: "") { name, character in
      if "\\-:,".contains(character) { name.append("\\") }
      name.append(character)
    }
    let found = escaped.withCString { name in
      var names: UnsafePointer<CChar>? = name
      let features = key.figures == .tabular ? ":fontfeatures=tnum" : ""
      return library.functions.from_name(
        1, &names, "pixelsize=\(key.pixelSize):weight=\(key.weight.rawValue)\(features)")
    }
    guard let found else { return nil }
    handle = found
    self.library = library
    pixelSize = key.pixelSize
    letterSpacing = key.letterSpacing * key.pixelSize
    lineHeightFactor = key.lineHeight
    self.work = work
  }

  deinit { library.functions.destroy(handle) }

  /// Returns the name of the font that fontconfig chose instead; nil if the same or unknown.
  func replacement(of family: String) -> String? {
    guard !Self.genericFamilies.contains(family.lowercased()), let name = handle.pointee.name else {
      return nil
    }
    let found = String(cString: name)
    return found.isEmpty || found.lowercased().hasPrefix(family.lowercased()) ? nil : found
  }

  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji", "math",
  ]

  /// Returns whether no font has a character, whose glyph is then that of a noncharacter.
  func lacks(_ scalar: UInt32) -> Bool {
    if let known = answers[scalar] { return known }
    let answer = isUnknown(scalar)
    answers[scalar] = answer
    return answer
  }

  private func isUnknown(_ scalar: UInt32) -> Bool {
    guard let drawn = rasterize(scalar), let unknown = rasterize(Self.noncharacter) else { return false }
    let (one, other) = (drawn.pointee, unknown.pointee)
    guard one.width == other.width, one.height == other.height, one.x == other.x, one.y == other.y,
      one.advance.x == other.advance.x, let first = one.pix, let second = other.pix,
      pixman_image_get_format(first) == pixman_image_get_format(second),
      let firstBytes = pixman_image_get_data(first), let secondBytes = pixman_image_get_data(second)
    else { return false }
    let stride = pixman_image_get_stride(first)
    guard stride == pixman_image_get_stride(second) else { return false }
    // The padding of a row is undefined.
    let isColored = pixman_image_get_format(first) == PIXMAN_a8r8g8b8
    let count = min(Int(stride), Int(one.width) * (isColored ? 4 : 1))
    return (0..<Int(one.height)).allSatisfy { row in
      let offset = row * Int(stride)
      return memcmp(UnsafeRawPointer(firstBytes) + offset, UnsafeRawPointer(secondBytes) + offset, count) == 0
    }
  }

  /// The last code point, a noncharacter. (Unicode, 23.7.)
  private static let noncharacter: UInt32 = 0x10_ffff

  private func rasterize(_ scalar: UInt32) -> UnsafePointer<fcft_glyph>? {
    work.glyphs += 1
    return library.functions.rasterize_char_utf32(handle, scalar, FCFT_SUBPIXEL_NONE)
  }

  /// The approximate size, in bytes. A requested character stays with the font.
  var size: Int { Self.leastSize + answers.count * (ShapedWord.leastGlyphSize + lineHeight * lineHeight) }

  // MARK: Words

  /// Returns the width of a run, in pixels. Only unknown words are drawn.
  func width(of run: TextRun) -> Int {
    run.words.reduce(0) { $0 + (widths.value(for: $1) ?? word($1).width) }
  }

  /// Returns the glyphs of one of `TextRun.words`, kept until `forgetWords`.
  func word(_ scalars: [UInt32]) -> ShapedWord {
    if let known = words[scalars] { return known }
    let word = ShapedWord(scalars, font: self)
    work.glyphs += word.glyphs.count
    words[scalars] = word
    widths.insert(word.width, for: scalars, cost: 96 + 4 * scalars.count)
    return word
  }

  /// Returns the advances of a word's glyphs, with their letters' places. Only unknown words are drawn.
  func advances(of word: [UInt32], in direction: TextRun.Direction?) -> [(place: Int, advance: Int)] {
    let key = DirectedWord(scalars: word, direction: direction)
    if let known = advances.value(for: key) { return known }
    let found = self.word(word).advances(in: direction)
    advances.insert(found, for: key, cost: 128 + 4 * word.count + 16 * found.count)
    return found
  }

  /// Forgets the words of a text that was laid out, because the next one has other words.
  func forgetWords() { words.removeAll() }

  /// The distance from the baseline up, in pixels.
  var ascent: Int { Int(handle.pointee.ascent) }
  /// The distance from one baseline to the next, in pixels.
  var lineHeight: Int { max(1, Int((Double(handle.pointee.height) * lineHeightFactor).rounded())) }
  /// The distance from the baseline down, in pixels.
  var descent: Int { Int(handle.pointee.descent) }
}
