import Foundation

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

/// A picture of the display, from the guest's framebuffer or from outside.
struct Picture: Equatable, Sendable {
  let width: Int
  let height: Int
  private let pixels: [Colour]

  subscript(x: Int, y: Int) -> Colour { pixels[y * width + x] }

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
      words[3] == "255", data.count - start == width * height * 3
    else { throw MachineError("the screendump is no 8-bit PPM: \(words)") }
    self.width = width
    self.height = height
    pixels = data[start...].withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 3).map {
        Colour(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
      }
    }
  }

  /// From a framebuffer's memory, by what the framebuffer says of itself.
  init(memory: Data, layout: FramebufferLayout) throws {
    let bytesPerPixel = layout.bitsPerPixel / 8
    let first = layout.yOffset * layout.lineLength + layout.xOffset * bytesPerPixel
    guard memory.count >= first + (layout.height - 1) * layout.lineLength + layout.width * bytesPerPixel
    else {
      throw MachineError("\(memory.count) bytes are too few for a framebuffer of \(layout)")
    }
    width = layout.width
    height = layout.height
    pixels = memory.withUnsafeBytes { bytes in
      var pixels: [Colour] = []
      pixels.reserveCapacity(layout.width * layout.height)
      for y in 0..<layout.height {
        for x in 0..<layout.width {
          let at = first + y * layout.lineLength + x * bytesPerPixel
          var value: UInt32 = 0
          for byte in (0..<bytesPerPixel).reversed() { value = value << 8 | UInt32(bytes[at + byte]) }
          pixels.append(
            Colour(red: layout.red[value], green: layout.green[value], blue: layout.blue[value]))
        }
      }
      return pixels
    }
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
