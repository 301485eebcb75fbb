/// A text broken into lines and shaped.
final class TextBlock {
  let font: Font
  /// From the first baseline up, in pixels.
  let ascent: Double
  /// From the last baseline down, in pixels.
  let descent: Double
  /// From one baseline to the next, in pixels.
  let lineHeight: Double
  /// Whether the text does not fit.
  private(set) var isCut = false
  /// The characters that no font has.
  private(set) var unknown: [UInt32] = []
  /// Top to bottom; at least one.
  private(set) var lines: [TextLine] = []
  /// About how many bytes its letters take, those that the font was asked for included.
  private(set) var size = 1024
  /// Set if right-to-left text could not be reordered.
  private(set) var missing: MissingLibrary?
  /// The order of the paragraph that is being broken into lines; nil if all of it runs left to right, or FriBidi is
  /// missing.
  private var order: BidiParagraph?

  /// In characters; no display shows more of one text.
  static let longestText = 4096
  /// In code points: enough for every letter with marks and every emoji sequence. (Unicode's annex 15: 30 marks.)
  private static let longestCharacter = 32
  private static let ellipsis: [UInt32] = [0x2026]

  init(_ text: String, font: Font, room: TextCache.Room) {
    self.font = font
    (ascent, descent) = (Double(font.ascent), Double(font.descent))
    lineHeight = Double(font.lineHeight)
    let keepsBreaks = room.lines != 1
    let characters = text.prefix(Self.longestText).map { Self.scalars(of: $0, keepsBreaks: keepsBreaks) }
    let isCut = text.dropFirst(Self.longestText).first != nil
    let fitting = max(1, (room.height - font.ascent - font.descent) / font.lineHeight + 1)
    let most = room.lines == 0 ? fitting : max(1, min(room.lines, fitting))
    var rest = characters[...]
    var startsParagraph = true
    repeat {
      let end = rest.firstIndex(of: Self.lineFeed) ?? rest.endIndex
      let paragraph = rest[..<end]
      if startsParagraph { startParagraph(paragraph) }
      if lines.count == most - 1 {
        addLast(paragraph, width: room.width, isCut: isCut || !rest[end...].dropFirst().isEmpty)
        break
      }
      let line = firstLine(of: paragraph, width: room.width)
      lines.append(shape(Self.trimmed(line)))
      rest = rest[line.endIndex...]
      // The line feed, and the spaces at which the line was broken, are not drawn.
      if line.endIndex < end { rest = rest.drop { $0 == Self.space } }
      startsParagraph = rest.startIndex == end
      if startsParagraph { rest = rest.dropFirst() }
    } while !rest.isEmpty
    let special = Set(characters.joined()).filter { Self.canBeUnknown($0) }
    unknown = special.filter { font.lacks($0) }.sorted()
    size += special.count * (TextLine.leastGlyphSize + font.lineHeight * font.lineHeight) + sizeOfLines
  }

  /// A block at another size. Its lines are the same.
  ///
  /// - Parameters:
  ///   - font: the same face.
  ///   - scale: from pixels of the other block to pixels of this one.
  ///   - room: how wide its lines may become, in pixels.
  init(_ block: TextBlock, font: Font, scale: Double, room: Int) {
    self.font = font
    ascent = block.ascent * scale
    descent = block.descent * scale
    lineHeight = block.lineHeight * scale
    (isCut, unknown, missing) = (block.isCut, block.unknown, block.missing)
    lines = block.lines.map { TextLine($0, font: font, scale: scale, room: room) }
    size += sizeOfLines
  }

  private var sizeOfLines: Int { lines.reduce(0) { $0 + $1.size } }

  private typealias Characters = BidiParagraph.Characters

  private func startParagraph(_ paragraph: Characters) {
    order = nil
    do throws(MissingLibrary) {
      order = try BidiParagraph(paragraph)
    } catch {
      missing = error
    }
  }

  private func shape(_ characters: Characters, _ end: [UInt32] = []) -> TextLine {
    TextLine(
      order?.runs(of: characters, end) ?? [TextRun(scalars: Array(characters.joined()) + end)], font: font)
  }

  /// Adds the last line: completely if it fits and nothing follows, else cut, with an ellipsis.
  private func addLast(_ characters: Characters, width: Int, isCut: Bool) {
    let likely = likely(of: characters, width: width)
    if !isCut && likely == characters.count {
      let whole = shape(Self.trimmed(characters))
      if whole.width <= width || characters.isEmpty { return lines.append(whole) }
    }
    self.isCut = true
    let fits = largest(likely) { shape(characters.prefix($0), Self.ellipsis).width <= width }
    lines.append(shape(Self.trimmed(characters.prefix(fits)), Self.ellipsis))
  }

  /// The characters of a paragraph that fit into its first line, at least one.
  private func firstLine(of paragraph: Characters, width: Int) -> Characters {
    let likely = likely(of: paragraph, width: width)
    if likely == paragraph.count, shape(Self.trimmed(paragraph)).width <= width { return paragraph }
    let fits = max(1, largest(likely) { shape(Self.trimmed(paragraph.prefix($0))).width <= width })
    guard fits < paragraph.count else { return paragraph }
    var end = paragraph.startIndex + fits
    while end > paragraph.startIndex, !Self.breaks(paragraph, before: end) { end -= 1 }
    return end > paragraph.startIndex ? paragraph[..<end] : paragraph.prefix(fits)
  }

  /// An upper limit for the characters of a line, so that not a whole page is shaped to find one line. Few characters are
  /// narrower than a sixth of the line height.
  private func likely(of characters: Characters, width: Int) -> Int {
    min(characters.count, width / max(1, font.lineHeight / 6) + 8)
  }

  /// The largest number up to a limit for which a condition holds, if it holds for all smaller ones; else 0.
  private func largest(_ limit: Int, where isTrue: (Int) -> Bool) -> Int {
    var (good, bad) = (0, limit + 1)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if isTrue(middle) { good = middle } else { bad = middle }
    }
    return good
  }

  // MARK: Characters

  /// Whether a font may lack the character: it is drawn by itself and not in ASCII.
  private static func canBeUnknown(_ value: UInt32) -> Bool {
    guard value >= 0x80, let scalar = UnicodeScalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static let space: [UInt32] = [0x20]
  private static let lineFeed: [UInt32] = [0x0a]
  private static let hyphens: Set<[UInt32]> = [[0x2d], [0x2010], [0x2013], [0x2014], [0x2f]]

  private static func trimmed(_ characters: Characters) -> Characters {
    var characters = characters
    while characters.last == space { characters.removeLast() }
    return characters
  }

  /// Whether a line may end before a character. (Much of Unicode's annex 14, as far as signs and menus need it.)
  private static func breaks(_ characters: Characters, before index: Int) -> Bool {
    guard index > characters.startIndex, index < characters.endIndex else {
      return index == characters.endIndex
    }
    let (last, next) = (characters[index - 1], characters[index])
    return last == space || next == space || hyphens.contains(last) || isIdeograph(last) || isIdeograph(next)
  }

  private static func isIdeograph(_ character: [UInt32]) -> Bool {
    switch character.first ?? 0 {
    // Kana and Han, Hangul, compatibility, wide forms, the rest of Han.
    case 0x2e80...0x2fff, 0x3040...0x9fff, 0xac00...0xd7af, 0xf900...0xfaff, 0xff66...0xff9f,
      0x20000...0x3ffff:
      true
    default: false
    }
  }

  /// A character's code points; control characters become spaces.
  private static func scalars(of character: Character, keepsBreaks: Bool) -> [UInt32] {
    if character.isNewline { return keepsBreaks ? lineFeed : space }
    return character.unicodeScalars.prefix(longestCharacter).map {
      $0.value < 0x20 || $0.value == 0x7f ? 0x20 : $0.value
    }
  }
}
