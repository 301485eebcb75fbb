/// Fonts and shaped lines, kept so that the same text is shaped once.
final class TextStore {
  private struct FontKey: Hashable {
    let family: String
    let pixelSize: Double
  }

  private struct LineKey: Hashable {
    let text: String
    let font: FontKey
    let width: Int
  }

  private var fonts: [FontKey: Font?] = [:]
  private var lines: [LineKey: TextLine] = [:]

  /// Text that changes all the time would fill the store otherwise.
  private static let mostLines = 2048
  private static let mostFonts = 64
  /// No display shows more of one line.
  private static let longestText = 2048

  /// A line that fits a width: all of the text, or its beginning and an ellipsis.
  ///
  /// - Parameters:
  ///   - pixelSize: the em size, in pixels.
  ///   - width: in pixels.
  /// - Returns: nil when there is no font.
  func line(_ text: String, family: String, pixelSize: Double, width: Int) -> TextLine? {
    let fontKey = FontKey(family: family, pixelSize: pixelSize)
    let key = LineKey(text: text, font: fontKey, width: width)
    if let known = lines[key] { return known }
    guard let font = font(fontKey) else { return nil }
    if lines.count >= Self.mostLines { lines.removeAll() }
    let line = Self.fit(text, font, width)
    lines[key] = line
    return line
  }

  private func font(_ key: FontKey) -> Font? {
    if let known = fonts[key] { return known }
    if fonts.count >= Self.mostFonts { fonts.removeAll() }
    let font = Font(family: key.family, pixelSize: key.pixelSize)
    fonts[key] = .some(font)
    return font
  }

  private static func fit(_ text: String, _ font: Font, _ width: Int) -> TextLine {
    let characters = text.prefix(longestText).map { Self.scalars(of: $0) }
    func shape(_ count: Int, _ end: [UInt32]) -> TextLine {
      TextLine(Array(characters.prefix(count).joined()) + end, font: font)
    }
    if characters.count < longestText {
      let whole = shape(characters.count, [])
      if whole.width <= width { return whole }
    }
    // The longest beginning that leaves room for the ellipsis; no beginning at all if none does.
    let ellipsis: [UInt32] = [0x2026]
    var (fits, tooLong) = (0, characters.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      if shape(middle, ellipsis).width <= width { fits = middle } else { tooLong = middle }
    }
    while fits > 0, characters[fits - 1] == [0x20] { fits -= 1 }
    return shape(fits, ellipsis)
  }

  /// A character's code points; what would break or steer the line is a space.
  private static func scalars(of character: Character) -> [UInt32] {
    if character.isNewline { return [0x20] }
    return character.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? 0x20 : $0.value }
  }
}
