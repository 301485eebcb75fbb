import CLinux.Display

/// A colour map in the kernel's form: 16 bits of intensity for each value of each channel. (`struct fb_cmap`)
struct ColorMap: Equatable {
  var red, green, blue: [UInt16]

  /// Returns a linear ramp for each channel; shorter channels are padded with full intensity.
  static func linear(for layout: ChannelLayout) -> ColorMap {
    let count = 1 << max(layout.red.length, layout.green.length, layout.blue.length)
    func ramp(_ channel: BitField) -> [UInt16] {
      let last = 1 << Int(channel.length) - 1
      return (0..<count).map { UInt16(min($0, last) * 65_535 / last) }
    }
    return ColorMap(red: ramp(layout.red), green: ramp(layout.green), blue: ramp(layout.blue))
  }

  static func grey(count: Int) -> ColorMap {
    let ramp = (0..<count).map { UInt16($0 * 65_535 / max(1, count - 1)) }
    return ColorMap(red: ramp, green: ramp, blue: ramp)
  }

  /// Returns a cube with `side` even steps for each channel, red slowest, and black entries after it.
  static func cube(side: Int, count: Int) -> ColorMap {
    func step(_ entry: Int, _ divisor: Int) -> UInt16 {
      entry < side * side * side ? UInt16(entry / divisor % side * 65_535 / (side - 1)) : 0
    }
    return ColorMap(
      red: (0..<count).map { step($0, side * side) }, green: (0..<count).map { step($0, side) },
      blue: (0..<count).map { step($0, 1) })
  }

  /// Returns the side of the largest cube in a map of `count` entries; below 2 there is no room for colours.
  static func cubeSide(count: Int) -> Int {
    var side = 1
    while (side + 1) * (side + 1) * (side + 1) <= count { side += 1 }
    return side
  }

  /// Whether a map of greys runs from dark to bright; nil for colours, and for entries that are all the same.
  var isRisingGrey: Bool? {
    guard red == green, green == blue, let first = red.first, let last = red.last, first != last else {
      return nil
    }
    let isRising = first < last
    let pairs = zip(red, red.dropFirst())
    return pairs.allSatisfy { isRising ? $0 <= $1 : $0 >= $1 } ? isRising : nil
  }

  /// Whether all entries are the same colour, which must be an error.
  var isFlat: Bool {
    [red, green, blue].allSatisfy { channel in channel.allSatisfy { $0 == channel.first } }
  }

  /// Reads the device's first `count` entries; nil if the driver does not report them.
  static func read(descriptor: Int32, count: Int) -> ColorMap? {
    let zeros = [UInt16](repeating: 0, count: count)
    var map = ColorMap(red: zeros, green: zeros, blue: zeros)
    let status = touchtree_fb_get_colors(descriptor, &map.red, &map.green, &map.blue, UInt32(count))
    return status == 0 ? map : nil
  }

  /// Sets the device's colour map; false if the driver rejects it.
  func write(descriptor: Int32) -> Bool {
    var copy = self
    return touchtree_fb_put_colors(descriptor, &copy.red, &copy.green, &copy.blue, UInt32(red.count)) == 0
  }
}

/// A table of the nearest entry of a fixed colour map for every colour, with five bits for each channel.
final class NearestColors {
  private let entries: UnsafeMutablePointer<UInt16>

  /// Makes it from a map that is not empty, and the lowest bit of the index in the pixel.
  init(_ map: ColorMap, shift: Int) {
    entries = .allocate(capacity: 1 << 15)
    let colors = map.red.indices.map { entry in
      (Int(map.red[entry] >> 8), Int(map.green[entry] >> 8), Int(map.blue[entry] >> 8))
    }
    for color in 0..<1 << 15 {
      let red = Self.widen(color >> 10)
      let green = Self.widen(color >> 5 & 31)
      let blue = Self.widen(color & 31)
      var best = (entry: 0, distance: Int.max)
      for (entry, other) in colors.enumerated() {
        let (r, g, b) = (red - other.0, green - other.1, blue - other.2)
        // The eye distinguishes greens best and blues least.
        let distance = 2 * r * r + 4 * g * g + b * b
        if distance < best.distance { best = (entry, distance) }
      }
      entries[color] = UInt16(truncatingIfNeeded: best.entry << shift)
    }
  }

  deinit { entries.deallocate() }

  /// The framebuffer's value of `0xAARRGGBB`.
  @inline(__always)
  func value(of pixel: UInt32) -> UInt16 {
    let red = pixel >> 9 & 0x7c00
    let green = pixel >> 6 & 0x03e0
    let blue = pixel >> 3 & 0x001f
    return entries[Int(red | green | blue)]
  }

  /// Returns five bits as eight, so that black and white stay black and white.
  private static func widen(_ value: Int) -> Int { value << 3 | value >> 2 }
}
