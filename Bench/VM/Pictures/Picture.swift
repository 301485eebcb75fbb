import Foundation
import TouchPixels

/// A picture of the display, from the guest's framebuffer or from outside. Pixels are decoded when they are
/// asked for.
package struct Picture: Sendable {
  private let memory: Data
  private let layout: FramebufferLayout

  package subscript(x: Int, y: Int) -> Colour {
    let bytesPerPixel = layout.bitsPerPixel / 8
    let first = (layout.yOffset + y) * layout.lineLength + (layout.xOffset + x) * bytesPerPixel
    var pixel: UInt32 = 0
    for byte in (0..<bytesPerPixel).reversed() {
      pixel = pixel << 8 | UInt32(memory[memory.startIndex + first + byte])
    }
    return layout.colour(of: pixel)
  }

  /// Whether every pixel is that of another picture of the same size.
  package func isSame(as other: Picture) -> Bool {
    layout == other.layout && memory == other.memory
  }

  /// From a framebuffer's memory, by what the framebuffer says of itself.
  package init(memory: Data, layout: FramebufferLayout) throws {
    guard memory.count >= layout.byteCount else {
      throw PictureError("\(memory.count) bytes are too few for a framebuffer of \(layout)")
    }
    self.memory = memory
    self.layout = layout
  }

  /// From a binary PPM with eight bits a channel, which is what QMP's `screendump` writes.
  package init(ppm data: Data) throws {
    // Four words, each ended by one white space; then the pixels.
    var words: [String] = []
    var start = data.startIndex
    while words.count < 4, let end = data[start...].firstIndex(where: { $0 == 0x20 || $0 == 0x0a }) {
      words.append(String(decoding: data[start..<end], as: UTF8.self))
      start = end + 1
    }
    guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2]),
      words[3] == "255"
    else { throw PictureError("the screendump is no 8-bit PPM: \(words)") }
    try self.init(
      memory: data[start...],
      layout: FramebufferLayout(line: "\(width) \(height) 24 \(width * 3) 0 0 0 8 8 8 16 8"))
  }
}

extension Picture {
  package var width: Int { layout.width }
  package var height: Int { layout.height }

  /// From a PNG file.
  package init(png path: String) throws {
    let surface = try PNGReader.read(path: path)
    try self.init(
      memory: Data(bytes: surface.pixels, count: surface.width * surface.height * 4),
      layout: FramebufferLayout(
        line: "\(surface.width) \(surface.height) 32 \(surface.width * 4) 0 0 16 8 8 8 0 8"))
  }

  /// Row by row blue, green, red and a byte that is set, as bochs has it.
  package var blueGreenRed: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width * height * 4) { bytes, count in
      for y in 0..<height {
        for x in 0..<width {
          let colour = self[x, y]
          (bytes[count], bytes[count + 1], bytes[count + 2]) = (colour.blue, colour.green, colour.red)
          bytes[count + 3] = 255
          count += 4
        }
      }
    }
  }

  /// The first pixel that is not what it should be, and what it is; nil when there is none.
  package func firstDifference(from expected: Drawing) -> String? {
    for y in 0..<height {
      for x in 0..<width where self[x, y] != expected[x, y] {
        return "\(x),\(y) is \(self[x, y]), not \(expected[x, y])"
      }
    }
    return nil
  }

  /// The same, from another picture, where a channel may be a little off: what was dithered.
  package func firstDifference(from other: Picture, tolerance: Int) -> String? {
    for y in 0..<height {
      for x in 0..<width {
        let (one, two) = (self[x, y], other[x, y])
        let off = max(
          abs(Int(one.red) - Int(two.red)), abs(Int(one.green) - Int(two.green)),
          abs(Int(one.blue) - Int(two.blue)))
        if off > tolerance { return "\(x),\(y) is \(one), not \(two)" }
      }
    }
    return nil
  }

  /// The same, from another picture.
  package func firstDifference(from other: Picture) -> String? {
    firstDifference(from: Drawing(width: other.width, height: other.height) { other[$0, $1] })
  }
}

/// The fault of what is no picture, in a sentence.
package struct PictureError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
