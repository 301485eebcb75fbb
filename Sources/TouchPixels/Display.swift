import TouchCore

/// Where pixels go: a framebuffer, a terminal, or memory.
package protocol Display: AnyObject {
  /// In physical pixels.
  var width: Int { get }
  /// In physical pixels.
  var height: Int { get }
  /// The whole picture; nil on a display that does not keep it.
  var picture: Surface? { get }
  /// Whether size and format are still those with which the display was opened. If not, it has to be reopened.
  var isCurrent: Bool { get }

  /// Whether composed pixels are visible without `present()`, which then does nothing.
  var showsAtOnce: Bool { get }

  /// Begins a picture. Adds to the damage what is out of date in the memory that will be painted.
  func begin(_ damage: inout Damage)

  /// Shows what was composed since `begin`.
  ///
  /// - Returns: false if that failed and everything has to be composed again.
  func present() -> Bool

  /// Has pixels painted. They are visible after `present()` at the latest.
  ///
  /// - Parameters:
  ///   - rect: on the display.
  ///   - paint: paints all pixels of a part of `rect`, opaquely, and no others. It is called for each part; the target
  ///     may differ each time. If one opaque pixel fills all of the part, it returns that and paints nothing.
  func compose(_ rect: PixelRect, _ paint: (_ target: Target, _ part: PixelRect) -> UInt32?)

  /// Reduces a picture of the whole display to the colours that the display can show.
  func reduce(_ picture: Surface)
}

extension Display {
  /// Most displays never change.
  package var isCurrent: Bool { true }

  /// Without double buffering nothing is kept back.
  package var showsAtOnce: Bool { true }

  /// Without double buffering nothing is out of date.
  package func begin(_ damage: inout Damage) {}

  /// Composed pixels are visible already.
  package func present() -> Bool { true }

  /// Most displays show every colour.
  package func reduce(_ picture: Surface) {}

  /// In physical pixels.
  package var size: Size { Size(width: Double(width), height: Double(height)) }

  /// All of it, in physical pixels.
  package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

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

  /// Has a part of the target painted, as `Display.compose` does, and fills it if it is one pixel.
  package func paint(_ part: PixelRect, by paint: (Target, PixelRect) -> UInt32?) {
    if let pixel = paint(self, part) { fill(part, with: pixel) }
  }

  /// Fills pixels of the target with an opaque one. pixman's fill aligns each row at both ends, which takes twice the
  /// instructions of all the rest where a row is as short as a button's.
  package func fill(_ part: PixelRect, with pixel: UInt32) {
    let box = part.intersection(area)
    guard !box.isEmpty else { return }
    // Rows that follow each other without a gap are one.
    let isGapless = box.width == surface.width
    let (count, rows) = isGapless ? (box.width * box.height, 1) : (box.width, box.height)
    let row = surface.pixels + ((box.minY - originY) * surface.width + (box.minX - originX))
    switch count {
    case 16...: fill(rows, from: row, count, with: SIMD16(repeating: pixel))
    case 4...: fill(rows, from: row, count, with: SIMD4(repeating: pixel))
    default: fill(rows, from: row, count, with: pixel)
    }
  }

  /// Fills rows of at least as many pixels as the block has.
  @inline(__always)
  private func fill<Block: BitwiseCopyable>(
    _ rows: Int, from first: UnsafeMutablePointer<UInt32>, _ count: Int, with block: Block
  ) {
    // The last block ends with the row, and may overlap the one before it.
    let last = count * 4 - MemoryLayout<Block>.size
    var row = UnsafeMutableRawPointer(first)
    for _ in 0..<rows {
      for offset in stride(from: 0, to: last, by: MemoryLayout<Block>.size) {
        row.storeBytes(of: block, toByteOffset: offset, as: Block.self)
      }
      row.storeBytes(of: block, toByteOffset: last, as: Block.self)
      row += surface.width * 4
    }
  }
}

/// A display in memory: for tests, for pictures, and for machines without a screen.
package final class HeadlessDisplay: Display {
  /// The whole picture.
  package let surface: Surface

  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `DisplayError` if no surface of that size can be made.
  package init(width: Int, height: Int) throws(DisplayError) {
    surface = try Surface(width: width, height: height)
  }

  package var width: Int { surface.width }
  package var height: Int { surface.height }
  package var picture: Surface? { surface }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    Target(surface: surface).paint(rect.intersection(bounds), by: paint)
  }
}
