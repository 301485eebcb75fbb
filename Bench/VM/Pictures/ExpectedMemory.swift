/// The expected memory of a framebuffer, byte for byte: from the driver's own description and the colours
/// that are to be seen, and from nothing of the product.
package struct ExpectedMemory: Sendable {
  /// The meaning of a pixel's bits.
  package enum Meaning: Sendable {
    /// Red, green and blue where the driver says; all other bits are set.
    case channels
    /// Bright is a high number, or black is all bits set.
    case grey, inverted
    /// A colour map of 6 × 6 × 6 colours.
    case cube
  }

  private let layout: FramebufferLayout
  private let meaning: Meaning
  private let before: UInt8

  /// - Parameter before: what the memory was full of.
  package init(layout: FramebufferLayout, meaning: Meaning, before: UInt8) {
    (self.layout, self.meaning, self.before) = (layout, meaning, before)
  }

  /// The memory, `count` bytes of it, after a picture was shown.
  package func bytes(_ count: Int, showing drawing: Drawing) -> [UInt8] {
    var memory = [UInt8](repeating: before, count: count)
    let bits = layout.bitsPerPixel
    for y in 0..<layout.height {
      let row = (layout.yOffset + y) * layout.lineLength
      if bits < 8 {
        // The pixels that share a byte with the first and the last one cannot be seen.
        let first = layout.xOffset * bits / 8
        let last = ((layout.xOffset + layout.width) * bits - 1) / 8
        for byte in first...last { memory[row + byte] = 0 }
      }
      for x in 0..<layout.width {
        let value = value(drawing[x, y], cell: Self.cells[y % 8 * 8 + x % 8])
        let bit = (layout.xOffset + x) * bits
        if bits < 8 {
          // The left pixel is the lowest, as in what the kernel itself draws here.
          memory[row + bit / 8] |= UInt8(value) << UInt8(bit % 8)
        } else {
          for byte in 0..<bits / 8 {
            memory[row + bit / 8 + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
          }
        }
      }
    }
    return memory
  }

  /// Returns the part of a drawing that is seen on the display.
  package func shown(_ drawing: Drawing) -> Drawing {
    Drawing(width: drawing.width, height: drawing.height) { shown(drawing[$0, $1], x: $0, y: $1) }
  }

  /// Returns the look of a colour at a pixel of the display.
  private func shown(_ color: Colour, x: Int, y: Int) -> Colour {
    let value = value(color, cell: Self.cells[y % 8 * 8 + x % 8])
    let bits = layout.bitsPerPixel
    switch meaning {
    case .channels:
      let parts = [layout.red, layout.green, layout.blue].map { channel in
        Self.widen(value >> channel.offset & (1 << channel.length - 1), channel.length)
      }
      return Colour(red: parts[0], green: parts[1], blue: parts[2])
    case .grey, .inverted:
      let grey = Self.widen(value, bits)
      let seen = if case .inverted = meaning { 255 - grey } else { grey }
      return Colour(red: seen, green: seen, blue: seen)
    case .cube:
      return Colour(
        red: UInt8(value / 36 * 51), green: UInt8(value / 6 % 6 * 51), blue: UInt8(value % 6 * 51))
    }
  }

  /// A step's share of full intensity.
  private static func widen(_ value: Int, _ length: Int) -> UInt8 {
    let last = 1 << length - 1
    return UInt8((value * 255 + last / 2) / last)
  }

  private func value(_ color: Colour, cell: Int) -> Int {
    let bits = layout.bitsPerPixel
    switch meaning {
    case .channels:
      var value = 1 << bits - 1
      let channels = [(layout.red, color.red), (layout.green, color.green), (layout.blue, color.blue)]
      for (channel, intensity) in channels {
        value &= ~((1 << channel.length - 1) << channel.offset)
        value |= step(intensity, 1 << channel.length - 1, cell) << channel.offset
      }
      return value
    case .grey, .inverted:
      let luma = (Int(color.red) * 77 + Int(color.green) * 150 + Int(color.blue) * 29) / 256
      let most = 1 << bits - 1
      let grey = step(UInt8(luma), most, cell)
      if case .inverted = meaning { return most - grey }
      return grey
    case .cube:
      return step(color.red, 5, cell) * 36 + step(color.green, 5, cell) * 6 + step(color.blue, 5, cell)
    }
  }

  /// Ordered dithering, in real numbers. A colour within one of 255 of a step's is that step.
  private func step(_ intensity: UInt8, _ most: Int, _ cell: Int) -> Int {
    let exact = Double(intensity) * Double(most) / 255
    let nearest = exact.rounded()
    if abs(nearest - exact) * 255 < Double(most) - 1e-9 { return Int(nearest) }
    let below = exact.rounded(.down)
    return Int(below) + (Double(cell) < ((exact - below) * 64).rounded() ? 1 : 0)
  }

  /// Bayer's matrix of 8 × 8.
  private static let cells: [Int] = {
    var matrix = [[0]]
    while matrix.count < 8 {
      let (smaller, size) = (matrix, matrix.count)
      matrix = (0..<2 * size).map { y in
        (0..<2 * size).map { x in
          smaller[y % size][x % size] * 4 + [0, 2, 3, 1][y / size * 2 + x / size]
        }
      }
    }
    return matrix.flatMap(\.self)
  }()
}
