import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A screen that is followed: what was damaged is painted, and nothing else.
private struct FollowedScreen {
  let window: Window
  var highlights: Highlights
  let display: Surface
  private let painter: Painter
  private let untouched: Surface

  init(_ window: Window, _ style: HighlightStyle) throws {
    self.window = window
    let (width, height) = (Int(window.bounds.size.width), Int(window.bounds.size.height))
    display = try Surface(width: width, height: height)
    untouched = try Surface(width: width, height: height)
    let geometry = DisplayGeometry(displaySize: display.size, canvasSize: window.bounds.size)
    painter = try Painter(geometry: geometry)
    highlights = Highlights(style: style, canvas: geometry.canvasBounds)
    painter.paintAll(window, highlights: nil, on: display)
  }

  /// - Parameter seconds: on the clock.
  mutating func show(_ touches: [Touch], at seconds: Double) {
    var damage = Damage()
    window.takeDamage(into: &damage)
    let time = Timestamp(microseconds: Int64(seconds * 1_000_000))
    highlights.update(touches: touches, cursor: nil, at: time, into: &damage)
    painter.paint(window, highlights: highlights, damage: damage, on: display)
  }

  /// Where the picture first differs from the tree without any touch.
  func difference() -> String? {
    painter.paintAll(window, highlights: nil, on: untouched)
    return firstDifference(display, untouched)
  }

  func color(_ x: Int, _ y: Int) -> String { display.color(x: x, y: y).hex }
}

private func touch(_ id: Int = 1, on view: View, at point: WindowPoint) -> Touch {
  let touch = Touch(
    id: id, contact: ContactID(device: DeviceID(rawValue: 1), serial: id), location: point, timestamp: .zero,
    attributes: ContactAttributes())
  touch.view = view
  touch.chain = ResponderChain(from: view)
  return touch
}

@Suite("Highlights")
struct HighlightTests {
  private let window = Window(size: Size(width: 240, height: 160))
  private let card: View
  private let target: View

  init() {
    window.appearance.background = hex("#101010")
    card = view("card", 40, 30, 160, 100, "#202020", radius: 12, in: window)
    target = view("target", 30, 25, 80, 50, "#303030", radius: 8, in: card)
  }

  private func style(
    _ shape: HighlightStyle.Shape, path: HighlightStyle.Shape = .none, marker: Bool = false
  ) -> HighlightStyle {
    var style = HighlightStyle()
    style.view.shape = shape
    style.path.shape = path
    style.touches.showsMarker = marker
    return style
  }

  @Test
  func `a glow is bright at the edge, fades outward, and fades out after the release`() throws {
    var screen = try FollowedScreen(window, style(.glow))
    screen.show([touch(on: target, at: WindowPoint(x: 110, y: 80))], at: 1)
    #expect(screen.color(110, 55) == "#00d0ff")
    let fall = (0..<18).map { screen.display.color(x: 110, y: 54 - $0).blue }
    #expect(zip(fall, fall.dropFirst()).allSatisfy { $0 >= $1 }, "\(fall)")
    #expect(fall[0] > 100 && fall[17] == 0x20)
    #expect(!screen.highlights.isFading)

    var last = UInt8.max
    for step in 0...5 {
      screen.show([], at: 2 + Double(step) * 0.05)
      let blue = screen.display.color(x: 110, y: 55).blue
      #expect(blue < last || step == 0 && blue == 255, "\(step)")
      #expect(screen.highlights.isFading)
      last = blue
    }
    screen.show([], at: 2.31)
    #expect(!screen.highlights.isFading)
    #expect(screen.difference() == nil)
  }

  @Test(arguments: [HighlightStyle.Shape.outline, .fill], [nil, 0.5])
  func `an outline and a fill disappear at once unless their style has a fade`(
    shape: HighlightStyle.Shape, fade: Double?
  ) throws {
    var style = style(shape)
    style.view.fade = fade
    var screen = try FollowedScreen(window, style)
    screen.show([touch(on: target, at: .zero)], at: 1)
    #expect(screen.color(110, 56) == "#00d0ff")
    screen.show([], at: 2)
    #expect(screen.highlights.isFading == (fade != nil))
    screen.show([], at: 2.25)
    #expect((screen.difference() == nil) == (fade == nil))
    screen.show([], at: 2.51)
    #expect(screen.difference() == nil)
    #expect(!screen.highlights.isFading)
  }

  @Test
  func `a finger that returns while the mark fades restores its full strength`() throws {
    var screen = try FollowedScreen(window, style(.glow))
    screen.show([touch(on: target, at: .zero)], at: 1)
    screen.show([], at: 2)
    screen.show([], at: 2.2)
    #expect(screen.color(110, 55) != "#00d0ff")
    screen.show([touch(2, on: target, at: .zero)], at: 2.25)
    #expect(screen.color(110, 55) == "#00d0ff")
    #expect(!screen.highlights.isFading)
  }

  @Test
  func `a view that is removed while its mark fades removes the mark`() throws {
    var screen = try FollowedScreen(window, style(.glow, path: .glow))
    screen.show([touch(on: target, at: .zero)], at: 1)
    screen.show([], at: 2)
    #expect(screen.highlights.isFading)
    card.removeFromSuperview()
    screen.show([], at: 2.1)
    screen.show([], at: 2.5)
    #expect(screen.difference() == nil)
  }

  @Test
  func `the path marks the other views of the chain, each in its own style, below the hit view's mark`()
    throws
  {
    let other = view("other", 10, 10, 10, 10, "#ffffff", in: window)
    var style = style(.outline, path: .outline)
    style.path.color = hex("#ff0000")
    var screen = try FollowedScreen(window, style)
    screen.show([touch(on: target, at: .zero)], at: 1)
    #expect(screen.color(110, 57) == "#00d0ff")
    #expect((screen.color(120, 30), screen.color(120, 31)) == ("#ff0000", "#ff0000"))
    #expect(screen.color(120, 32) == "#202020")
    #expect(screen.color(120, 0) == "#ff0000")
    #expect(screen.color(15, 15) == "#ffffff")
    // A second finger on the card itself: it was hit, and that counts more.
    screen.show([touch(on: target, at: .zero), touch(2, on: card, at: .zero)], at: 2)
    #expect(screen.color(120, 31) == "#00d0ff")
    screen.show([touch(on: other, at: .zero)], at: 3)
    #expect(screen.color(120, 31) == "#202020")
    screen.show([], at: 4)
    #expect(screen.difference() == nil)
  }

  @Test
  func `a trail follows the finger, fades, and disappears after the last move`() throws {
    var style = style(.none)
    style.touches.trail = 0.5
    var screen = try FollowedScreen(window, style)
    for step in 0...10 {
      screen.show(
        [touch(on: target, at: WindowPoint(x: 20 + Double(step) * 20, y: 145))], at: 1 + Double(step) * 0.04)
    }
    let line = stride(from: 30, through: 210, by: 20).map { screen.display.color(x: $0, y: 145).blue }
    #expect(zip(line, line.dropFirst()).allSatisfy { $0 < $1 }, "\(line)")
    #expect(screen.highlights.isFading)
    // The finger rests: no segment is left, and no further update is needed.
    screen.show([touch(on: target, at: WindowPoint(x: 220, y: 145))], at: 2)
    #expect(!screen.highlights.isFading)
    #expect(screen.difference() == nil)
    screen.show([touch(on: target, at: WindowPoint(x: 200, y: 145))], at: 2.1)
    screen.show([], at: 2.2)
    #expect(screen.highlights.isFading)
    screen.show([], at: 2.9)
    #expect(!screen.highlights.isFading)
    #expect(screen.difference() == nil)
  }

  @Test
  func `labels show the touch's number and position, next to the finger and inside the canvas`() throws {
    var style = style(.none)
    (style.touches.showsID, style.touches.showsCoordinates) = (true, true)
    var screen = try FollowedScreen(window, style)
    let finger = touch(12, on: target, at: WindowPoint(x: 236.7, y: 3.2))
    screen.show([finger], at: 1)
    let label = try #require(screen.highlights.label(of: screen.highlights.markers[0]))
    var text = ""
    label.forEachCharacter { text.unicodeScalars.append(UnicodeScalar($0)) }
    #expect(text == "12 236,3")
    #expect(label.rect.minX >= 0 && label.rect.maxX <= 240)
    #expect(label.rect.minY > 3.2 + Highlights.markerRadius)
    let lit = (Int(label.rect.minX)..<Int(label.rect.maxX)).filter { x in
      (Int(label.rect.minY)..<Int(label.rect.maxY)).contains { y in
        screen.display.color(x: x, y: y).red > 200
      }
    }
    #expect(lit.count > 30)
    finger.location = WindowPoint(x: -5, y: 150)
    screen.show([finger], at: 2)
    screen.show([], at: 3)
    #expect(screen.difference() == nil)
  }

  @Test
  func `settling keeps the marks of touched views and removes those that fade`() throws {
    var style = style(.glow)
    style.touches.trail = 5
    var screen = try FollowedScreen(window, style)
    screen.show([touch(on: target, at: .zero), touch(2, on: card, at: .zero)], at: 1)
    screen.show([touch(2, on: card, at: WindowPoint(x: 90, y: 9))], at: 2)
    #expect(screen.highlights.isFading)
    var damage = Damage()
    screen.highlights.settle(into: &damage)
    #expect(!screen.highlights.isFading)
    #expect(screen.highlights.views.highlights.map(\.view.id) == ["card"])
    #expect(!damage.isEmpty)
  }

  @Test
  func `the picture of every highlight at once`() throws {
    let panel = Panel()
    var style = style(.glow, path: .outline, marker: true)
    (style.touches.showsID, style.touches.showsCoordinates, style.touches.trail) = (true, true, 0.5)
    var screen = try FollowedScreen(panel.window, style)
    for step in 0...24 {
      let angle = Double(step) / 12
      screen.show(
        [
          touch(on: panel.pressed, at: WindowPoint(x: 210 + 4 * Double(step), y: 330 - 60 * angle * angle)),
          touch(2, on: panel.tilted, at: WindowPoint(x: 640 + 2 * Double(step), y: 360)),
        ], at: 1 + Double(step) * 0.016)
    }
    try expectGolden(screen.display, "panel-highlights")
  }
}
