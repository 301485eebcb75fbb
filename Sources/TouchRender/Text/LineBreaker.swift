import CUnibreak
import TouchSystem

/// Breaks a text into lines that fit a room. It measures words, and keeps no pictures of letters.
struct LineBreaker {
  struct Line {
    var runs: [TextRun]
    /// The width in pixels.
    var width: Int
  }

  /// The characters of the text, each with its code points.
  let characters: [[UInt32]]
  /// The lines from top to bottom; at least one.
  private(set) var lines: [Line] = []
  private(set) var isCut = false
  /// The notices of missing libraries, without which the text is not laid out as it should be.
  private(set) var missing: [PaintNotice] = []
  private let font: Font
  /// The order of the paragraph being broken; nil if it runs left to right, or FriBidi is missing.
  private var order: BidiParagraph?
  /// Whether a line may end behind each character, by Unicode's rules; nil if spaces and hyphens decide.
  private var mayEnd: [Bool]?
  private var paragraph: Range<Int> = 0..<0
  /// Whether the text has soft hyphens. They are shown only at the end of a line.
  private let hasSoftHyphens: Bool
  private let needsRules: Bool

  /// The longest text, in characters. No display shows more of one text.
  static let longestText = 4096
  /// The longest character, in code points: a letter with marks (30 in Unicode's annex 15), or an emoji.
  private static let longestCharacter = 32
  private static let ellipsis: [UInt32] = [0x2026]

  init(_ text: String, font: Font, room: TextCache.Room) {
    self.font = font
    let keepsBreaks = room.lines != 1
    characters = text.prefix(Self.longestText).map { Self.scalars(of: $0, keepsBreaks: keepsBreaks) }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    hasSoftHyphens = !isASCII && text.unicodeScalars.contains("\u{ad}")
    needsRules = !isASCII && text.unicodeScalars.contains { Self.hasOwnRules($0.value) }
    let isCut = text.dropFirst(Self.longestText).first != nil
    let fitting = max(1, (room.height - font.ascent - font.descent) / font.lineHeight + 1)
    let most = room.lines == 0 ? fitting : max(1, min(room.lines, fitting))
    var rest = characters[...]
    var startsParagraph = true
    repeat {
      let end = rest.firstIndex(of: Self.lineFeed) ?? rest.endIndex
      let paragraph = rest[..<end]
      if startsParagraph { startParagraph(paragraph, isBroken: lines.count < most - 1) }
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

  /// - Parameter isBroken: whether the paragraph may have several lines.
  private mutating func startParagraph(_ characters: Characters, isBroken: Bool) {
    (order, mayEnd, paragraph) = (nil, nil, characters.startIndex..<characters.endIndex)
    do throws(MissingLibrary) {
      order = try BidiParagraph(characters)
    } catch {
      missing.append(.orderUnavailable(reason: error.reason))
    }
    guard isBroken, needsRules else { return }
    do throws(MissingLibrary) {
      mayEnd = try Self.ends(of: characters)
    } catch {
      missing.append(.breaksUnavailable(reason: error.reason))
    }
  }

  /// Returns whether a line may end behind each character. (Unicode's annex 14, by libunibreak.)
  private static func ends(of paragraph: Characters) throws(MissingLibrary) -> [Bool] {
    let functions = try BreakingLibrary.shared.get().functions
    // Debian 12's libunibreak 1.1 ends the program at half of a flag, and at U+FFFF, its end mark.
    let scalars = paragraph.joined().map { scalar -> UInt32 in
      switch scalar {
      case 0x1f1e6...0x1f1ff: 0x4e00
      case 0xffff: 0xfffd
      default: scalar
      }
    }
    var breaks = [CChar](repeating: 0, count: scalars.count)
    functions.set_linebreaks(scalars, scalars.count, nil, &breaks)
    var count = 0
    return paragraph.map { character in
      count += character.count
      return Int32(breaks[count - 1]) < LINEBREAK_NOBREAK
    }
  }

  /// - Parameter end: the text after the characters: an ellipsis. A final soft hyphen adds a hyphen.
  private func measured(_ characters: Characters, _ end: [UInt32] = []) -> Line {
    var (shown, end) = (characters, end)
    if hasSoftHyphens {
      if end.isEmpty, characters.last == Self.softHyphen, characters.endIndex < paragraph.endIndex {
        end = Self.hyphen
      }
      if order == nil { shown = characters.filter { $0 != Self.softHyphen }[...] }
    }
    let runs = order?.runs(of: shown, end) ?? [TextRun(scalars: Array(shown.joined()) + end)]
    return Line(runs: runs, width: runs.reduce(0) { $0 + font.width(of: $1) })
  }

  /// Adds the last line. It is whole if it fits and nothing follows, else cut with an ellipsis.
  private mutating func addLast(_ characters: Characters, width: Int, isCut: Bool) {
    let likely = likely(of: characters, width: width)
    if !isCut && likely == characters.count {
      let whole = measured(Self.trimmed(characters))
      if whole.width <= width || characters.isEmpty { return lines.append(whole) }
    }
    self.isCut = true
    let ends = ends(in: characters, atMost: likely)
    let guess = estimate(
      characters, ends, likely, width: width - measured(characters.prefix(0), Self.ellipsis).width)
    let fits = largest(likely, near: guess.characters) {
      measured(characters.prefix($0), Self.ellipsis).width <= width
    }
    lines.append(measured(Self.trimmed(characters.prefix(fits)), Self.ellipsis))
  }

  private func firstLine(of paragraph: Characters, width: Int) -> Characters {
    let likely = likely(of: paragraph, width: width)
    func fits(_ characters: Characters) -> Bool { measured(Self.trimmed(characters)).width <= width }
    if likely == paragraph.count, fits(paragraph) { return paragraph }
    let ends = ends(in: paragraph, atMost: likely)
    let guess = estimate(paragraph, ends, likely, width: width)
    let words = largest(ends.count, near: guess.ends) { fits(paragraph[..<ends[$0 - 1]]) }
    if words > 0 { return paragraph[..<ends[words - 1]] }
    // Not even the first word fits.
    let letters = ends.first.map { $0 - paragraph.startIndex - 1 } ?? likely
    return paragraph.prefix(max(1, largest(letters, near: guess.characters) { fits(paragraph.prefix($0)) }))
  }

  /// Returns an upper limit of a line's characters: few are narrower than a sixth of the line height.
  private func likely(of characters: Characters, width: Int) -> Int {
    min(characters.count, width / max(1, font.lineHeight / 6) + 8)
  }

  private func ends(in characters: Characters, atMost limit: Int) -> [Int] {
    let last = characters.startIndex + limit
    guard last > characters.startIndex else { return [] }
    return (characters.startIndex + 1...last).filter { breaks(characters, before: $0) }
  }

  /// The length of the measured parts of a long word, in characters.
  private static let measuredPart = 16

  /// Estimates the line ends, and the characters, that fit a width. Texts between ends are measured alone.
  private func estimate(
    _ characters: Characters, _ ends: [Int], _ likely: Int, width: Int
  ) -> (ends: Int, characters: Int) {
    var (start, used) = (characters.startIndex, 0)
    for (index, end) in (ends + [characters.startIndex + likely]).enumerated() {
      let isSpace = characters[start..<end].first == Self.space
      while start < end {
        let piece = characters[start..<min(end, start + Self.measuredPart)]
        let scalars = Array(piece.joined())
        let added = font.width(of: TextRun(scalars: scalars))
        if used + added > width, !isSpace {
          for (_, advance) in font.advances(of: scalars, in: nil) {
            used += advance
            if used > width { break }
            start += 1
          }
          return (index, min(start, piece.endIndex) - characters.startIndex)
        }
        used += added
        start = piece.endIndex
      }
    }
    return (ends.count, start - characters.startIndex)
  }

  /// Returns the largest number up to a limit, guessed first, for which a condition holds; else 0.
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
  private static let softHyphen: [UInt32] = [0xad]
  private static let hyphen: [UInt32] = [0x2d]
  private static let hyphens: Set<[UInt32]> = [[0x2d], [0xad], [0x2010], [0x2013], [0x2014], [0x2f]]

  private static func trimmed(_ characters: Characters) -> Characters {
    var characters = characters
    while characters.last == space { characters.removeLast() }
    return characters
  }

  /// Returns whether a line may end before a character, by parts of Unicode's annex 14.
  private func breaks(_ characters: Characters, before index: Int) -> Bool {
    guard index > characters.startIndex, index < characters.endIndex else {
      return index == characters.endIndex
    }
    if let mayEnd { return mayEnd[index - 1 - paragraph.lowerBound] }
    let (last, next) = (characters[index - 1], characters[index])
    return last == Self.space || next == Self.space || Self.hyphens.contains(last)
      || Self.isIdeograph(last) || Self.isIdeograph(next)
  }

  /// Returns whether a character has other line ends than spaces and hyphens, as scripts of Asia do.
  private static func hasOwnRules(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xe00...0x1dff, 0x200b, 0x2060, 0x2e80...0xd7ff, 0xf900...0xfaff, 0xfe30...0xfe4f,
      0xff00...0xffef, 0x20000...0x3ffff:
      true
    default: false
    }
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

  /// Returns a character's code points. Control characters become spaces.
  static func scalars(of character: Character, keepsBreaks: Bool) -> [UInt32] {
    if character.isNewline { return keepsBreaks ? lineFeed : space }
    return character.unicodeScalars.prefix(longestCharacter).map {
      $0.value < 0x20 || $0.value == 0x7f ? 0x20 : $0.value
    }
  }
}
