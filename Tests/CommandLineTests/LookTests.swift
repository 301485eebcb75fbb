import Foundation
import Testing
import TouchPixels

/// What changes on the screen of a daemon that runs: its theme, its icons, and pictures that other programs
/// write.
@Suite(.serialized) struct LookTests {
  private static let tree = """
    theme: dark
    window:
      subviews:
        - {id: go, kind: button, frame: [0, 0, 40, 40], icon: power}
        - {id: photo, kind: image, frame: [40, 0, 40, 40], image: {path: photo.png, mode: stretch, follow: true}}

    """

  private func screenshot(of daemon: RemoteTests.Daemon, in folder: String) throws -> Surface {
    let outcome = try daemon.ctl("screenshot", "\(folder)/screenshot.png")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try PNGReader.read(path: "\(folder)/screenshot.png")
  }

  /// Asks for pictures until one has a color in the middle of the photo, as long as the daemon answers.
  private func wait(for color: String, of daemon: RemoteTests.Daemon, in folder: String) throws {
    while try screenshot(of: daemon, in: folder).color(x: 60, y: 20).hex != color {}
  }

  private func writePicture(_ pixel: UInt32, to path: String) throws {
    let picture = try Surface(width: 8, height: 8)
    for index in 0..<64 { picture.pixels[index] = pixel }
    try PNGWriter.write(picture, to: path)
  }

  @Test func `a theme that is set shows at once, and an icon that there is not is refused`() throws {
    try Program.inFolder { folder in
      try writePicture(0xffff_0000, to: "\(folder)/photo.png")
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.tree)
      #expect(try screenshot(of: daemon, in: folder).color(x: 20, y: 4).hex == "#222933")
      #expect(try daemon.ctl("set", "theme=light").status == 0)
      #expect(try screenshot(of: daemon, in: folder).color(x: 20, y: 4).hex == "#e6eaf0")
      let wrong = try daemon.ctl("set", "go", "icon=powr")
      #expect(wrong.status == 1 && wrong.errors.contains("power"), "\(wrong.errors)")
      #expect(try daemon.ctl("set", "go", "icon=lightbulb").status == 0)
      #expect(try daemon.ctl("set", "go", "icon.size=30").status == 0)
    }
  }

  @Test func `a file that the configuration does not name is not opened for who sets a value`() throws {
    try Program.inFolder { folder in
      try writePicture(0xffff_0000, to: "\(folder)/photo.png")
      try writePicture(0xffff_0000, to: "\(folder)/other.png")
      try Data("key: a secret word".utf8).write(to: URL(filePath: "\(folder)/night.yaml"))
      let daemon = try RemoteTests.Daemon(in: folder, tree: "files: night.yaml\n" + Self.tree)
      for path in ["/etc/passwd", "\(folder)/none", folder, "/dev/null"] {
        let theme = try daemon.ctl("set", "theme=\(path)")
        #expect(theme.status == 1 && theme.errors.contains("is not opened"), "\(theme.errors)")
        let picture = try daemon.ctl("set", "photo", "image=\(path)")
        #expect(picture.status == 1 && picture.errors.contains("is not opened"), "\(picture.errors)")
      }
      #expect(try daemon.ctl("set", "photo", "image=other.png").status == 1)
      // One that is opened is not shown with its mistakes.
      let named = try daemon.ctl("set", "theme=night.yaml")
      #expect(named.status == 1 && named.errors.contains("touchtree check"), "\(named.errors)")
      #expect(!named.errors.contains("secret"), "\(named.errors)")
    }
  }

  @Test func `a picture is shown again when its file is written, and when another takes its place`() throws {
    try Program.inFolder { folder in
      let path = "\(folder)/photo.png"
      try writePicture(0xffff_0000, to: path)
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.tree)
      try wait(for: "#ff0000", of: daemon, in: folder)
      // PNGWriter puts a new file in the place of the old one.
      try writePicture(0xff00_ff00, to: path)
      try wait(for: "#00ff00", of: daemon, in: folder)
      try writePicture(0xff00_00ff, to: "\(folder)/other.png")
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/other.png"))
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: bytes)
      try file.close()
      try wait(for: "#0000ff", of: daemon, in: folder)
    }
  }
}
