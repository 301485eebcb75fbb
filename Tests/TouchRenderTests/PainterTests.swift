import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Paints a 40×30 window on a display of its size and names the colours of some pixels.
private func colors(_ window: Window, at points: [(Int, Int)]) throws -> [String] {
  let display = try paint(
    window, width: Int(window.bounds.size.width), height: Int(window.bounds.size.height))
  return points.map { display.color(x: $0.0, y: $0.1).hex }
}

private func blackWindow() -> Window {
  let window = Window(size: Size(width: 40, height: 30))
  window.appearance.background = hex("#000000")
  return window
}

/// What a painter says while it paints a window.
private func notices(of window: Window, width: Int, height: Int) throws -> ([String], Surface) {
  let display = try Surface(width: width, height: height)
  let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
  var said: [String] = []
  painter.report = { said.append($0.description) }
  painter.paintAll(window, highlights: nil, on: display)
  painter.paintAll(window, highlights: nil, on: display)
  return (said, display)
}

@Suite("Painting views")
struct PainterTests {
  @Test
  func `a rectangle on whole pixels is filled exactly, edge to edge`() throws {
    let window = blackWindow()
    view("red", 10, 5, 20, 10, "#c03020", in: window)
    let display = try paint(window, width: 40, height: 30)
    for y in 0..<30 {
      for x in 0..<40 {
        let inside = (10..<30).contains(x) && (5..<15).contains(y)
        #expect(display.color(x: x, y: y).hex == (inside ? "#c03020" : "#000000"), "(\(x), \(y))")
      }
    }
  }

  @Test
  func `an edge within a pixel covers a part of the pixel`() throws {
    let window = blackWindow()
    view("white", 10.25, 5, 20, 10.5, "#ffffff", in: window)
    #expect(
      try colors(window, at: [(9, 8), (10, 8), (11, 8), (30, 8), (31, 8), (20, 15), (10, 15)])
        == ["#000000", "#bfbfbf", "#ffffff", "#404040", "#000000", "#808080", "#606060"])
  }

  @Test
  func `a translucent colour is blended with rounded 8-bit steps`() throws {
    let window = blackWindow()
    window.appearance.background = hex("#0000ff")
    view("half", 0, 0, 10, 10, "#ff000080", in: window)
    #expect(try colors(window, at: [(5, 5), (15, 5)]) == ["#80007f", "#0000ff"])
  }

  @Test
  func `a view and its subviews fade as a group`() throws {
    let window = blackWindow()
    let group = view("group", 0, 0, 20, 20, "#00ff00", in: window)
    view("child", 5, 5, 30, 5, "#ff0000", in: group)
    group.alpha = 0.5
    // The child hides the group's own green, and is half seen outside of it too.
    #expect(try colors(window, at: [(2, 2), (7, 7), (30, 7)]) == ["#008000", "#800000", "#800000"])
    group.alpha = 0
    #expect(try colors(window, at: [(2, 2), (7, 7)]) == ["#000000", "#000000"])
    group.alpha = .nan
    #expect(try colors(window, at: [(2, 2)]) == ["#000000"])
    group.alpha = 7
    #expect(try colors(window, at: [(2, 2)]) == ["#00ff00"])
  }

  @Test
  func `the opacities of nested groups multiply`() throws {
    let window = blackWindow()
    let outer = view("outer", 0, 0, 20, 20, in: window)
    let inner = view("inner", 0, 0, 20, 20, in: outer)
    view("white", 0, 0, 20, 20, "#ffffff", in: inner)
    (outer.alpha, inner.alpha) = (0.5, 0.5)
    #expect(try colors(window, at: [(10, 10)]) == ["#404040"])
  }

  @Test
  func `a hidden view and its subviews are not painted`() throws {
    let window = blackWindow()
    let parent = view("parent", 0, 0, 20, 20, "#ff0000", in: window)
    view("child", 0, 0, 10, 10, "#00ff00", in: parent)
    parent.isHidden = true
    #expect(try colors(window, at: [(5, 5), (15, 15)]) == ["#000000", "#000000"])
  }

  @Test
  func `children reach beyond their parent unless it clips`() throws {
    let window = blackWindow()
    let parent = view("parent", 10, 10, 10, 10, "#404040", in: window)
    view("child", -5, 5, 20, 2, "#ffffff", in: parent)
    #expect(try colors(window, at: [(7, 15), (15, 15), (22, 15)]) == ["#ffffff", "#ffffff", "#ffffff"])
    parent.clipsToBounds = true
    #expect(try colors(window, at: [(7, 15), (15, 15), (22, 15)]) == ["#000000", "#ffffff", "#000000"])
  }

  @Test
  func `a parent that clips cuts its children at its round corners and turned edges`() throws {
    let window = blackWindow()
    let parent = view("parent", 10, 5, 20, 20, nil, radius: 10, in: window)
    view("child", -10, -10, 60, 60, "#ffffff", in: parent)
    parent.clipsToBounds = true
    #expect(
      try colors(window, at: [(11, 6), (20, 6), (20, 15), (9, 15)]) == [
        "#000000", "#ffffff", "#ffffff", "#000000",
      ])
    parent.appearance.cornerRadius = 0
    parent.transform = rotation(45)
    #expect(
      try colors(window, at: [(11, 6), (20, 3), (20, 15), (8, 15)]) == [
        "#000000", "#ffffff", "#ffffff", "#ffffff",
      ])
  }

  @Test
  func `the bounds' origin scrolls the children, not the view`() throws {
    let window = blackWindow()
    let parent = view("parent", 10, 10, 20, 10, "#404040", in: window)
    view("child", 0, 0, 5, 5, "#ffffff", in: parent)
    parent.bounds.origin = LocalPoint(x: -3, y: -2)
    #expect(
      try colors(window, at: [(10, 10), (13, 12), (17, 16), (18, 17)]) == [
        "#404040", "#ffffff", "#ffffff", "#404040",
      ])
  }

  @Test
  func `a quarter turn is exact`() throws {
    let window = blackWindow()
    let bar = view("bar", 10, 14, 20, 2, "#ffffff", in: window)
    bar.transform = rotation(90)
    #expect(
      try colors(window, at: [(18, 15), (19, 5), (20, 24), (19, 4), (20, 25), (21, 15)])
        == ["#000000", "#ffffff", "#ffffff", "#000000", "#000000", "#000000"])
  }

  @Test
  func `a border lies inside the bounds, over the children, with the background under it`() throws {
    let window = blackWindow()
    let framed = view("framed", 5, 5, 20, 20, "#202020", border: ("#ff0000", 3), in: window)
    view("child", 0, 0, 10, 10, "#00ff00", in: framed)
    #expect(
      try colors(window, at: [(4, 15), (5, 5), (7, 15), (8, 20), (9, 9), (24, 24), (25, 24)])
        == ["#000000", "#ff0000", "#ff0000", "#202020", "#00ff00", "#ff0000", "#000000"])
    for width in [10.0, 12, 100] {
      framed.appearance.border?.width = width
      #expect(try colors(window, at: [(6, 15), (15, 15), (25, 25)]) == ["#ff0000", "#ff0000", "#000000"])
    }
  }

  @Test
  func `the background does not show through the edge of an opaque border`() throws {
    let window = blackWindow()
    view("framed", 5, 5, 20, 20, "#ffffff", radius: 8, border: ("#0000ff", 2), in: window)
    let display = try paint(window, width: 40, height: 30)
    for y in 5..<7 {
      for x in 5..<25 {
        let color = display.color(x: x, y: y)
        #expect(color.red <= color.blue / 8, "(\(x), \(y)) is \(color.hex)")
      }
    }
  }

  @Test
  func `a corner radius beyond half the size makes a circle`() throws {
    let window = blackWindow()
    view("disc", 10, 5, 20, 20, "#ffffff", radius: 1000, in: window)
    let display = try paint(window, width: 40, height: 30)
    for y in 0..<30 {
      for x in 0..<40 {
        let (dx, dy) = (Double(x) + 0.5 - 20, Double(y) + 0.5 - 15)
        let distance = (dx * dx + dy * dy).squareRoot()
        let color = display.color(x: x, y: y).hex
        if distance < 9.4 { #expect(color == "#ffffff", "(\(x), \(y))") }
        if distance > 10.6 { #expect(color == "#000000", "(\(x), \(y))") }
      }
    }
  }

  @Test
  func `bars around the canvas keep the display's background, even if views reach out of the canvas`() throws
  {
    let window = Window(size: Size(width: 10, height: 10))
    window.appearance.background = hex("#202020")
    view("wide", -20, 2, 50, 2, "#ffffff", in: window)
    let display = try Surface(width: 40, height: 20)
    let geometry = DisplayGeometry(displaySize: display.size, canvasSize: window.bounds.size)
    let painter = try Painter(geometry: geometry, background: hex("#0000ff40"))
    painter.paintAll(window, highlights: nil, on: display)
    func color(_ x: Int, _ y: Int) -> String { display.color(x: x, y: y).hex }
    #expect(
      (color(9, 5), color(10, 5), color(29, 5), color(30, 5)) == ("#0000ff", "#ffffff", "#ffffff", "#0000ff"))
    #expect((color(9, 15), color(10, 15), color(39, 19)) == ("#0000ff", "#202020", "#0000ff"))
  }

  @Test(arguments: [
    (LocalRect(x: .nan, y: 0, width: 10, height: 10), "#000000"),
    (LocalRect(x: 0, y: 0, width: .infinity, height: 10), "#000000"),
    (LocalRect(x: 0, y: 0, width: 0, height: 10), "#000000"),
    (LocalRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9), "#ffffff"),
    (LocalRect(x: -1e300, y: 0, width: 1e300, height: 10), "#000000"),
    (LocalRect(x: 10, y: 10, width: -10, height: -10), "#ffffff"),
    (LocalRect(x: 1e9, y: 1e9, width: 5, height: 5), "#000000"),
  ])
  func `extreme coordinates paint nothing, or the visible part`(rect: LocalRect, expected: String) throws {
    let window = blackWindow()
    let odd = view("odd", 0, 0, 0, 0, "#ffffff", radius: 3, border: ("#ffffff", 1), in: window)
    odd.layoutRect = rect
    view("child", 0, 0, 1, 1, "#ffffff80", radius: .nan, in: odd)
    view("other", 30, 20, 5, 5, "#00ff00", in: window)
    #expect(try colors(window, at: [(5, 5), (32, 22)]) == [expected, "#00ff00"])
  }

  @Test(arguments: [0, Double.nan, .infinity, 1e-200])
  func `a transform that has no inverse, or is not a number, paints nothing`(scale: Double) throws {
    let window = blackWindow()
    let flat = view("flat", 10, 10, 20, 10, "#ffffff", border: ("#ffffff", 2), in: window)
    flat.transform = AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: 0, ty: 0)
    flat.clipsToBounds = true
    flat.alpha = 0.5
    label("text", 0, 0, 20, 10, in: flat)
    #expect(try colors(window, at: [(20, 15), (0, 0)]) == ["#000000", "#000000"])
  }

  @Test
  func
    `a pressed control is lighter, or darker when it is light; a disabled one fades; a selected one has a ring`()
    throws
  {
    let window = blackWindow()
    let control = Control(id: "control", frame: LocalRect(x: 0, y: 0, width: 20, height: 20))
    window.addSubview(control)
    control.appearance.background = hex("#204060")
    control.isHighlighted = true
    #expect(try colors(window, at: [(10, 10)]) == ["#435e79"])
    control.appearance.background = hex("#f0f0f0")
    #expect(try colors(window, at: [(10, 10)]) == ["#cacaca"])
    control.appearance.background = nil
    #expect(try colors(window, at: [(10, 10)]) == ["#282828"])
    control.isHighlighted = false
    #expect(try colors(window, at: [(10, 10)]) == ["#000000"])
    control.appearance.background = hex("#ffffff")
    control.isEnabled = false
    #expect(try colors(window, at: [(10, 10)]) == ["#616161"])
    control.isEnabled = true
    control.appearance.background = hex("#204060")
    control.isSelected = true
    #expect(
      try colors(window, at: [(1, 10), (2, 10), (3, 10), (4, 10)]) == [
        "#204060", "#ffffff", "#ffffff", "#204060",
      ])
  }

  @Test(arguments: [true, false])
  func
    `groups are composed separately up to the limit; deeper ones are reported once, and their views are painted`(
      fades: Bool
    ) throws
  {
    func tree(_ depth: Int) -> Window {
      let window = blackWindow()
      var parent: View = window
      for level in 1...depth {
        parent = view("level \(level)", 0, 0, 40, 30, nil, radius: fades ? 0 : 8, in: parent)
        (parent.alpha, parent.clipsToBounds) = (fades ? 0.9 : 1, !fades)
      }
      view("leaf", 0, 0, 40, 30, "#ffffff", in: parent)
      return window
    }
    let (none, least) = try notices(of: tree(LayerPool.most), width: 40, height: 30)
    #expect(none.isEmpty)
    let (said, deep) = try notices(of: tree(LayerPool.most + 200), width: 40, height: 30)
    #expect(
      said.count == 1 && said[0].hasPrefix("level \(LayerPool.most + 1) fades or clips inside"), "\(said)")
    // As faint, or as round, as the ones that are painted apart make it.
    #expect(firstDifference(deep, least) == nil)
    #expect(deep.color(x: 20, y: 15).red > 40)
  }

  @Test
  func `controls in every state, and in two at once, with a title and without`() throws {
    let window = Window(size: Size(width: 600, height: 176))
    window.appearance.background = hex("#0f1419")
    for state in 0..<8 {
      let x = 12 + Double(state) * 73
      let plain = Control(id: "plain", frame: LocalRect(x: x, y: 12, width: 64, height: 40))
      plain.appearance.background = hex("#2b3a4c")
      plain.appearance.cornerRadius = 8
      window.addSubview(plain)
      let framed = button("OK", x, 68, 64, 40, nil, radius: 20, border: ("#2fd3b8", 2), size: 16, in: window)
      let light = button("Go", x, 124, 64, 40, "#f3dfae", radius: 4, size: 16, color: "#3a2f14", in: window)
      for control in [plain, framed, light] {
        control.isHighlighted = state & 1 != 0
        control.isSelected = state & 2 != 0
        control.isEnabled = state & 4 == 0
      }
    }
    try expectGolden(paint(window, width: 600, height: 176), "controls")
  }
}
