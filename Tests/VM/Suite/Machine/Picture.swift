import Foundation
import TouchPixels

/// One pixel's colour, eight bits a channel.
struct Colour: Hashable, Sendable, CustomStringConvertible {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// From 0xrrggbb.
  init(_ rgb: UInt32) {
    red = UInt8(truncatingIfNeeded: rgb >> 16)
    green = UInt8(truncatingIfNeeded: rgb >> 8)
    blue = UInt8(truncatingIfNeeded: rgb)
  }

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`, as a configuration file writes it.
  var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A picture of the display, from the guest's framebuffer or from outside. Pixels are decoded when they are asked for.
struct Picture: Sendable {
  private let memory: Data
  private let layout: FramebufferLayout

  subscript(x: Int, y: Int) -> Colour {
    let bytesPerPixel = layout.bitsPerPixel / 8
    let first = (layout.yOffset + y) * layout.lineLength + (layout.xOffset + x) * bytesPerPixel
    var pixel: UInt32 = 0
    for byte in (0..<bytesPerPixel).reversed() {
      pixel = pixel << 8 | UInt32(memory[memory.startIndex + first + byte])
    }
    return layout.colour(of: pixel)
  }

  /// Whether every pixel is that of another picture of the same size.
  func isSame(as other: Picture) -> Bool {
    layout == other.layout && memory == other.memory
  }

  /// From a framebuffer's memory, by what the framebuffer says of itself.
  init(memory: Data, layout: FramebufferLayout) throws {
    guard memory.count >= layout.byteCount else {
      throw MachineError("\(memory.count) bytes are too few for a framebuffer of \(layout)")
    }
    self.memory = memory
    self.layout = layout
  }

  /// From a binary PPM with eight bits a channel, which is what QMP's `screendump` writes.
  init(ppm data: Data) throws {
    // Four words, each ended by one white space; then the pixels.
    var words: [String] = []
    var start = data.startIndex
    while words.count < 4, let end = data[start...].firstIndex(where: { $0 == 0x20 || $0 == 0x0a }) {
      words.append(String(decoding: data[start..<end], as: UTF8.self))
      start = end + 1
    }
    guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2]),
      words[3] == "255"
    else { throw MachineError("the screendump is no 8-bit PPM: \(words)") }
    try self.init(
      memory: data[start...],
      layout: FramebufferLayout(line: "\(width) \(height) 24 \(width * 3) 0 0 0 8 8 8 16 8"))
  }
}

extension Picture {
  var width: Int { layout.width }
  var height: Int { layout.height }

  /// From a PNG file.
  init(png path: String) throws {
    let surface = try PNGReader.read(path: path)
    try self.init(
      memory: Data(bytes: surface.pixels, count: surface.width * surface.height * 4),
      layout: FramebufferLayout(
        line: "\(surface.width) \(surface.height) 32 \(surface.width * 4) 0 0 16 8 8 8 0 8"))
  }

  /// The first pixel that is not what it should be, and what it is; nil when there is none.
  func firstDifference(from expected: (_ x: Int, _ y: Int) -> Colour) -> String? {
    for y in 0..<height {
      for x in 0..<width where self[x, y] != expected(x, y) {
        return "\(x),\(y) is \(self[x, y]), not \(expected(x, y))"
      }
    }
    return nil
  }
}

/// Where a framebuffer keeps its pixels: what `vm-guest framebuffer` prints.
struct FramebufferLayout: Equatable, Sendable {
  /// One channel's bits in a pixel's value.
  struct Channel: Equatable, Sendable {
    var offset: Int
    var length: Int

    /// The channel of a pixel, widened to eight bits.
    subscript(pixel: UInt32) -> UInt8 {
      let most = UInt32(1) << length - 1
      return UInt8(((pixel >> offset & most) * 255 + most / 2) / max(most, 1))
    }
  }

  var width: Int
  var height: Int
  var bitsPerPixel: Int
  /// Bytes from one row to the next.
  var lineLength: Int
  var xOffset: Int
  var yOffset: Int
  var red: Channel
  var green: Channel
  var blue: Channel

  /// The colour that a pixel's value stands for.
  func colour(of pixel: UInt32) -> Colour {
    Colour(red: red[pixel], green: green[pixel], blue: blue[pixel])
  }

  /// The bytes up to the last visible pixel.
  var byteCount: Int {
    (yOffset + height - 1) * lineLength + (xOffset + width) * bitsPerPixel / 8
  }

  init(line: String) throws {
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 12 else { throw MachineError("'\(line)' is no framebuffer's description") }
    width = numbers[0]
    height = numbers[1]
    bitsPerPixel = numbers[2]
    lineLength = numbers[3]
    xOffset = numbers[4]
    yOffset = numbers[5]
    red = Channel(offset: numbers[6], length: numbers[7])
    green = Channel(offset: numbers[8], length: numbers[9])
    blue = Channel(offset: numbers[10], length: numbers[11])
  }
}
