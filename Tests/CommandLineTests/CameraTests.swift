import Foundation
import Testing
import TouchPixels

/// A video that a process writes, frame by frame, into a file in memory.
@Suite("A camera") struct CameraTests {
  /// GStreamer's colour bars: the first two are white and yellow, and snow falls in a corner.
  private static func panel(_ frame: String) -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../config/examples/camera.py").standardized.path
    return """
      version: 1
      display: {canvas: {size: [640, 360]}}
      handlers:
        camera: {kind: process, command: ['\(script)', '\(frame)', videotestsrc, is-live=true], wants: []}
      window:
        subviews:
          - {id: door, kind: image, frame: [0, 0, 640, 360], image: {path: '\(frame)', follow: true}}
      """
  }

  @Test func `a view shows a video that a process writes into memory`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.panel("\(folder)/door.frame"), [])
      func picture() throws -> [UInt32] {
        #expect(try daemon.ctl("screenshot", "\(folder)/a.png").status == 0)
        let picture = try PNGReader.read(path: "\(folder)/a.png")
        return (0..<640 * 360).map { picture.pixels[$0] }
      }
      try Program.eventually("the first two bars") {
        let row = try picture()[(20 * 640)...].prefix(640)
        return row[row.startIndex + 20] == 0xffff_ffff && row[row.startIndex + 110] == 0xffff_ff00
      }
      let before = try picture()
      try Program.eventually("other snow") { try picture() != before }
      #expect(daemon.end() == 0)
      #expect(!daemon.log.contains("error"), "\(daemon.log)")
    }
  }
}
