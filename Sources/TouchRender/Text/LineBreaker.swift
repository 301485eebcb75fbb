/// Breaks a text into lines that fit a room. It measures words, and keeps no picture of a letter.
struct LineBreaker {
  struct Line {
    /// From left to right.
    var runs: [TextRun]
    /// In pixels.
    var width: Int
  }

  /// Of the text, each with its code points.
  let characters: [[UInt32]]
  /// Top to bottom; at least one.
  private(set) var lines: [Line] = []
  /// Whether the text does not fit.
  private(set) var isCut = false
  /// Set if right-to-left text could not be reordered.
  private(set) var missing: MissingLibrary?
  private let font: Font
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
    let keepsBreaks = room.lines != 1
    characters = text.prefix(Self.longestText).map { Self.scalars(of: $0, keepsBreaks: keepsBreaks) }
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
      lines.append(measured(Self.trimmed(line)))
      rest = rest[line.endIndex...]
      // The line feed, and the spaces at which the line was broken, are not drawn.
      if line.endIndex < end { rest = rest.drop { $0 == Self.space } }
      startsParagraph = rest.startIndex == end
      if startsParagraph { rest = rest.dropFirst() }
    } while !rest.isEmpty
  }

  private typealias Characters = BidiParagraph.Characters

  private mutating func startParagraph(_ paragraph: Characters) {
    order = nil
    do throws(MissingLibrary) {
      order = try BidiParagraph(paragraph)
    } catch {
      missing = error
    }
  }

  private func measured(_ characters: Characters, _ end: [UInt32] = []) -> Line {
    let runs = order?.runs(of: characters, end) ?? [TextRun(scalars: Array(characters.joined()) + end)]
    return Line(runs: runs, width: runs.reduce(0) { $0 + font.width(of: $1) })
  }

  /// Adds the last line: completely if it fits and nothing follows, else cut, with an ellipsis.
  private mutating func addLast(_ characters: Characters, width: Int, isCut: Bool) {
    let likely = likely(of: characters, width: width)
    if !isCut && likely == characters.count {
      let whole = measured(Self.trimmed(characters))
      if whole.width <= width || characters.isEmpty { return lines.append(whole) }
    }
    self.isCut = true
    let ends = Self.ends(in: characters, atMost: likely)
    let guess = estimate(characters, ends, width: width - measured(characters.prefix(0), Self.ellipsis).width)
    let fits = largest(likely, near: guess.characters) {
      measured(characters.prefix($0), Self.ellipsis).width <= width
    }
    lines.append(measured(Self.trimmed(characters.prefix(fits)), Self.ellipsis))
  }

  /// The characters of a paragraph that fit into its first line, at least one.
  private func firstLine(of paragraph: Characters, width: Int) -> Characters {
    let likely = likely(of: paragraph, width: width)
    func fits(_ characters: Characters) -> Bool { measured(Self.trimmed(characters)).width <= width }
    if likely == paragraph.count, fits(paragraph) { return paragraph }
    let ends = Self.ends(in: paragraph, atMost: likely)
    let guess = estimate(paragraph, ends, width: width)
    let words = largest(ends.count, near: guess.ends) { fits(paragraph[..<ends[$0 - 1]]) }
    if words > 0 { return paragraph[..<ends[words - 1]] }
    // Not even the first word fits.
    let letters = ends.first.map { $0 - paragraph.startIndex - 1 } ?? likely
    return paragraph.prefix(max(1, largest(letters, near: guess.characters) { fits(paragraph.prefix($0)) }))
  }

  /// An upper limit for the characters of a line, so that not a whole page is measured to find one line. Few characters are
  /// narrower than a sixth of the line height.
  private func likely(of characters: Characters, width: Int) -> Int {
    min(characters.count, width / max(1, font.lineHeight / 6) + 8)
  }

  /// The places where a line may end, up to a number of characters.
  private static func ends(in characters: Characters, atMost limit: Int) -> [Int] {
    let last = characters.startIndex + limit
    guard last > characters.startIndex else { return [] }
    return (characters.startIndex + 1...last).filter { breaks(characters, before: $0) }
  }

  /// About how many of the places where a line may end, and how many characters, fit a width: what is between two such places
  /// is measured by itself, and inside of it all characters count alike.
  private func estimate(_ characters: Characters, _ ends: [Int], width: Int) -> (ends: Int, characters: Int) {
    var (start, used) = (characters.startIndex, 0)
    for (index, end) in ends.enumerated() {
      let piece = characters[start..<end]
      let added = font.width(of: TextRun(scalars: Array(piece.joined())))
      if used + added > width, piece.first != Self.space {
        let part = Double(piece.count) * Double(max(0, width - used)) / Double(max(1, added))
        return (index, start - characters.startIndex + Int(part))
      }
      used += added
      start = end
    }
    return (ends.count, start - characters.startIndex)
  }

  /// The largest number up to a limit for which a condition holds, if it holds for all smaller ones; else 0.
  ///
  /// - Parameter guess: where to look first: the condition is asked twice if it is right.
  private func largest(_ limit: Int, near guess: Int, where isTrue: (Int) -> Bool) -> Int {
    var (good, bad) = (0, limit + 1)
    var (probe, step) = (guess, 1)
    while bad - good > 1 {
      if probe <= good || probe >= bad { probe = (good + bad) / 2 }
      if isTrue(probe) {
        good = probe
        probe += step
      } else {
        bad = probe
        probe -= step
      }
      step *= 2
    }
    return good
  }

  // MARK: Characters

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
  static func scalars(of character: Character, keepsBreaks: Bool) -> [UInt32] {
    if character.isNewline { return keepsBreaks ? lineFeed : space }
    return character.unicodeScalars.prefix(longestCharacter).map {
      $0.value < 0x20 || $0.value == 0x7f ? 0x20 : $0.value
    }
  }
}
