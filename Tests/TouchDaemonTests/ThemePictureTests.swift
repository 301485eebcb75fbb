import Foundation
import PictureSupport
import Testing
import TouchConfig
import TouchPixels
import TouchRender

@testable import TouchCore
@testable import TouchViews

/// What each theme makes of views that have been used. `render` shows those that have not.
@Suite struct ThemePictureTests {
  private static let file = """
    version: 1
    display: {canvas: {size: [480, 300], scale: fit}}
    values: {inside: {value: null, history: 3600}, outside: {value: null, history: 3600}, fresh: {value: null, history: 3600}}
    window:
      subviews:
        - id: card
          style: card
          frame: [16, 16, 268, 268]
          subviews:
            - {id: both, kind: chart, seconds: 3600, of: [inside, outside], frame: [12, 12, 244, 118], minimum: 0, maximum: 30}
            - {id: area, kind: chart, seconds: 3600, chart: area, of: outside, frame: [12, 138, 160, 118], minimum: 0, maximum: 30}
            - {id: begun, kind: chart, seconds: 3600, of: fresh, frame: [184, 138, 72, 118], minimum: 0, maximum: 30}
        - id: songs
          kind: scroll
          frame: [300, 16, 164, 130]
          corner_radius: 14
          subviews: [{id: list, kind: list, row_height: 40, corner_radius: 0, rows: [Andante, Adagio, Presto, Largo, Vivace, Lento]}]
        - {id: focused, kind: button, frame: [300, 162, 164, 48], text: Focused}
        - {id: other, kind: button, frame: [300, 226, 164, 48], text: Other}
    """

  @Test(arguments: ["dark", "light"])
  func `charts with values, what scrolls with its indicator, and the ring around what is focused`(
    theme: String
  )
    throws
  {
    _ = Fixture.standardFonts
    let size = Size(width: 960, height: 600)
    let configuration = try Configuration.parse(
      text: "theme: \(theme)\n" + Self.file, file: FileManager.default.currentDirectoryPath + "/used.yaml")
    let geometry = configuration.canvasLayout.geometry(on: size)
    let tree = ViewTree(configuration, geometry: geometry)
    for minute in 0...60 {
      let inside = 21 + 2 * sin(Double(minute) / 9)
      let outside = 9 + 6 * sin(Double(minute) / 17) + Double(minute % 5) / 4
      try tree.bindings.values.set(
        [
          .init(key: "inside", value: .number(inside)),
          .init(key: "outside", value: (20..<26).contains(minute) ? .null : .number(outside)),
        ], at: Timestamp.zero.advanced(bySeconds: Double(minute * 60)))
    }
    try tree.bindings.values.set(
      [.init(key: "fresh", value: .number(12))], at: Timestamp.zero.advanced(bySeconds: 3600))
    tree.bindings.settle()
    tree.window.layoutIfNeeded()
    // Keys were used last: only then there is a ring.
    let presses = PressDispatcher(window: tree.window)
    let item = FocusSystem.Item(try #require(tree.viewsByID["focused"]))
    for _ in 0..<20 where tree.window.focusSystem.focusedItem != item {
      for kind in [PressChange.Kind.began, .ended] {
        presses.dispatch([PressChange(device: DeviceID(rawValue: 1), kind: kind, key: Key(.tab))], at: .zero)
      }
    }
    #expect(tree.window.focusSystem.focusedItem == item)
    let songs = try #require(tree.viewsByID["songs"] as? ScrollView)
    songs.bounds.origin.y = 30
    songs.setIndicatorOpacity(1)
    let picture = try Surface(width: 960, height: 600)
    try Painter(geometry: geometry, background: configuration.display.background).paintAll(
      tree.window, highlights: nil, on: picture)
    #expect(try goldenDifference(picture, "theme-used-\(theme)") == nil)
  }
}
