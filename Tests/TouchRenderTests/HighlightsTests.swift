import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Highlights with one finger on a view.
private func touching(
  _ view: View, at point: WindowPoint, _ style: HighlightStyle, cursor: WindowPoint? = nil
)
  -> Highlights
{
  let touch = Touch(
    id: 1, contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), location: point, timestamp: .zero,
    attributes: ContactAttributes())
  touch.view = view
  touch.chain = ResponderChain(from: view)
  let highlights = Highlights(style: style)
  var damage = Damage()
  highlights.update(touches: [touch], cursor: cursor, at: .zero, into: &damage)
  return highlights
}

private func style(_ shape: HighlightStyle.Shape, markers: Bool = false) -> HighlightStyle {
  var style = HighlightStyle()
  style.view.shape = shape
  style.touches.showsMarker = markers
  return style
}

@Suite("Painting highlights")
struct HighlightsTests {
  private let window: Window
  private let target: View

  init() {
    window = Window(size: Size(width: 200, height: 120))
    window.appearance.background = hex("#101010")
    target = view("target", 60, 30, 80, 60, "#303030", in: window)
  }

  @Test
  func `an outline has exactly the style's colour and width, inside the bounds, over the marker`() throws {
    let highlights = touching(target, at: WindowPoint(x: 64, y: 60), style(.outline, markers: true))
    let display = try paint(window, width: 200, height: 120, highlights: highlights)
    for y in 30..<90 {
      for x in 60..<140 where x < 64 || x >= 136 || y < 34 || y >= 86 {
        #expect(display.color(x: x, y: y).hex == "#00d0ff", "(\(x), \(y))")
      }
    }
    #expect(display.color(x: 100, y: 34).hex == "#303030")
    #expect(display.color(x: 100, y: 29).hex == "#101010")
  }

  @Test
  func `on a scaled display the outline's middle has exactly the style's colour`() throws {
    let highlights = touching(target, at: WindowPoint(x: 100, y: 60), style(.outline))
    let display = try paint(window, width: 320, height: 192, rotation: .none, highlights: highlights)
    #expect(display.color(x: 99, y: 96).hex == "#00d0ff")
    #expect(display.color(x: 160, y: 50).hex == "#00d0ff")
    #expect(display.color(x: 160, y: 56).hex == "#303030")
  }

  @Test
  func `the outline of a scaled view has the same width as others`() throws {
    target.transform = .scale(x: 0.5, y: 2)
    let highlights = touching(target, at: WindowPoint(x: 100, y: 60), style(.outline))
    let display = try paint(window, width: 200, height: 120, highlights: highlights)
    let row = (75..<125).map { display.color(x: $0, y: 60).hex }
    let outlined = row.filter { $0 == "#00d0ff" }.count
    #expect(outlined == 8)
    #expect((0..<120).filter { display.color(x: 100, y: $0).hex == "#00d0ff" }.count == 8)
  }

  @Test
  func `a fill has exactly the style's colour; with an alpha the view shows through`() throws {
    var filled = style(.fill)
    var display = try paint(
      window, width: 200, height: 120, highlights: touching(target, at: .zero, filled))
    #expect(display.color(x: 100, y: 60).hex == "#00d0ff")
    #expect(display.color(x: 59, y: 60).hex == "#101010")
    filled.view.color.alpha = 51
    display = try paint(window, width: 200, height: 120, highlights: touching(target, at: .zero, filled))
    #expect(display.color(x: 100, y: 60).hex == "#265059")
  }

  @Test
  func `with style none no highlight is painted; a marker is painted if touches are shown`() throws {
    var nothing = style(.none)
    let rest = try paint(window, width: 200, height: 120)
    var display = try paint(
      window, width: 200, height: 120, highlights: touching(target, at: WindowPoint(x: 30, y: 60), nothing))
    #expect(firstDifference(display, rest) == nil)
    nothing.touches.showsMarker = true
    display = try paint(
      window, width: 200, height: 120, highlights: touching(target, at: WindowPoint(x: 30, y: 60), nothing))
    let (ring, middle) = (display.color(x: 9, y: 60), display.color(x: 30, y: 60))
    #expect(ring.red > 200 && ring.green > 200 && ring.blue > 200)
    #expect(middle.blue > middle.red + 40)
    // Its reach is what the highlights damage.
    for y in 0..<120 {
      for x in 0..<200 where abs(x - 30) > 24 || abs(y - 60) > 24 {
        #expect(display.color(x: x, y: y) == rest.color(x: x, y: y))
      }
    }
  }

  @Test(arguments: DisplayGeometry.Rotation.allCases)
  func `the pointer is a dark-edged white arrow whose tip is the hot spot`(rotation: DisplayGeometry.Rotation)
    throws
  {
    let spot = WindowPoint(x: 20, y: 20)
    window.appearance.background = hex("#4060a0")
    let highlights = touching(window, at: spot, style(.none), cursor: spot)
    let isUpright = rotation == .none || rotation == .half
    let display = try paint(
      window, width: isUpright ? 200 : 120, height: isUpright ? 120 : 200, rotation: rotation,
      highlights: highlights)
    let geometry = DisplayGeometry(
      displaySize: display.size, canvasSize: window.bounds.size, rotation: rotation)
    func color(_ x: Double, _ y: Double) -> String {
      let place: Point<DisplaySpace> = geometry.displayFromWindow.map(WindowPoint(x: x + 0.5, y: y + 0.5))
      return display.color(x: Int(place.x), y: Int(place.y)).hex
    }
    #expect(color(24, 30) == "#ffffff")
    #expect(color(20, 28) == "#14181c")
    #expect(color(19, 19) == "#4060a0")
    #expect(color(36, 20) == "#4060a0")
  }
}
