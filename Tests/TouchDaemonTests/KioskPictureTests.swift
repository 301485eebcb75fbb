import Foundation
import PictureSupport
import Testing
import TouchConfig
import TouchPixels
import TouchRender

@testable import TouchCore
@testable import TouchViews

/// The kiosk as it looks when it has been used: `render` shows it as it is at first, with an empty graph.
@Suite struct KioskPictureTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../config/examples/kiosk.yaml").standardizedFileURL

  @Test(arguments: ["home", "lights", "service"])
  func `a curve, lamps that are on, and the dots of a PIN look as they did`(page: String) throws {
    _ = Fixture.standardFonts
    let text = try String(contentsOf: Self.file, encoding: .utf8)
      .replacing("{now:%A %H:%M}", with: "Monday 12:34")
    let size = Size(width: 800, height: 480)
    let tree = ViewTree(
      try Configuration.parse(text: text, file: Self.file.path(percentEncoded: false)), canvasSize: size)
    // An hour of a cold morning, with a sensor that was away for five minutes.
    for minute in 0...60 {
      let isAway = (30..<35).contains(minute)
      let value = -2 + 9 * sin(Double(minute) / 20) + Double(minute % 7) / 5
      try tree.bindings.values.set(
        [.init(key: "outside", value: isAway ? .null : .number(value))],
        at: Timestamp.zero.advanced(bySeconds: Double(minute * 60)))
    }
    for lamp in ["porch", "stairs"] {
      (try #require(tree.viewsByID["lamp-\(lamp)-on"] as? Control)).controlValue?.number = 1
    }
    try #require(tree.viewsByID["pin"]).set([ViewSetting(.text, "258")])
    try #require(tree.viewsByID["screens"] as? PagesView).show(.id(page))
    tree.bindings.settle()
    tree.window.layoutIfNeeded()
    let picture = try Surface(width: 800, height: 480)
    try Painter(geometry: DisplayGeometry(displaySize: size)).paintAll(
      tree.window, highlights: nil, on: picture)
    #expect(try goldenDifference(picture, "kiosk-\(page)-used") == nil)
  }
}
