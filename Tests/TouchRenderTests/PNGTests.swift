import Foundation
import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchViews

/// A directory for one test, removed afterwards.
private func withDirectory(_ body: (String) throws -> Void) throws {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    "touchtree-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  try body(directory.path)
}

private func bytes(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

private func gradient(_ width: Int, _ height: Int) throws -> Surface {
  let surface = try Surface(width: width, height: height)
  for y in 0..<height {
    for x in 0..<width {
      surface.pixels[y * width + x] =
        Color(red: UInt8(x * 7 & 255), green: UInt8(y * 5 & 255), blue: UInt8((x ^ y) & 255)).premultiplied()
    }
  }
  return surface
}

/// Two pixels, #ff000080 and #00ff00, in the kinds that PNG has, made by hand.
enum Tiny {
  static let rgba =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DQwPCf4T8ADn0Dfur2k8AAAAAASU"
    + "VORK5CYII="
  static let palette =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAABlBMVEX/AAAA/wDSh+9xAAAAAnRSTlOA/2ASuv4AAA"
    + "ALSURBVHicY2BgBAAABAACv3o/SgAAAABJRU5ErkJggg=="
  static let grey16 =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAAAAACB2fwVAAAADUlEQVR4nGNgYPj/HwADAgH/5ncLrgAAAABJRU5Erk"
    + "Jggg=="
  static let interlaced =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAGDJU8cAAAAEklEQVR4nGP4z8DQwMDwn+E/AA/9A37534oNAAAAAE"
    + "lFTkSuQmCC"
  /// #808080 and #40c0ff, with 16 bits a channel and no word about gamma.
  static let deep =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAIAAAAr0DSeAAAAEklEQVR4nGNoAAMHhwMH/v8HACeKBv9heCYRAAAAAE"
    + "lFTkSuQmCC"
  static let wide =
    "iVBORw0KGgoAAAANSUhEUgAAEAEAAAABCAAAAACUiF+eAAAAGklEQVR4nO3BAQ0AAADCoPdPbQ8HFAAAAPBvEAIAAX"
    + "V6XuIAAAAASUVORK5CYII="
}

@Suite("PNG files")
struct PNGTests {
  @Test
  func `what is written is read back, pixel for pixel, and written again byte for byte`() throws {
    try withDirectory { directory in
      let surface = try gradient(61, 37)
      let path = directory + "/picture.png"
      try PNGWriter.write(surface, to: path)
      #expect(firstDifference(try PNGReader.read(path: path), surface) == nil)
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == (try PNGWriter.encode(surface)))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["picture.png"])
    }
  }

  @Test
  func `an existing file is replaced whole; one that cannot be leaves nothing behind`() throws {
    try withDirectory { directory in
      let path = directory + "/picture.png"
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
      try PNGWriter.write(try gradient(4, 4), to: path)
      #expect(try PNGReader.read(path: path).width == 4)
      let error = try #require(
        throws: DisplayError.self, performing: { try PNGWriter.write(try gradient(4, 4), to: directory) })
      #expect(error.description == "\(directory): Is a directory")
      let missing = try #require(
        throws: DisplayError.self,
        performing: { try PNGWriter.write(try gradient(4, 4), to: directory + "/no/x.png") })
      #expect(missing.kind == .file && missing.cause == .noSuchFileOrDirectory)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["picture.png"])
    }
  }

  @Test
  func `writing to a pipe or a device does not replace it`() throws {
    try withDirectory { directory in
      // By a link of the test's own: a writer that is wrong replaces the link, not the machine's /dev/null.
      let link = directory + "/null.png"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
      try PNGWriter.write(try gradient(4, 4), to: link)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["null.png"])
    }
  }

  @Test(arguments: [
    (Tiny.rgba, UInt32(0x8080_0000), UInt32(0xff00_ff00)), (Tiny.palette, 0x8080_0000, 0xff00_ff00),
    (Tiny.interlaced, 0x8080_0000, 0xff00_ff00), (Tiny.grey16, 0xff00_0000, 0xffff_ffff),
    (Tiny.deep, 0xff80_8080, 0xff40_c0ff),
  ])
  func `every kind of PNG becomes premultiplied pixels`(file: String, first: UInt32, second: UInt32) throws {
    let surface = try PNGReader.decode(bytes(file), path: "tiny.png")
    #expect((surface.width, surface.height) == (2, 1))
    #expect(String(surface.pixels[0], radix: 16) == String(first, radix: 16))
    #expect(String(surface.pixels[1], radix: 16) == String(second, radix: 16))
  }

  @Test
  func `a file that ends early is an error at every length`() throws {
    let whole = try PNGWriter.encode(gradient(9, 9))
    // The last chunk only says that the file ends: without it the picture is whole.
    for count in 0..<whole.count - 12 {
      #expect(throws: DisplayError.self, "\(count) bytes") {
        try PNGReader.decode(Array(whole[..<count]), path: "cut.png")
      }
    }
  }

  @Test
  func `an empty file is reported as empty`() throws {
    let error = try #require(
      throws: DisplayError.self, performing: { try PNGReader.decode([], path: "empty.png") })
    #expect(error.description == "empty.png: not a readable PNG: the file is empty")
  }

  @Test
  func `a file with a flipped bit is either read or rejected`() throws {
    let whole = try PNGWriter.encode(gradient(9, 9))
    var refused = 0
    for bit in 0..<whole.count * 8 {
      var broken = whole
      broken[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? PNGReader.decode(broken, path: "flipped.png")) == nil { refused += 1 }
    }
    #expect(refused > whole.count * 4)
  }

  @Test
  func `a picture or a file beyond the limits is rejected with its numbers`() throws {
    let error = try #require(
      throws: DisplayError.self, performing: { try PNGReader.decode(bytes(Tiny.wide), path: "wide.png") })
    #expect(error.description == "wide.png: the picture is 4097x1 pixels; at most 4096x4096 are read")
    try withDirectory { directory in
      let path = directory + "/huge.png"
      try Data().write(to: URL(fileURLWithPath: path))
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 100 << 20)
      let error = try #require(throws: DisplayError.self, performing: { try PNGReader.read(path: path) })
      #expect(error.description.contains("the file has \(100 << 20) bytes"))
    }
  }

  @Test(arguments: [
    ("/no/such.png", "/no/such.png: No such file or directory"),
    ("/dev/zero", "/dev/zero: not a readable PNG: not a regular file"),
    ("/etc", "/etc: not a readable PNG: not a regular file"),
    ("/etc/passwd", "/etc/passwd: not a readable PNG: Not a PNG file"),
  ])
  func `a file that is not a picture is an error with its reason`(path: String, message: String) throws {
    let error = try #require(throws: DisplayError.self, performing: { try PNGReader.read(path: path) })
    #expect(error.description == message)
  }
}
