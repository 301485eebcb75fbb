import Foundation

/// Files that tests read.
enum Fixture {
  /// 12×8 pixels: a blue frame one pixel wide around a field that goes from red to green, with a clear middle.
  static let logo = path("logo.png")

  /// Has Debian's fonts-dejavu-core used and nothing else, so that pictures are the same on every machine; unless a test
  /// wants other fonts.
  static let standardFonts: Void = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    setenv("FONTCONFIG_FILE", tests.appendingPathComponent("Fonts/fonts.conf").path, 0)
  }()

  /// A fontconfig configuration without any font.
  static let noFonts = path("no-fonts.conf")

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name)").path
  }
}
