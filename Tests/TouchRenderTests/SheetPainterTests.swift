import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A page with a list, and what is presented over it.
private func scene(_ sheet: SheetView) -> Window {
  let window = Window(size: Size(width: 320, height: 240))
  window.appearance.background = hex("#101418")
  let list = ListView(id: "list", frame: LocalRect(x: 0, y: 0, width: 320, height: 240))
  list.rows = (1...6).map { "Song number \($0)" }
  list.textStyle = textStyle(16, "#e8eef4", .left)
  window.addSubview(list)
  sheet.present(over: list)
  window.layoutIfNeeded()
  return window
}

@Suite struct SheetPainterTests {
  @Test(arguments: [1, 2])
  func `a sheet at the lower edge, with what is behind it dimmed`(scale: Int) throws {
    let sheet = SheetView(id: "sheet")
    label("Sort by", 16, 8, 200, 30, in: sheet)
    button("Title", 16, 44, 130, 44, "#3aa6ff", in: sheet)
    button("Length", 158, 44, 130, 44, "#33424f", in: sheet)
    view("end", 0, 100, 1, 1, in: sheet)
    try expectGolden(paint(scene(sheet), width: 320 * scale, height: 240 * scale), "sheet-\(scale)")
  }

  @Test func `an alert in the middle`() throws {
    let alert = SheetView(id: "alert")
    alert.isAlert = true
    alert.fixedHeight = 110
    label("Delete all songs?", 10, 12, 250, 30, .center, in: alert)
    button("Cancel", 12, 54, 118, 44, "#33424f", in: alert)
    button("Delete", 140, 54, 118, 44, "#8a2b2b", in: alert)
    try expectGolden(paint(scene(alert), width: 320, height: 240), "sheet-alert")
  }

  @Test func `content that fingers have made larger`() throws {
    let window = Window(size: Size(width: 160, height: 120))
    window.appearance.background = hex("#101418")
    let scrollView = ScrollView(id: "map", frame: LocalRect(x: 10, y: 10, width: 140, height: 100))
    scrollView.scrolling.maximumZoom = 4
    let map = view("content", 0, 0, 140, 100, "#20303c", in: scrollView)
    for (x, y, color) in [(20.0, 20.0, "#3aa6ff"), (80, 30, "#f5b942"), (50, 60, "#7ad07a")] {
      view(color, x, y, 30, 24, color, radius: 6, in: map)
    }
    label("Here", 60, 40, 60, 20, size: 12, in: map)
    window.addSubview(scrollView)
    scrollView.zoomScale = 2
    window.layoutIfNeeded()
    try expectGolden(paint(window, width: 160, height: 120), "scroll-zoomed")
  }
}
