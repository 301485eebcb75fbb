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
