import TouchPixels

/// A stack of transparent surfaces for groups that are composed separately, kept for the next picture.
struct LayerPool {
  private var surfaces: [Surface] = []
  private var depth = 0

  /// The most surfaces. Each takes as much memory as the area that is painted at once.
  static let most = 16

  var isExhausted: Bool { depth == Self.most }

  /// Returns a target that covers an area, cleared; nil if all are in use or there is no memory.
  mutating func take(_ area: PixelRect) -> Target? {
    guard !isExhausted else { return nil }
    if depth == surfaces.count {
      guard let surface = try? Surface(width: area.width, height: area.height) else { return nil }
      surfaces.append(surface)
    } else if surfaces[depth].width < area.width || surfaces[depth].height < area.height {
      let width = max(surfaces[depth].width, area.width)
      let height = max(surfaces[depth].height, area.height)
      guard let surface = try? Surface(width: width, height: height) else { return nil }
      surfaces[depth] = surface
    }
    let surface = surfaces[depth]
    for y in 0..<area.height { (surface.pixels + y * surface.width).update(repeating: 0, count: area.width) }
    depth += 1
    return Target(surface: surface, originX: area.minX, originY: area.minY)
  }

  mutating func release() { depth -= 1 }
}
