/// The entry of a fixed colour map that comes nearest to a colour, for all colours, told apart by five bits a channel.
final class NearestColors {
  private let entries: UnsafeMutablePointer<UInt16>

  /// - Parameters:
  ///   - map: at least one entry.
  ///   - shift: where in the pixel an entry's number begins.
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
        // The eye tells greens apart best, blues least.
        let distance = 2 * r * r + 4 * g * g + b * b
        if distance < best.distance { best = (entry, distance) }
      }
      entries[color] = UInt16(truncatingIfNeeded: best.entry << shift)
    }
  }

  deinit {
    entries.deallocate()
  }

  /// The framebuffer's value of `0xAARRGGBB`.
  @inline(__always)
  func value(of pixel: UInt32) -> UInt16 {
    let red = pixel >> 9 & 0x7c00
    let green = pixel >> 6 & 0x03e0
    let blue = pixel >> 3 & 0x001f
    return entries[Int(red | green | blue)]
  }

  /// Five bits as eight, so that black and white stay black and white.
  private static func widen(_ value: Int) -> Int { value << 3 | value >> 2 }
}
