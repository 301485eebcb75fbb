import Foundation

/// Files that tests read.
package enum Fixture {
  /// 12×8 pixels: a blue frame one pixel wide around a field that goes from red to green, with a clear
  /// middle.
  package static let logo = path("logo.png")

  /// 48×32 pixels in four quarters: red, green, blue, white.
  package static let photo = path("quarters.jpg")

  /// Makes fontconfig use fonts that tests install alone, so that pictures are the same on every machine. A
  /// test that needs other fonts sets FONTCONFIG_FILE itself.
  package static let standardFonts: Void = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    setenv("FONTCONFIG_FILE", tests.appendingPathComponent("Fonts/fonts.conf").path, 0)
  }()

  /// A fontconfig configuration without any font.
  package static let noFonts = path("no-fonts.conf")

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)")
      .path
  }
}
