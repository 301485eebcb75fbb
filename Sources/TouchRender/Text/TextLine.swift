import CFcft
import TouchPixels

/// The amount of drawing that laid out texts needed, which takes most of their time.
final class TextWork {
  var glyphs = 0
}

/// A word, or a gap between two, shaped by fcft, whose glyphs make those of a line.
final class ShapedWord {
  let glyphs: [UnsafePointer<fcft_glyph>]
  /// The distance from the pen's first position to its last, in pixels.
  let width: Int
  /// The approximate size, in bytes. Each letter has its own picture.
  let size: Int
  /// The space added after each letter, in pixels.
  private let letterSpacing: Double
  private let clusters: [Int32]
  private let run: UnsafeMutablePointer<fcft_text_run>?
  /// The font that owns the glyphs if there is no run.
  private let font: Font?
  private let library: TextLibrary

  /// The size of a letter without pixels, with the allocator's share, in bytes.
  static let leastGlyphSize = 400

  init(_ scalars: [UInt32], font: Font) {
    library = font.library
    letterSpacing = font.letterSpacing
    let functions = library.functions
    if library.shapesLines {
      run = functions.rasterize_text_run_utf32(font.handle, scalars.count, scalars, FCFT_SUBPIXEL_NONE)
      self.font = nil
      let count = run?.pointee.count ?? 0
      glyphs = (0..<count).compactMap { [run] in run?.pointee.glyphs[$0] }
      clusters = (0..<count).compactMap { [run] in run?.pointee.cluster[$0] }
    } else {
      run = nil
      self.font = font
      glyphs = scalars.compactMap { functions.rasterize_char_utf32(font.handle, $0, FCFT_SUBPIXEL_NONE) }
      clusters = glyphs.indices.map(Int32.init)
    }
    width =
      glyphs.reduce(0) { $0 + Int($1.pointee.advance.x) }
      + Int((letterSpacing * Double(glyphs.count)).rounded())
    size = glyphs.reduce(128) { $0 + Self.size(of: $1.pointee) }
  }

  /// Returns each glyph's advance, in pixels, and its character's place in the word, from left to right.
  func advances(in direction: TextRun.Direction?) -> [(place: Int, advance: Int)] {
    let advances = glyphs.indices.map {
      (place: Int(clusters[$0]), advance: Int(glyphs[$0].pointee.advance.x))
    }
    return switch direction {
    case nil: advances
    case .leftToRight: advances.enumerated().sorted { ($0.1.place, $0.0) < ($1.1.place, $1.0) }.map(\.element)
    case .rightToLeft:
      advances.enumerated().sorted { (-$0.1.place, $0.0) < (-$1.1.place, $1.0) }.map(\.element)
    }
  }

  /// Returns the space after a letter, counted from the left. The sum of all is a whole number of pixels.
  func spacing(after index: Int) -> Int {
    guard letterSpacing != 0 else { return 0 }
    return Int((letterSpacing * Double(index + 1)).rounded()) - Int((letterSpacing * Double(index)).rounded())
  }

  deinit { if let run { library.functions.text_run_destroy(run) } }

  private static func size(of glyph: fcft_glyph) -> Int {
    guard let image = glyph.pix else { return leastGlyphSize }
    return leastGlyphSize + Int(pixman_image_get_stride(image)) * Int(glyph.height)
  }

  /// Returns the glyphs from left to right, in a direction or the script's own.
  func glyphs(in direction: TextRun.Direction?) -> [UnsafePointer<fcft_glyph>] {
    switch direction {
    case nil: glyphs
    case .leftToRight: glyphs.indices.sorted { (clusters[$0], $0) < (clusters[$1], $1) }.map { glyphs[$0] }
    case .rightToLeft: glyphs.indices.sorted { (-clusters[$0], $0) < (-clusters[$1], $1) }.map { glyphs[$0] }
    }
  }
}

extension TextRun {
  /// The parts that fcft shapes separately: words and the spaces between them. A space that the next
  /// character joins, such as a mark, is in their word. A very long word has parts, for short changes.
  var words: [[UInt32]] {
    var words: [[UInt32]] = []
    var start = 0
    for index in scalars.indices {
      if isBetweenWords(index) {
        if start < index { words.append(Array(scalars[start..<index])) }
        words.append(Self.space)
        start = index + 1
      } else if index - start >= Self.longestPart, Self.standsAlone(scalars[index]),
        Self.standsAlone(scalars[index - 1])
      {
        words.append(Array(scalars[start..<index]))
        start = index
      }
    }
    if start < scalars.count { words.append(start == 0 ? scalars : Array(scalars[start...])) }
    return words
  }

  static let longestPart = 64
  private static let space: [UInt32] = [0x20]
  /// The first combining mark. No character before it joins another one.
  private static let firstJoining: UInt32 = 0x300

  /// Returns whether a letter looks the same beside any other: Latin, Greek, Cyrillic, East Asian ones.
  private static func standsAlone(_ scalar: UInt32) -> Bool {
    switch scalar {
    case ..<firstJoining, 0x370..<0x483, 0x48a..<0x530, 0x3041..<0x3099, 0x30a1..<0xa000, 0xac00..<0xd7a4:
      true
    default: false
    }
  }

  private func isBetweenWords(_ index: Int) -> Bool {
    guard scalars[index] == 0x20 else { return false }
    if index + 1 < scalars.count, scalars[index + 1] >= Self.firstJoining,
      let next = UnicodeScalar(scalars[index + 1])
    {
      var pair = String.UnicodeScalarView([" "])
      pair.append(next)
      if next.properties.generalCategory == .format || String(pair).count == 1 { return false }
    }
    guard index > 0, scalars[index - 1] >= Self.firstJoining, let last = UnicodeScalar(scalars[index - 1])
    else { return true }
    return last.properties.generalCategory != .format
  }
}

/// A shaped line of text: glyphs and their positions.
final class TextLine {
  struct Glyph {
    let glyph: UnsafePointer<fcft_glyph>
    /// The pen's position from the line's left end, in pixels.
    var x: Int
  }

  private let runs: [TextRun]
  private(set) var glyphs: [Glyph] = []
  /// The distance from the pen's first position to its last, in pixels.
  private(set) var width = 0
  private(set) var words: [ShapedWord] = []
  /// The painted parts, for each tone that was asked for.
  private var inks: [[Ink]?] = Array(repeating: nil, count: TextTone.count)

  struct Ink {
    enum Picture {
      case mask(AlphaMask)
      /// A glyph with colours of its own, such as an emoji.
      case colors(OpaquePointer)
    }

    let picture: Picture
    /// The distance from the line's left end to that of the picture, in pixels.
    let x: Int
    /// The distance from the baseline down to the top of the picture, in pixels.
    let y: Int
    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
  }

  init(_ runs: [TextRun], font: Font) {
    self.runs = runs
    for run in runs { add(run, font) }
  }

  /// Makes a line at another size, each glyph on the nearest whole pixel, those of a small font apart. A
  /// small line is at most as wide as the room, in pixels, or the other line.
  init(_ line: TextLine, font: Font, scale: Double, room: Int) {
    runs = line.runs
    for run in runs { add(run, font) }
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

  /// The distances from the baseline down to the letters' top and bottom, in pixels; empty for spaces alone.
  private(set) lazy var reach = glyphs.reduce(PixelRect.empty) { $0.union($1.box) }

  private func add(_ run: TextRun, _ font: Font) {
    let words = run.words.map(font.word)
    for word in run.direction == .rightToLeft ? words.reversed() : words {
      self.words.append(word)
      for (index, glyph) in word.glyphs(in: run.direction).enumerated() {
        glyphs.append(Glyph(glyph: glyph, x: width))
        width += Int(glyph.pointee.advance.x) + word.spacing(after: index)
      }
    }
  }

  // MARK: Ink

  /// The widest mask, in pixels. Most masks of a longer line lie outside the painted area.
  private static let longestMask = 4096

  /// Returns the painted parts of the line, from left to right. They are kept.
  func ink(_ tone: TextTone) -> [Ink] {
    if let known = inks[tone.index] { return known }
    let made = makeInk(tone)
    inks[tone.index] = made
    return made
  }

  private func makeInk(_ tone: TextTone) -> [Ink] {
    var ink: [Ink] = []
    var letters: [Glyph] = []
    var box = PixelRect.empty
    func addLetters() {
      defer { letters.removeAll() }
      guard let mask = AlphaMask(width: box.width, height: box.height) else { return }
      for letter in letters {
        let (glyph, place) = (letter.glyph.pointee, letter.box)
        guard let image = glyph.pix else { continue }
        mask.add(
          image, x: place.minX - box.minX, y: place.minY - box.minY, width: place.width, height: place.height)
      }
      if let table = tone.table { mask.replace(by: table) }
      ink.append(Ink(.mask(mask), box))
    }
    for placed in glyphs {
      guard let image = placed.glyph.pointee.pix else { continue }
      if Compositor.hasColors(image) {
        ink.append(Ink(.colors(image), placed.box))
        continue
      }
      let joined = letters.isEmpty ? placed.box : box.union(placed.box)
      if joined.width > Self.longestMask, !letters.isEmpty {
        addLetters()
        box = placed.box
      } else {
        box = joined
      }
      letters.append(placed)
    }
    if !letters.isEmpty { addLetters() }
    return ink
  }
}

extension TextLine.Ink {
  fileprivate init(_ picture: Picture, _ box: PixelRect) {
    (self.picture, x, y, width, height) = (picture, box.minX, box.minY, box.width, box.height)
  }
}

extension TextLine.Glyph {
  /// The glyph's box from the line's left end and its baseline, in pixels.
  fileprivate var box: PixelRect {
    let glyph = glyph.pointee
    return PixelRect(
      x: x + Int(glyph.x), y: -Int(glyph.y), width: Int(glyph.width), height: Int(glyph.height))
  }
}
