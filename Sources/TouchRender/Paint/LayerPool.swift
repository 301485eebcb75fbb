import TouchPixels

/// Transparent surfaces for the parts of a picture that are composed apart. Taken and given back like a stack;
/// kept, so that a picture of the same depth needs no memory the next time.
struct LayerPool {
  private var surfaces: [Surface] = []
  private var depth = 0

  /// Each takes as much memory as what is painted at a time.
  static let most = 16

  /// Whether as many are taken as there may be.
  var isExhausted: Bool { depth == Self.most }

  /// A target that covers an area, transparent there; nil when all are taken or there is no memory for it.
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
    for y in 0..<area.height {
      (surface.pixels + y * surface.width).update(repeating: 0, count: area.width)
    }
    depth += 1
    return Target(surface: surface, originX: area.minX, originY: area.minY)
  }

  /// Gives the last taken target back.
  mutating func giveBack() {
    depth -= 1
  }
}
