import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels

private func events(_ text: String, piece: Int = .max) -> [TerminalEvent] {
  var input = TerminalInput()
  var events: [TerminalEvent] = []
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    for byte in rest.prefix(piece) { input.take(byte) { events.append($0) } }
    rest = rest.dropFirst(piece)
  }
  return events
}

private func mouse(_ column: Int, _ row: Int, _ action: TerminalMouse.Action) -> TerminalEvent {
  .mouse(TerminalMouse(column: column, row: row, action: action))
}

/// A picture of every colour that a small one can have.
private func noise(_ width: Int, _ height: Int, colors: Int = .max) throws -> Surface {
  let surface = try Surface(width: width, height: height)
  var random = SeededGenerator(seed: 7)
  for index in 0..<width * height {
    let color = colors == .max ? random.next() : UInt64(index % colors) &* 0x3_5b17
    surface.pixels[index] = 0xff00_0000 | UInt32(truncatingIfNeeded: color & 0xff_ffff)
  }
  return surface
}

@Suite("A terminal emulator")
struct TerminalTests {
  @Test(
    arguments: [
      ("\u{1b}[<0;12;7M", [mouse(11, 6, .press)]), ("\u{1b}[<0;12;7m", [mouse(11, 6, .release)]),
      ("\u{1b}[<32;1;1M\u{1b}[<35;2;1M", [mouse(0, 0, .drag), mouse(1, 0, .hover)]),
      ("\u{1b}[<2;3;3M\u{1b}[<64;3;3M\u{1b}[<2;3;3m", Array(repeating: mouse(2, 2, .other), count: 3)),
      // With Shift, Alt and Ctrl.
      ("\u{1b}[<28;3;3M", [mouse(2, 2, .press)]),
      ("\u{1b}[?62;4;22c", [.attributes([62, 4, 22])]),
      ("\u{1b}_Gi=31;OK\u{1b}\\", [.kittyGraphics(true)]),
      ("\u{1b}_Gi=31;EINVAL:no\u{1b}\\a", [.kittyGraphics(false), .key(97)]),
      (
        "\u{1b}[6;20;10t\u{1b}[4;480;800t",
        [.cell(width: 10, height: 20), .textArea(width: 800, height: 480)]
      ),
      // Arrows, function keys, the oldest mouse mode, a pasted text, a title.
      ("\u{1b}[A\u{1b}OP\u{1b}[15~\u{1b}[M !!\u{1b}]0;title\u{7}q", [.key(113)]),
      ("\u{1b}\u{1b}[<0;1;1M", [mouse(0, 0, .press)]),
      ("\u{1b}[<0;1M\u{1b}[<;;M\u{1b}[6;0;0t", [mouse(-1, -1, .press)]),
      ("\u{1b}[<99999999999999999999;1;1M", [mouse(0, 0, .hover)]),
    ], [Int.max, 1, 2, 3])
  func `its bytes are parsed alike in any pieces`(row: (String, [TerminalEvent]), piece: Int) {
    #expect(events(row.0, piece: piece) == row.1)
  }

  @Test(arguments: 0..<20)
  func `no input stops the parser or makes it grow`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var input = TerminalInput()
    let frequent = Array("\u{1b}[]_P<?;0123456789MmtcG\\".utf8)
    let room = input.parameters.capacity
    var longest = 0
    // Half of the runs begin with a sequence that has no end.
    for byte in seed.isMultiple(of: 2) ? Array("\u{1b}[".utf8) + Array(repeating: 0x31, count: 10_000) : [] {
      input.take(byte) { _ in }
      longest = max(longest, input.parameters.count)
    }
    for _ in 0..<20_000 {
      let byte =
        random.chance(0.7)
        ? frequent[Int(random.next() % UInt64(frequent.count))] : UInt8(random.next() & 255)
      input.take(byte) { _ in }
      longest = max(longest, input.parameters.count)
    }
    #expect(longest <= 256 && input.parameters.capacity == room)
    #expect(longest == 256 || !seed.isMultiple(of: 2))
    var seen: [TerminalEvent] = []
    for byte in Array("\u{1b}\\\u{1b}\\\u{1b}[<0;5;5M".utf8) { input.take(byte) { seen.append($0) } }
    #expect(seen.last == mouse(4, 4, .press))
  }

  @Test
  func `half blocks are written once, and then only where a pixel changed`() throws {
    let picture = try noise(12, 10)
    var encoder = HalfBlockEncoder(columns: 12, rows: 5)
    var output: [UInt8] = []
    encoder.encode(picture, picture.bounds, into: &output)
    #expect(!output.isEmpty)
    output.removeAll()
    encoder.encode(picture, picture.bounds, into: &output)
    #expect(output.isEmpty)
    picture.pixels[7 * 12 + 3] = 0xff01_0203
    picture.pixels[6 * 12 + 3] = 0xff01_0203
    encoder.encode(picture, PixelRect(x: 3, y: 7, width: 1, height: 1), into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "\u{1b}[4;4H\u{1b}[48;2;1;2;3m ")
  }

  @Test(arguments: [TileEncoder.Graphics.kitty, .sixel])
  func `tiles are sent once, and then only those that changed`(graphics: TileEncoder.Graphics) throws {
    let picture = try noise(200, 100, colors: 9)
    var encoder = try TileEncoder(graphics, width: 200, height: 100, cellWidth: 10, cellHeight: 20)
    var output: [UInt8] = []
    func count() -> Int {
      String(decoding: output, as: UTF8.self).components(of: graphics == .kitty ? "a=T" : "q\"1")
    }
    encoder.encode(picture, picture.bounds, into: &output)
    #expect(count() == 6)
    output.removeAll()
    encoder.encode(picture, picture.bounds, into: &output)
    #expect(output.isEmpty)
    picture.pixels[99 * 200 + 199] = 0xff01_0203
    encoder.encode(picture, picture.bounds, into: &output)
    #expect(count() == 1)
    #expect(output.starts(with: Array("\u{1b}[5;17H".utf8)))
  }

  @Test
  func `a kitty picture is a PNG of exactly these pixels, in pieces that a terminal takes`() throws {
    let picture = try noise(90, 70)
    let area = PixelRect(x: 7, y: 3, width: 80, height: 60)
    var output: [UInt8] = []
    KittyPicture.write(picture, area, id: 42, into: &output)
    let pieces = output.split(separator: 0x1b).filter { $0.first == UInt8(ascii: "_") }
    #expect(pieces.count > 3 && pieces.allSatisfy { $0.count < 4200 })
    var text: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      let parts = piece.split(separator: UInt8(ascii: ";"), maxSplits: 1)
      let keys = String(decoding: parts[0], as: UTF8.self)
      #expect(keys.hasSuffix(index == pieces.count - 1 ? "m=0" : "m=1"))
      #expect(keys.contains("i=42,") == (index == 0))
      text += parts[1]
    }
    let decoded = try PNGReader.decode(base64Decoded(text), path: "picture")
    for y in 0..<60 {
      for x in 0..<80 where decoded.pixels[y * 80 + x] != picture.pixels[(y + 3) * 90 + x + 7] {
        Issue.record("(\(x), \(y))")
        return
      }
    }
  }

  @Test(arguments: [200, Int.max])
  func `a sixel picture is these pixels in hundredths; too many colours become coarser`(colors: Int) throws {
    let picture = try noise(50, 40, colors: colors)
    let area = PixelRect(x: 4, y: 5, width: 45, height: 34)
    var output: [UInt8] = []
    SixelPicture.write(picture, area, into: &output)
    let decoded = try #require(decodeSixel(output))
    #expect(decoded.width == 45 && decoded.height == 34)
    let most = colors == .max ? 63 : 1
    for y in 0..<34 {
      for x in 0..<45 {
        let (seen, wanted) = (decoded.pixels[y * 45 + x], picture.pixels[(y + 5) * 50 + x + 4])
        for shift: UInt32 in [0, 8, 16] {
          let difference = Int(seen >> shift & 255) * 255 / 100 - Int(wanted >> shift & 255)
          #expect(abs(difference) <= most + 2, "(\(x), \(y))")
        }
      }
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

private func base64Decoded(_ text: [UInt8]) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: text.count, by: 4) {
    let group = text[start..<start + 4]
    let bits = group.reduce(0) { $0 << 6 | (alphabet.firstIndex(of: $1) ?? 0) }
    let padding = group.filter { $0 == UInt8(ascii: "=") }.count
    for index in 0..<3 - padding { bytes.append(UInt8(bits >> (16 - 8 * index) & 255)) }
  }
  return bytes
}

/// The picture, each channel in hundredths; nil when it is no sixel graphics or has a hole.
private func decodeSixel(_ bytes: [UInt8]) -> (width: Int, height: Int, pixels: [UInt32])? {
  guard bytes.starts(with: Array("\u{1b}P0;1;0q\"1;1;".utf8)), bytes.suffix(2) == [0x1b, 0x5c] else {
    return nil
  }
  var rest = bytes.dropFirst(13).dropLast(2)
  func number() -> Int {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
  let width = number()
  rest = rest.dropFirst()
  let height = number()
  var pixels = [UInt32?](repeating: nil, count: width * height)
  var (colors, color, x, y): ([Int: UInt32], Int, Int, Int) = ([:], 0, 0, 0)
  func put(_ byte: UInt8, _ count: Int) {
    for column in x..<x + count {
      for row in 0..<6 where (byte - 0x3f) >> UInt8(row) & 1 == 1 {
        pixels[(y + row) * width + column] = colors[color]
      }
    }
    x += count
  }
  while let byte = rest.popFirst() {
    switch byte {
    case UInt8(ascii: "#"):
      color = number()
      guard rest.first == UInt8(ascii: ";") else { break }
      rest = rest.dropFirst(3)
      var value: UInt32 = 0
      for _ in 0..<3 {
        value = value << 8 | UInt32(number())
        if rest.first == UInt8(ascii: ";") { rest = rest.dropFirst() }
      }
      colors[color] = value
    case UInt8(ascii: "$"): x = 0
    case UInt8(ascii: "-"): (x, y) = (0, y + 6)
    case UInt8(ascii: "!"):
      let count = number()
      if let next = rest.popFirst() { put(next, count) }
    default: put(byte, 1)
    }
  }
  guard !pixels.contains(nil) else { return nil }
  return (width, height, pixels.compactMap(\.self))
}
