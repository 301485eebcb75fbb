import TouchPixels

/// Memory in which a picture is composed part by part, half a megabyte for most displays.
final class StagingBuffer {
  /// Surfaces in the same memory, from the display's width to a narrow one, which may be higher.
  private let surfaces: [Surface]
  private let pending: PendingPixels?

  /// The default size in pixels, which fits into a processor's second-level cache.
  static let usualCapacity = 1 << 17
  /// The least height of a part with the whole display's width.
  private static let fewestRows = 16
  private static let narrowest = 64

  /// Makes memory for a display's width and height, with parts of up to `capacity` pixels.
  /// - Parameter showsPictures: whether pixels of kept pictures are shown without being composed: not where
  ///   each row of them would be a call of its own, or share a byte with others.
  init(width: Int, height: Int, capacity: Int = usualCapacity, showsPictures: Bool) throws(DisplayError) {
    pending = showsPictures ? PendingPixels() : nil
    let memory = try PixelMemory(count: min(width * height, max(capacity, width * Self.fewestRows)))
    var surfaces: [Surface] = []
    var side = width
    repeat {
      let rows = min(Surface.largestSide, memory.count / side)
      surfaces.append(try Surface(width: side, height: rows, memory: memory))
      side = (side + 1) / 2
    } while side >= Self.narrowest
    self.surfaces = surfaces
  }

  /// Calls `paint` for each part of a rectangle on the display, and then `show` for all its pixels: where they
  /// are, and the pixel that fills them, which is then not painted.
  @inline(__always)
  func compose(
    _ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?,
    then show: (Target, PixelRect, UInt32?) -> Void
  ) {
    guard !rect.isEmpty, let surface = surfaces.last(where: { $0.width >= rect.width }) else { return }
    var part = rect
    while part.minY < rect.maxY {
      part.maxY = min(rect.maxY, part.minY + surface.height)
      let target = Target(surface: surface, originX: part.minX, originY: part.minY)
      if let pending {
        pending.begin(part)
        let pixel = paint(
          Target(surface: surface, originX: part.minX, originY: part.minY, pending: pending), part)
        if let pixel { show(target, part, pixel) } else { pending.forEachPart(on: target, show) }
      } else {
        show(target, part, paint(target, part))
      }
      part.minY = part.maxY
    }
  }
}
