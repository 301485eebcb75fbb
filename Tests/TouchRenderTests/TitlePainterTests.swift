import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchSystem
@testable import TouchViews

/// Icons, second lines, and what fonts can be told.
@Suite struct TitlePainterTests {
  private func button(_ x: Double, _ y: Double, _ text: String, _ icon: Icon, detail: String = "") -> Button {
    let button = Button(text, id: text, frame: LocalRect(x: x, y: y, width: 130, height: 72))
    button.textStyle = textStyle(16, "#ffffff", .center)
    (button.icon, button.detail, button.background) = (icon, detail, hex("#24303c"))
    return button
  }

  @Test(arguments: [1, 2]) func `icons stand around texts and alone, in every place`(scale: Int) throws {
    let window = Window(size: Size(width: 430, height: 250))
    window.background = hex("#101418")
    for (index, place) in Icon.Place.allCases.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 3)
      window.addSubview(
        button(
          10 + 140 * Double(column), 10 + 80 * Double(row), place.rawValue, Icon("lightbulb", place: place),
          detail: index == 3 ? "below" : ""))
    }
    window.addSubview(button(150, 90, "", Icon("power", size: 40, color: hex("#ff8a4c"))))
    window.addSubview(button(290, 90, "Aligned", Icon("music-note"), detail: "to the right"))
    (window.subviews.last as? Button)?.textStyle.alignment = .right
    let image = ImageView(frame: LocalRect(x: 10, y: 170, width: 60, height: 60))
    image.icon = Icon("weather-sunny")
    window.addSubview(image)
    let list = ListView(frame: LocalRect(x: 90, y: 170, width: 160, height: 72))
    (list.rows, list.icons, list.rowHeight) = (["Home", "Away"], ["home", "airplane"], 36)
    list.textStyle = textStyle(16, "#ffffff", .left)
    window.addSubview(list)
    let segments = SegmentedControl(frame: LocalRect(x: 260, y: 180, width: 160, height: 40))
    (segments.segments, segments.icons) = (["", "Fan"], ["fire", "fan"])
    segments.selectedIndex = 1
    segments.textStyle = textStyle(14, "#ffffff", .center)
    window.addSubview(segments)
    try expectGolden(paint(window, width: 430 * scale, height: 250 * scale), "icons-\(scale)")
  }

  @Test func `the icons that touchtree draws itself, filled and outlined`() throws {
    let window = Window(size: Size(width: 820, height: 420))
    window.background = hex("#ffffff")
    for (index, name) in IconNames.own.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 20)
      let image = ImageView(
        frame: LocalRect(x: 10 + 40 * Double(column), y: 10 + 40 * Double(row), width: 32, height: 32))
      image.icon = Icon(name, color: hex("#12171e"))
      window.addSubview(image)
    }
    for (index, data) in ["M4 4h16v16H4z", "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z"].enumerated() {
      let button = Button("", frame: LocalRect(x: 10 + 90 * Double(index), y: 230, width: 80, height: 60))
      button.icon = Icon(size: 32, color: hex("#c22b2b"))
      button.icon.path = data
      window.addSubview(button)
    }
    try expectGolden(paint(window, width: 820, height: 420), "own-icons")
  }

  @Test func `an unknown icon is reported with the nearest ones, and nothing is painted`() throws {
    let window = Window(size: Size(width: 60, height: 60))
    let label = Label("", id: "a", frame: LocalRect(x: 0, y: 0, width: 60, height: 60))
    label.icon = Icon("lightblub")
    window.addSubview(label)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: Size(width: 60, height: 60)))
    var notices: [PaintNotice] = []
    painter.report = { notices.append($0) }
    painter.paintAll(window, highlights: nil, on: try Surface(width: 60, height: 60))
    #expect(notices == [.iconUnknown(name: "lightblub", view: "a")])
    #expect(notices.first.map { "\($0)".contains("lightbulb") } == true)
    #expect("\(PaintNotice.iconsUnavailable)".contains(IconFont.package))
  }

  @Test func `a font of icons that is not there has none, and a broken one no wrong ones`() throws {
    #expect(IconFont(path: "/nowhere.ttf") == nil)
    #expect(IconFont(path: Fixture.logo) == nil)
    let font = try #require(IconFont.installed)
    #expect(font.names.count > 1000 && font.character("lightbulb")?.value == 0xf335)
    #expect(font.names == font.names.sorted())
  }

  @Test func `a view is as large as its icon and its texts`() throws {
    _ = Fixture.standardFonts
    let measurer = ContentMeasurer()
    let label = Label("Text")
    label.textStyle = textStyle(20, "#ffffff", .left)
    let plain = try #require(measurer.size(of: label, atWidth: 500))
    label.icon = Icon("power")
    let beside = try #require(measurer.size(of: label, atWidth: 500))
    #expect(beside.width == plain.width + 25 + 8 && beside.height >= plain.height)
    label.icon.place = .top
    let above = try #require(measurer.size(of: label, atWidth: 500))
    #expect(above.width == max(plain.width, 35) && above.height == plain.height + 35 + 8)
    label.detail = "A longer second line"
    let both = try #require(measurer.size(of: label, atWidth: 500))
    #expect(both.width > above.width && both.height > above.height)
  }

  @Test func `letters are spaced, lines stand apart, and digits are as wide as each other`() throws {
    _ = Fixture.standardFonts
    let measurer = ContentMeasurer()
    func size(_ text: String, _ change: (inout TextStyle) -> Void) throws -> Size {
      let label = Label(text)
      label.textStyle = textStyle(20, "#ffffff", .left)
      label.textStyle.family = "Inter"
      label.textStyle.lines = 0
      change(&label.textStyle)
      return try #require(measurer.size(of: label, atWidth: 500))
    }
    let plain = try size("Spaced") { _ in }
    #expect(try size("Spaced") { $0.letterSpacing = 2 }.width == plain.width + 12)
    #expect(try size("Spaced") { $0.letterSpacing = -0.5 }.width == plain.width - 3)
    let lines = try size("A\nB") { _ in }
    #expect(try size("A\nB") { $0.lineHeight = 2 }.height > lines.height + 15)
    let digits = try [0, 1].map { digit in
      try size(String(repeating: "\(digit)", count: 8)) { $0.figures = .tabular }.width
    }
    #expect(digits[0] == digits[1])
    #expect(try size("11111111") { _ in }.width != digits[1])
  }

  @Test func `a control has the colours of its state`() throws {
    let button = Button("A", id: "a", frame: LocalRect(x: 0, y: 0, width: 60, height: 40))
    button.background = hex("#101010")
    var colors = StateColors()
    (colors.selected, colors.disabled, colors.pressed) = (hex("#00ff00"), hex("#0000ff"), hex("#ff0000"))
    button.stateColors = colors
    func shown() throws -> String {
      let window = Window(size: Size(width: 60, height: 40))
      window.addSubview(button)
      return try paint(window, width: 60, height: 40).color(x: 2, y: 2).hex
    }
    #expect(try shown() == "#101010")
    button.isSelected = true
    #expect(try shown() == "#00ff00")
    #expect(button.selectionRing == nil)
    button.isEnabled = false
    #expect(try shown() == "#0000ff")
    #expect(button.shownOpacity == 255)
  }
}
