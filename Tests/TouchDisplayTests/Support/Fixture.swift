import Foundation

/// Files that tests read.
enum Fixture {
  /// 12×8 pixels: a blue frame one pixel wide around a field that goes from red to green, with a clear middle.
  static let logo = path("logo.png")

  /// A fontconfig configuration without any font.
  static let noFonts = path("no-fonts.conf")

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name)").path
  }
}
