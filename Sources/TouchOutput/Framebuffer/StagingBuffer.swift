import TouchPixels

/// Memory in which a picture is composed part by part, half a megabyte for most displays.
final class StagingBuffer {
  /// Surfaces in the same memory, from the display's width to a narrow one, which may be higher.
  private let surfaces: [Surface]

  /// The default size in pixels, which fits into a processor's second-level cache.
  static let usualCapacity = 1 << 17
  /// The least height of a part with the whole display's width.
  private static let fewestRows = 16
  private static let narrowest = 64

  /// Makes memory for a display's width and height, with parts of up to `capacity` pixels.
  init(width: Int, height: Int, capacity: Int = usualCapacity) throws(DisplayError) {
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

  /// Calls `paint` for each part of a rectangle on the display, and then `show` with part and result.
  @inline(__always)
  func compose<Painted>(
    _ rect: PixelRect, _ paint: (Target, PixelRect) -> Painted,
    then show: (Target, PixelRect, Painted) -> Void
  ) {
    guard !rect.isEmpty, let surface = surfaces.last(where: { $0.width >= rect.width }) else { return }
    var part = rect
    while part.minY < rect.maxY {
      part.maxY = min(rect.maxY, part.minY + surface.height)
      let target = Target(surface: surface, originX: part.minX, originY: part.minY)
      let painted = paint(target, part)
      show(target, part, painted)
      part.minY = part.maxY
    }
  }
}
