import Testing
import TouchCore

@testable import TouchViews

/// Path data of SVG, and the icons that are drawn by it.
@Suite struct PathDataTests {
  private func point(_ x: Double, _ y: Double) -> LocalPoint { LocalPoint(x: x, y: y) }

  @Test(arguments: [
    "M1 2L5 2 5 6Z", "M1,2 5,2 5,6z", "m1 2h4v4z", "m1 2 4 0 0 4z", "M1 2H5V6z", " M 1 2 L 5 2\n l 0 4 Z ",
    "M1+2 5 2 5 6Z", "M1e0 2.0L5 20e-1l-0 4z",
  ])
  func `the same triangle is written in many ways`(data: String) {
    #expect(
      Path(svg: data)?.elements == [.move(point(1, 2)), .line(point(5, 2)), .line(point(5, 6)), .close])
  }

  @Test func `numbers need no space where the next one can only begin`() {
    #expect(
      Path(svg: "M.5.5l-1-1")?.elements == [.move(point(0.5, 0.5)), .line(point(-0.5, -0.5))])
  }

  @Test func `curves, and smooth ones that mirror the last control point`() {
    #expect(
      Path(svg: "M0 0C1 1 2 1 3 0S5-1 6 0Q7 1 8 0T10 0")?.elements == [
        .move(point(0, 0)), .curve(point(3, 0), control1: point(1, 1), control2: point(2, 1)),
        .curve(point(6, 0), control1: point(4, -1), control2: point(5, -1)),
        .quadCurve(point(8, 0), control: point(7, 1)), .quadCurve(point(10, 0), control: point(9, -1)),
      ])
  }

  /// The end of each curve lies on the ellipse, and so does its middle.
  @Test(arguments: [
    ("M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0z", 12.0, 12.0), ("M2 12a10 10 0 1 1 20 0", 12, 12),
    ("M12 2a10 10 0 0 1 10 10", 12, 12), ("M12 2a10 10 0 1 0 10 10", 12, 12),
    ("M2 12A10 10 30 01 22 12", 12, 12),
    ("M2 12a1 1 0 0 1 20 0", 12, 12),
  ])
  func `arcs are circles`(data: String, x: Double, y: Double) throws {
    let path = try #require(Path(svg: data))
    var last = point(0, 0)
    for element in path.elements {
      switch element {
      case .move(let start): last = start
      case .curve(let end, let one, let other):
        let middle = point(
          (last.x + 3 * one.x + 3 * other.x + end.x) / 8, (last.y + 3 * one.y + 3 * other.y + end.y) / 8)
        for place in [end, middle] {
          let distance = ((place.x - x) * (place.x - x) + (place.y - y) * (place.y - y)).squareRoot()
          #expect(abs(distance - 10) < 0.01, "\(place)")
        }
        last = end
      default: break
      }
    }
    #expect(path.elements.count > 1)
  }

  @Test(arguments: [
    "", "1 2", "L1 2", "M1", "M1 2 3", "M1 2X", "M1 2A1 1 0 2 0 3 3", "M1 2z3", "M1 2l1e9 0", "M1 2 é",
  ])
  func `a text with a fault is no path`(data: String) {
    #expect(Path(svg: data)?.elements.isEmpty ?? true)
  }

  @Test func `a path has an end`() {
    #expect(Path(svg: "M0 0" + String(repeating: "h1", count: 4_000)) != nil)
    #expect(Path(svg: "M0 0" + String(repeating: "h1", count: 5_000)) == nil)
  }

  @Test func `there are fifty icons of our own, filled and outlined, inside their square`() throws {
    #expect(OwnIcons.data.count == 100)
    for name in OwnIcons.data.keys {
      let drawing = try #require(OwnIcons.drawing(name))
      let box = drawing.path.bounds
      #expect(box.minX >= 0 && box.minY >= 0 && box.maxX <= 24 && box.maxY <= 24.5, "\(name): \(box)")
      #expect((drawing.line == nil) == !name.hasSuffix("-outline"))
    }
  }

  @Test func `an icon is a path, or has a name, and a wrong path changes nothing`() throws {
    let label = Label("", id: "a")
    try label.set([.init(key: "icon", value: .map([.init(key: "path", value: .text("M4 4h16v16H4z"))]))])
    #expect(label.icon.isShown && label.icon.drawing?.line == nil && label.icon.path == "M4 4h16v16H4z")
    #expect(throws: PropertyError.self) {
      try label.set([.init(key: "icon", value: .map([.init(key: "path", value: .text("M4 4h"))]))])
    }
    #expect(label.icon.path == "M4 4h16v16H4z")
  }
}
