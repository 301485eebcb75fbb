import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Remembers what it was asked to show.
private final class WatchedDisplay: Screen {
  let surface: Surface
  var shown: [PixelRect] = []
  /// The pixel that filled each of them; nil where it was painted.
  var filled: [UInt32?] = []
  /// How much was shown each time that the display was asked for its mode.
  var shownWhenAsked: [Int] = []
  var hasMode = true
  var isCurrent: Bool {
    shownWhenAsked.append(shown.count)
    return hasMode
  }

  init(width: Int, height: Int) throws {
    surface = try Surface(width: width, height: height)
  }

  var width: Int { surface.width }
  var height: Int { surface.height }
  var picture: Surface? { surface }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    shown.append(rect)
    Target(surface: surface).paint(rect) { target, part in
      let pixel = paint(target, part)
      filled.append(pixel)
      return pixel
    }
  }
}

private let geometries: [DisplayGeometry] = [
  DisplayGeometry(displaySize: Size(width: 160, height: 120)),
  DisplayGeometry(
    displaySize: Size(width: 160, height: 120), canvasSize: Size(width: 100, height: 90), rotation: .quarter),
  DisplayGeometry(
    displaySize: Size(width: 150, height: 130), canvasSize: Size(width: 211, height: 97), scale: .fill,
    rotation: .threeQuarters),
  DisplayGeometry(
    displaySize: Size(width: 150, height: 130), canvasSize: Size(width: 211, height: 97), scale: .stretch,
    rotation: .half),
]

@Suite("Damage")
struct DamageTests {
  @Test(arguments: 0..<120)
  func `painting some damage gives the pixels of painting everything, and changes no others`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let geometry = geometries[Int(seed) % geometries.count]
    let window = randomWindow(&random, size: geometry.canvasSize)
    let (width, height) = (Int(geometry.displaySize.width), Int(geometry.displaySize.height))
    let whole = try Surface(width: width, height: height)
    let painter = try Painter(geometry: geometry, background: random.color())
    painter.paintAll(window, highlights: nil, on: whole)

    let parts = try WatchedDisplay(width: width, height: height)
    var damage = Damage()
    for _ in 0..<3 {
      damage.add(
        WindowRect(
          x: random.number(-20...geometry.canvasSize.width),
          y: random.number(-20...geometry.canvasSize.height),
          width: random.number(0.1...60), height: random.number(0.1...60)))
    }
    let untouched: UInt32 = 0x1234_5678
    parts.surface.pixels.update(repeating: untouched, count: width * height)
    painter.paint(window, highlights: nil, damage: damage, on: parts)
    var wrong = 0
    for y in 0..<height {
      for x in 0..<width {
        let isShown = parts.shown.contains { $0.contains(x: x, y: y) }
        let expected = isShown ? whole.pixels[y * width + x] : untouched
        if parts.surface.pixels[y * width + x] != expected { wrong += 1 }
      }
    }
    #expect(wrong == 0, "seed \(seed)")
  }

  @Test(arguments: 0..<24)
  func `painting only the highlights' damage never leaves anything on the display`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1000)
    let geometry = geometries[Int(seed) % geometries.count]
    let window = randomWindow(&random, size: geometry.canvasSize)
    var views: [View] = [window]
    for view in window.subviews { views += [view] + view.subviews }
    let painter = try Painter(geometry: geometry)
    let (width, height) = (Int(geometry.displaySize.width), Int(geometry.displaySize.height))
    let followed = try Surface(width: width, height: height)
    let fresh = try Surface(width: width, height: height)
    var style = HighlightStyle()
    let shapes = HighlightStyle.Shape.allCases
    style.view.shape = shapes.randomElement(using: &random) ?? .glow
    style.view.width = random.number(0.5...6)
    style.view.color = random.color()
    style.path.shape = shapes.randomElement(using: &random) ?? .outline
    style.path.fade = random.chance(0.5) ? 0.5 : nil
    style.touches.showsMarker = random.chance(0.7)
    style.touches.showsID = random.chance(0.5)
    style.touches.showsCoordinates = random.chance(0.5)
    style.touches.trail = random.chance(0.5) ? 0.4 : 0
    let highlights = Highlights(style: style, canvas: geometry.canvasBounds)
    painter.paintAll(window, highlights: highlights, on: followed)
    var time = Timestamp.zero
    for step in 0..<12 {
      var touches: [Touch] = []
      // The last steps have no finger and no pointer, and wait until everything has faded.
      for id in 0..<(step > 7 ? 0 : Int.random(in: 0...3, using: &random)) {
        let touch = Touch(
          id: id, contact: ContactID(device: DeviceID(rawValue: 1), serial: id),
          location: WindowPoint(
            x: random.number(-30...geometry.canvasSize.width),
            y: random.number(0...geometry.canvasSize.height)),
          timestamp: .zero, attributes: ContactAttributes())
        touch.view = views.randomElement(using: &random)
        touch.chain = touch.view.map { ResponderChain(from: $0) }
        touches.append(touch)
      }
      let cursor = step > 7 || random.chance(0.3) ? nil : WindowPoint(x: random.number(0...100), y: 40.25)
      var damage = Damage()
      time.microseconds += step == 11 ? 1_000_000 : Int64.random(in: 0...200_000, using: &random)
      highlights.update(touches: touches, cursor: cursor, at: time, into: &damage)
      painter.paint(window, highlights: highlights, damage: damage, on: followed)
      painter.paintAll(window, highlights: highlights, on: fresh)
      #expect(firstDifference(followed, fresh) == nil, "seed \(seed), step \(step)")
    }
    #expect(!highlights.isFading)
    painter.paintAll(window, highlights: nil, on: fresh)
    #expect(firstDifference(followed, fresh) == nil, "seed \(seed), at rest")
  }

  @Test
  func `damage is widened to whole pixels and not merged; without damage nothing is shown`() throws {
    let geometry = DisplayGeometry(displaySize: Size(width: 100, height: 50))
    let display = try WatchedDisplay(width: 100, height: 50)
    let painter = try Painter(geometry: geometry)
    let window = Window(size: Size(width: 100, height: 50))
    var damage = Damage()
    painter.paint(window, highlights: nil, damage: damage, on: display)
    #expect(display.shown.isEmpty)
    damage.add(WindowRect(x: 3.5, y: 4, width: 2, height: 3.25))
    damage.add(WindowRect(x: 90, y: 40, width: 50, height: 50))
    damage.add(WindowRect(x: -10, y: -10, width: 5, height: 5))
    painter.paint(window, highlights: nil, damage: damage, on: display)
    #expect(
      display.shown == [
        PixelRect(x: 3, y: 4, width: 3, height: 4), PixelRect(x: 90, y: 40, width: 10, height: 10),
      ])
  }

  @Test func `a part that shows one plain view is filled, and any other is painted`() throws {
    let window = Window(size: Size(width: 200, height: 100))
    let page = View(id: "page", frame: LocalRect(x: 0, y: 0, width: 200, height: 100))
    page.background = hex("#102030")
    let plain = Button(id: "plain", frame: LocalRect(x: 10, y: 10, width: 40, height: 40))
    plain.background = hex("#0a84ff")
    let titled = Button(id: "titled", frame: LocalRect(x: 60, y: 10, width: 40, height: 40))
    titled.background = hex("#0a84ff")
    titled.text = "OK"
    let faint = View(id: "faint", frame: LocalRect(x: 110, y: 10, width: 40, height: 40))
    faint.background = hex("#0a84ff80")
    window.addSubview(page)
    for view in [plain, titled, faint] { page.addSubview(view) }
    window.layoutIfNeeded()
    let display = try WatchedDisplay(width: 200, height: 100)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: display.size))
    let highlights = Highlights()
    func filled(_ x: Double, _ y: Double, _ width: Double = 40, _ height: Double = 40) -> UInt32? {
      var damage = Damage()
      damage.add(WindowRect(x: x, y: y, width: width, height: height))
      display.filled = []
      painter.paint(window, highlights: highlights, damage: damage, on: display)
      return display.filled.count == 1 ? display.filled[0] : nil
    }
    #expect(filled(10, 10) == hex("#0a84ff").premultiplied())
    #expect(filled(160, 60, 30, 30) == hex("#102030").premultiplied())
    #expect(filled(60, 10) == nil && filled(110, 10) == nil && filled(5, 5) == nil)
    var damage = Damage()
    highlights.update(touches: [], cursor: WindowPoint(x: 20, y: 20), at: .zero, into: &damage)
    #expect(filled(10, 10) == nil)
  }

  @Test
  func `nothing is painted in another mode, and everything when the mode is back`() throws {
    let geometry = DisplayGeometry(displaySize: Size(width: 100, height: 50))
    let display = try WatchedDisplay(width: 100, height: 50)
    let renderer = try Renderer(
      display: display, geometry: geometry, style: HighlightStyle(), background: hex("#101418"))
    let window = Window(size: Size(width: 100, height: 50))
    let dispatcher = Dispatcher(window: window)
    var time = Timestamp.zero
    func update(damage: WindowRect) -> [PixelRect] {
      (display.shown, display.shownWhenAsked) = ([], [])
      window.damage.add(damage)
      renderer.update(dispatcher, cursor: nil, at: time)
      return display.shown
    }
    #expect(update(damage: WindowRect(x: 1, y: 1, width: 5, height: 5)) == [display.bounds])
    #expect(display.shownWhenAsked == [1])
    time.microseconds = 999_999
    #expect(update(damage: WindowRect(x: 1, y: 1, width: 5, height: 5)).count == 1)
    #expect(display.shownWhenAsked == [])
    time.microseconds = 1_000_000
    display.hasMode = false
    // The first picture is painted before the display is asked for its mode.
    #expect(update(damage: WindowRect(x: 2, y: 2, width: 5, height: 5)).count == 1)
    #expect(!renderer.isCurrent && display.shownWhenAsked == [1])
    #expect(update(damage: WindowRect(x: 3, y: 3, width: 5, height: 5)).isEmpty)
    display.hasMode = true
    #expect(update(damage: WindowRect(x: 4, y: 4, width: 5, height: 5)) == [display.bounds])
    #expect(renderer.isCurrent)
  }
}
