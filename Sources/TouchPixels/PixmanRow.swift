import CPixman

/// A row of pixels in another layout than a surface's. pixman converts to it.
package final class PixmanRow {
  private let image: OpaquePointer

  /// Makes a row of pixels in `stride` bytes, a multiple of four, of memory that outlives it; nil without
  /// memory.
  package init?(_ layout: PixmanLayout, width: Int, memory: UnsafeMutableRawPointer, stride: Int) {
    guard
      let image = pixman_image_create_bits(
        layout.code, Int32(width), 1, memory.assumingMemoryBound(to: UInt32.self), Int32(stride))
    else { return nil }
    self.image = image
  }

  deinit { pixman_image_unref(image) }

  /// Converts `count` pixels of a surface, from column `x` of row `y`, to the row's first ones.
  package func convert(_ surface: Surface, x: Int, y: Int, count: Int) {
    pixman_image_composite32(
      PIXMAN_OP_SRC, surface.image, nil, image, Int32(x), Int32(y), 0, 0, 0, 0, Int32(count), 1)
  }
}

/// A pixel layout that pixman converts to: 24 or 32 bits with eight for each colour.
package struct PixmanLayout {
  fileprivate let code: pixman_format_code_t

  /// - Parameter offsets: the lowest bits of red, green and blue, in the machine's byte order. pixman counts
  ///   the bits that no colour uses as alpha.
  /// - Returns: nil if pixman has no such layout.
  package init?(bitsPerPixel: Int, offsets: [UInt32]) {
    guard let known = Self.known.first(where: { $0.bits == bitsPerPixel && $0.offsets == offsets }) else {
      return nil
    }
    code = known.code
  }

  /// Whether a surface stores its pixels in this layout, so that they need no conversion.
  package var isSurfaceLayout: Bool { code == PIXMAN_a8r8g8b8 }

  private static let known: [(code: pixman_format_code_t, bits: Int, offsets: [UInt32])] = [
    (PIXMAN_a8r8g8b8, 32, [16, 8, 0]),
    (PIXMAN_a8b8g8r8, 32, [0, 8, 16]),
    (PIXMAN_b8g8r8a8, 32, [8, 16, 24]),
    (PIXMAN_r8g8b8a8, 32, [24, 16, 8]),
    (PIXMAN_r8g8b8, 24, [16, 8, 0]),
    (PIXMAN_b8g8r8, 24, [0, 8, 16]),
  ]
}
