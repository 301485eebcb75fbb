import CFcft
import CPixman

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
    let x: Int
  }

  let font: Font
  /// From left to right.
  private(set) var glyphs: [Glyph] = []
  /// The pen's way from the left end to the right one, in pixels.
  private(set) var width = 0
  private var shaped: [UnsafeMutablePointer<fcft_text_run>] = []

  /// - Parameter direction: the paragraph's.
  init(_ scalars: [UInt32], font: Font, direction: BidiLine.Direction = .leftToRight) {
    self.font = font
    for run in BidiLine(scalars, base: direction, font.library).runs {
      switch run.direction {
      case .leftToRight: add(Array(scalars[run.range]), isTurned: false)
      case .rightToLeft: add(scalars[run.range].map(Bracket.mirrored), isTurned: true)
      }
    }
  }

  deinit {
    for run in shaped { font.library.functions.text_run_destroy(run) }
  }

  /// Adds characters that run one way.
  private func add(_ scalars: [UInt32], isTurned: Bool) {
    let library = font.library
    guard library.shapesLines else {
      for scalar in isTurned ? scalars.reversed() : scalars {
        add(library.functions.rasterize_char_utf32(font.handle, scalar, FCFT_SUBPIXEL_NONE))
      }
      return
    }
    guard
      let run = library.functions.rasterize_text_run_utf32(
        font.handle, scalars.count, scalars, FCFT_SUBPIXEL_NONE)
    else { return }
    shaped.append(run)
    let indices = 0..<run.pointee.count
    guard isTurned else {
      for index in indices { add(run.pointee.glyphs[index]) }
      return
    }
    // fcft turns each word round and leaves the words where they are.
    let clusters = indices.map { run.pointee.cluster[$0] }
    for index in indices.sorted(by: { (-clusters[$0], $0) < (-clusters[$1], $1) }) {
      add(run.pointee.glyphs[index])
    }
  }

  private func add(_ glyph: UnsafePointer<fcft_glyph>?) {
    guard let glyph else { return }
    glyphs.append(Glyph(glyph: glyph, x: width))
    width += Int(glyph.pointee.advance.x)
  }
}
