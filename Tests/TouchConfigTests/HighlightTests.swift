import Testing

@testable import TouchCore
@testable import TouchViews

/// How touches are shown.
@Suite struct HighlightTests {
  private func highlight(_ text: String) throws -> HighlightStyle {
    try parse("{window: {}, highlight: \(text)}").highlight
  }

  @Test func `a word is enough for a style`() throws {
    let style = try highlight("{view: glow, path: outline, touches: false}")
    #expect(style.view.shape == .glow && style.view.color.hex == "#00d0ff" && style.view.width == 4)
    #expect(style.path.shape == .outline && style.path.width == 2)
    #expect(!style.touches.showsMarker && !style.touches.showsLabel && style.touches.trail == 0)
  }

  @Test func `every key of a highlight arrives`() throws {
    let style = try highlight(
      """
      {view: {style: fill, color: "#102030", width: 6, fade: 0.5}, path: {style: glow, color: "#ff000040",
      width: 3, fade: 0}, touches: {marker: false, color: "#00ff00", id: true, coordinates: true, trail: 1.5}}
      """)
    #expect(
      style.view
        == HighlightStyle.Mark(shape: .fill, color: Color(red: 16, green: 32, blue: 48), width: 6, fade: 0.5))
    #expect(
      style.path
        == HighlightStyle.Mark(
          shape: .glow, color: Color(red: 255, green: 0, blue: 0, alpha: 64), width: 3, fade: 0))
    #expect(!style.touches.showsMarker && style.touches.showsID && style.touches.showsCoordinates)
    #expect(style.touches.trail == 1.5 && style.touchColor.hex == "#00ff00")
  }

  @Test func `the path looks like the view unless a key changes it`() throws {
    let style = try highlight("{view: {color: \"#ff8000\", fade: 0.25}, path: {width: 5}}")
    #expect(style.path.shape == .outline && style.path.color.hex == "#ff80007f")
    #expect(style.path.width == 5 && style.path.fade == 0.25)
    #expect(try highlight("{path: null}").path.shape == .none)
  }

  @Test(arguments: [
    ("{view: {fade: 61}}", "1:39: error: fade … 0 to 60"),
    ("{touches: {trail: -1}}", "1:43: error: trail … 0 to 60"),
    ("{touches: {size: 1}}", "1:36: error: size … highlight"),
    ("{path: 3}", "1:32: error: path … none"),
  ])
  func `What cannot be drawn is refused`(text: String, message: String) {
    expect(findings(in: "{window: {}, highlight: \(text)}"), state: [message])
  }
}
