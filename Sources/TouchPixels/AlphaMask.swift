import CPixman

/// The coverage of each pixel, a byte each, such as by the letters of a line.
package final class AlphaMask {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  let image: OpaquePointer
  let bytes: UnsafeMutablePointer<UInt8>
  let stride: Int

  /// Makes a mask that covers nothing; nil if a side is 0 or too large, or without memory.
  package init?(width: Int, height: Int) {
    guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height),
      let image = pixman_image_create_bits(PIXMAN_a8, Int32(width), Int32(height), nil, 0)
    else { return nil }
    guard let words = pixman_image_get_data(image) else {
      pixman_image_unref(image)
      return nil
    }
    (self.width, self.height, self.image) = (width, height, image)
    stride = Int(pixman_image_get_stride(image))
    bytes = UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
  }

  deinit { pixman_image_unref(image) }

  /// The limit of pixman's 16.16 fixed-point coordinates, in pixels.
  package static let largestSide = 16_384

  /// Adds the coverage of a pixman image whose top-left pixel is at (x, y). A pixel of two letters has the
  /// sum of both, as for `pixman_composite_glyphs`.
  package func add(_ letter: OpaquePointer, x: Int, y: Int, width: Int, height: Int) {
    pixman_image_composite32(
      PIXMAN_OP_ADD, letter, nil, image, 0, 0, 0, 0, Int32(x), Int32(y), Int32(width), Int32(height))
  }

  /// Replaces each byte by its entry in a table of 256; 0 stays 0.
  package func replace(by table: [UInt8]) {
    for index in 0..<stride * height { bytes[index] = table[Int(bytes[index])] }
  }
}
