/// A surface to paint into, and its place on the display.
@frozen @usableFromInline package struct Target {
  @usableFromInline package let surface: Surface
  /// The display column of the surface's first column.
  @usableFromInline package let originX: Int
  /// The display row of the surface's first row.
  @usableFromInline package let originY: Int

  /// The origin is in display pixels.
  @inlinable package init(surface: Surface, originX: Int = 0, originY: Int = 0) {
    self.surface = surface
    self.originX = originX
    self.originY = originY
  }

  /// The surface's place on the display.
  @inlinable package var area: PixelRect {
    PixelRect(x: originX, y: originY, width: surface.width, height: surface.height)
  }

  /// Copies pixels from the same place on the display.
  package func copy(_ part: PixelRect, from source: Target) {
    let box = part.intersection(area).intersection(source.area)
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      let row = (y - originY) * surface.width - originX + box.minX
      let from = (y - source.originY) * source.surface.width - source.originX + box.minX
      (surface.pixels + row).update(from: source.surface.pixels + from, count: box.width)
    }
  }

  /// Has a part of the target painted, as `Screen.compose` does, and fills it if it is one pixel.
  package func paint(_ part: PixelRect, by paint: (Target, PixelRect) -> UInt32?) {
    if let pixel = paint(self, part) { fill(part, with: pixel) }
  }

  /// Fills pixels of the target with an opaque one.
  package func fill(_ part: PixelRect, with pixel: UInt32) {
    let box = part.intersection(area)
    guard !box.isEmpty else { return }
    // Rows that follow each other without a gap are one.
    let isGapless = box.width == surface.width
    let (count, rows) = isGapless ? (box.width * box.height, 1) : (box.width, box.height)
    let first = surface.pixels + ((box.minY - originY) * surface.width + (box.minX - originX))
    Self.fill(rows, from: first, step: surface.width * 4, count: count, with: pixel)
  }

  /// Fills rows of 32-bit pixels in any memory. pixman's fill aligns each row at both ends, which takes longer than all the
  /// rest where a row is as short as a button's.
  ///
  /// - Parameters:
  ///   - step: bytes from one row to the next.
  ///   - count: pixels of a row, at least 1.
  package static func fill(
    _ rows: Int, from first: UnsafeMutableRawPointer, step: Int, count: Int, with pixel: UInt32
  ) {
    switch count {
    case 16...: fill(rows, from: first, step: step, count: count, by: SIMD16(repeating: pixel))
    case 4...: fill(rows, from: first, step: step, count: count, by: SIMD4(repeating: pixel))
    default: fill(rows, from: first, step: step, count: count, by: pixel)
    }
  }

  /// Fills rows of at least as many pixels as the block has.
  @inline(__always)
  private static func fill<Block: BitwiseCopyable>(
    _ rows: Int, from first: UnsafeMutableRawPointer, step: Int, count: Int, by block: Block
  ) {
    // The last block ends with the row, and may overlap the one before it.
    let last = count * 4 - MemoryLayout<Block>.size
    var row = first
    for _ in 0..<rows {
      for offset in stride(from: 0, to: last, by: MemoryLayout<Block>.size) {
        row.storeBytes(of: block, toByteOffset: offset, as: Block.self)
      }
      row.storeBytes(of: block, toByteOffset: last, as: Block.self)
      row += step
    }
  }
}
