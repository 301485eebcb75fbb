import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A layout by lengths and offsets of red, green, blue, as `fbset` prints it.
private func format(
  _ bits: Int, _ red: (UInt32, UInt32), _ green: (UInt32, UInt32), _ blue: (UInt32, UInt32),
  _ transparency: (UInt32, UInt32) = (0, 0)
) throws -> ChannelLayout {
  func channel(_ pair: (UInt32, UInt32)) -> BitField { .init(offset: pair.1, length: pair.0) }
  return try ChannelLayout(
    bitsPerPixel: bits, red: channel(red), green: channel(green), blue: channel(blue),
    transparency: channel(transparency))
}

@Suite("Pixel formats")
struct PixelFormatTests {
  @Test(
    arguments: [
      (32, (8, 16), (8, 8), (8, 0), "#12ab7f", UInt32(0xff12_ab7f)),
      (32, (8, 0), (8, 8), (8, 16), "#12ab7f", 0xff7f_ab12),
      (32, (8, 8), (8, 16), (8, 24), "#12ab7f", 0x7fab_12ff),
      (32, (8, 8), (8, 0), (8, 16), "#12ab7f", 0xff7f_12ab),
      (32, (10, 20), (10, 10), (10, 0), "#ff0080", 0xfff0_0202),
      (32, (6, 12), (6, 6), (6, 0), "#fc0880", 0xffff_f0a0),
      (24, (8, 16), (8, 8), (8, 0), "#12ab7f", 0x12_ab7f),
      (24, (6, 12), (6, 6), (6, 0), "#fc0880", 0xff_f0a0),
      (16, (5, 11), (6, 5), (5, 0), "#12ab7f", 0x154f), (16, (5, 10), (5, 5), (5, 0), "#12ab7f", 0x8aaf),
    ] as [(Int, (UInt32, UInt32), (UInt32, UInt32), (UInt32, UInt32), String, UInt32)])
  func `a colour is packed into the channels' bits, the others are set`(
    bits: Int, red: (UInt32, UInt32), green: (UInt32, UInt32), blue: (UInt32, UInt32), color: String,
    expected: UInt32
  ) throws {
    let packed = try format(bits, red, green, blue).pack(hex(color))
    #expect(String(packed, radix: 16) == String(expected, radix: 16))
  }

  @Test
  func `numbers that cannot describe a pixel are rejected, with the numbers`() {
    func problem(_ make: () throws -> ChannelLayout) -> String {
      do {
        return "accepted: \(try make().text)"
      } catch {
        return "\(error)"
      }
    }
    #expect(problem { try format(12, (4, 8), (4, 4), (4, 0)) }.contains("12 bits"))
    #expect(problem { try format(16, (8, 16), (8, 8), (8, 0)) }.contains("red channel (8/16)"))
    #expect(problem { try format(32, (8, 16), (0, 0), (8, 0)) }.contains("green channel has no bits"))
    #expect(problem { try format(16, (5, 10), (6, 5), (5, 0)) }.contains("green channel (6/5) share"))
    #expect(problem { try format(32, (8, .max), (8, 8), (8, 0)) }.contains("(8/4294967295)"))
    #expect(problem { try format(32, (8, 16), (8, 8), (8, 0), (8, 28)) }.contains("transp channel (8/28)"))
  }
}

@Suite("Dithering")
struct DitherTests {
  /// In each cell of the pattern, what is shown is on average what was painted: there is no band as wide as a
  /// step.
  @Test(arguments: [180.0, 90, 30])
  func `a gradient on a display of 16 bits has no bands`(angle: Double) throws {
    let window = Window(size: Size(width: 320, height: 320))
    window.gradient = Gradient([hex("#1b2834"), hex("#0d141b")], angle: angle)
    let picture = try paint(window, width: 320, height: 320)
    let tables = try #require(DitherTables(.channels(format(16, (5, 11), (6, 5), (5, 0)))))
    var shown = [(red: Double, blue: Double)](repeating: (0, 0), count: 320 * 320)
    for y in 0..<320 {
      tables.forEach(picture.pixels + y * 320, count: 320, x: 0, y: y) { x, value in
        shown[y * 320 + x] = (Double(value >> 11) * 255 / 31, Double(value & 31) * 255 / 31)
      }
    }
    for cell in 0..<1600 {
      var difference = (red: 0.0, blue: 0.0)
      for place in 0..<64 {
        let (x, y) = (cell % 40 * 8 + place % 8, cell / 40 * 8 + place / 8)
        difference.red += (shown[y * 320 + x].red - Double(picture.color(x: x, y: y).red)) / 64
        difference.blue += (shown[y * 320 + x].blue - Double(picture.color(x: x, y: y).blue)) / 64
      }
      // A step is 8.2.
      #expect(abs(difference.red) < 1.5 && abs(difference.blue) < 1.5, "cell \(cell)")
    }
  }

  @Test
  func `the pattern is Bayer's`() {
    let expected = (0..<64).map { LayoutRow.pattern(8, $0 % 8, $0 / 8) }
    #expect(Dither.thresholds == expected)
    #expect(Set(expected) == Set(0..<64))
  }

  @Test(arguments: [1, 3, 5, 7, 15, 31, 63])
  func `an area keeps its brightness, and uses only the two nearest steps`(last: Int) {
    for intensity in 0..<256 {
      let (step, fraction) = Dither.split(intensity, last: last)
      let steps = Dither.thresholds.map { step + ($0 < fraction ? 1 : 0) }
      let mean = Double(steps.reduce(0, +)) / 64
      // Half a sixty-fourth of a step, or less than one of 255 where a colour was snapped to its step.
      #expect(abs(mean * 255 / Double(last) - Double(intensity)) < max(1, 255.0 / Double(last) / 128 + 1e-9))
      #expect(steps.allSatisfy { (0...last).contains($0) })
    }
  }

  @Test
  func `a colour that a 16-bit display has is not dithered, whichever way it was widened to eight bits`() {
    for last in [31, 63] {
      for step in 0...last {
        let rounded = (step * 255 + last / 2) / last
        let repeated = last == 31 ? step << 3 | step >> 2 : step << 2 | step >> 4
        #expect(Dither.split(rounded, last: last) == (step, 0))
        #expect(Dither.split(repeated, last: last) == (step, 0))
      }
    }
  }

  @Test(
    arguments: [
      ((5, 11), (6, 5), (5, 0)), ((5, 0), (6, 5), (5, 11)), ((5, 10), (5, 5), (5, 0)),
      ((4, 8), (4, 4), (4, 0)),
      ((8, 8), (7, 1), (1, 0)), ((2, 5), (3, 2), (1, 15)),
    ] as [((UInt32, UInt32), (UInt32, UInt32), (UInt32, UInt32))])
  func `eight pixels at once are dithered as one by one`(
    red: (UInt32, UInt32), green: (UInt32, UInt32), blue: (UInt32, UInt32)
  ) throws {
    let layout = PixelFormat.channels(try format(16, red, green, blue))
    let (words, tables) = (try #require(DitheredWords(layout)), try #require(DitherTables(layout)))
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      let count = Int.random(in: 1...90, using: &random)
      let (x, y) = (Int.random(in: 0..<100, using: &random), Int.random(in: 0..<100, using: &random))
      // Areas of one colour of all lengths, with single pixels between them.
      var pixels: [UInt32] = []
      while pixels.count < count {
        let color = UInt32.random(in: 0 ... .max, using: &random)
        let length = Bool.random(using: &random) ? 1 : Int.random(in: 1...50, using: &random)
        pixels += Array(repeating: color, count: min(length, count - pixels.count))
      }
      var expected = [UInt16](repeating: 0, count: count)
      tables.forEach(pixels, count: count, x: x, y: y) { expected[$0] = $1 }
      // What lies behind the row stays.
      var converted = [UInt16](repeating: 0x5aa5, count: count + 1)
      converted.withUnsafeMutableBytes { memory in
        if let first = memory.baseAddress { words.convert(pixels, count: count, x: x, y: y, into: first) }
      }
      #expect(converted == expected + [0x5aa5])
    }
  }
}

@Suite("Colour maps")
struct ColorMapTests {
  @Test
  func `a channel's ramp is linear, and padded if the channel is shorter than the longest`() throws {
    let map = ColorMap.linear(for: try format(16, (5, 11), (6, 5), (5, 0)))
    #expect((map.red.count, map.green.count, map.blue.count) == (64, 64, 64))
    #expect((map.red[0], map.red[1], map.red[31], map.red[63]) == (0, 2114, 65_535, 65_535))
    #expect((map.green[0], map.green[32], map.green[63]) == (0, 33_287, 65_535))
  }

  @Test
  func `a cube has all combinations of its steps, with greys, and black after it`() {
    let map = ColorMap.cube(side: 6, count: 256)
    let entry = 36 * 5 + 6 * 1 + 3
    #expect((map.red[entry], map.green[entry], map.blue[entry]) == (65_535, 13_107, 39_321))
    #expect((map.red[215], map.green[215], map.blue[215]) == (65_535, 65_535, 65_535))
    #expect((map.red[216], map.green[255], map.blue[230]) == (0, 0, 0))
    for grey in 0..<6 {
      #expect(map.red[grey * 43] == map.green[grey * 43] && map.red[grey * 43] == map.blue[grey * 43])
    }
  }

  @Test(arguments: [(256, 6), (255, 6), (128, 5), (64, 4), (27, 3), (16, 2), (8, 2), (7, 1), (2, 1)])
  func `a map has the largest cube that fits`(count: Int, side: Int) {
    #expect(ColorMap.cubeSide(count: count) == side)
  }

  @Test
  func `a fixed map is classified by its entries`() {
    let ramp = ColorMap.grey(count: 16)
    #expect(ramp.isRisingGrey == true)
    let falling = ColorMap(red: ramp.red.reversed(), green: ramp.red.reversed(), blue: ramp.red.reversed())
    #expect(falling.isRisingGrey == false)
    #expect(ColorMap.cube(side: 2, count: 8).isRisingGrey == nil)
    let black = ColorMap(red: [0, 0], green: [0, 0], blue: [0, 0])
    #expect(black.isRisingGrey == nil && black.isFlat)
    #expect(!ramp.isFlat)
  }

  @Test
  func `a colour becomes the nearest entry of a fixed map`() {
    // Black, red, white, sky blue.
    let map = ColorMap(
      red: [0, 65_535, 65_535, 0x4000], green: [0, 0, 65_535, 0x9000], blue: [0, 0, 65_535, 0xff00])
    let colors = NearestColors(map, shift: 2)
    let entries = ["#000000", "#ff0000", "#ffffff", "#4090ff", "#a01010", "#302020", "#e0f0f0", "#3080e0"]
      .map { colors.value(of: hex($0).premultiplied()) >> 2 }
    #expect(entries == [0, 1, 2, 3, 1, 0, 2, 3])
  }
}

@Suite("The panel at every depth", .serialized)
struct DepthPictureTests {
  @Test(arguments: layouts)
  func `a depth has the same picture for every layout of its bits`(row: LayoutRow) throws {
    let panel = Panel()
    panel.pressed.isHighlighted = true
    let highlights = Highlights()
    var damage = Damage()
    let touch = touch(on: panel.tilted, at: WindowPoint(x: 668, y: 350))
    highlights.update(touches: [touch], cursor: nil, at: .zero, into: &damage)
    let report = row.report(320, 192, padding: 3)
    let framebuffer = try MemoryFramebuffer(report)
    let geometry = DisplayGeometry(displaySize: framebuffer.size, canvasSize: panel.window.bounds.size)
    try Painter(geometry: geometry).paintAll(panel.window, highlights: highlights, on: framebuffer)
    let picture = try row.picture(UnsafeRawBufferPointer(framebuffer.memory), report)
    #expect(try goldenDifference(picture, row.look) == nil)
  }

  @Test
  func `there is a picture of each depth that a driver may have`() {
    #expect(
      Set(layouts.map(\.look)).sorted() == [
        "depth-121", "depth-332", "depth-444", "depth-555", "depth-565", "depth-666", "depth-888",
        "depth-grey-1", "depth-grey-2", "depth-grey-4", "depth-grey-8", "depth-palette-216",
        "depth-palette-8",
      ])
  }
}
