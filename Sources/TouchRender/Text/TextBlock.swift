final class TextBlock {
  /// The distance from the first baseline up, in pixels.
  let ascent: Double
  /// The distance from the last baseline down, in pixels.
  let descent: Double
  /// The distance from one baseline to the next, in pixels.
  let lineHeight: Double
  /// Whether the text does not fit.
  let isCut: Bool
  let unknown: [UInt32]
  /// The lines from top to bottom; at least one.
  let lines: [TextLine]
  /// The approximate size, in bytes.
  private(set) var size = 1024
  /// The notices of missing libraries, without which the text is not laid out as it should be.
  let missing: [PaintNotice]

  init(_ text: String, font: Font, room: TextCache.Room) {
    (ascent, descent) = (Double(font.ascent), Double(font.descent))
    lineHeight = Double(font.lineHeight)
    let breaker = LineBreaker(text, font: font, room: room)
    (isCut, missing) = (breaker.isCut, breaker.missing)
    lines = breaker.lines.map { TextLine($0.runs, font: font) }
    let special = Set(breaker.characters.joined()).filter { Self.canBeUnknown($0) }
    unknown = special.filter { font.lacks($0) }.sorted()
    size += sizeOfLines
  }

  /// Makes a block with the same lines, face and a scaled size, in a room of pixels.
  init(_ block: TextBlock, font: Font, scale: Double, room: Int) {
    ascent = block.ascent * scale
    descent = block.descent * scale
    lineHeight = block.lineHeight * scale
    (isCut, unknown, missing) = (block.isCut, block.unknown, block.missing)
    lines = block.lines.map { TextLine($0, font: font, scale: scale, room: room) }
    size += sizeOfLines
  }

  /// The approximate size of the lines, in bytes. Lines share their words, and a painted line has a mask.
  private var sizeOfLines: Int {
    var counted: Set<ObjectIdentifier> = []
    var size = 0
    for line in lines {
      size += 512 + line.glyphs.count * 32 + max(0, line.width) * Int(ascent + descent)
      for word in line.words where counted.insert(ObjectIdentifier(word)).inserted { size += word.size }
    }
    return size
  }

  /// Returns whether a font may lack the character, which is drawn by itself and not in ASCII.
  private static func canBeUnknown(_ value: UInt32) -> Bool {
    guard value >= 0x80, let scalar = UnicodeScalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
