import Glibc

@frozen @usableFromInline package struct Target {
  @usableFromInline package let surface: Surface
  /// The display column of the surface's first column.
  @usableFromInline package let originX: Int
  /// The display row of the surface's first row.
  @usableFromInline package let originY: Int
  /// The pixels that are not painted yet; nil if all are. The owner of the target keeps it: its reference count
  /// would change with each copy of this value.
  @usableFromInline package let pending: Unmanaged<PendingPixels>?

  /// - Parameter surface: the surface to paint into.
  /// - Parameter originX: the display column of its first column.
  /// - Parameter originY: the display row of its first row.
  /// - Parameter pending: takes fills and copies in place of the surface; nil for none.
  @inlinable package init(
    surface: Surface, originX: Int = 0, originY: Int = 0, pending: PendingPixels? = nil
  ) {
    self.surface = surface
    self.originX = originX
    self.originY = originY
    self.pending = pending.map(Unmanaged.passUnretained)
  }

  /// Paints what is pending, before something is painted over a part of it.
  @inline(__always)
  package func settle(_ part: PixelRect) { pending?._withUnsafeGuaranteedRef { $0.settle(part, on: self) } }

  @inlinable package var area: PixelRect {
    PixelRect(x: originX, y: originY, width: surface.width, height: surface.height)
  }

  package func copy(_ part: PixelRect, from source: Target) {
    let box = part.intersection(area).intersection(source.area)
    guard !box.isEmpty else { return }
    guard let pending else { return paintCopy(box, from: source) }
    pending._withUnsafeGuaranteedRef { $0.takeCopy(box, of: source, over: self) }
  }

  /// - Parameter box: inside of both.
  func paintCopy(_ box: PixelRect, from source: Target) {
    for y in box.minY..<box.maxY {
      let row = (y - originY) * surface.width - originX + box.minX
      let from = (y - source.originY) * source.surface.width - source.originX + box.minX
      (surface.pixels + row).update(from: source.surface.pixels + from, count: box.width)
    }
  }

  package func isOpaque(_ part: PixelRect) -> Bool {
    let box = part.intersection(area)
    for y in box.minY..<max(box.minY, box.maxY) {
      let row = surface.pixels + ((y - originY) * surface.width - originX + box.minX)
      var common = UInt32.max
      for x in 0..<box.width { common &= row[x] }
      guard common >> 24 == 255 else { return false }
    }
    return true
  }

  /// Returns the pixel that a part is filled with, if it is opaque; nil if there are others.
  package func fill(of part: PixelRect) -> UInt32? {
    let box = part.intersection(area)
    guard !box.isEmpty else { return nil }
    if let pixel = pending?._withUnsafeGuaranteedRef({ $0.fill(of: box) }) { return pixel }
    settle(box)
    let first = surface.pixels + ((box.minY - originY) * surface.width - originX + box.minX)
    guard first[0] >> 24 == 255 else { return nil }
    // A row is one pixel if it equals itself moved by one. The C library compares with the widest registers.
    let (bytes, pixel) = (box.width * MemoryLayout<UInt32>.stride, MemoryLayout<UInt32>.stride)
    guard memcmp(first, first + 1, bytes - pixel) == 0 else { return nil }
    for row in 1..<max(1, box.height) {
      guard memcmp(first, first + row * surface.width, bytes) == 0 else { return nil }
    }
    return first[0]
  }

  /// Paints a part of the target as `Screen.compose` does, and fills it if it is one pixel.
  package func paint(_ part: PixelRect, by paint: (Target, PixelRect) -> UInt32?) {
    if let pixel = paint(self, part) { fill(part, with: pixel) }
  }

  package func fill(_ part: PixelRect, with pixel: UInt32) {
    let box = part.intersection(area)
    guard !box.isEmpty else { return }
    if pending?._withUnsafeGuaranteedRef({ $0.take(fill: pixel, of: box) }) == true { return }
    settle(box)
    paintFill(box, with: pixel)
  }

  /// - Parameter box: inside of the target, and not empty.
  @inline(__always)
  func paintFill(_ box: PixelRect, with pixel: UInt32) {
    let first = surface.pixels + ((box.minY - originY) * surface.width + (box.minX - originX))
    let (count, step) = (box.width, surface.width)
    guard count >= Self.leastCopied else {
      // Rows that follow each other without a gap are one.
      let isGapless = count == step
      return Self.fill(
        isGapless ? 1 : box.height, from: first, step: step * 4,
        count: isGapless ? count * box.height : count,
        with: pixel)
    }
    // The C library copies with the widest registers of the processor, and the first row stays in its cache.
    Self.fill(1, from: first, step: 0, count: count, with: pixel)
    for row in 1..<max(1, box.height) { (first + row * step).update(from: first, count: count) }
  }

  /// The shortest row that is copied and not filled, in pixels.
  private static let leastCopied = 96

  /// Fills rows of 32-bit pixels in any memory. pixman's fill aligns each row at both ends, which takes
  /// longer than the rest for a row as short as a button's.
  /// - Parameter step: the bytes from one row to the next.
  /// - Parameter count: the pixels of a row, at least 1.
  package static func fill(
    _ rows: Int, from first: UnsafeMutableRawPointer, step: Int, count: Int, with pixel: UInt32
  ) {
    switch count {
    case 16...: fill(rows, from: first, step: step, count: count, by: SIMD16(repeating: pixel))
    case 4...: fill(rows, from: first, step: step, count: count, by: SIMD4(repeating: pixel))
    default: fill(rows, from: first, step: step, count: count, by: pixel)
    }
  }

  /// Fills rows of at least as many pixels as the block has, four blocks at once where there is room.
  @inline(__always)
  private static func fill<Block: BitwiseCopyable>(
    _ rows: Int, from first: UnsafeMutableRawPointer, step: Int, count: Int, by block: Block
  ) {
    let size = MemoryLayout<Block>.size
    // The last block ends with the row, and may overlap the one before it.
    let last = count * 4 - size
    var row = first
    for _ in 0..<rows {
      var offset = 0
      while offset < last &- 3 * size {
        for index in 0..<4 { row.storeBytes(of: block, toByteOffset: offset &+ index * size, as: Block.self) }
        offset &+= 4 * size
      }
      while offset < last {
        row.storeBytes(of: block, toByteOffset: offset, as: Block.self)
        offset &+= size
      }
      row.storeBytes(of: block, toByteOffset: last, as: Block.self)
      row += step
    }
  }

  /// Blends an opaque pixel through a mask of one byte a pixel, such as a glyph. The result is that of
  /// pixman's "over", without its setup, which takes longer than the rest for something as small as a letter.
  /// - Parameter mask: the byte of the box's first pixel.
  /// - Parameter step: the bytes from one row of the mask to the next.
  /// - Parameter box: inside the target.
  func blend(_ pixel: UInt32, through mask: UnsafeRawPointer, step: Int, _ box: PixelRect) {
    settle(box)
    let color = SIMD4(repeating: pixel)
    let width = surface.width
    var row = surface.pixels + ((box.minY - originY) * width + (box.minX - originX))
    var mask = mask
    guard box.width >= 4 else {
      for _ in 0..<box.height {
        for x in 0..<box.width {
          row[x] = over(cover(pixel, UInt32(mask.load(fromByteOffset: x, as: UInt8.self))), row[x])
        }
        mask += step
        row += width
      }
      return
    }
    let last = box.width - 4
    // The bytes of the last four pixels that no other four have, in the machine's order.
    let fresh = UInt32(littleEndian: .max << UInt32(8 * (last % 4 == 0 ? 0 : 4 - last % 4)))
    for _ in 0..<box.height {
      for x in stride(from: 0, to: last, by: 4) {
        Self.blend(color, through: mask.loadUnaligned(fromByteOffset: x, as: UInt32.self), row + x)
      }
      // The last four end with the row. Those that were blended already are not covered.
      let coverages = mask.loadUnaligned(fromByteOffset: last, as: UInt32.self)
      Self.blend(color, through: coverages & fresh, row + last)
      mask += step
      row += width
    }
  }

  static let blockWidth = 4

  /// Blends a premultiplied pixel with pixels of one row, which are inside the target and settled.
  /// - Parameter coverages: one for each of them, 1 … 255. `blockWidth` bytes can be read.
  @inline(__always)
  func blend(_ pixel: UInt32, through coverages: UnsafePointer<UInt8>, _ box: PixelRect) {
    let width = box.width
    guard pixel >> 24 < 255 || width < Self.blockWidth else {
      return blend(pixel, through: coverages, step: 0, box)
    }
    let row = surface.pixels + (box.minY - originY) * surface.width
    let x = box.minX - originX
    // Most runs are a few pixels of a smooth corner. The pixels beside them are not covered, and stay as they
    // are.
    if pixel >> 24 == 255, x + Self.blockWidth <= surface.width {
      let covered = UInt32(littleEndian: .max >> UInt32(8 * (Self.blockWidth - width)))
      let bytes = UnsafeRawPointer(coverages).loadUnaligned(as: UInt32.self)
      return Self.blend(SIMD4(repeating: pixel), through: bytes & covered, row + x)
    }
    for index in 0..<width { row[x + index] = over(cover(pixel, UInt32(coverages[index])), row[x + index]) }
  }

  /// Red and blue of four pixels, or alpha and green.
  private typealias Channels = SIMD8<UInt16>

  /// Four pixels, as `cover` and `over` do one.
  @inline(__always)
  private static func blend(
    _ color: SIMD4<UInt32>, through coverages: UInt32, _ pixels: UnsafeMutablePointer<UInt32>
  ) {
    // Much of a letter's box is empty.
    if coverages == 0 { return }
    let place = UnsafeMutableRawPointer(pixels)
    if coverages == .max { return place.storeBytes(of: color, as: SIMD4<UInt32>.self) }
    let single = SIMD4<UInt32>(truncatingIfNeeded: unsafeBitCast(coverages, to: SIMD4<UInt8>.self))
    let parts = unsafeBitCast(single | single &<< 16, to: Channels.self)
    let kept = 255 &- parts
    let behind = place.loadUnaligned(as: Channels.self)
    let front = unsafeBitCast(color, to: Channels.self)
    let even = scaled(front & 255, parts) &+ scaled(behind & 255, kept)
    let odd = scaled(front &>> 8, parts) &+ scaled(behind &>> 8, kept)
    place.storeBytes(of: even | odd &<< 8, as: Channels.self)
  }

  /// Returns the products divided by 255, as in `Color.multiply`.
  @inline(__always)
  private static func scaled(_ channels: Channels, _ parts: Channels) -> Channels {
    let products = channels &* parts &+ 128
    return (products &+ (products &>> 8)) &>> 8
  }
}
