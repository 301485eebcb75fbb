import CFcft
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchRender
@testable import TouchViews

/// The code points of each line of a text, as one string a line.
private func lines(
  _ text: String, width: Int, height: Int = 1000, lines: Int = 0, family: String = "DejaVu Sans"
) throws -> [String] {
  let block = try block(text, width: width, height: height, lines: lines, family: family)
  return block.lines.map { line in
    line.glyphs.reduce(into: "") { text, placed in
      if let scalar = UnicodeScalar(placed.glyph.pointee.cp) { text.unicodeScalars.append(scalar) }
    }
  }
}

private func block(
  _ text: String, width: Int, height: Int = 1000, lines: Int = 0, family: String = "DejaVu Sans",
  weight: TextStyle.Weight = .regular
) throws -> TextBlock {
  Fixture.standardFonts
  return try #require(
    TextCache().block(
      text, TextCache.FontKey(family: family, pixelSize: 16, weight: weight),
      in: TextCache.Room(width: width, height: height, lines: lines)))
}

@Suite("Text in several lines, and in several scripts")
struct TextBlockTests {
  @Test
  func `long texts that change all the time are forgotten before they take too much memory`() throws {
    Fixture.standardFonts
    final class Kept {
      weak var block: TextBlock?
      init(_ block: TextBlock) { self.block = block }
    }
    let store = TextCache()
    let key = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 16)
    let room = TextCache.Room(width: 100_000, lines: 1)
    var kept: [Kept] = []
    for number in 0..<24 {
      // Words of their own: equal ones share their letters.
      let text = (0..<500).map { "\(number * 500 + $0 + 100_000)" }.joined(separator: " ")
      kept.append(Kept(try #require(store.block(text, key, in: room))))
      // All of its letters are measured, each with its pixels.
      let block = try #require(kept.last?.block)
      let letters = block.lines.flatMap(\.glyphs)
      #expect(letters.count > 3000)
      #expect(block.size > letters.reduce(0) { $0 + Int($1.glyph.pointee.width * $1.glyph.pointee.height) })
    }
    let left = kept.compactMap(\.block)
    #expect(left.count < 24 && !left.isEmpty)
    #expect(left.reduce(0) { $0 + $1.size } <= TextCache.largestSize)
  }

  @Test(arguments: [0.4, 0.75, 2.5])
  func `lines have the same letters at every size, and in large text the letters have the same places`(
    scale: Double
  ) throws {
    Fixture.standardFonts
    let store = TextCache()
    let text = "Saloon, kitchen and illumination of the hall: the lines break where they do at every size"
    let key = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 18)
    let room = TextCache.Room(width: 200, height: 1000, lines: 0)
    let laidOut = try #require(store.block(text, key, in: room))
    let drawn = try #require(store.block(text, key, in: room, drawnAt: 18 * scale, scale: scale))
    #expect(drawn.lines.count == laidOut.lines.count)
    for (line, original) in zip(drawn.lines, laidOut.lines) {
      #expect(line.glyphs.map(\.glyph.pointee.cp) == original.glyphs.map(\.glyph.pointee.cp))
      guard scale > 1 else { continue }
      #expect(line.glyphs.map(\.x) == original.glyphs.map { Int((Double($0.x) * scale).rounded()) })
    }
  }

  @Test(arguments: [(20, 0.4), (18, 0.4), (20, 0.6), (14, 0.75), (9, 1), (11, 1)] as [(Double, Double)])
  func `letters of a small text do not touch, and its words are apart`(size: Double, scale: Double) throws {
    for weight in [TextStyle.Weight.regular, .bold] {
      let line = try small("Horn corner 1800 AWAY To", size, scale, width: 1000, weight)
      for (letter, next) in zip(line.glyphs, line.glyphs.dropFirst()) {
        for (y, end) in edges(of: letter, isLeft: false) {
          guard let start = edges(of: next, isLeft: true)[y] else { continue }
          // What covers the half of a pixel ends in its middle.
          #expect(start - end >= 0.5, "\(UnicodeScalar(letter.glyph.pointee.cp) ?? " "), \(weight)")
        }
      }
      for (space, next) in zip(line.glyphs, line.glyphs.dropFirst()) where space.glyph.pointee.cp == 0x20 {
        #expect(next.x - space.x >= 3, "\(weight)")
      }
    }
  }

  @Test(arguments: [0.3, 0.4, 0.5, 0.75, 1])
  func `a small text that was laid out to fit its room still fits, whatever its script`(scale: Double) throws
  {
    let texts = [
      "Northern Light, opens at 07:30", "Žluťoučký kůň", "שלום עולם Horn", "السلام عليكم", "W", "",
    ]
    for text in texts {
      let whole = try small(text, 14, 1, width: 1000).width
      for width in [whole, whole + 3, whole * 2] {
        let line = try small(text, 14, scale, width: width)
        #expect(line.width <= Int((Double(width) * scale).rounded()), "\(text), \(width)")
        #expect(line.glyphs.map(\.x) == line.glyphs.map(\.x).sorted(), "\(text), \(width)")
      }
    }
  }

  private func small(
    _ text: String, _ size: Double, _ scale: Double, width: Int, _ weight: TextStyle.Weight = .regular
  ) throws -> TextLine {
    Fixture.standardFonts
    return try #require(
      TextCache().block(
        text, TextCache.FontKey(family: "DejaVu Sans", pixelSize: size, weight: weight),
        in: TextCache.Room(width: width), drawnAt: (size * scale * 4).rounded() / 4, scale: scale)?.lines
        .first)
  }

  /// Where the ink of each row begins or ends, by the row's height above the baseline.
  private func edges(of placed: TextLine.Glyph, isLeft: Bool) -> [Int: Double] {
    let glyph = placed.glyph.pointee
    guard let image = glyph.pix, let data = pixman_image_get_data(image) else { return [:] }
    let stride = Int(pixman_image_get_stride(image))
    return (0..<Int(glyph.height)).reduce(into: [:]) { edges, row in
      let coverage = (0..<Int(glyph.width)).map { column in
        UnsafeRawPointer(data).load(fromByteOffset: row * stride + column, as: UInt8.self)
      }
      let edge = isLeft ? coverage.firstIndex { $0 > 24 } : coverage.lastIndex { $0 > 24 }
      guard let edge else { return }
      let covered = Double(coverage[edge]) / 255
      edges[Int(glyph.y) - row] = Double(placed.x + Int(glyph.x) + edge) + (isLeft ? 1 - covered : covered)
    }
  }

  @Test(arguments: [100, 125, 248, 252, 300, 500])
  func `lines break at the same places at every scale`(side: Int) throws {
    func lines(width: Double, side: Int) throws -> Int {
      let window = Window(size: Size(width: 250, height: 250))
      window.appearance.background = hex("#000000")
      let text = label("xxxxxxxxx xxxxxxxxx", 0, 0, width, 50, size: 14, color: "#ffffff", in: window)
      text.textStyle.lines = 0
      let surface = try paint(window, width: side, height: side)
      let rows = (0..<side / 5).map { y in (0..<side).contains { surface.color(x: $0, y: y).red > 60 } }
      return zip(rows, rows.dropFirst()).count { !$0 && $1 }
    }
    for width in stride(from: 140.0, through: 156, by: 1) {
      #expect(try lines(width: width, side: side) == lines(width: width, side: 250), "\(width)")
    }
  }

  @Test
  func `only as much of a very long text is shaped as fits its view`() throws {
    let block = try block(String(repeating: "i", count: 4096), width: 100, lines: 1)
    #expect(block.isCut)
    #expect(block.lines[0].glyphs.count < 40)
  }

  @Test
  func `text is broken at spaces, hyphens and line feeds, and long words where they must`() throws {
    #expect(try lines("one two three", width: 75) == ["one two", "three"])
    #expect(try lines("one two\nthree\n\nfour\n", width: 400) == ["one two", "three", "", "four"])
    #expect(try lines("well-known", width: 60) == ["well-", "known"])
    let word = try lines("abcdefghijklmnopqrstuvwxyz", width: 80)
    #expect(word.count > 2 && word.joined() == "abcdefghijklmnopqrstuvwxyz")
    #expect(try lines("x", width: 0) == ["x"])
    #expect(try lines("", width: 10) == [""])
  }

  @Test(arguments: [60, 80, 100, 120, 160, 200, 240])
  func `a line that ends at a soft hyphen has a hyphen, and no other soft hyphen is seen`(width: Int) throws {
    let parts = ["Donau", "damp", "boots", "hafen", "gesell", "saal"]
    let broken = try lines(parts.joined(separator: "\u{ad}"), width: width)
    for line in broken.dropLast() { #expect(line.hasSuffix("-")) }
    let words = broken.map { $0.replacing("-", with: "") }
    #expect(words.joined() == parts.joined() && broken.last?.hasSuffix("-") == false)
    // A line ends between two parts.
    var ends: Set<Int> = []
    for part in parts { ends.insert((ends.max() ?? 0) + part.count) }
    var count = 0
    for word in words {
      count += word.count
      #expect(ends.contains(count), "\(broken)")
    }
    for line in try block(parts.joined(separator: "\u{ad}"), width: width).lines {
      #expect(line.width <= width)
    }
    #expect(try lines("Donau\u{ad}", width: width) == ["Donau"])
  }

  /// Unicode's annex 14, rules 13 and 14.
  @Test(arguments: [50, 67, 84, 101, 118, 135, 200])
  func `no line of an Asian text begins with a full stop or ends with an opening bracket`(width: Int) throws {
    for text in ["今日は（とても）晴れです。明日も、晴れです。「はい」", "你好，世界。欢迎光临！请按“开始”键（绿色）。"] {
      let broken = try lines(text, width: width)
      #expect(broken.joined() == text)
      for line in broken.dropFirst() { #expect(!"。、，！）」".contains(line.first ?? "。"), "\(broken)") }
      for line in broken { #expect(!"（「".contains(line.last ?? "（"), "\(broken)") }
    }
    #expect(try lines("one\u{200b}two", width: width).count == (width < 60 ? 2 : 1))
  }

  @Test func `a line of an Asian text may end at a flag, and odd characters are drawn as any other`() throws {
    #expect(try lines("一二🇯🇵三四", width: 40).count > 1)
    for scalar in Array(0x1f1e6...0x1f1ff) + [0xfffe, 0xffff, 0x10ffff] {
      let character = String(try #require(UnicodeScalar(scalar)))
      #expect(try !lines("一" + character + "二" + character, width: 40).isEmpty)
    }
  }

  @Test(arguments: [30, 47, 64, 81, 98, 300])
  func `every character of a text is drawn once, whatever the room`(width: Int) throws {
    let text = "The quick brown fox jumps over the lazy dog, twice: no-one saw it coming."
    let broken = try lines(text, width: width)
    #expect(broken.joined().filter { $0 != " " } == text.filter { $0 != " " })
    for line in try block(text, width: width).lines { #expect(line.width <= width) }
  }

  @Test
  func `text that does not fit ends in an ellipsis: by the number of lines, or by the view's height`() throws
  {
    let text = "one two three four five six"
    #expect(try lines(text, width: 75, lines: 2).last?.hasSuffix("…") == true)
    #expect(try lines(text, width: 75, lines: 2).count == 2)
    // 16 pixels a line would be too little for two.
    #expect(try lines(text, width: 75, height: 20).count == 1)
    #expect(try lines(text, width: 75, height: 42).count == 2)
    #expect(try lines("one\ntwo", width: 75, lines: 1) == ["one two"])
    #expect(try lines("one\ntwo\nthree", width: 75, lines: 2) == ["one", "two…"])
    #expect(try lines("one\ntwo\n", width: 75, lines: 2) == ["one", "two"])
  }

  @Test
  func `lines stand one below the other, at the top, in the middle or at the bottom`() throws {
    var tops: [Int] = []
    for alignment in TextStyle.VerticalAlignment.allCases {
      let window = Window(size: Size(width: 100, height: 120))
      window.appearance.background = hex("#000000")
      let text = label("HH HH", 0, 10, 40, 100, size: 20, color: "#ffffff", in: window)
      text.textStyle.lines = 0
      text.textStyle.verticalAlignment = alignment
      let surface = try paint(window, width: 100, height: 120)
      let rows = (0..<120).filter { y in (0..<100).contains { surface.color(x: $0, y: y).red > 200 } }
      // Two lines of capitals, with a gap between them.
      #expect(rows.count >= 28 && rows.count <= 32)
      #expect(zip(rows, rows.dropFirst()).contains { $1 - $0 > 5 })
      tops.append(rows[0])
    }
    #expect(tops[0] < 20 && tops[1] > 30 && tops[2] > tops[1] + 20)
  }

  @Test
  func `bold is heavier than regular`() throws {
    let bold = try block("mmmm", width: 400, weight: .bold).lines[0].width
    #expect(try bold > block("mmmm", width: 400).lines[0].width)
  }

  @Test
  func `right-to-left scripts run right to left, Arabic letters join, marks stay on their letters`() throws {
    #expect(try lines("אבג", width: 400) == ["גבא"])
    let beh = try block("ب", width: 400).lines[0].width
    #expect(try block("ببب", width: 400).lines[0].width < 3 * beh - 6)
    let (plain, accented) = (try block("e", width: 99).lines[0], try block("e\u{301}", width: 99).lines[0])
    #expect(accented.width == plain.width)
    // One glyph that is higher, or two.
    let heights = [plain, accented].map { $0.glyphs.map { Int($0.glyph.pointee.y) }.max() ?? 0 }
    #expect(heights[1] > heights[0] + 2)
  }

  @Test(arguments: [
    ("שלום עולם", "םלוע םולש"),
    ("abc אבג דהו def", "abc והד גבא def"),
    ("אבג 123 דהו", "והד 123 גבא"),
    ("אבג abc דהו", "והד abc גבא"),
    ("מחיר 12.50 ₪!", "!₪ 12.50 ריחמ"),
    ("abc (אבג) d", "abc (גבא) d"),
    ("אבג (abc)", "(abc) גבא"),
    ("אבג (דה)", "(הד) גבא"),
    ("1. אבג", "גבא .1"),
    ("אבג-50%", "50%-גבא"),
    ("C++ ו-Java", "C++ ו-Java"),
    ("a 1,5 b", "a 1,5 b"),
    ("«אב» [ג]", "[ג] «בא»"),
    ("אב, גד: ה", "ה :דג ,בא"),
    ("x\u{202e}y", "x\u{202e}y"),
    // Digits of a script that runs to the left run to the right.
    ("אבג ۱۲۳ דהו", "והד ۱۲۳ גבא"),
    ("אב ⦅ג⦆ ד", "ד ⦅ג⦆ בא"),
    ("א ∈ ב", "ב ∋ א"),
    ("abc (אבג [דה) ו", "abc (הד] גבא) ו"),
  ])
  func `words and numbers are ordered by Unicode's annex 9`(text: String, seen: String) throws {
    #expect(try lines(text, width: 1000, lines: 1) == [seen])
  }

  @Test(arguments: [
    // RLM and LRM: as letters that are not seen.
    ("\u{200f}abc!", "!abc"),
    ("אבג C++ דהו", "והד ++C גבא"),
    ("אבג C++\u{200e} דהו", "והד C++ גבא"),
    // RLE, LRE.
    ("x \u{202b}abc אבג\u{202c} def", "x גבא abc def"),
    ("ו \u{202a}abc אבג!\u{202c} דהו", "והד abc גבא! ו"),
    // RLO, LRO.
    ("x\u{202e}yz\u{202c}!", "xzy!"),
    ("\u{202d}אבג\u{202c} דהו", "והד אבג"),
    // FSI, RLI, LRI: what is in them is nothing to what is around them.
    ("\u{2068}אבג\u{2069}: 5 abc", "גבא: 5 abc"),
    ("x \u{2068}אבג\u{2069} 12", "x גבא 12"),
    ("x אבג 12", "x 12 גבא"),
    ("\u{2067}abc!\u{2069} x", "!abc x"),
    ("אבג \u{2066}C++\u{2069} דהו", "והד C++ גבא"),
    // Nothing to end.
    ("a\u{202c}\u{2069}b אב", "ab בא"),
  ])
  func `marks, embeddings, overrides and isolates take effect, and have no width`(text: String, seen: String)
    throws
  {
    let line = try block(text, width: 1000, lines: 1).lines[0]
    var letters = ""
    try withExtendedLifetime(line) {
      for placed in line.glyphs {
        let scalar = try #require(UnicodeScalar(placed.glyph.pointee.cp))
        if scalar.properties.isBidiControl {
          #expect(placed.glyph.pointee.advance.x == 0 && placed.glyph.pointee.width == 0)
        } else {
          letters.unicodeScalars.append(scalar)
        }
      }
    }
    #expect(letters == seen)
  }

  @Test(
    arguments: 0..<60
  )
  func `with any nesting of marks, every character appears once`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Marks, embeddings, overrides, isolates and what ends them; brackets, letters, digits, what stands
    // around them.
    var alphabet: [UInt32] = [0x200e, 0x200f, 0x200d, 0x28, 0x29, 0x5b, 0x5d, 0x61, 0x5d0, 0x627, 0x300]
    alphabet += [0x31, 0x661, 0x20, 0x2b, 0x2c, 0x24]
    alphabet += Array(0x202a...0x202e) + Array(0x2066...0x2069)
    // Some of them often, some of them never.
    var bag: [UInt32] = [0x5d0]
    for scalar in alphabet { bag += Array(repeating: scalar, count: Int.random(in: 0..<4, using: &random)) }
    var characters: [[UInt32]] = [[0x5d0]]
    for _ in 1..<4096 { characters.append([bag[Int.random(in: 0..<bag.count, using: &random)]]) }
    let paragraph = try #require(try BidiParagraph(characters[...]))
    for line in [characters[...], characters[1000..<1200]] {
      let seen = paragraph.runs(of: line, [0x2026]).flatMap { $0.scalars.map(Self.unmirrored) }
      let read = Array(line.joined()) + [0x2026]
      #expect(seen.sorted() == read.map(Self.unmirrored).sorted())
    }
  }

  private static func unmirrored(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x29: 0x28
    case 0x5d: 0x5b
    default: scalar
    }
  }

  @Test
  func `marks take effect up to a nesting of sixty`() throws {
    func seen(_ depth: Int) throws -> [UInt32] {
      let (open, close) = (
        Array(repeating: "\u{2067}", count: depth), Array(repeating: "\u{2069}", count: depth)
      )
      let text = "x" + open.joined() + "ab!" + close.joined()
      let characters = text.map { $0.unicodeScalars.map(\.value) }
      let paragraph = try #require(try BidiParagraph(characters[...]))
      return paragraph.runs(of: characters[...], []).flatMap(\.scalars).filter { $0 < 0x80 }
    }
    #expect(try seen(1) == [0x78, 0x21, 0x61, 0x62])
    #expect(try seen(59) == [0x78, 0x21, 0x61, 0x62])
  }

  @Test
  func `each paragraph has its own direction, its lines keep it, and an ellipsis stands where reading ends`()
    throws
  {
    #expect(try lines("אבג\nabc, אבג", width: 400) == ["גבא", "abc, גבא"])
    let broken = try lines("אבגד הוזח 123, טיכל", width: 80)
    #expect(broken == ["חזוה דגבא", ",123", "לכיט"] || broken == ["חזוה דגבא", "לכיט ,123"], "\(broken)")
    #expect(try lines("אבגד הוזח טיכל", width: 60, lines: 1)[0].hasPrefix("…"))
    #expect(try lines("abcd אבגד הוזח", width: 70, lines: 1)[0].hasSuffix("…"))
    // What is broken off still says which way the hyphen goes.
    #expect(try lines("abc אבג - דהו", width: 90) == ["abc - גבא", "והד"])
    // Cut inside of an isolate, the line ends where the paragraph's direction has it end.
    #expect(try lines("abcd \u{2067}אבגד הוזח\u{2069}", width: 70, lines: 1)[0].hasSuffix("…"))
  }

  @Test
  func `Arabic letters join across a line's words as they do in one, and marks stay on their letters`() throws
  {
    let (first, second) = ("السلام", "عليكم")
    let both = try block("\(first) \(second)", width: 400).lines[0]
    let alone = try [second, first].map { try block($0, width: 400).lines[0] }
    let glyphs = alone.map { $0.glyphs.map { $0.glyph.pointee.cp } }
    #expect(both.glyphs.map { $0.glyph.pointee.cp } == glyphs[0] + [0x20] + glyphs[1])
    let vocalised = try block("שָׁלוֹם", width: 400).lines[0]
    #expect(try vocalised.width == block("שלום", width: 400).lines[0].width)
  }

  @Test
  func `a letter with thousands of marks is drawn quickly, with a few of them`() throws {
    let text = "a" + String(repeating: "\u{301}", count: 200_000) + "b"
    let line = try block(text, width: 400, lines: 1).lines[0]
    #expect(line.glyphs.count < 64 && line.glyphs.last?.glyph.pointee.cp == 0x62)
  }

  @Test
  func `a missing letter comes from another family; one that no family has does not affect the others`()
    throws
  {
    // DejaVu Serif has no Hebrew.
    let (serif, sans) = (
      try block("א", width: 99, family: "DejaVu Serif").lines[0], try block("א", width: 99).lines[0]
    )
    #expect(serif.width == sans.width && serif.glyphs.first?.glyph.pointee.pix != nil)
    let line = try block("A\u{10fffd}B", width: 99).lines[0]
    let last = try #require(line.glyphs.last)
    let first = try block("A", width: 99).lines[0]
    #expect(last.glyph.pointee.cp == 0x42 && last.x >= first.width)
  }

  @Test
  func `text in several lines`() throws {
    let window = Window(size: Size(width: 480, height: 200))
    window.appearance.background = hex("#0f1419")
    let texts: [(String, TextStyle.Alignment, TextStyle.VerticalAlignment, TextStyle.Weight)] = [
      (
        "Left and top. A text is broken at its spaces, and what has no room at all ends early.", .left, .top,
        .regular
      ),
      ("Centred, bold\nand in the middle", .center, .middle, .bold),
      ("שלום עולם\nالسلام عليكم\nŽluťoučký kůň e\u{301}o\u{308}", .right, .bottom, .regular),
    ]
    for (index, (text, alignment, vertical, weight)) in texts.enumerated() {
      let card = view(
        "card", 12 + Double(index) * 156, 12, 144, 110, "#18212c", radius: 8, border: ("#2c3e50", 1),
        in: window)
      let label = label(text, 8, 8, 128, 94, size: 15, alignment, in: card)
      label.textStyle.lines = 0
      label.textStyle.verticalAlignment = vertical
      label.textStyle.weight = weight
    }
    let turned = label(
      "Turned text has lines\nof its own too", 180, 140, 140, 48, size: 14, color: "#8fd0ff", .center,
      in: window)
    turned.textStyle.lines = 0
    turned.transform = rotation(-6)
    try expectGolden(paint(window, width: 480, height: 200), "text")
  }
}
