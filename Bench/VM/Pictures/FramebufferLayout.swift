/// The places of a framebuffer's pixels, as `vm-guest framebuffer` prints them.
package struct FramebufferLayout: Equatable, Sendable {
  /// One channel's bits in a pixel's value.
  package struct Channel: Equatable, Sendable {
    package var offset: Int
    package var length: Int

    /// The channel of a pixel, widened to eight bits.
    package subscript(pixel: UInt32) -> UInt8 {
      let most = UInt32(1) << length - 1
      return UInt8(((pixel >> offset & most) * 255 + most / 2) / max(most, 1))
    }
  }

  package var width: Int
  package var height: Int
  package var bitsPerPixel: Int
  /// Bytes from one row to the next.
  package var lineLength: Int
  package var xOffset: Int
  package var yOffset: Int
  package var red: Channel
  package var green: Channel
  package var blue: Channel

  /// The colour that a pixel's value stands for.
  package func colour(of pixel: UInt32) -> Colour {
    Colour(red: red[pixel], green: green[pixel], blue: blue[pixel])
  }

  /// The bytes up to the last visible pixel.
  package var byteCount: Int {
    (yOffset + height - 1) * lineLength + (xOffset + width) * bitsPerPixel / 8
  }

  package init(line: String) throws {
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 12 else { throw PictureError("'\(line)' is no framebuffer's description") }
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
