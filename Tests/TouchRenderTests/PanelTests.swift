import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchRender
@testable import TouchViews

@Suite("The panel")
struct PanelTests {
  @Test
  func `the panel at rest`() throws {
    let panel = Panel()
    try expectGolden(paint(panel.window, width: 800, height: 480), "panel")
  }

  @Test
  func `a finger on a button and one on a turned view, and the pointer`() throws {
    let panel = Panel()
    panel.pressed.isHighlighted = true
    let highlights = panel.highlights(
      touching: [
        (panel.pressed, WindowPoint(x: 310, y: 190)), (panel.tilted, WindowPoint(x: 668, y: 350)),
      ], cursor: WindowPoint(x: 520, y: 150))
    try expectGolden(paint(panel.window, width: 800, height: 480, highlights: highlights), "panel-touched")
  }

  @Test
  func `filled highlights`() throws {
    let panel = Panel()
    var style = HighlightStyle()
    style.view.shape = .fill
    style.view.color.alpha = 115
    let highlights = panel.highlights(
      touching: [
        (panel.pressed, WindowPoint(x: 310, y: 190)), (panel.tilted, WindowPoint(x: 668, y: 350)),
      ], style: style)
    try expectGolden(paint(panel.window, width: 800, height: 480, highlights: highlights), "panel-filled")
  }

  @Test(arguments: [
    (1280, 800, DisplayGeometry.Rotation.none), (480, 320, .none), (480, 800, .quarter), (800, 480, .half),
    (600, 1024, .threeQuarters),
  ])
  func `the canvas fits larger, smaller and turned displays`(
    width: Int, height: Int, rotation: DisplayGeometry.Rotation
  ) throws {
    let panel = Panel()
    let highlights = panel.highlights(
      touching: [(panel.pressed, WindowPoint(x: 310, y: 190))], cursor: WindowPoint(x: 520, y: 150))
    let display = try paint(
      panel.window, width: width, height: height, rotation: rotation, highlights: highlights)
    try expectGolden(display, "panel-\(width)x\(height)-\(rotation.rawValue)")
  }
}

extension Panel {
  /// The highlights of fingers on views.
  fileprivate func highlights(
    touching views: [(View, WindowPoint)], style: HighlightStyle = HighlightStyle(),
    cursor: WindowPoint? = nil
  ) -> Highlights {
    var damage = Damage()
    let highlights = Highlights(style: style)
    highlights.update(
      touches: views.enumerated().map { index, pair in
        let contact = ContactID(device: DeviceID(rawValue: 1), serial: index)
        let touch = Touch(
          id: index + 1, contact: contact, location: pair.1, timestamp: .zero, attributes: ContactAttributes()
        )
        touch.view = pair.0
        touch.chain = ResponderChain(from: pair.0)
        return touch
      }, cursor: cursor, at: .zero, into: &damage)
    return highlights
  }
}
