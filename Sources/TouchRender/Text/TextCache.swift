import TouchCore
import TouchViews

/// Fonts and shaped texts, so that the same text is shaped once.
final class TextCache {
  struct FontKey: Hashable {
    let family: String
    /// The em size, in pixels.
    var pixelSize: Double
    var weight = TextStyle.Weight.regular
    var figures = TextStyle.Figures.proportional
    /// The space added between two letters, as a fraction of the em.
    var letterSpacing = 0.0
    var lineHeight = 1.0

    init(
      family: String, pixelSize: Double, weight: TextStyle.Weight = .regular
    ) {
      (self.family, self.pixelSize, self.weight) = (family, pixelSize, weight)
    }

    /// Makes the key for the font of a style at another size, in pixels.
    init(_ style: TextStyle, pixelSize: Double) {
      self.init(family: style.family, pixelSize: pixelSize, weight: style.weight)
      figures = style.figures
      if style.letterSpacing != 0, style.size > 0 { letterSpacing = style.letterSpacing / style.size }
      lineHeight = style.lineHeight
    }

    func drawn(at pixelSize: Double) -> FontKey {
      var key = self
      key.pixelSize = pixelSize
      return key
    }
  }

  struct Room: Hashable {
    /// The width in pixels.
    var width: Int
    /// The height in pixels.
    var height = Int.max
    /// The most lines; 0 for as many as fit the height.
    var lines = 1
  }

  private struct BlockKey: Hashable {
    let text: String
    let font: FontKey
    let room: Room
    /// The em size of drawing, and the scale from the font's to drawn pixels; nil for the font's own size.
    var drawn: Scaling?
  }

  private struct Scaling: Hashable {
    let pixelSize, scale: Double
  }

  private let notices: PaintNoticeLog
  private var fonts = RecentlyUsed<FontKey, Font?>(limit: largestSize)
  private var blocks = RecentlyUsed<BlockKey, TextBlock>(limit: largestSize)
  /// The count of glyphs that the fonts have drawn so far.
  let work = TextWork()

  /// The approximate limit of the texts, and of the fonts, in bytes: a page takes megabytes.
  static let largestSize = 16 << 20

  init(notices: PaintNoticeLog = PaintNoticeLog()) { self.notices = notices }

  /// Returns a text that fits a room, maybe with an ellipsis; nil if there is no font.
  func block(_ text: String, _ fontKey: FontKey, in room: Room) -> TextBlock? {
    let key = BlockKey(text: text, font: fontKey, room: room)
    if let known = blocks.value(for: key) { return known }
    guard let font = font(fontKey) else { return nil }
    let block = TextBlock(text, font: font, room: room)
    for notice in block.missing { notices.log(notice) }
    keep(block, key, font)
    return block
  }

  /// Returns a text laid out at one size, in a room of its pixels, and drawn at another em size, so that
  /// lines break alike; nil without a font.
  func block(
    _ text: String, _ fontKey: FontKey, in room: Room, drawnAt pixelSize: Double, scale: Double
  ) -> TextBlock? {
    if pixelSize == fontKey.pixelSize, pixelSize >= GlyphSpacing.leastLayoutSize {
      return block(text, fontKey, in: room)
    }
    let key = BlockKey(
      text: text, font: fontKey, room: room, drawn: Scaling(pixelSize: pixelSize, scale: scale))
    if let known = blocks.value(for: key) { return known }
    let drawnKey = fontKey.drawn(at: pixelSize)
    guard let layout = block(text, fontKey, in: room), let font = font(drawnKey) else { return nil }
    let block = TextBlock(layout, font: font, scale: scale, room: Int(saturating: Double(room.width) * scale))
    keep(block, key, font)
    return block
  }

  /// Returns the size in pixels of a text broken into lines for a room; nil without a font.
  func size(of text: String, _ fontKey: FontKey, in room: Room) -> Size? {
    guard let font = font(fontKey) else { return nil }
    defer { font.forgetWords() }
    let breaker = LineBreaker(text, font: font, room: room)
    return Size(
      width: Double(breaker.lines.map(\.width).max() ?? 0),
      height: Double(font.ascent + font.descent + (breaker.lines.count - 1) * font.lineHeight))
  }

  private func keep(_ block: TextBlock, _ key: BlockKey, _ font: Font) {
    blocks.insert(block, for: key, cost: block.size + key.text.utf8.count + key.font.family.utf8.count)
    keep(font, key.drawn.map { key.font.drawn(at: $0.pixelSize) } ?? key.font)
  }

  /// Keeps a font, whose size grows with the characters asked for. The next text has other words.
  private func keep(_ font: Font, _ key: FontKey) {
    font.forgetWords()
    fonts.insert(font, for: key, cost: font.size + key.family.utf8.count)
  }

  /// The approximate size of the fonts, in bytes.
  var fontCost: Int { fonts.cost }

  func font(_ key: FontKey) -> Font? {
    if let known = fonts.value(for: key) { return known }
    let font = Font(key, work: work)
    fonts.insert(font, for: key, cost: Font.leastSize + key.family.utf8.count)
    if let name = font?.replacement(of: key.family) {
      notices.log(.fontReplaced(family: key.family, by: name))
    }
    return font
  }
}
