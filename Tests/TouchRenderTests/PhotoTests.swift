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

  /// A file of one component or four, of blocks in one colour each, in as many scans as are asked for; all of
  /// it is in the headers.
  ///
  /// - Parameters:
  ///   - levels: the brightness of each component, 0 to 255; four are inks.
  ///   - scans: nil for a baseline file; else a progressive one, with so many scans without content after the
  ///     first.
  private static func flat(_ side: Int, _ levels: [Int], scans: Int? = nil) -> [UInt8] {
    let size = [UInt8(side >> 8), UInt8(side & 255)]
    let count = UInt8(levels.count)
    var file: [UInt8] = [0xff, 0xd8, 0xff, 0xdb, 0, 67, 0] + Array(repeating: 1, count: 64)
    file += [0xff, scans == nil ? 0xc0 : 0xc2, 0, 8 + 3 * count, 8] + size + size + [count]
    for component in 1...count { file += [component, 0x11, 0] }
    // Every category of a difference has four bits; the only code of the others is the end of a block.
    file += [0xff, 0xc4, 0, 31, 0, 0, 0, 0, 12] + Array(repeating: 0, count: 12) + Array(0...11)
    file += [0xff, 0xc4, 0, 20, 0x10, 1] + Array(repeating: 0, count: 15) + [0]
    file += [0xff, 0xda, 0, 6 + 2 * count, count]
    for component in 1...count { file += [component, 0] }
    file += scans == nil ? [0, 63, 0] : [0, 0, 0]
    var bits = ""
    for block in 0..<(side + 7) / 8 * ((side + 7) / 8) {
      for level in levels {
        // The first coefficient is eight times the mean, and the difference to the last block's.
        let value = block == 0 ? (level - 128) * 8 : 0
        let length = Int.bitWidth - abs(value).leadingZeroBitCount
        let digits = value < 0 ? value + (1 << length) - 1 : value
        let code = String(length, radix: 2)
        let body = length == 0 ? "" : String(digits, radix: 2)
        bits += String(repeating: "0", count: 4 - code.count) + code
        bits += String(repeating: "0", count: length - body.count) + body + (scans == nil ? "0" : "")
      }
    }
    while bits.count % 8 != 0 { bits += "1" }
    var rest = bits[...]
    while !rest.isEmpty {
      let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
      file += byte == 0xff ? [byte, 0] : [byte]
      rest = rest.dropFirst(8)
    }
    for _ in 0..<(scans ?? 0) {
      file += [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0] + Array(repeating: 0, count: 2)
    }
    return file + [0xff, 0xd9]
  }

  private static func problem(_ bytes: [UInt8]) -> String? {
    do throws(DisplayError) {
      _ = try PictureReader.decode(bytes, path: "p")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `inks are shown in their colours`() throws {
    // 255 is no ink, as print shops write them.
    for (inks, hex) in [
      ([200, 40, 60, 255], "#c8283c"), ([255, 255, 255, 255], "#ffffff"), ([255, 255, 255, 0], "#000000"),
    ] {
      let surface = try PictureReader.decode(Self.flat(16, inks), path: "p")
      #expect(surface.color(x: 5, y: 11).hex == hex)
    }
  }

  @Test
  func `a photo in more scans than any camera writes is refused, and the work for each is done in pieces`()
    throws
  {
    #expect(Self.problem(Self.flat(16, [90], scans: 20)) == nil)
    #expect(Self.problem(Self.flat(16, [90], scans: 200))?.contains("more than 100 scans") == true)
    let decoding = PictureDecoding(Self.flat(256, [90], scans: 20), path: "p")
    var pieces = 0
    while try decoding.advance() == nil { pieces += 1 }
    // Of each of the 21 scans, no more than a quarter is looked at in a piece.
    #expect(pieces > 80, "\(pieces)")
  }

  @Test func `a photo in scans that takes more memory than the largest picture is refused`() {
    var bomb = Self.flat(16, [90, 90, 90], scans: 0)
    let frame = bomb.indices.dropLast(9).first { bomb[$0] == 0xff && bomb[$0 + 1] == 0xc2 } ?? 0
    for offset in 5...8 { bomb[frame + offset] = offset % 2 == 1 ? 0x30 : 0 }
    #expect(Self.problem(bomb)?.contains("take more than 64 MiB") == true)
    for offset in 5...8 { bomb[frame + offset] = offset % 2 == 1 ? 0x80 : 0 }
    #expect(Self.problem(bomb)?.contains("32768x32768 pixels; at most 268435456 are read") == true)
  }

  @Test func `a photo that is cut off is refused, and the row is named`() throws {
    let whole = try Self.bytes()
    #expect(Self.problem(Array(whole.dropLast(200)))?.contains("cut off before its first row") == true)
    #expect(Self.problem(Array(whole.dropLast(40)))?.contains("cut off after row") == true)
    #expect(Self.problem(Array(Self.flat(64, [90], scans: 5).dropLast(20)))?.contains("cut off") == true)
    // Without its end mark it is whole.
    #expect(Self.problem(Array(whole.dropLast(2))) == nil)
  }

  @Test(
    arguments: [
      ([], "is empty"), (Array("RIFF1234WEBPVP8 ".utf8), "is a WebP picture"),
      (Array("GIF89a".utf8), "is a GIF picture"),
      (Array("<svg>".utf8), "is an SVG drawing"), (Array("hello".utf8), "is neither a PNG nor a JPEG file"),
    ] as [([UInt8], String)])
  func `a file of another format is called what it is`(bytes: [UInt8], words: String) {
    #expect(Self.problem(bytes)?.contains("the file \(words)") == true)
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
