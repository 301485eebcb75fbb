import TouchPixels

/// Memory in which a picture is composed part by part, half a megabyte for most displays. No picture of the
/// whole display is kept: each part can be painted from the tree at any time with the same result.
final class StagingBuffer {
  /// Surfaces of several widths in the same memory, from the display's width
  /// to a narrow one. A narrower part may be higher.
  private let surfaces: [Surface]

  /// The default size in pixels. It fits into a processor's
  /// second-level cache, and a finger's marker is one part.
  static let usualCapacity = 1 << 17
  /// The least height of a part with the whole display's width.
  private static let fewestRows = 16
  private static let narrowest = 64

  /// - Parameters:
  ///   - width: the display's width in pixels.
  ///   - height: the display's height in pixels.
  ///   - capacity: the size of the largest part in pixels.
  /// - Throws: `DisplayError` if there is no memory.
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

  /// Calls `paint` for each part of a rectangle, and then `show` with the part and the result.
  /// - Parameter rect: the rectangle on the display.
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
