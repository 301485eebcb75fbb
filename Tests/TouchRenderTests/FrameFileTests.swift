import Testing
import TouchSystem

@testable import TouchPixels

/// The pixels of a camera or a video, in a file.
@Suite struct FrameFileTests {
  private static func file(_ line: String, _ pixels: [UInt32] = []) -> [UInt8] {
    Array("\(line)\n".utf8)
      + pixels.flatMap { pixel in (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) } }
  }

  @Test func `the pixels of a frame are the picture, opaque, without what pads its rows`() throws {
    let pixels: [UInt32] = [0x00ff_0000, 0x1200_ff00, 7, 0xff00_00ff, 0x00ff_ffff]
    let picture = try PictureReader.decode(Self.file("XRGB8888 2 2 12", pixels), path: "a.frame")
    #expect(picture.width == 2 && picture.height == 2)
    #expect((0..<4).map { picture.pixels[$0] } == [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xffff_ffff])
  }

  @Test(arguments: [
    ("XRGB8888 2 2 8", "the frame is cut: it has fewer than 31 bytes"),
    ("XRGB8888 2 2 7", "no line XRGB8888 WIDTH HEIGHT STRIDE"), ("XRGB8888 2 2", "no line XRGB8888"),
    ("XRGB8888 0 2 8", "no line XRGB8888"), ("XRGB8888 2 -2 8", "no line XRGB8888"),
    ("XRGB8888 2 2 8 1", "no line XRGB8888"), ("XRGB8888 a b c", "no line XRGB8888"),
    ("XRGB8888 5000 2 20000", "is 5000x2 pixels; at most 4096x4096"),
    ("XRGB8888 " + String(repeating: "1", count: 100), "no line XRGB8888"),
  ])
  func `a frame that is not whole is refused`(line: String, reason: String) {
    let error = #expect(throws: DisplayError.self) {
      try PictureReader.decode(
        Self.file(line, line == "XRGB8888 2 2 8" ? [1] : [1, 2, 3, 4]), path: "a.frame")
    }
    #expect(error.map { "\($0)" }?.contains(reason) ?? false, "\(String(describing: error))")
  }
}
