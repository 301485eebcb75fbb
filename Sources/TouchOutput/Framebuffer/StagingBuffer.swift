import TouchPixels

/// Memory in which a picture is composed part by part, half a megabyte for most displays.
///
/// No picture of the whole display is kept: each part can be painted from the tree at any time with the same result.
final class StagingBuffer {
  /// Surfaces of several widths, from the display's to a narrow one, all in the same memory: the narrower a part, the
  /// higher it may be.
  private let surfaces: [Surface]

  /// In pixels. This many fit into a processor's second-level cache, and a finger's marker is one part.
  static let usualCapacity = 1 << 17
  /// A part of the whole display's width is at least this high.
  private static let fewestRows = 16
  private static let narrowest = 64

  /// - Parameters:
  ///   - width: of the display, in pixels.
  ///   - height: of the display, in pixels.
  ///   - capacity: the largest part, in pixels.
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

  /// Calls `paint` for each part of a rectangle, and then `show` with what it painted and returned.
  ///
  /// - Parameter rect: on the display.
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
