import Glibc
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// The rectangle around all pixels that are not the background's.
private func inked(_ display: Surface, background: String = "#000000") -> PixelRect {
  var rect = PixelRect.empty
  for y in 0..<display.height {
    for x in 0..<display.width where display.color(x: x, y: y).hex != background {
      rect = rect.union(PixelRect(x: x, y: y, width: 1, height: 1))
    }
  }
  return rect
}

private func blackWindow(_ width: Double = 200, _ height: Double = 60) -> Window {
  let window = Window(size: Size(width: width, height: height))
  window.appearance.background = hex("#000000")
  return window
}

@Suite("Text")
struct TextTests {
  @Test
  func `a line is centred in height and aligned in width`() throws {
    var edges: [PixelRect] = []
    for alignment in TextStyle.Alignment.allCases {
      let window = blackWindow()
      label("HHHH", 20, 10, 160, 40, size: 20, color: "#ffffff", alignment, in: window)
      edges.append(inked(try paint(window, width: 200, height: 60)))
    }
    #expect(edges[0].minX >= 20 && edges[0].minX <= 24)
    #expect(abs((edges[1].minX + edges[1].maxX) / 2 - 100) <= 1)
    #expect(edges[2].maxX <= 180 && edges[2].maxX >= 176)
    for edge in edges { #expect(abs((edge.minY + edge.maxY) / 2 - 30) <= 2) }
    #expect(edges[0].height >= 14 && edges[0].height <= 16)
  }

  @Test
  func `text that does not fit ends in an ellipsis inside the view`() throws {
    let window = blackWindow()
    label("A line that is much too long for its view", 20, 10, 120, 40, in: window)
    let cut = inked(try paint(window, width: 200, height: 60))
    #expect(cut.minX >= 20 && cut.maxX <= 140 && cut.maxX > 110)
    let store = TextCache()
    func line(_ text: String, width: Int) -> TextLine? {
      store.block(text, TextCache.FontKey(family: "DejaVu Sans", pixelSize: 16), in: .init(width: width))?
        .lines.first
    }
    let long = try #require(line("abcdefghijklmnopqrstuvwxyz", width: 90))
    let short = try #require(line("abc", width: 90))
    #expect(long.width <= 90 && long.width > 70)
    #expect(short.glyphs.count == 3)
    #expect(long.glyphs.last?.glyph.pointee.pix != nil)
    // Room for nothing at all still gives a line: the ellipsis, cut by the view.
    #expect(line("abcdef", width: 0)?.glyphs.count == 1)
  }

  @Test(arguments: [
    "", "\n\t\r\u{0}\u{7f}", "two\nlines", "שלום", "e\u{301}\u{302}\u{303}", "👩‍👩‍👧‍👦", "\u{202e}turned",
    "\u{feff}",
    String(repeating: "long ", count: 20_000), "\u{10ffff}", "%s%n:family=-,\\",
  ])
  func `nothing in a text can stop the painter`(text: String) throws {
    let window = blackWindow()
    label(text, 20, 10, 120, 40, in: window)
    button(text, 20, 30, 120, 20, nil, in: window)
    let reached = inked(try paint(window, width: 200, height: 60))
    #expect(PixelRect(x: 20, y: 10, width: 120, height: 40).contains(reached) || reached.isEmpty)
  }

  @Test(arguments: ["a:size=90", "b-90", "c,d", "\\", ""])
  func `a family's name may contain characters that are special to fontconfig`(name: String) throws {
    let window = blackWindow()
    let label = label("H", 20, 10, 120, 40, size: 16, in: window)
    label.textStyle.family = name
    #expect(inked(try paint(window, width: 200, height: 60)).height <= 16)
  }

  @Test(arguments: [0, -5, Double.nan, .infinity, 1e9, 0.2, 5000])
  func `extreme font sizes paint nothing, or the visible part`(points: Double) throws {
    let window = blackWindow()
    let label = label("Hello", 20, 10, 120, 40, in: window)
    label.textStyle.size = points
    let reached = inked(try paint(window, width: 200, height: 60))
    #expect(reached.isEmpty || PixelRect(x: 20, y: 10, width: 120, height: 40).contains(reached))
  }

  @Test
  func `text on a display turned by quarters has the pixels of upright text`() throws {
    let window = blackWindow()
    label("Quarter", 20, 10, 160, 40, size: 20, color: "#ffffff", in: window)
    let upright = try paint(window, width: 200, height: 60)
    let quarter = try paint(window, width: 60, height: 200, rotation: .quarter)
    let half = try paint(window, width: 200, height: 60, rotation: .half)
    for y in 0..<60 {
      for x in 0..<200 {
        let expected = upright.color(x: x, y: y)
        #expect(quarter.color(x: 59 - y, y: x) == expected)
        #expect(half.color(x: 199 - x, y: 59 - y) == expected)
      }
    }
  }

  @Test
  func `text is as opaque as its view`() throws {
    let window = blackWindow()
    let full = label("HHH", 20, 10, 160, 40, size: 30, color: "#ffffff", in: window)
    full.alpha = 0.5
    let display = try paint(window, width: 200, height: 60)
    let brightest = (0..<200 * 60).map { display.pixels[$0] & 255 }.max()
    #expect(brightest == 128)
  }

  @Test
  func `without any font there is one notice for each family, and everything else is painted`() async {
    await #expect(processExitsWith: .success) {
      setenv("FONTCONFIG_FILE", Fixture.noFonts, 1)
      let window = blackWindow()
      view("plate", 0, 0, 10, 10, "#00ff00", in: window)
      label("one", 20, 10, 120, 20, in: window)
      label("two", 20, 30, 120, 20, in: window)
      let display = try Surface(width: 200, height: 60)
      let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
      var said: [String] = []
      painter.report = { said.append($0.description) }
      painter.paintAll(window, highlights: nil, on: display)
      painter.paintAll(window, highlights: nil, on: display)
      try #require(said.count == 1)
      try #require(said[0].contains("no font for the family \"DejaVu Sans\""))
      try #require(inked(display) == PixelRect(x: 0, y: 0, width: 10, height: 10))
    }
  }

  @Test
  func `the text libraries are loaded by the first text, not before`() async throws {
    // fontconfig complains of a configuration that is missing when it is started.
    func complaint(of result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let without = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("FONTCONFIG_FILE", "/no/such/file", 1)
      let window = blackWindow()
      button("", 0, 0, 100, 20, "#ffffff", in: window)
      label("hidden", 0, 0, 100, 20, in: window).isHidden = true
      _ = try paint(window, width: 200, height: 60)
    }
    #expect(!complaint(of: without).contains("Fontconfig"))
    let with = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("FONTCONFIG_FILE", "/no/such/file", 1)
      let window = blackWindow()
      label("shown", 0, 0, 100, 20, in: window)
      _ = try paint(window, width: 200, height: 60)
    }
    #expect(complaint(of: with).contains("Fontconfig"))
  }

  @Test
  func `buttons in every state, and texts of every alignment`() throws {
    let window = Window(size: Size(width: 560, height: 220))
    window.appearance.background = hex("#0f1419")
    for (index, color) in ["#2f6fed", "#2b3a4c", "#f2f6fa"].enumerated() {
      for state in 0..<4 {
        let textColor = color == "#f2f6fa" ? "#17202a" : "#ffffff"
        let button = button(
          ["Normal", "Pressed", "Selected", "Disabled"][state], 20 + Double(state) * 132,
          16 + Double(index) * 60,
          120, 48, color, size: 16, color: textColor, in: window)
        button.isHighlighted = state == 1
        button.isSelected = state == 2
        button.isEnabled = state != 3
      }
    }
    label("left", 20, 194, 520, 24, size: 14, in: window)
    label("center: naïve façade — Žluťoučký κόσμος", 20, 194, 520, 24, size: 14, .center, in: window)
    label("right", 20, 194, 520, 24, size: 14, .right, in: window)
    try expectGolden(paint(window, width: 560, height: 220), "buttons")
  }
}

@Suite("Letters in light and in dark colours")
struct TextToneTests {
  /// Values of one channel, of the same thin letters in one colour on another.
  private func values(_ color: String, on background: String, size: Double) throws -> [Double] {
    let window = Window(size: Size(width: 200, height: 60))
    window.appearance.background = hex(background)
    let label = label("Hamburg 0123", 10, 10, 180, 40, size: size, color: color, in: window)
    (label.textStyle.family, label.textStyle.weight) = ("Inter", .thin)
    let picture = try paint(window, width: 200, height: 60)
    return (0..<200 * 60).map { Double(picture.pixels[$0] & 255) }
  }

  @Test(arguments: [12.0, 14, 20, 34])
  func `thin white letters on black are nearly as strong as black ones on white, and no stronger`(
    size: Double
  ) throws {
    let coverages = try values("#000000", on: "#ffffff", size: size).map { 255 - $0 }
    let white = try values("#ffffff", on: "#000000", size: size)
    #expect(coverages.contains { (1...254).contains($0) })
    // Black is as it is drawn; white is Skia's table for gamma 1.4.
    for (coverage, value) in zip(coverages, white) {
      #expect(value == (255 * pow(coverage / 255, 1 / 1.4)).rounded(), "\(coverage)")
    }
    // A display's light goes by a power of about 2.2.
    func light(_ value: Double) -> Double { pow(value / 255, 2.2) }
    let taken = coverages.reduce(0) { $0 + 1 - light(255 - $1) }
    let given = white.reduce(0) { $0 + light($1) }
    let uncorrected = coverages.reduce(0) { $0 + light($1) }
    #expect(given > uncorrected * 1.1 && given < taken, "\(uncorrected / taken) \(given / taken)")
  }

  @Test func `letters of dark and middle tones are as they are drawn`() throws {
    let coverages = try values("#000000", on: "#ffffff", size: 14).map { UInt32(255 - $0) }
    for level in [0x20, 0x60, 0x9f] as [UInt32] {
      let color = Color(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
      let shown = try values(color.hex, on: "#000000", size: 14)
      #expect(shown == coverages.map { Double(Color.multiply(level, $0)) })
    }
  }

  @Test func `a tone is an eighth of the luminance, and each table rises from nothing to everything`() throws
  {
    let tones = ["#000000", "#9f9f9f", "#a0a0a0", "#c0c0c0", "#ffffff", "#00ff00", "#0000ff", "#ffff00"]
    #expect(tones.map { TextTone(hex($0)).index } == [0, 0, 1, 2, 3, 0, 0, 3])
    #expect(TextTone(hex("#808080")).table == nil)
    var before = (0...255).map { UInt8($0) }
    for color in ["#a0a0a0", "#c0c0c0", "#ffffff"] {
      let table = try #require(TextTone(hex(color)).table)
      #expect(table.first == 0 && table.last == 255 && table == table.sorted())
      // The lighter, the stronger.
      #expect(zip(table, before).allSatisfy { $0 >= $1 } && table[128] > before[128])
      before = table
    }
  }

  @Test func `a line is one mask for each tone, and a very long one several`() throws {
    let key = TextCache.FontKey(family: "DejaVu Sans", pixelSize: 40)
    _ = Fixture.standardFonts
    let cache = TextCache()
    func ink(_ text: String, _ color: String) throws -> [TextLine.Ink] {
      let line = try #require(cache.block(text, key, in: .init(width: 20_000))?.lines.first)
      return line.ink(TextTone(hex(color)))
    }
    func mask(_ color: String) throws -> AlphaMask? {
      let parts = try ink("one line", color)
      guard parts.count == 1, case .mask(let mask) = parts[0].picture else { return nil }
      return mask
    }
    let white = try #require(try mask("#ffffff"))
    let (nearly, black) = (try mask("#fefefe"), try mask("#000000"))
    #expect(nearly === white && black != nil && black !== white)
    let long = try ink(String(repeating: "long ", count: 100), "#000000")
    #expect(long.count > 1 && long.allSatisfy { $0.width <= 4096 })
    for (left, right) in zip(long, long.dropFirst()) { #expect(left.x + left.width <= right.x + 8) }
  }

  @Test func `letters that touch add up to a whole pixel, and a mask has a limit`() throws {
    let (half, mask) = (
      try #require(AlphaMask(width: 4, height: 1)), try #require(AlphaMask(width: 4, height: 1))
    )
    for (x, coverage) in [0, 100, 128, 255].enumerated() { half.bytes[x] = UInt8(coverage) }
    for _ in 0..<2 { mask.add(half.image, x: 0, y: 0, width: 4, height: 1) }
    #expect((0..<4).map { mask.bytes[$0] } == [0, 200, 255, 255])
    #expect(AlphaMask(width: 0, height: 1) == nil && AlphaMask(width: 1, height: 20_000) == nil)
  }
}
