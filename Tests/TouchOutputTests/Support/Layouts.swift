@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchViews

/// A way to keep pixels, as a driver reports it, and what its bits have to be: written without the product's
/// code.
struct LayoutRow: Sendable, CustomStringConvertible {
  enum Meaning: Sendable {
    /// Length and offset of red, green and blue.
    case channels((Int, Int), (Int, Int), (Int, Int))
    case grey(bits: Int, offset: Int = 0, isInverted: Bool = false)
    case cube(side: Int)
  }

  var description: String
  var bits: Int
  var visual: UInt32
  var meaning: Meaning
  var transparency: (Int, Int) = (0, 0)
  var isGrey = false
  var isReversed = false
  var nonstandard: UInt32 = 0

  init(
    _ name: String, _ bits: Int, _ visual: Int, _ meaning: Meaning, transparency: (Int, Int) = (0, 0),
    isGrey: Bool = false, isReversed: Bool = false, nonstandard: UInt32 = 0
  ) {
    description = name
    self.bits = bits
    self.visual = UInt32(visual)
    self.meaning = meaning
    self.transparency = transparency
    self.isGrey = isGrey
    self.isReversed = isReversed
    self.nonstandard = nonstandard
  }

  private var channels: [(Int, Int)] {
    switch meaning {
    case .channels(let red, let green, let blue): [red, green, blue]
    case .grey(let bits, let offset, _): Array(repeating: (bits, offset), count: 3)
    case .cube: Array(repeating: (bits, 0), count: 3)
    }
  }

  /// What a driver says that has so many visible pixels, in a memory of 7 rows more and with rows `padding`
  /// bytes longer than they need be.
  func report(_ width: Int, _ height: Int, offset: (x: Int, y: Int) = (0, 0), padding: Int = 0)
    -> FramebufferReport
  {
    func field(_ pair: (Int, Int)) -> BitField {
      .init(offset: UInt32(pair.1), length: UInt32(pair.0))
    }
    let stride = ((offset.x + width) * bits + 7) / 8 + padding
    var report = FramebufferReport(
      lineLength: UInt32(stride), memoryLength: UInt32(stride * (offset.y + height + 7)),
      width: UInt32(width),
      height: UInt32(height), offsetX: UInt32(offset.x), offsetY: UInt32(offset.y),
      bitsPerPixel: UInt32(bits),
      red: field(channels[0]), green: field(channels[1]), blue: field(channels[2]))
    report.transparency = field(transparency)
    report.visual = .init(rawValue: visual)
    report.grayscale = isGrey ? 1 : 0
    report.isReversed = isReversed
    report.nonstandard = nonstandard
    return report
  }

  /// A pixel's value. `x` and `y` are on the display.
  func value(_ color: Color, x: Int, y: Int) -> UInt64 {
    let cell = Self.pattern(8, x % 8, y % 8)
    switch meaning {
    case .channels:
      var value = UInt64(1) << UInt64(bits) - 1
      for ((length, offset), intensity) in zip(channels, [color.red, color.green, color.blue]) {
        value &= ~((1 << UInt64(length) - 1) << UInt64(offset))
        let step =
          bits <= 16
          ? Self.step(Double(intensity), 1 << length - 1, cell)
          : length <= 8
            ? Int(intensity) >> (8 - length)
            : Int(intensity) << (length - 8) | Int(intensity) >> (16 - length)
        value |= UInt64(step) << UInt64(offset)
      }
      return value
    case .grey(let length, let offset, let isInverted):
      let luma = (Int(color.red) * 77 + Int(color.green) * 150 + Int(color.blue) * 29) / 256
      let step = Self.step(Double(luma), 1 << length - 1, cell)
      return UInt64(isInverted ? 1 << length - 1 - step : step) << UInt64(offset)
    case .cube(let side):
      return [color.red, color.green, color.blue].reduce(0) { sum, intensity in
        sum * UInt64(side) + UInt64(Self.step(Double(intensity), side - 1, cell))
      }
    }
  }

  /// What a person sees of a pixel's value.
  func color(of value: UInt64) -> Color {
    func level(_ step: UInt64, _ last: UInt64) -> UInt8 { UInt8((step * 255 + last / 2) / last) }
    func field(_ channel: (Int, Int)) -> UInt8 {
      let last = UInt64(1) << UInt64(channel.0) - 1
      return level(value >> UInt64(channel.1) & last, last)
    }
    switch meaning {
    case .channels(let red, let green, let blue):
      return Color(red: field(red), green: field(green), blue: field(blue))
    case .grey(let length, let offset, let isInverted):
      let shade = isInverted ? 255 - field((length, offset)) : field((length, offset))
      return Color(red: shade, green: shade, blue: shade)
    case .cube(let side):
      let (side, last) = (UInt64(side), UInt64(side) - 1)
      return Color(
        red: level(value / side / side, last), green: level(value / side % side, last),
        blue: level(value % side, last))
    }
  }

  /// What a person sees of a framebuffer's memory.
  func picture(_ memory: UnsafeRawBufferPointer, _ report: FramebufferReport) throws -> Surface {
    let picture = try Surface(width: Int(report.width), height: Int(report.height))
    for y in 0..<picture.height {
      let row = y * Int(report.lineLength)
      for x in 0..<picture.width {
        var value = UInt64(0)
        if bits < 8 {
          let slot = isReversed || nonstandard == 2 ? 8 / bits - 1 - x % (8 / bits) : x % (8 / bits)
          value = UInt64(memory[row + x * bits / 8] >> UInt8(slot * bits)) & (1 << UInt64(bits) - 1)
        } else {
          for byte in 0..<bits / 8 {
            value |= UInt64(memory[row + x * bits / 8 + byte]) << UInt64(8 * byte)
          }
        }
        picture.pixels[y * picture.width + x] = color(of: value).premultiplied()
      }
    }
    return picture
  }

  /// What it looks like: layouts of the same depth look alike, wherever they keep their bits.
  var look: String {
    switch meaning {
    // Pictures have eight bits a channel, and so has what they are compared with.
    case .channels(let red, let green, let blue):
      "depth-" + [red, green, blue].map { "\(min($0.0, 8))" }.joined()
    case .grey(let bits, _, _): "depth-grey-\(min(bits, 8))"
    case .cube(let side): "depth-palette-\(side * side * side)"
    }
  }

  /// Ordered dithering in real numbers.
  static func step(_ intensity: Double, _ last: Int, _ cell: Int) -> Int {
    let nearest = (intensity * Double(last) / 255).rounded()
    if abs(nearest * 255 / Double(last) - intensity) < 1 { return Int(nearest) }
    let below = (intensity * Double(last) / 255).rounded(.down)
    let rest = intensity * Double(last) / 255 - below
    return Int(below) + (Double(cell) < (rest * 64).rounded() ? 1 : 0)
  }

  /// Bayer's matrix, by its recursion.
  static func pattern(_ size: Int, _ x: Int, _ y: Int) -> Int {
    guard size > 1 else { return 0 }
    let half = size / 2
    return 4 * pattern(half, x % half, y % half) + [0, 2, 3, 1][y / half * 2 + x / half]
  }

  /// The framebuffer's memory after a picture was drawn into it, where it was full of `0x5a`.
  ///
  /// - Parameter color: of each visible pixel.
  func memory(_ report: FramebufferReport, _ color: (_ x: Int, _ y: Int) -> Color) -> [UInt8] {
    var memory = [UInt8](repeating: 0x5a, count: Int(report.memoryLength))
    let (width, left) = (Int(report.width), Int(report.offsetX))
    for y in 0..<Int(report.height) {
      let row = (Int(report.offsetY) + y) * Int(report.lineLength)
      // What cannot be seen of a byte that can.
      if bits < 8 {
        for byte in left * bits / 8...((left + width) * bits - 1) / 8 { memory[row + byte] = 0 }
      }
      for x in 0..<width {
        let value = value(color(x, y), x: x, y: y)
        if bits < 8 {
          let (place, perByte) = (left + x, 8 / bits)
          let isHighestFirst = isReversed || nonstandard == 2
          let slot = isHighestFirst ? perByte - 1 - place % perByte : place % perByte
          memory[row + place / perByte] |= UInt8(value) << UInt8(slot * bits)
        } else {
          for byte in 0..<bits / 8 {
            memory[row + (left + x) * bits / 8 + byte] = UInt8(value >> UInt64(8 * byte) & 255)
          }
        }
      }
    }
    return memory
  }
}

/// Every kind of layout: those of 24 and 32 bits that pixman knows and those it does not, and everything
/// smaller.
let layouts: [LayoutRow] = [
  LayoutRow("x8r8g8b8", 32, 2, .channels((8, 16), (8, 8), (8, 0))),
  LayoutRow("a8r8g8b8", 32, 2, .channels((8, 16), (8, 8), (8, 0)), transparency: (8, 24)),
  LayoutRow("a8b8g8r8", 32, 2, .channels((8, 0), (8, 8), (8, 16)), transparency: (8, 24)),
  LayoutRow("b8g8r8x8", 32, 2, .channels((8, 8), (8, 16), (8, 24))),
  LayoutRow("r8g8b8a8", 32, 2, .channels((8, 24), (8, 16), (8, 8)), transparency: (8, 0)),
  LayoutRow("green first", 32, 2, .channels((8, 8), (8, 0), (8, 16))),
  LayoutRow("alpha in the middle", 32, 2, .channels((8, 24), (8, 0), (8, 8)), transparency: (8, 16)),
  LayoutRow("2101010", 32, 2, .channels((10, 20), (10, 10), (10, 0)), transparency: (2, 30)),
  LayoutRow("1010102 BGR", 32, 2, .channels((10, 2), (10, 12), (10, 22)), transparency: (2, 0)),
  LayoutRow("666 in 32", 32, 2, .channels((6, 12), (6, 6), (6, 0))),
  LayoutRow("DIRECTCOLOR 32", 32, 4, .channels((8, 16), (8, 8), (8, 0))),
  LayoutRow("r8g8b8", 24, 2, .channels((8, 16), (8, 8), (8, 0))),
  LayoutRow("b8g8r8", 24, 2, .channels((8, 0), (8, 8), (8, 16))),
  LayoutRow("666 in 24", 24, 2, .channels((6, 12), (6, 6), (6, 0))),
  LayoutRow("r5g6b5", 16, 2, .channels((5, 11), (6, 5), (5, 0))),
  LayoutRow("b5g6r5", 16, 2, .channels((5, 0), (6, 5), (5, 11))),
  LayoutRow("x1r5g5b5", 16, 2, .channels((5, 10), (5, 5), (5, 0))),
  LayoutRow("a1b5g5r5", 16, 2, .channels((5, 0), (5, 5), (5, 10)), transparency: (1, 15)),
  LayoutRow("x4r4g4b4", 16, 2, .channels((4, 8), (4, 4), (4, 0))),
  LayoutRow("r4g4b4a4", 16, 2, .channels((4, 12), (4, 8), (4, 4)), transparency: (4, 0)),
  LayoutRow("r5g5b5x1", 16, 2, .channels((5, 11), (5, 6), (5, 1))),
  LayoutRow("DIRECTCOLOR 16", 16, 4, .channels((5, 11), (6, 5), (5, 0))),
  LayoutRow("332", 8, 2, .channels((3, 5), (3, 2), (2, 0))),
  LayoutRow("bgr233", 8, 2, .channels((3, 0), (3, 3), (2, 6))),
  LayoutRow("121 in 4", 4, 2, .channels((1, 3), (2, 1), (1, 0))),
  LayoutRow("PSEUDOCOLOR 8", 8, 3, .cube(side: 6)),
  LayoutRow("PSEUDOCOLOR 4", 4, 3, .cube(side: 2)),
  LayoutRow("PSEUDOCOLOR 2", 2, 3, .grey(bits: 2)),
  LayoutRow("PSEUDOCOLOR 8, grey", 8, 3, .grey(bits: 8), isGrey: true),
  LayoutRow("grey 16", 16, 2, .grey(bits: 16)),
  LayoutRow("grey 8", 8, 2, .grey(bits: 8)),
  LayoutRow("STATIC_PSEUDOCOLOR grey 8", 8, 5, .grey(bits: 8), isGrey: true),
  LayoutRow("STATIC_PSEUDOCOLOR grey 4 in 8", 8, 5, .grey(bits: 4), isGrey: true),
  LayoutRow("STATIC_PSEUDOCOLOR grey 4 high in 8", 8, 5, .grey(bits: 4, offset: 4), isGrey: true),
  LayoutRow("STATIC_PSEUDOCOLOR grey 4", 4, 5, .grey(bits: 4), isGrey: true),
  LayoutRow("STATIC_PSEUDOCOLOR grey 4, reversed", 4, 5, .grey(bits: 4), isGrey: true, nonstandard: 2),
  LayoutRow("STATIC_PSEUDOCOLOR grey 2", 2, 5, .grey(bits: 2), isGrey: true),
  LayoutRow("MONO01 8", 8, 0, .grey(bits: 8, isInverted: true)),
  LayoutRow("MONO10 2, reversed", 2, 1, .grey(bits: 2), nonstandard: 2),
  LayoutRow("MONO01", 1, 0, .grey(bits: 1, isInverted: true)),
  LayoutRow("MONO10", 1, 1, .grey(bits: 1)),
  LayoutRow("MONO01, reversed", 1, 0, .grey(bits: 1, isInverted: true), isReversed: true),
  LayoutRow("MONO10, reversed", 1, 1, .grey(bits: 1), nonstandard: 2),
]
