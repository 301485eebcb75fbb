import TouchCore

/// Fonts and shaped texts, so that the same text is shaped once.
final class TextCache {
  /// One face at one size.
  struct FontKey: Hashable {
    let family: String
    /// The em size, in pixels.
    let pixelSize: Double
    var weight = TextStyle.Weight.regular
  }

  /// The room for a text.
  struct Room: Hashable {
    /// In pixels.
    var width: Int
    /// In pixels.
    var height = Int.max
    /// The most lines; 0 for as many as fit the height.
    var lines = 1
  }

  private struct BlockKey: Hashable {
    let text: String
    let font: FontKey
    let room: Room
  }

  private struct DrawnKey: Hashable {
    let block: BlockKey
    let pixelSize: Double
    let scale: Double
  }

  private let notices: PaintNoticeLog
  private var fonts: [FontKey: Font?] = [:]
  private var blocks: [BlockKey: TextBlock] = [:]
  private var drawn: [DrawnKey: TextBlock] = [:]

  /// About how many bytes the texts take.
  private var size = 0

  /// Limits for text that changes all the time. Each letter has a picture of its own, so a page of them takes megabytes.
  static let largestSize = 16 << 20
  private static let mostFonts = 64

  /// - Parameter notices: reports fonts that are replaced, and a missing FriBidi.
  init(notices: PaintNoticeLog = PaintNoticeLog()) {
    self.notices = notices
  }

  /// A text that fits a room: all of it, or its beginning and an ellipsis.
  ///
  /// - Returns: nil if there is no font.
  func block(_ text: String, _ fontKey: FontKey, in room: Room) -> TextBlock? {
    let key = BlockKey(text: text, font: fontKey, room: room)
    if let known = blocks[key] { return known }
    guard let font = font(fontKey) else { return nil }
    let block = TextBlock(text, font: font, room: room)
    if let missing = block.missing { notices.log(.orderUnavailable(reason: missing.reason)) }
    makeRoom(for: block, of: text)
    blocks[key] = block
    return block
  }

  /// A text laid out at one size and drawn at another, so that its lines break alike at every size.
  ///
  /// - Parameters:
  ///   - room: in pixels of the font's size.
  ///   - pixelSize: the em size at which it is drawn.
  ///   - scale: from pixels of the font's size to drawn pixels.
  /// - Returns: nil if there is no font.
  func block(
    _ text: String, _ fontKey: FontKey, in room: Room, drawnAt pixelSize: Double, scale: Double
  ) -> TextBlock? {
    if pixelSize == fontKey.pixelSize, pixelSize >= GlyphSpacing.leastLayoutSize {
      return block(text, fontKey, in: room)
    }
    let key = DrawnKey(
      block: BlockKey(text: text, font: fontKey, room: room), pixelSize: pixelSize, scale: scale)
    if let known = drawn[key] { return known }
    let drawnKey = FontKey(family: fontKey.family, pixelSize: pixelSize, weight: fontKey.weight)
    guard let layout = block(text, fontKey, in: room), let font = font(drawnKey) else { return nil }
    let block = TextBlock(layout, font: font, scale: scale, room: Int(saturating: Double(room.width) * scale))
    makeRoom(for: block, of: text)
    drawn[key] = block
    return block
  }

  /// Forgets everything if one more text would be too much. A font goes, too: it keeps letters that it was asked for.
  private func makeRoom(for block: TextBlock, of text: String) {
    let added = block.size + text.utf8.count
    if size + added > Self.largestSize {
      blocks.removeAll()
      drawn.removeAll()
      fonts.removeAll()
      size = 0
    }
    size += added
  }

  private func font(_ key: FontKey) -> Font? {
    if let known = fonts[key] { return known }
    if fonts.count >= Self.mostFonts { fonts.removeAll() }
    let font = Font(family: key.family, pixelSize: key.pixelSize, weight: key.weight.rawValue)
    fonts[key] = .some(font)
    if let name = font?.replacement(of: key.family) {
      notices.log(.fontReplaced(family: key.family, by: name))
    }
    return font
  }
}
