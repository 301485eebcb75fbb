import CFcft

/// The advances of a small line's glyphs, in whole pixels. Rounding alone makes "rn" an "m" and joins words,
/// so two letters keep half a pixel between their ink, and two words three. Without that room, the widest
/// gaps narrow one pixel at a time.
struct GlyphSpacing {
  private(set) var advances: [Int] = []
  /// The excess of each advance over the least one; −∞ if the advance must not change.
  private var gaps: [Double] = []

  /// The em size from which scaled and rounded positions keep letters apart, in pixels.
  static let leastPixelSize = 16.0
  /// The em size from which a font's own advances keep letters apart, in pixels.
  static let leastLayoutSize = 12.0

  private static let leastGap = 0.5
  private static let leastSpace = 3

  /// Spaces glyphs from left to right by their exact positions in pixels, followed by the line's end.
  init(_ glyphs: [TextLine.Glyph], positions: [Double]) {
    var ink = glyphs.first.flatMap { Ink($0.glyph.pointee) }
    for (index, placed) in glyphs.enumerated() {
      let next = index + 1 < glyphs.count ? Ink(glyphs[index + 1].glyph.pointee) : nil
      defer { ink = next }
      let exact = positions[index + 1] - positions[index]
      // This avoids the drift of rounded advances.
      var advance = Int(positions[index + 1].rounded()) - Int(positions[index].rounded())
      var gap = -Double.infinity
      if placed.glyph.pointee.cp == 0x20 {
        advance = max(Self.leastSpace, Int(exact.rounded(.up)))
        gap = Double(advance - Self.leastSpace) + Self.leastGap
      } else if exact > 0, let ink, let next, let touching = ink.touching(next) {
        // Two letters have the same distance wherever they meet.
        advance = max(Int(exact.rounded()), Int((touching + Self.leastGap).rounded(.up)))
        gap = Double(advance) - touching
      }
      advances.append(advance)
      gaps.append(gap)
    }
  }

  /// Narrows the gaps. Returns whether the line is now at most this wide, with a gap everywhere.
  mutating func narrow(to width: Int) -> Bool {
    var excess = advances.reduce(0, +) - width
    while excess > 0, let widest = gaps.indices.max(by: { gaps[$0] < gaps[$1] }), gaps[widest] > 0 {
      gaps[widest] -= 1
      advances[widest] -= 1
      excess -= 1
    }
    return excess <= 0
  }
}

/// The edges of a letter's ink, row by row from the top, in pixels from the pen's position.
private struct Ink {
  private let top: Int
  private var left: [Double] = []
  private var right: [Double] = []

  /// The scripts up to Armenian, whose letters stand apart. In other scripts they may join.
  private static let scripts: Range<UInt32> = 0x21..<0x590
  /// The most coverage of a pixel that does not count as ink.
  private static let faint: UInt8 = 24

  /// - Returns: nil if the letter's distance from others must not change.
  init?(_ glyph: fcft_glyph) {
    guard Self.scripts.contains(glyph.cp), glyph.advance.x > 0, let image = glyph.pix,
      pixman_image_get_format(image) == PIXMAN_a8, let data = pixman_image_get_data(image)
    else { return nil }
    top = Int(glyph.y)
    let stride = Int(pixman_image_get_stride(image))
    for row in 0..<Int(glyph.height) {
      let start = (UnsafeRawPointer(data) + row * stride).assumingMemoryBound(to: UInt8.self)
      let pixels = UnsafeBufferPointer(start: start, count: Int(glyph.width))
      let (first, last) = (pixels.firstIndex { $0 > Self.faint }, pixels.lastIndex { $0 > Self.faint })
      left.append(first.map { Double(Int(glyph.x) + $0 + 1) - Double(pixels[$0]) / 255 } ?? .infinity)
      right.append(last.map { Double(Int(glyph.x) + $0) + Double(pixels[$0]) / 255 } ?? -.infinity)
    }
  }

  /// Returns the advance at which the next letter's ink touches this one's; nil for none.
  func touching(_ next: Ink) -> Double? {
    var touching = -Double.infinity
    for (row, edge) in right.enumerated() {
      let same = next.top - top + row
      for index in max(0, same - 1)...max(0, same + 1) where index < next.left.count {
        touching = max(touching, edge - next.left[index])
      }
    }
    return touching.isFinite ? touching : nil
  }
}
