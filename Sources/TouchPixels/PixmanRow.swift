import CPixman

/// A row of pixels in another format than a surface's, which pixman converts to.
package final class PixmanRow {
  private let image: OpaquePointer

  /// - Parameters:
  ///   - width: in pixels.
  ///   - memory: where the row lies: `stride` bytes, which must outlive the row.
  ///   - stride: a multiple of four.
  /// - Returns: nil where pixman does not know the format, or there is no memory.
  package init?(_ format: PixelFormat, width: Int, memory: UnsafeMutableRawPointer, stride: Int) {
    guard let code = format.pixmanFormat,
      let image = pixman_image_create_bits(
        code, Int32(width), 1, memory.assumingMemoryBound(to: UInt32.self), Int32(stride))
    else { return nil }
    self.image = image
  }

  deinit {
    pixman_image_unref(image)
  }

  /// Converts `count` pixels of a surface, from column `x` of row `y`, to the row's first ones.
  package func convert(_ surface: Surface, x: Int, y: Int, count: Int) {
    pixman_image_composite32(
      PIXMAN_OP_SRC, surface.image, nil, image, Int32(x), Int32(y), 0, 0, 0, 0, Int32(count), 1)
  }
}

extension PixelFormat {
  /// Whether pixels are kept as a surface keeps them.
  package var isSurfaceFormat: Bool { pixmanFormat == PIXMAN_a8r8g8b8 }

  /// pixman's name for the layout, with the bits that no colour uses as its alpha; nil where it has none.
  fileprivate var pixmanFormat: pixman_format_code_t? {
    Self.pixmanLayouts.first {
      $0.bits == bitsPerPixel && [red, green, blue].allSatisfy { $0.length == 8 }
        && $0.offsets == [red.offset, green.offset, blue.offset]
    }?.code
  }

  private static let pixmanLayouts: [(code: pixman_format_code_t, bits: Int, offsets: [UInt32])] = [
    (PIXMAN_a8r8g8b8, 32, [16, 8, 0]),
    (PIXMAN_a8b8g8r8, 32, [0, 8, 16]),
    (PIXMAN_b8g8r8a8, 32, [8, 16, 24]),
    (PIXMAN_r8g8b8a8, 32, [24, 16, 8]),
    (PIXMAN_r8g8b8, 24, [16, 8, 0]),
    (PIXMAN_b8g8r8, 24, [0, 8, 16]),
  ]
}
