import CLinux.Display
import TouchPixels

/// A colour map as the kernel keeps it: 16 bits of intensity for each value of each channel.
struct ColorMap: Equatable {
  var red: [UInt16]
  var green: [UInt16]
  var blue: [UInt16]

  /// The straight line from dark to full for each channel, padded to the longest one with full intensity.
  static func linear(for format: PixelFormat) -> ColorMap {
    let count = 1 << max(format.red.length, format.green.length, format.blue.length)
    func ramp(_ channel: PixelFormat.Channel) -> [UInt16] {
      let last = 1 << Int(channel.length) - 1
      return (0..<count).map { UInt16(min($0, last) * 65_535 / last) }
    }
    return ColorMap(red: ramp(format.red), green: ramp(format.green), blue: ramp(format.blue))
  }

  /// The straight line from black to white.
  static func grey(count: Int) -> ColorMap {
    let ramp = (0..<count).map { UInt16($0 * 65_535 / max(1, count - 1)) }
    return ColorMap(red: ramp, green: ramp, blue: ramp)
  }

  /// A cube with `side` even steps for each channel, red the slowest; the entries behind it are black.
  static func cube(side: Int, count: Int) -> ColorMap {
    func step(_ entry: Int, _ divisor: Int) -> UInt16 {
      entry < side * side * side ? UInt16(entry / divisor % side * 65_535 / (side - 1)) : 0
    }
    return ColorMap(
      red: (0..<count).map { step($0, side * side) }, green: (0..<count).map { step($0, side) },
      blue: (0..<count).map { step($0, 1) })
  }

  /// The largest side of a cube that a map of so many entries holds: the steps of all channels are alike, so that the
  /// greys are among them. Less than 2 means that there is no room for colours.
  static func cubeSide(count: Int) -> Int {
    var side = 1
    while (side + 1) * (side + 1) * (side + 1) <= count { side += 1 }
    return side
  }

  /// What the map is if it only has greys: true for one that goes from dark to bright, false for the other way round.
  /// Nil for colours, and for a map that says nothing.
  var isRisingGrey: Bool? {
    guard red == green, green == blue, let first = red.first, let last = red.last, first != last else {
      return nil
    }
    let isRising = first < last
    let pairs = zip(red, red.dropFirst())
    return pairs.allSatisfy { isRising ? $0 <= $1 : $0 >= $1 } ? isRising : nil
  }

  /// Whether every entry is the same colour, which no driver can mean.
  var isFlat: Bool {
    [red, green, blue].allSatisfy { channel in channel.allSatisfy { $0 == channel.first } }
  }

  /// What the device has now, as many entries as `count`; nil when it does not say.
  static func read(descriptor: Int32, count: Int) -> ColorMap? {
    let zeros = [UInt16](repeating: 0, count: count)
    var map = ColorMap(red: zeros, green: zeros, blue: zeros)
    let status = touchtree_fb_get_colors(descriptor, &map.red, &map.green, &map.blue, UInt32(count))
    return status == 0 ? map : nil
  }

  /// Gives the map to the device; false when it does not take it.
  func write(descriptor: Int32) -> Bool {
    var copy = self
    return touchtree_fb_put_colors(descriptor, &copy.red, &copy.green, &copy.blue, UInt32(red.count)) == 0
  }
}
