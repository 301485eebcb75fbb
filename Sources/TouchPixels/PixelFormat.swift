import TouchCore

/// A pixel with a bit field for each channel, in 4 to 32 bits.
///
/// Bits that belong to no colour are set: some hardware takes them for alpha without saying so, and then the
/// picture stays opaque.
package struct PixelFormat: Hashable, Sendable {
  /// Where a channel lies in the pixel, seen as a number in the machine's byte order. (kernel `fb_bitfield`.)
  package struct Channel: Hashable, Sendable {
    /// The lowest bit.
    package var offset: UInt32
    /// How many bits.
    package var length: UInt32

    /// Both in bits.
    package init(offset: UInt32, length: UInt32) {
      self.offset = offset
      self.length = length
    }

    /// The channel's bits, set.
    package var mask: UInt32 {
      UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length) - 1) << UInt64(offset))
    }

    /// The bit above the highest one.
    package var end: UInt64 { UInt64(offset) + UInt64(length) }

    /// Eight bits of intensity in the channel's place: cut when it is narrower, the high bits repeated below
    /// when it is wider, so that full intensity stays full.
    @inline(__always)
    package func place(_ intensity: UInt32) -> UInt32 {
      if length <= 8 { return (intensity >> (8 - length)) << offset }
      // 0x01010101 repeats the byte; the channel takes the upper `length` bits of the four.
      return ((intensity &* 0x0101_0101) >> (32 - length)) << offset
    }
  }

  /// In memory, with the bits that no colour uses.
  package let bitsPerPixel: Int
  /// Where the colours are in a pixel. (`struct fb_bitfield`.)
  package let red: Channel
  package let green: Channel
  package let blue: Channel
  /// The driver's transparency channel; of length 0 where there is none.
  package let transparency: Channel

  /// Why a layout cannot be a pixel's.
  package struct Contradiction: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Checks a driver's report.
  ///
  /// - Throws: `Contradiction` when the depth is none of 4, 8, 16, 24 and 32, when a colour has no bits, when a
  ///   channel reaches beyond the pixel, or when two colours share bits.
  package init(
    bitsPerPixel: Int, red: Channel, green: Channel, blue: Channel,
    transparency: Channel = Channel(offset: 0, length: 0)
  ) throws(Contradiction) {
    guard [4, 8, 16, 24, 32].contains(bitsPerPixel) else {
      throw Contradiction(
        description: "\(bitsPerPixel) bits per pixel for three channels; it can be 4, 8, 16, 24 or 32")
    }
    let channels = [("red", red), ("green", green), ("blue", blue), ("transp", transparency)]
    for (name, channel) in channels {
      guard channel.length > 0 || name == "transp" else {
        throw Contradiction(description: "the \(name) channel has no bits (\(channel.text))")
      }
      guard channel.length <= 16, channel.end <= UInt64(bitsPerPixel) || channel.length == 0 else {
        throw Contradiction(
          description:
            "the \(name) channel (\(channel.text)) does not fit into \(bitsPerPixel) bits per pixel")
      }
    }
    for (index, (name, channel)) in channels.prefix(3).enumerated() {
      for (other, otherChannel) in channels.prefix(index) where channel.mask & otherChannel.mask != 0 {
        throw Contradiction(
          description:
            "the \(other) channel (\(otherChannel.text)) and the \(name) channel (\(channel.text)) "
            + "share bits")
      }
    }
    self.bitsPerPixel = bitsPerPixel
    self.red = red
    self.green = green
    self.blue = blue
    self.transparency = transparency
  }

  /// The bits of a pixel that no colour uses, all set.
  package var spareBits: UInt32 {
    let all = UInt32(truncatingIfNeeded: UInt64(1) << UInt64(bitsPerPixel) - 1)
    return all & ~(red.mask | green.mask | blue.mask)
  }

  /// A colour as the framebuffer keeps it without dithering, in the low `bitsPerPixel` bits. The colour's alpha plays
  /// no part.
  package func pack(_ color: Color) -> UInt32 {
    spareBits | red.place(UInt32(color.red)) | green.place(UInt32(color.green))
      | blue.place(UInt32(color.blue))
  }

  /// The layout in the words of `fbset`: length/offset of red, green, blue and transparency.
  package var text: String {
    "\(bitsPerPixel) bits, red \(red.text), green \(green.text), blue \(blue.text), transp \(transparency.text)"
  }
}

extension PixelFormat.Channel {
  /// Length and offset as `fbset` prints them.
  package var text: String { "\(length)/\(offset)" }
}
