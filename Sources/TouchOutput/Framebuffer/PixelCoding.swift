import TouchPixels

/// What the bits of a framebuffer's pixel mean.
enum PixelCoding: Hashable {
  /// A bit field for each channel.
  case fields(PixelFormat)
  /// Steps of grey, the darkest first or, inverted, the brightest.
  case grey(PixelFormat.Channel, isInverted: Bool)
  /// An entry of a colour map that we write: a cube with `side` steps for each channel, red the slowest.
  case cube(PixelFormat.Channel, side: Int)
  /// An entry of a colour map that cannot be written.
  case fixedMap(PixelFormat.Channel)

  /// In the words of `fbset` where it has some.
  var text: String {
    switch self {
    case .fields(let format): format.text
    case .grey(let channel, let isInverted):
      "\(1 << channel.length) steps of grey" + (isInverted ? ", inverted" : "")
    case .cube(_, let side): "a colour map with a cube of \(side * side * side) colours"
    case .fixedMap(let channel): "a fixed colour map of \(1 << channel.length) entries"
    }
  }
}

/// How pixels that share a byte follow each other in it.
enum PixelOrder: Hashable {
  /// The left one in the lowest bits, as the kernel's own drawing does on little-endian machines.
  case lowestFirst
  case highestFirst

  /// How far left a pixel's bits are shifted in its byte.
  ///
  /// - Parameters:
  ///   - slot: the pixel's number in its byte, from the left.
  ///   - bits: of a pixel: 1, 2 or 4.
  @inline(__always)
  func shift(slot: Int, bits: Int) -> Int {
    switch self {
    case .lowestFirst: slot * bits
    case .highestFirst: 8 - bits - slot * bits
    }
  }
}
