import Foundation
import Testing

@testable import TouchJSON
@testable import TouchOutput
@testable import TouchSystem
@testable import TouchTools

/// What the kernel says of a display, in a folder of the test.
@Suite struct GlassTests {
  /// A machine that shows everything: terminal 7, a card with a monitor and an empty plug, and two panels'
  /// lights.
  private static let files = [
    "class/tty/tty0/active": "tty7", "class/drm/card1-HDMI-A-1/status": "connected",
    "class/drm/card1-HDMI-A-1/enabled": "enabled", "class/drm/card1-HDMI-A-1/dpms": "On",
    "class/drm/card1-HDMI-A-2/status": "disconnected", "class/drm/card1-HDMI-A-2/enabled": "disabled",
    "class/drm/card1-HDMI-A-2/dpms": "Off", "class/drm/card1-Writeback-1/status": "unknown",
    "class/drm/card0-DSI-1/status": "disconnected", "class/backlight/left/brightness": "80",
    "class/backlight/left/actual_brightness": "80", "class/backlight/left/bl_power": "0",
    "class/backlight/right/brightness": "0",
  ]

  private static let framebuffer = #""framebuffer":"/nonexistent/fb0""#
  private static let connector =
    #""card":"/nonexistent/card1","connector":"HDMI-A-1","crtc":41,"buffers":[51]"#

  private func problems(
    _ glass: String, _ changes: [String: String], dark: Bool = false, blank: Bool = false
  ) throws -> [HealthProblem] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "glass-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func makeFolder(_ path: some StringProtocol) throws {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
    }
    try makeFolder("class/graphics/fb0/device/drm/card1")
    for (file, text) in Self.files.merging(changes, uniquingKeysWith: { $1 }) {
      try makeFolder(file.split(separator: "/").dropLast().joined(separator: "/"))
      try (text + "\n").write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
    }
    let answer = try JSONReader.read(
      #"{"display":{"dark":\#(dark),"blank":\#(blank)},"glass":{"terminal":7,\#(glass)}}"#)
    let glass = try #require(Glass(answer, sysfs: folder))
    return glass.problems(by: glass.scanout.map { ScanoutReader($0) })
  }

  @Test(arguments: [framebuffer, connector])
  func `a machine that shows everything has no problems`(glass: String) throws {
    #expect(try problems(glass, [:]).isEmpty)
  }

  @Test(
    arguments: [framebuffer, connector],
    [
      (["class/tty/tty0/active": "tty2"], "other_terminal", "chvt 7"),
      (["class/drm/card1-HDMI-A-1/status": "disconnected"], "cable_out", "nothing is connected"),
      (["class/drm/card1-HDMI-A-1/dpms": "Off"], "display_off", "card1-HDMI-A-1 is switched off"),
      (["class/drm/card1-HDMI-A-1/enabled": "disabled"], "display_off", "card1-HDMI-A-1"),
      (["class/backlight/left/brightness": "0"], "backlight_off", "left, right"),
      (["class/backlight/left/actual_brightness": "0"], "backlight_off", "left, right"),
      (["class/backlight/left/bl_power": "4"], "backlight_off", "left, right"),
    ] as [([String: String], String, String)])
  func `each thing that is wrong is named`(
    glass: String, row: (changes: [String: String], code: String, text: String)
  ) throws {
    let problems = try problems(glass, row.changes)
    #expect(problems.map(\.code) == [row.code])
    #expect(problems.first?.message.contains(row.text) == true, "\(problems)")
  }

  @Test(arguments: [(true, false), (false, true)])
  func `a display that the daemon made dark may be off, and has to be connected`(dark: Bool, blank: Bool)
    throws
  {
    let off = ["class/drm/card1-HDMI-A-1/dpms": "Off", "class/backlight/left/brightness": "0"]
    #expect(try problems(Self.framebuffer, off, dark: dark, blank: blank).isEmpty)
    let out = off.merging(["class/drm/card1-HDMI-A-1/status": "disconnected"]) { $1 }
    #expect(try problems(Self.framebuffer, out, dark: dark, blank: blank).map(\.code) == ["cable_out"])
  }

  @Test func `of several lights, the one that the file names counts`() throws {
    #expect(try problems(Self.framebuffer + #","backlight":"right""#, [:]).map(\.code) == ["backlight_off"])
    #expect(try problems(Self.framebuffer + #","backlight":"left""#, [:]).isEmpty)
  }

  @Test func `a display without a device, and a machine without files, have nothing to look at`() throws {
    #expect(try problems("\"complete\":true", ["class/tty/tty0/active": "tty2"]).isEmpty)
    let answer = try JSONReader.read(#"{"glass":{"terminal":7,"framebuffer":"/nonexistent/fb9"}}"#)
    let glass = try #require(Glass(answer, sysfs: "/nonexistent"))
    #expect(glass.problems(by: ScanoutReader(try #require(glass.scanout))).isEmpty)
    #expect(Glass(.object([]), sysfs: "/nonexistent") == nil)
  }
}
