import TouchViews

// Colours in pixman's format: 0xAARRGGBB, with red, green and blue multiplied by alpha.

extension Color {
  /// The colour as a premultiplied pixel, with its alpha multiplied by `coverage` (0 … 255).
  package func premultiplied(coverage: UInt32 = 255) -> UInt32 {
    let alpha = Color.multiply(UInt32(alpha), coverage)
    return alpha << 24 | Color.multiply(UInt32(red), alpha) << 16 | Color.multiply(UInt32(green), alpha) << 8
      | Color.multiply(UInt32(blue), alpha)
  }

  /// The straight colour of a premultiplied pixel.
  package init(premultiplied pixel: UInt32) {
    let alpha = pixel >> 24
    func straight(_ channel: UInt32) -> UInt8 {
      alpha == 0 ? 0 : UInt8(min(255, ((channel & 255) * 255 + alpha / 2) / alpha))
    }
    self.init(
      red: straight(pixel >> 16), green: straight(pixel >> 8), blue: straight(pixel), alpha: UInt8(alpha))
  }

  /// a × b / 255, rounded to nearest as pixman rounds, for a and b in 0 … 255.
  @inline(__always)
  package static func multiply(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let product = a * b + 128
    return (product + product >> 8) >> 8
  }
}

/// Composites a premultiplied pixel over another, rounded as pixman does. (Porter and Duff's "over")
@inline(__always)
package func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
  let keep = 255 - source >> 24
  let oddProduct = (destination >> 8 & 0x00ff_00ff) * keep + 0x0080_0080
  let evenProduct = (destination & 0x00ff_00ff) * keep + 0x0080_0080
  let odd = (oddProduct &+ (oddProduct >> 8 & 0x00ff_00ff)) & 0xff00_ff00
  let even = (evenProduct &+ (evenProduct >> 8 & 0x00ff_00ff)) >> 8 & 0x00ff_00ff
  return source &+ (odd | even)
}

/// A premultiplied pixel multiplied by `coverage` (0 … 255).
@inline(__always)
package func cover(_ pixel: UInt32, _ coverage: UInt32) -> UInt32 {
  let oddProduct = (pixel >> 8 & 0x00ff_00ff) * coverage + 0x0080_0080
  let evenProduct = (pixel & 0x00ff_00ff) * coverage + 0x0080_0080
  let odd = (oddProduct &+ (oddProduct >> 8 & 0x00ff_00ff)) & 0xff00_ff00
  let even = (evenProduct &+ (evenProduct >> 8 & 0x00ff_00ff)) >> 8 & 0x00ff_00ff
  return odd | even
}
