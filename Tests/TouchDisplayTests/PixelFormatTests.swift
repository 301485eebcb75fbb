import Testing
import TouchCore

@testable import TouchDisplay

/// A layout by lengths and offsets of red, green, blue, as `fbset` prints it.
func format(
  _ bits: Int, _ red: (UInt32, UInt32), _ green: (UInt32, UInt32), _ blue: (UInt32, UInt32),
  _ transparency: (UInt32, UInt32) = (0, 0)
) throws -> PixelFormat {
  func channel(_ pair: (UInt32, UInt32)) -> PixelFormat.Channel { .init(offset: pair.1, length: pair.0) }
  return try PixelFormat(
    bitsPerPixel: bits, red: channel(red), green: channel(green), blue: channel(blue),
    transparency: channel(transparency))
}

/// Every kind of layout: those pixman knows and those it does not.
let layouts: [(name: String, format: PixelFormat)] = {
  let made: [(String, PixelFormat?)] = [
    ("x8r8g8b8", try? format(32, (8, 16), (8, 8), (8, 0))),
    ("a8r8g8b8", try? format(32, (8, 16), (8, 8), (8, 0), (8, 24))),
    ("a8b8g8r8", try? format(32, (8, 0), (8, 8), (8, 16), (8, 24))),
    ("b8g8r8x8", try? format(32, (8, 8), (8, 16), (8, 24))),
    ("r8g8b8x8", try? format(32, (8, 24), (8, 16), (8, 8))),
    ("green first", try? format(32, (8, 8), (8, 0), (8, 16))),
    ("10 bits", try? format(32, (10, 20), (10, 10), (10, 0), (2, 30))),
    ("666 in 32", try? format(32, (6, 12), (6, 6), (6, 0))),
    ("r8g8b8", try? format(24, (8, 16), (8, 8), (8, 0))),
    ("b8g8r8", try? format(24, (8, 0), (8, 8), (8, 16))),
    ("666 in 24", try? format(24, (6, 12), (6, 6), (6, 0))),
    ("r5g6b5", try? format(16, (5, 11), (6, 5), (5, 0))),
    ("b5g6r5", try? format(16, (5, 0), (6, 5), (5, 11))),
    ("x1r5g5b5", try? format(16, (5, 10), (5, 5), (5, 0))),
    ("a1b5g5r5", try? format(16, (5, 0), (5, 5), (5, 10), (1, 15))),
    ("x4r4g4b4", try? format(16, (4, 8), (4, 4), (4, 0))),
    ("r5g5b5x1", try? format(16, (5, 11), (5, 6), (5, 1))),
  ]
  return made.compactMap { name, format in format.map { (name, $0) } }
}()

@Suite("Pixel formats")
struct PixelFormatTests {
  @Test("every layout of the table is a pixel format")
  func table() {
    #expect(layouts.count == 17)
  }

  @Test(
    "a colour is packed into the channels' bits, the others are set",
    arguments: [
      ("x8r8g8b8", "#12ab7f", UInt32(0xff12_ab7f)), ("a8r8g8b8", "#12ab7f", 0xff12_ab7f),
      ("a8b8g8r8", "#12ab7f", 0xff7f_ab12), ("b8g8r8x8", "#12ab7f", 0x7fab_12ff),
      ("r8g8b8x8", "#12ab7f", 0x12ab_7fff), ("green first", "#12ab7f", 0xff7f_12ab),
      ("10 bits", "#ff0080", 0xfff0_0202), ("666 in 32", "#fc0880", 0xffff_f0a0),
      ("r8g8b8", "#12ab7f", 0x12_ab7f), ("b8g8r8", "#12ab7f", 0x7f_ab12),
      ("666 in 24", "#fc0880", 0xff_f0a0),
      ("r5g6b5", "#ff0000", 0xf800), ("r5g6b5", "#00ff00", 0x07e0), ("r5g6b5", "#0000ff", 0x001f),
      ("r5g6b5", "#12ab7f", 0x154f), ("b5g6r5", "#12ab7f", 0x7d42),
      ("x1r5g5b5", "#12ab7f", 0x8aaf), ("a1b5g5r5", "#ff0000", 0x801f),
      ("x4r4g4b4", "#12ab7f", 0xf1a7), ("r5g5b5x1", "#000000", 0x0001),
    ])
  func pack(name: String, color: String, expected: UInt32) throws {
    let format = try #require(layouts.first { $0.name == name }).format
    #expect(String(format.pack(hex(color)), radix: 16) == String(expected, radix: 16))
  }

  @Test("a row of every intensity becomes the bytes of its packed colours", arguments: layouts.map(\.name))
  func conversion(name: String) throws {
    let format = try #require(layouts.first { $0.name == name }).format
    let surface = try Surface(width: 768, height: 1)
    for value in 0..<256 {
      let v = UInt8(value)
      let other = 255 - v
      surface.pixels[value] = Color(red: v, green: other, blue: v).premultiplied()
      surface.pixels[256 + value] = Color(red: other, green: v, blue: 0).premultiplied()
      surface.pixels[512 + value] = Color(red: 0, green: other, blue: v).premultiplied()
    }
    let converter = RowConverter(format: format, width: 768)
    let bytes = [UInt8](converter.convert(surface, x: 0, y: 0, count: 768))
    for x in 0..<768 {
      let expected = format.pack(surface.color(x: x, y: 0))
      var actual: UInt32 = 0
      for byte in (0..<format.bytesPerPixel).reversed() {
        actual = actual << 8 | UInt32(bytes[x * format.bytesPerPixel + byte])
      }
      #expect(actual == expected, "\(name), pixel \(x)")
    }
  }

  @Test("numbers that make no pixel are refused, with the numbers")
  func refused() {
    func problem(_ make: () throws -> PixelFormat) -> String {
      do {
        return "accepted: \(try make().text)"
      } catch {
        return "\(error)"
      }
    }
    #expect(problem { try format(8, (3, 5), (3, 2), (2, 0)) } == "8 bits per pixel; 16, 24 and 32 are built")
    #expect(
      problem { try format(16, (8, 16), (8, 8), (8, 0)) }
        == "the red channel (8/16) does not fit into 16 bits per pixel")
    #expect(problem { try format(32, (8, 16), (0, 0), (8, 0)) } == "the green channel has no bits (0/0)")
    #expect(
      problem { try format(16, (5, 10), (6, 5), (5, 0)) }
        == "the red channel (5/10) and the green channel (6/5) share bits")
    #expect(
      problem { try format(32, (8, 4_294_967_295), (8, 8), (8, 0)) }
        == "the red channel (8/4294967295) does not fit into 32 bits per pixel")
    #expect(
      problem { try format(32, (8, 16), (8, 8), (8, 0), (8, 28)) }
        == "the transp channel (8/28) does not fit into 32 bits per pixel")
  }
}
