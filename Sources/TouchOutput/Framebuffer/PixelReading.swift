import TouchPixels

/// What colour a framebuffer's value is on the screen: the way back from what `RowConverter` wrote.
struct PixelReading {
  private enum Meaning {
    case fields(PixelFormat)
    /// `0xFFRRGGBB` for each value of a channel.
    case entries([UInt32], PixelFormat.Channel)
  }

  private let meaning: Meaning
  private let layout: FramebufferLayout

  /// Nil where eight bits of each channel are kept, so that every pixel is what was composed.
  ///
  /// - Parameters:
  ///   - coding: that of the pixels, with a fixed map of greys as the greys that it is.
  ///   - fixedMap: what a device whose colour map cannot be written says of it.
  init?(_ coding: PixelCoding, layout: FramebufferLayout, fixedMap: ColorMap?) {
    switch coding {
    case .fields(let format):
      guard [format.red, format.green, format.blue].contains(where: { $0.length < 8 }) else { return nil }
      meaning = .fields(format)
    case .grey(let channel, let isInverted):
      let last = UInt32(1) << channel.length - 1
      let greys = (0...last).map {
        Self.opaque | Self.widen(isInverted ? last - $0 : $0, channel.length) * 0x01_0101
      }
      meaning = .entries(greys, channel)
    case .cube(let channel, let side):
      meaning = .entries(Self.colors(of: .cube(side: side, count: 1 << Int(channel.length))), channel)
    case .fixedMap(let channel):
      guard let fixedMap else { return nil }
      meaning = .entries(Self.colors(of: fixedMap), channel)
    }
    self.layout = layout
  }

  /// - Parameters:
  ///   - bytes: a whole row of the framebuffer, from the byte with the first pixel.
  ///   - colors: gets `0xFFRRGGBB` for each pixel.
  func read(_ bytes: UnsafeRawBufferPointer, into colors: UnsafeMutablePointer<UInt32>) {
    for index in 0..<layout.width {
      let value = value(bytes, index)
      switch meaning {
      case .fields(let format):
        let red = Self.intensity(value, format.red) << 16
        let green = Self.intensity(value, format.green) << 8
        colors[index] = Self.opaque | red | green | Self.intensity(value, format.blue)
      case .entries(let entries, let channel):
        colors[index] = entries[Int((value & channel.mask) >> channel.offset)]
      }
    }
  }

  private func value(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
    let bits = layout.bitsPerPixel
    guard bits >= 8 else {
      let (byte, slot) = (layout.lead + index).quotientAndRemainder(dividingBy: layout.pixelsPerByte)
      return UInt32(bytes[byte]) >> UInt32(layout.order.shift(slot: slot, bits: bits))
        & (1 << UInt32(bits) - 1)
    }
    let size = bits / 8
    var value: UInt32 = 0
    for byte in 0..<size { value |= UInt32(bytes[index * size + byte]) << UInt32(8 * byte) }
    return value
  }

  private static let opaque: UInt32 = 0xff00_0000

  private static func colors(of map: ColorMap) -> [UInt32] {
    map.red.indices.map { entry in
      opaque | UInt32(map.red[entry] >> 8) << 16 | UInt32(map.green[entry] >> 8) << 8
        | UInt32(map.blue[entry] >> 8)
    }
  }

  @inline(__always)
  private static func intensity(_ value: UInt32, _ channel: PixelFormat.Channel) -> UInt32 {
    widen((value & channel.mask) >> channel.offset, channel.length)
  }

  /// A channel's step as eight bits: its share of full intensity, as dithering counts it too.
  @inline(__always)
  private static func widen(_ step: UInt32, _ length: UInt32) -> UInt32 {
    let last = UInt32(1) << length - 1
    return (step * 255 + last / 2) / last
  }
}
