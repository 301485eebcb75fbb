import CFcft
import Glibc

/// One face at one size.
final class Font {
  let handle: UnsafeMutablePointer<fcft_font>
  let library: TextLibrary
  /// The em size, in pixels.
  let pixelSize: Double

  /// - Parameters:
  ///   - family: a fontconfig family name.
  ///   - pixelSize: the em size, in pixels.
  ///   - weight: fontconfig's name of a weight.
  /// - Returns: nil if there is neither a font of the family nor a replacement, or fcft cannot be loaded.
  init?(family: String, pixelSize: Double, weight: String) {
    guard case .success(let library) = TextLibrary.shared else { return nil }
    // These characters end the family's name in a fontconfig pattern.
    let escaped = family.reduce(into: "") { name, character in
      if "\\-:,".contains(character) { name.append("\\") }
      name.append(character)
    }
    let found = escaped.withCString { name in
      var names: UnsafePointer<CChar>? = name
      return library.functions.from_name(1, &names, "pixelsize=\(pixelSize):weight=\(weight)")
    }
    guard let found else { return nil }
    handle = found
    self.library = library
    self.pixelSize = pixelSize
  }

  deinit {
    library.functions.destroy(handle)
  }

  /// The font's name if fontconfig chose another family than the requested one; nil if it is the same or unknown.
  ///
  /// fontconfig always finds a font, and does not report that it is a replacement.
  func replacement(of family: String) -> String? {
    guard !Self.genericFamilies.contains(family.lowercased()), let name = handle.pointee.name else {
      return nil
    }
    let found = String(cString: name)
    return found.isEmpty || found.lowercased().hasPrefix(family.lowercased()) ? nil : found
  }

  /// Generic names: any font is right.
  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji", "math",
  ]

  /// Whether neither this font nor a fallback has a character: its glyph is the same as that of a noncharacter. fcft does
  /// not report this.
  func lacks(_ scalar: UInt32) -> Bool {
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
    library.functions.rasterize_char_utf32(handle, scalar, FCFT_SUBPIXEL_NONE)
  }

  /// From the baseline up, in pixels.
  var ascent: Int { Int(handle.pointee.ascent) }
  /// From one baseline to the next, in pixels.
  var lineHeight: Int { max(1, Int(handle.pointee.height)) }
  /// From the baseline down, in pixels.
  var descent: Int { Int(handle.pointee.descent) }
}

/// A shaped line of text: glyphs and their positions.
final class TextLine {
  struct Glyph {
    let glyph: UnsafePointer<fcft_glyph>
    /// The pen's position from the line's left end, in pixels.
    var x: Int
  }

  let font: Font
  /// The runs that were shaped, from left to right.
  private let runs: [TextRun]
  /// From left to right.
  private(set) var glyphs: [Glyph] = []
  /// From the pen's first position to its last, in pixels.
  private(set) var width = 0
  /// About how many bytes its letters take: each has a picture of its own.
  private(set) var size = 0
  /// Of a letter without a pixel, with what the allocator takes.
  static let leastGlyphSize = 640
  private var shaped: [UnsafeMutablePointer<fcft_text_run>] = []

  /// - Parameter runs: from left to right.
  init(_ runs: [TextRun], font: Font) {
    self.font = font
    self.runs = runs
    for run in runs { add(run) }
  }

  /// A line at another size. Each glyph is at the scaled position in the other line, on the nearest whole pixel; the letters of
  /// a small font stay apart, too.
  ///
  /// - Parameters:
  ///   - scale: from pixels of the other line to pixels of this one.
  ///   - room: how wide a small line may become, in pixels, if it is wider than the other line.
  init(_ line: TextLine, font: Font, scale: Double, room: Int) {
    self.font = font
    runs = line.runs
    for run in runs { add(run) }
    let isSame = glyphs.count == line.glyphs.count
    let fraction = Double(line.width) * scale / Double(max(1, width))
    var positions = isSame ? line.glyphs.map { Double($0.x) * scale } : glyphs.map { Double($0.x) * fraction }
    width = Int((Double(line.width) * scale).rounded())
    for index in glyphs.indices { glyphs[index].x = Int(positions[index].rounded()) }
    guard isSame, font.pixelSize < GlyphSpacing.leastPixelSize else { return }
    positions.append(Double(line.width) * scale)
    var spacing = GlyphSpacing(glyphs, positions: positions)
    guard spacing.narrow(to: max(width, room)) else { return }
    width = 0
    for index in glyphs.indices {
      glyphs[index].x = width
      width += spacing.advances[index]
    }
  }

  deinit {
    for run in shaped { font.library.functions.text_run_destroy(run) }
  }

  private func add(_ run: TextRun) {
    let library = font.library
    guard library.shapesLines else {
      for scalar in run.direction == .rightToLeft ? run.scalars.reversed() : run.scalars {
        add(library.functions.rasterize_char_utf32(font.handle, scalar, FCFT_SUBPIXEL_NONE))
      }
      return
    }
    guard
      let glyphs = library.functions.rasterize_text_run_utf32(
        font.handle, run.scalars.count, run.scalars, FCFT_SUBPIXEL_NONE)
    else { return }
    shaped.append(glyphs)
    for index in Self.order(of: glyphs.pointee, run.direction) { add(glyphs.pointee.glyphs[index]) }
  }

  /// The order of glyphs from left to right.
  ///
  /// fcft orders the glyphs of each word by its script, and keeps the order of the words. The glyphs of a letter and its
  /// marks are in order already.
  private static func order(of run: fcft_text_run, _ direction: TextRun.Direction?) -> [Int] {
    let indices = Array(0..<run.count)
    return switch direction {
    case nil: indices
    case .leftToRight: indices.sorted { (run.cluster[$0], $0) < (run.cluster[$1], $1) }
    case .rightToLeft: indices.sorted { (-run.cluster[$0], $0) < (-run.cluster[$1], $1) }
    }
  }

  private func add(_ glyph: UnsafePointer<fcft_glyph>?) {
    guard let glyph else { return }
    glyphs.append(Glyph(glyph: glyph, x: width))
    width += Int(glyph.pointee.advance.x)
    size += Self.leastGlyphSize + Int(glyph.pointee.width) * Int(glyph.pointee.height)
  }
}
