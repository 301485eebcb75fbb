import TouchPixels
import TouchViews

/// The meaning of the bits of a framebuffer's pixel. `PixelFormatDetection.swift` recognises it in a report,
/// `RowConverter` writes it, and `PixelDecoder` reads it.
enum PixelFormat: Hashable {
  case channels(ChannelLayout)
  /// Steps of grey: 0 is black, or white if inverted.
  case grey(BitField, isInverted: Bool)
  /// An index into a colour map that touchtree writes: a cube with `side` steps a channel, red slowest.
  case cube(BitField, side: Int)
  /// An index into a colour map that cannot be changed.
  case fixedMap(BitField)

  var text: String {
    switch self {
    case .channels(let layout): layout.text
    case .grey(let channel, let isInverted):
      "\(1 << channel.length) steps of grey" + (isInverted ? ", inverted" : "")
    case .cube(_, let side): "a colour map with a cube of \(side * side * side) colours"
    case .fixedMap(let channel): "a fixed colour map of \(1 << channel.length) entries"
    }
  }
}

enum PixelOrder: Hashable {
  /// The left one in the lowest bits, as the kernel's own drawing does on little-endian machines.
  case lowestFirst
  case highestFirst

  /// Returns the left shift in its byte of a pixel of 1, 2 or 4 bits; slots count from the left.
  @inline(__always)
  func shift(slot: Int, bits: Int) -> Int {
    switch self {
    case .lowestFirst: slot * bits
    case .highestFirst: 8 - bits - slot * bits
    }
  }
}

/// A pixel with a bit field for each channel, in 4 to 32 bits. The others are set: some may be alpha.
struct ChannelLayout: Hashable, Sendable {
  /// The bits of a pixel in memory, with those that no colour uses.
  let bitsPerPixel: Int
  /// The bits of the colours in a pixel. (`struct fb_bitfield`.)
  let red: BitField
  let green, blue: BitField
  /// The driver's transparency channel; its length is 0 if the format has no transparency.
  let transparency: BitField

  /// The reason why the driver's numbers cannot describe a pixel.
  struct Contradiction: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// Checks a driver's report.
  /// - Throws: `Contradiction` if the depth is not 4, 8, 16, 24 or 32, a colour has no bits, a channel
  ///   reaches beyond the pixel, or two colours share bits.
  init(
    bitsPerPixel: Int, red: BitField, green: BitField, blue: BitField,
    transparency: BitField = BitField(offset: 0, length: 0)
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

  var spareBits: UInt32 {
    let all = UInt32(truncatingIfNeeded: UInt64(1) << UInt64(bitsPerPixel) - 1)
    return all & ~(red.mask | green.mask | blue.mask)
  }

  /// Returns a colour's value without dithering, in the low `bitsPerPixel` bits. Alpha is ignored.
  func pack(_ color: Color) -> UInt32 {
    spareBits | red.place(UInt32(color.red)) | green.place(UInt32(color.green))
      | blue.place(UInt32(color.blue))
  }

  var text: String {
    "\(bitsPerPixel) bits, red \(red.text), green \(green.text), blue \(blue.text), transp \(transparency.text)"
  }
}

extension ChannelLayout {
  /// The pixman format of this layout; nil if pixman has none.
  var pixmanLayout: PixmanLayout? {
    guard [red, green, blue].allSatisfy({ $0.length == 8 }) else { return nil }
    return PixmanLayout(bitsPerPixel: bitsPerPixel, offsets: [red.offset, green.offset, blue.offset])
  }
}

/// The place of a channel in the pixel, seen as a number in the machine's byte order. (kernel `fb_bitfield`.)
struct BitField: Hashable, Sendable {
  var offset, length: UInt32

  init(offset: UInt32, length: UInt32) { (self.offset, self.length) = (offset, length) }

  var mask: UInt32 { UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length) - 1) << UInt64(offset)) }

  /// The bit above the highest one.
  var end: UInt64 { UInt64(offset) + UInt64(length) }

  /// Returns eight bits of intensity in the channel's place; a wider one repeats the high bits below.
  @inline(__always)
  func place(_ intensity: UInt32) -> UInt32 {
    if length <= 8 { return (intensity >> (8 - length)) << offset }
    // 0x01010101 repeats the byte; the channel takes the upper `length` bits of the four.
    return ((intensity &* 0x0101_0101) >> (32 - length)) << offset
  }

  var text: String { "\(length)/\(offset)" }
}
