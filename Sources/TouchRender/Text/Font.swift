import CFcft
import Glibc

/// One face at one size.
final class Font {
  let handle: UnsafeMutablePointer<fcft_font>
  let library: TextLibrary

  /// - Parameters:
  ///   - family: a fontconfig family name.
  ///   - pixelSize: the em size, in pixels.
  ///   - weight: one of fontconfig's words.
  /// - Returns: nil when there is no font for the family, nor any to take its place, and nothing to paint it with.
  init?(family: String, pixelSize: Double, weight: String) {
    guard case .success(let library) = TextLibrary.shared else { return nil }
    // In a fontconfig pattern these characters end the family's name.
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
  }

  deinit {
    library.functions.destroy(handle)
  }

  /// The font's own name where it is not of the family that was asked for; nil where it is, or nobody can tell.
  ///
  /// fontconfig always finds something, and does not say that it is something else.
  func replacement(of family: String) -> String? {
    guard !Self.genericFamilies.contains(family.lowercased()), let name = handle.pointee.name else {
      return nil
    }
    let found = String(cString: name)
    return found.isEmpty || found.lowercased().hasPrefix(family.lowercased()) ? nil : found
  }

  /// Not names of fonts: whatever is there is right.
  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji", "math",
  ]

  /// Whether neither this font nor one that stands in for it has a character: it is drawn as one that is none at all.
  /// fcft does not say so itself.
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
    // What fills up a row is anything.
    let isColored = pixman_image_get_format(first) == PIXMAN_a8r8g8b8
    let count = min(Int(stride), Int(one.width) * (isColored ? 4 : 1))
    return (0..<Int(one.height)).allSatisfy { row in
      let offset = row * Int(stride)
      return memcmp(UnsafeRawPointer(firstBytes) + offset, UnsafeRawPointer(secondBytes) + offset, count) == 0
    }
  }

  /// The last code point, which is no character. (Unicode, 23.7.)
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

/// A line of text, shaped: which glyph lies where.
final class TextLine {
  struct Glyph {
    let glyph: UnsafePointer<fcft_glyph>
    /// Of the pen, from the line's left end, in pixels.
    var x: Int
  }

  let font: Font
  /// What was shaped, from left to right.
  private let runs: [TextRun]
  /// From left to right.
  private(set) var glyphs: [Glyph] = []
  /// The pen's way from the left end to the right one, in pixels.
  private(set) var width = 0
  private var shaped: [UnsafeMutablePointer<fcft_text_run>] = []

  /// - Parameter runs: from left to right.
  init(_ runs: [TextRun], font: Font) {
    self.font = font
    self.runs = runs
    for run in runs { add(run) }
  }

  /// A line at another size: each pen stands where the other line's does, on the nearest whole pixel. A small font's own
  /// advances are whole pixels too, and letters that lose a part of one run into each other.
  init(_ line: TextLine, font: Font, scale: Double) {
    self.font = font
    runs = line.runs
    for run in runs { add(run) }
    let isSame = glyphs.count == line.glyphs.count
    let fraction = Double(line.width) * scale / Double(max(1, width))
    for index in glyphs.indices {
      let x = isSame ? Double(line.glyphs[index].x) * scale : Double(glyphs[index].x) * fraction
      glyphs[index].x = Int(x.rounded())
    }
    width = Int((Double(line.width) * scale).rounded())
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
  /// fcft lets each word run as its script does, and leaves the words where they are. The glyphs of a letter and its marks
  /// are in order already.
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
  }
}
