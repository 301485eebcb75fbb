import TouchPixels

/// Memory in which a picture is composed part by part, a quarter of a megabyte for most displays.
///
/// A picture of the whole display would take its place for nothing: a part of it can be painted from the tree at any
/// time, and comes out the same.
final class StagingBuffer {
  /// One for each width, from the display's to a narrow one, all of them on the same memory: a part that is narrow
  /// may be as high as it needs to be.
  private let surfaces: [Surface]

  /// In pixels. They stay within a processor's second cache, and a finger's marker is one part.
  static let usualCapacity = 1 << 16
  /// A part of the whole display's width is at least this high.
  private static let fewestRows = 16
  private static let narrowest = 64

  /// - Parameters:
  ///   - width: of the display, in pixels.
  ///   - height: the same.
  ///   - capacity: how large a part may be, in pixels.
  /// - Throws: `DisplayError` when there is no memory.
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

  /// Calls `paint` for one part of a rectangle after the other, and `show` with what it painted.
  ///
  /// - Parameter rect: on the display.
  func compose(
    _ rect: PixelRect, _ paint: (Target, PixelRect) -> Void, then show: (Target, PixelRect) -> Void
  ) {
    guard !rect.isEmpty, let surface = surfaces.last(where: { $0.width >= rect.width }) else { return }
    var part = rect
    while part.minY < rect.maxY {
      part.maxY = min(rect.maxY, part.minY + surface.height)
      let target = Target(surface: surface, originX: part.minX, originY: part.minY)
      paint(target, part)
      show(target, part)
      part.minY = part.maxY
    }
  }
}
