import TouchPixels

/// One pixel's colour, eight bits a channel.
package struct Colour: Hashable, Sendable, CustomStringConvertible {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  /// From 0xrrggbb.
  package init(_ rgb: UInt32) {
    red = UInt8(truncatingIfNeeded: rgb >> 16)
    green = UInt8(truncatingIfNeeded: rgb >> 8)
    blue = UInt8(truncatingIfNeeded: rgb)
  }

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`, as a configuration file writes it.
  package var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The picture that a display has to show, pixel by pixel.
package struct Drawing: Sendable {
  package let width: Int
  package let height: Int
  private var pixels: [Colour]

  /// Of one colour.
  package init(width: Int, height: Int, _ colour: Colour) {
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: colour, count: width * height)
  }

  /// Each pixel by a function. Suites are not optimised: theirs are slow here.
  init(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> Colour) {
    (self.width, self.height) = (width, height)
    pixels = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height { for x in 0..<width { pixels.append(colour(x, y)) } }
  }

  /// The rendered picture.
  package init(_ surface: Surface) {
    self.init(width: surface.width, height: surface.height) { x, y in
      Colour(surface.pixels[y * surface.width + x])
    }
  }

  package subscript(x: Int, y: Int) -> Colour { pixels[y * width + x] }

  /// Fills a rectangle: x, y, width, height.
  package mutating func fill(_ frame: [Int], _ colour: Colour) {
    for y in frame[1]..<frame[1] + frame[3] {
      for x in frame[0]..<frame[0] + frame[2] { pixels[y * width + x] = colour }
    }
  }

  /// The place of the first pixel that another drawing of the same size has otherwise; nil when there is
  /// none.
  package func firstDifference(from other: Drawing) -> (x: Int, y: Int)? {
    zip(pixels, other.pixels).enumerated().first { $1.0 != $1.1 }.map {
      ($0.offset % width, $0.offset / width)
    }
  }
}

/// The place of the first byte that is not the other's; nil when there is none.
package func firstDifference(of bytes: [UInt8], from others: [UInt8]) -> Int? {
  zip(bytes, others).enumerated().first { $1.0 != $1.1 }?.offset
}
