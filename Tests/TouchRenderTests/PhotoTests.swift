import Foundation
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchSystem
@testable import TouchViews

/// JPEG files. The one that tests read has four quarters: red, green, blue, white, 48 by 32 pixels together.
@Suite struct PhotoTests {
  private static func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: Fixture.photo))) }

  /// The file with a camera's note of how it was held.
  ///
  /// - Parameter isLittle: whether the camera writes the small part of a number first.
  private static func photo(heldAs orientation: UInt8, isLittle: Bool = true) throws -> [UInt8] {
    let photo = try bytes()
    var note = Array("Exif\0\0".utf8)
    note +=
      isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
      : [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    return Array(photo[..<2]) + [0xff, 0xe1, 0, UInt8(note.count + 2)] + note + Array(photo[2...])
  }

  /// The nearest of the four colours in the middle of each quarter, row by row.
  private static func quarters(_ surface: Surface) -> String {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let color = surface.color(x: surface.width * x / 4, y: surface.height * y / 4)
      if color.red > 200, color.green > 200 { return "w" }
      return color.red > 150 ? "r" : color.green > 150 ? "g" : "b"
    }.joined()
  }

  @Test func `a photo is decoded`() throws {
    let surface = try PictureReader.read(path: Fixture.photo)
    #expect(surface.width == 48 && surface.height == 32)
    #expect(Self.quarters(surface) == "rgbw")
    #expect(surface.pixels[0] >> 24 == 255)
    #expect(PictureReader.size(path: Fixture.photo) == Size(width: 48, height: 32))
  }

  /// Where the first row and the first column are seen. (EXIF 2.32, 4.6.4.)
  @Test(arguments: [
    (1, "rgbw"), (2, "grwb"), (3, "wbgr"), (4, "bwrg"), (5, "rbgw"), (6, "brwg"), (7, "wgbr"), (8, "gwrb"),
  ])
  func `a photo is shown as its camera was held`(orientation: Int, quarters: String) throws {
    for isLittle in [true, false] {
      let bytes = try Self.photo(heldAs: UInt8(orientation), isLittle: isLittle)
      let surface = try PictureReader.decode(bytes, path: "p")
      let file = try PictureFile(bytes)
      #expect(Self.quarters(surface) == quarters)
      #expect(surface.width == (orientation < 5 ? 48 : 32) && surface.height == (orientation < 5 ? 32 : 48))
      #expect(file.width == surface.width && file.height == surface.height)
    }
  }

  @Test func `a photo that is too large is made smaller, and one beyond that is refused`() throws {
    // The height and the width stand in the frame header, after its length and the bits of a sample.
    func resized(_ width: Int, _ height: Int) throws -> PictureFile {
      var bytes = try Self.bytes()
      let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
      (bytes[frame + 5], bytes[frame + 6]) = (UInt8(height >> 8), UInt8(height & 255))
      (bytes[frame + 7], bytes[frame + 8]) = (UInt8(width >> 8), UInt8(width & 255))
      return try PictureFile(bytes)
    }
    #expect(try resized(4096, 3000).reduction == 1)
    let halved = try resized(6001, 4000)
    #expect(halved.reduction == 2 && halved.width == 3001 && halved.height == 2000)
    #expect(try resized(40_000, 10).width > PictureFile.largestSide)
  }

  @Test func `every beginning of a photo is shown or refused`() throws {
    let whole = try Self.photo(heldAs: 6)
    var refused = 0
    for count in 0..<whole.count where (try? PictureReader.decode(Array(whole[..<count]), path: "cut")) == nil
    {
      refused += 1
    }
    #expect(refused > 100)
    for index in stride(from: 2, to: whole.count, by: 3) {
      var broken = whole
      broken[index] ^= 0xff
      _ = try? PictureReader.decode(broken, path: "broken")
    }
  }

  @Test func `a picture in slices keeps its corners, and stretches the rest`() throws {
    // A frame of three pixels around a middle: only slices keep the frame three units wide.
    let surface = try Surface(width: 9, height: 9)
    for y in 0..<9 {
      for x in 0..<9 {
        let isMiddle = (3..<6).contains(x) && (3..<6).contains(y)
        surface.pixels[y * 9 + x] = isMiddle ? 0xff00_ff00 : 0xffff_0000
      }
    }
    let bounds = LocalRect(x: 0, y: 0, width: 60, height: 30)
    let target = try #require(
      NinePatch.draw(
        surface, slice: Insets(top: 3, left: 3, bottom: 3, right: 3), in: bounds, .identity,
        area: PixelRect(x: 0, y: 0, width: 60, height: 30)))
    func color(_ x: Int, _ y: Int) -> String { target.surface.color(x: x, y: y).hex }
    for (x, y) in [(0, 0), (1, 15), (58, 15), (30, 1), (30, 28), (59, 29)] {
      #expect(color(x, y) == "#ff0000")
    }
    for (x, y) in [(5, 5), (54, 24), (30, 15)] { #expect(color(x, y) == "#00ff00") }
  }
}
