import TouchPixels

/// A part of a picture as sixel graphics: rows of six pixels, one pass for each colour. (DEC STD 070.)
enum SixelPicture {
  /// What the oldest terminals with colours have.
  private static let mostColors = 256

  /// The picture is shown where the cursor is. Its colours are rounded to hundredths, since that is how they are sent, and
  /// made coarser where there are too many.
  static func write(_ surface: Surface, _ area: PixelRect, into output: inout [UInt8]) {
    let (indices, colors) = palette(surface, area)
    // No background (P2 = 1), so that the last row may be shorter than six pixels.
    output.append("\u{1b}P0;1;0q\"1;1;")
    output.append(decimal: area.width)
    output.append(UInt8(ascii: ";"))
    output.append(decimal: area.height)
    for (index, color) in colors.enumerated() {
      output.append(UInt8(ascii: "#"))
      output.append(decimal: index)
      output.append(";2")
      for shift in [16, 8, 0] {
        output.append(UInt8(ascii: ";"))
        output.append(decimal: (Int(color >> UInt32(shift) & 255) * 100 + 127) / 255)
      }
    }
    for top in stride(from: 0, to: area.height, by: 6) {
      writeBand(indices, top: top, area.width, area.height, colors.count, into: &output)
    }
    output.append("\u{1b}\\")
  }

  private static func writeBand(
    _ indices: [UInt8], top: Int, _ width: Int, _ height: Int, _ colors: Int, into output: inout [UInt8]
  ) {
    let rows = min(6, height - top)
    var isUsed = [Bool](repeating: false, count: colors)
    for index in indices[top * width..<(top + rows) * width] { isUsed[Int(index)] = true }
    for color in 0..<colors where isUsed[color] {
      output.append(UInt8(ascii: "#"))
      output.append(decimal: color)
      var last = UInt8(0)
      var count = 0
      for x in 0..<width {
        var bits = UInt8(0)
        for row in 0..<rows where indices[(top + row) * width + x] == UInt8(color) { bits |= 1 << row }
        if bits != last {
          writeRun(last, count, into: &output)
          (last, count) = (bits, 0)
        }
        count += 1
      }
      // What is empty at the end need not be said.
      if last != 0 { writeRun(last, count, into: &output) }
      output.append(UInt8(ascii: "$"))
    }
    output.append(UInt8(ascii: "-"))
  }

  private static func writeRun(_ bits: UInt8, _ count: Int, into output: inout [UInt8]) {
    guard count > 0 else { return }
    if count > 3 {
      output.append(UInt8(ascii: "!"))
      output.append(decimal: count)
      output.append(0x3f + bits)
    } else {
      for _ in 0..<count { output.append(0x3f + bits) }
    }
  }

  /// The colour of each pixel, as a number in a table of at most 256.
  private static func palette(
    _ surface: Surface, _ area: PixelRect
  ) -> (indices: [UInt8], colors: [UInt32]) {
    var dropped: UInt32 = 0
    while true {
      let mask = (0xff << dropped & 0xff) * 0x1_0101 as UInt32
      var numbers: [UInt32: UInt8] = [:]
      var colors: [UInt32] = []
      var indices: [UInt8] = []
      indices.reserveCapacity(area.width * area.height)
      search: for y in area.minY..<area.maxY {
        for x in area.minX..<area.maxX {
          let color = surface.pixels[y * surface.width + x] & mask
          if numbers[color] == nil {
            guard colors.count < mostColors else { break search }
            numbers[color] = UInt8(colors.count)
            colors.append(color)
          }
          indices.append(numbers[color] ?? 0)
        }
      }
      if indices.count == area.width * area.height { return (indices, colors) }
      dropped += 1
    }
  }
}
