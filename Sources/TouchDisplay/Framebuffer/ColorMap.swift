import CLinux.Display

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
