import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Words of letters that are not repeated.
private func words(_ random: inout SeededGenerator, letters: Int) -> String {
  let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
  return String((0..<letters).map { $0 % 6 == 5 ? " " : alphabet[Int(random.next() % 26)] })
}

/// What a change costs is counted in letters that are drawn, not in time.
@Suite("What texts cost")
struct TextCostTests {
  /// A page of texts in a column, and what measures them.
  private struct Page {
    let window = Window(size: Size(width: 800, height: 480))
    let measurer = ContentMeasurer()
    let stack = StackView(id: "stack", frame: LocalRect(x: 0, y: 0, width: 800, height: 40_000))
    var labels: [Label] = []

    init(_ count: Int, letters: Int, _ random: inout SeededGenerator) {
      Fixture.standardFonts
      window.contentMeasurer = { [measurer] in measurer.size(of: $0, atWidth: $1) }
      stack.arrangement.axis = .vertical
      window.addSubview(stack)
      for index in 0..<count {
        let label = Label(id: "label \(index)")
        label.text = words(&random, letters: letters)
        (label.textStyle.family, label.textStyle.size, label.textStyle.lines) = ("DejaVu Sans", 16, 0)
        stack.addArrangedSubview(label)
        labels.append(label)
      }
      window.layoutIfNeeded()
    }
  }

  @Test(arguments: [(26, 1000), (60, 1000), (200, 150)])
  func `a label that changes is measured, and the others of its stack are not`(count: Int, letters: Int)
    throws
  {
    var random = SeededGenerator(seed: 46)
    let page = Page(count, letters: letters, &random)
    let work = page.measurer.cache.work
    // Twice, since a line that is full is tried with a part of the next word.
    #expect(work.glyphs >= count * letters / 2 && work.glyphs <= 2 * count * letters)
    for index in [0, count / 2, count - 1] {
      let before = work.glyphs
      page.labels[index].text = words(&random, letters: letters)
      page.window.layoutIfNeeded()
      #expect((letters / 2...2 * letters).contains(work.glyphs - before), "\(work.glyphs - before)")
    }
    // What was there before is known.
    let before = work.glyphs
    page.labels[0].textStyle.color = hex("#ff0000")
    page.window.layoutIfNeeded()
    #expect(work.glyphs == before)
  }

  @Test(arguments: [200, 800])
  func `a word that is longer than a line costs a few times its letters`(width: Int) throws {
    Fixture.standardFonts
    var random = SeededGenerator(seed: 50)
    let word = words(&random, letters: 4096).replacing(" ", with: "x")
    let cache = TextCache()
    let room = TextCache.Room(width: width, height: Int.max / 2, lines: 0)
    _ = cache.size(of: word, TextCache.FontKey(family: "DejaVu Sans", pixelSize: 16), in: room)
    #expect(cache.work.glyphs < 6 * 4096, "\(cache.work.glyphs)")
  }

  @Test
  func `a letter that is typed into a long text costs its word, and painting the field what is seen of it`()
    throws
  {
    Fixture.standardFonts
    var random = SeededGenerator(seed: 48)
    let window = Window(size: Size(width: 400, height: 60))
    let measurer = ContentMeasurer()
    window.caretMeasurer = { [measurer] in measurer.carets(of: $0, $1) }
    let field = TextField(id: "field", frame: LocalRect(x: 10, y: 8, width: 380, height: 44))
    (field.textStyle.family, field.textStyle.size) = ("DejaVu Sans", 16)
    window.addSubview(field)
    field.text = words(&random, letters: 4000)
    field.becomeFirstResponder()
    let picture = try Surface(width: 400, height: 60)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: Size(width: 400, height: 60)))
    painter.paintAll(window, highlights: nil, on: picture)
    let before = measurer.cache.work.glyphs
    // At its end, in its middle and at its beginning.
    for place in [4000, 2000, 0] {
      field.selection = place..<place
      field.insertText("x")
      painter.paintAll(window, highlights: nil, on: picture)
      #expect(field.seenText.letters.count < 300)
    }
    #expect(measurer.cache.work.glyphs - before < 60, "\(measurer.cache.work.glyphs - before)")
  }

  @Test(arguments: [false, true])
  func `the beginning and the end of a long text look as those of a short one`(isAtEnd: Bool)
    throws
  {
    Fixture.standardFonts
    var random = SeededGenerator(seed: 49)
    let text = words(&random, letters: 900)
    func picture(_ text: String, isWhole: Bool) throws -> Surface {
      let window = Window(size: Size(width: 300, height: 60))
      let measurer = ContentMeasurer()
      window.caretMeasurer = { [measurer] in measurer.carets(of: $0, $1) }
      let field = TextField(id: "field", frame: LocalRect(x: 10, y: 8, width: 280, height: 44))
      (field.textStyle.family, field.textStyle.size) = ("DejaVu Sans", 16)
      window.addSubview(field)
      field.text = text
      field.becomeFirstResponder()
      if !isAtEnd { field.selection = 0..<0 }
      #expect((field.seenText.letters == text) == isWhole)
      let picture = try Surface(width: 300, height: 60)
      let painter = try Painter(geometry: DisplayGeometry(displaySize: Size(width: 300, height: 60)))
      painter.paintAll(window, highlights: nil, on: picture)
      return picture
    }
    // Whole words of it.
    let short = isAtEnd ? String(text.suffix(240)) : String(text.prefix(240))
    #expect(try firstDifference(picture(text, isWhole: false), picture(short, isWhole: true)) == nil)
  }

  @Test func `more text than is kept costs what was forgotten, and fonts stay`() throws {
    Fixture.standardFonts
    var random = SeededGenerator(seed: 47)
    let cache = TextCache()
    let key = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 16)
    let room = TextCache.Room(width: 700, height: 10_000, lines: 0)
    let texts = (0..<60).map { _ in words(&random, letters: 1000) }
    for text in texts { _ = try #require(cache.block(text, key, in: room)) }
    weak let font = cache.font(key)
    var before = cache.work.glyphs
    for text in texts.suffix(20) { _ = cache.block(text, key, in: room) }
    #expect(cache.work.glyphs == before)
    _ = cache.block(words(&random, letters: 1000), key, in: room)
    #expect(cache.work.glyphs - before <= 2000)
    before = cache.work.glyphs
    for text in texts.suffix(19) { _ = cache.block(text, key, in: room) }
    #expect(cache.work.glyphs == before)
    #expect(font != nil)
  }

  @Test(arguments: [0, 1, 2, 7, 40, 100, 333])
  func `a text is as large as the lines into which it is broken`(width: Int) throws {
    Fixture.standardFonts
    let texts = [
      "The quick brown fox jumps over the lazy dog, twice: no-one saw it coming.",
      "שלום עולם abc 12.50", "السلام عليكم", "中文字在一行裏不要空格", "e\u{301}a \u{301}b", "  two  spaces  ",
      "a\u{20}\u{e33}b", "one\n\ntwo", "one\nאבג דהו\nשלום עולם abc", String(repeating: "x", count: 300),
    ]
    let cache = TextCache()
    let key = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 16)
    for text in texts {
      for lines in [0, 1, 2] {
        let room = TextCache.Room(width: width, height: Int.max / 2, lines: lines)
        let size = try #require(cache.size(of: text, key, in: room))
        let block = try #require(cache.block(text, key, in: room))
        #expect(Int(size.width) == block.lines.map(\.width).max(), "\(text)")
        let height = block.ascent + block.descent + Double(block.lines.count - 1) * block.lineHeight
        #expect(size.height == height, "\(text)")
      }
    }
  }

  @Test func `any number of fonts takes bounded room, whatever still shows their texts`() throws {
    Fixture.standardFonts
    let cache = TextCache()
    let first = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 10)
    weak let font = cache.font(first)
    #expect(font != nil)
    let block = try #require(cache.block("Some text", first, in: TextCache.Room(width: 500)))
    for number in 0..<400 {
      let key = TextCache.FontKey(
        family: number.isMultiple(of: 2) ? "DejaVu Sans" : "Nowhere \(number)",
        pixelSize: 10.25 + Double(number) / 4)
      _ = cache.block("é", key, in: TextCache.Room(width: 500))
      #expect(cache.fontCost <= TextCache.largestSize)
    }
    #expect(font == nil)
    withExtendedLifetime(block) { #expect(block.lines[0].glyphs.count == 9) }
  }

  @Test func `a notice is reported once, and of any number of them a bound, with one line for the others`() {
    let log = PaintNoticeLog()
    var notices: [PaintNotice] = []
    log.report = { notices.append($0) }
    // As views that are painted again and again.
    for _ in 0..<5 {
      for number in 0..<900 { log.log(.textCut(view: "label-\(number)")) }
      log.finish()
    }
    let others = notices.filter { if case .more = $0 { true } else { false } }
    #expect(others == [.more(901 - notices.count)] && others.first == notices.last)
    #expect(Set(notices).count == notices.count && notices.count > 400)
    for number in 0..<100_000 {
      log.log(.fontUnavailable(family: String(repeating: "x", count: 100) + "\(number)"))
    }
    log.finish()
    #expect(notices.count < 1000 && log.cost <= 256 << 10)
  }

  @Test func `where all are asked for, every notice is reported once`() {
    let log = PaintNoticeLog()
    log.isBounded = false
    var count = 0
    log.report = { _ in count += 1 }
    for _ in 0..<2 {
      for number in 0..<2000 { log.log(.textCut(view: "label-\(number)")) }
      log.finish()
    }
    #expect(count == 2000)
  }
}
