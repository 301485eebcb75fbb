import CPixman

/// Turns rows of composed pixels into a framebuffer's own bytes.
///
/// pixman converts to the layouts it knows; every other one goes through a packer that works from the bit fields.
/// Either way the bytes are those of `PixelFormat.pack`.
final class RowConverter {
  private enum Method {
    /// The composed pixels are the framebuffer's pixels.
    case copy
    /// pixman writes into this image of one row, over `row`.
    case pixman(OpaquePointer)
    case bitFields
  }

  let format: PixelFormat
  /// The longest row, in pixels.
  let width: Int
  private let row: UnsafeMutableRawPointer
  private let method: Method

  /// - Parameter width: the longest row, in pixels.
  init(format: PixelFormat, width: Int) {
    self.format = format
    self.width = width
    // pixman wants rows of whole words.
    let stride = (width * format.bytesPerPixel + 3) / 4 * 4
    row = .allocate(byteCount: stride, alignment: 16)
    row.initializeMemory(as: UInt8.self, repeating: 0, count: stride)
    let code = format.pixmanFormat
    if code == PIXMAN_a8r8g8b8 {
      method = .copy
    } else if let code,
      let image = pixman_image_create_bits(
        code, Int32(width), 1, row.assumingMemoryBound(to: UInt32.self), Int32(stride))
    {
      method = .pixman(image)
    } else {
      method = .bitFields
    }
  }

  deinit {
    if case .pixman(let image) = method { pixman_image_unref(image) }
    row.deallocate()
  }

  /// The bytes of `count` pixels of the surface, from (x, y) on. The memory is good until the next call.
  func convert(_ surface: Surface, x: Int, y: Int, count: Int) -> UnsafeRawBufferPointer {
    let source = surface.pixels + (y * surface.width + x)
    let byteCount = count * format.bytesPerPixel
    switch method {
    case .copy:
      return UnsafeRawBufferPointer(start: source, count: byteCount)
    case .pixman(let image):
      pixman_image_composite32(
        PIXMAN_OP_SRC, surface.image, nil, image, Int32(x), Int32(y), 0, 0, 0, 0, Int32(count), 1)
    case .bitFields:
      packBitFields(source, count: count)
    }
    return UnsafeRawBufferPointer(start: row, count: byteCount)
  }

  /// Copies composed pixels to a framebuffer's memory: those rows and no byte beside them. The memory is written
  /// from low to high addresses and never read.
  ///
  /// - Parameter rect: on the display.
  func write(
    _ rect: PixelRect, of target: Target, to memory: UnsafeMutableRawPointer, layout: FramebufferLayout
  ) {
    let visible = rect.intersection(target.area).intersection(layout.bounds)
    guard !visible.isEmpty else { return }
    for y in visible.minY..<visible.maxY {
      let row = convert(
        target.surface, x: visible.minX - target.originX, y: y - target.originY, count: visible.width)
      let offset = layout.start + y * layout.stride + visible.minX * format.bytesPerPixel
      UnsafeMutableRawBufferPointer(start: memory + offset, count: row.count).copyMemory(from: row)
    }
  }

  private func packBitFields(_ source: UnsafePointer<UInt32>, count: Int) {
    let (red, green, blue, spare) = (format.red, format.green, format.blue, format.spareBits)
    @inline(__always) func packed(_ index: Int) -> UInt32 {
      let pixel = source[index]
      return spare | red.place(pixel >> 16 & 255) | green.place(pixel >> 8 & 255) | blue.place(pixel & 255)
    }
    switch format.bytesPerPixel {
    case 2:
      let target = row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<count { target[index] = UInt16(truncatingIfNeeded: packed(index)) }
    case 4:
      let target = row.assumingMemoryBound(to: UInt32.self)
      for index in 0..<count { target[index] = packed(index) }
    default:
      // Three bytes, lowest first as the little-endian machines that Linux framebuffers live in keep them.
      let target = row.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let pixel = packed(index)
        target[index * 3] = UInt8(truncatingIfNeeded: pixel)
        target[index * 3 + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
        target[index * 3 + 2] = UInt8(truncatingIfNeeded: pixel >> 16)
      }
    }
  }
}

extension PixelFormat {
  /// pixman's name for the layout, with the bits that no colour uses as its alpha; nil where it has none.
  var pixmanFormat: pixman_format_code_t? {
    Self.pixmanLayouts.first {
      $0.bits == bitsPerPixel && $0.lengths == [red.length, green.length, blue.length]
        && $0.offsets == [red.offset, green.offset, blue.offset]
    }?.code
  }

  private static let pixmanLayouts:
    [(code: pixman_format_code_t, bits: Int, lengths: [UInt32], offsets: [UInt32])] = [
      (PIXMAN_a8r8g8b8, 32, [8, 8, 8], [16, 8, 0]),
      (PIXMAN_a8b8g8r8, 32, [8, 8, 8], [0, 8, 16]),
      (PIXMAN_b8g8r8a8, 32, [8, 8, 8], [8, 16, 24]),
      (PIXMAN_r8g8b8a8, 32, [8, 8, 8], [24, 16, 8]),
      (PIXMAN_r8g8b8, 24, [8, 8, 8], [16, 8, 0]),
      (PIXMAN_b8g8r8, 24, [8, 8, 8], [0, 8, 16]),
      (PIXMAN_r5g6b5, 16, [5, 6, 5], [11, 5, 0]),
      (PIXMAN_b5g6r5, 16, [5, 6, 5], [0, 5, 11]),
      (PIXMAN_a1r5g5b5, 16, [5, 5, 5], [10, 5, 0]),
      (PIXMAN_a1b5g5r5, 16, [5, 5, 5], [0, 5, 10]),
      (PIXMAN_a4r4g4b4, 16, [4, 4, 4], [8, 4, 0]),
      (PIXMAN_a4b4g4r4, 16, [4, 4, 4], [0, 4, 8]),
    ]
}
