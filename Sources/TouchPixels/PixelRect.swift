import TouchCore

/// A rectangle of whole display pixels, maximum edges exclusive. Without `@usableFromInline`, the compiler
/// would call even inlinable members of a package's type.
@frozen @usableFromInline package struct PixelRect: Hashable, Sendable {
  @usableFromInline package var minX, minY: Int
  /// The column after the last one.
  @usableFromInline package var maxX: Int
  /// The row after the last one.
  @usableFromInline package var maxY: Int

  /// Makes a rectangle in display pixels, maximum edges exclusive, empty unless they are above.
  @inlinable package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  @inlinable package init(x: Int, y: Int, width: Int, height: Int) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  @inlinable package static var empty: Self { Self(minX: 0, minY: 0, maxX: 0, maxY: 0) }

  /// The width in pixels; 0 if the edges are in the wrong order. The same for the height.
  @inlinable package var width: Int { max(0, maxX - minX) }
  @inlinable package var height: Int { max(0, maxY - minY) }
  /// The area in pixels.
  @inlinable package var area: Int { width * height }
  @inlinable package var isEmpty: Bool { minX >= maxX || minY >= maxY }

  /// The overlap. If there is none, its edges may be in the wrong order.
  @inlinable package func intersection(_ other: Self) -> Self {
    Self(
      minX: max(minX, other.minX), minY: max(minY, other.minY),
      maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
  }

  /// Returns the rectangle at another place, in pixels.
  @inlinable package func offset(x: Int, y: Int) -> Self {
    Self(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }

  /// Returns the smallest rectangle that contains both; an empty one is ignored.
  @inlinable package func union(_ other: Self) -> Self {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Self(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// Calls `body` for the up to four parts outside of another rectangle, from top to bottom.
  @inlinable @inline(__always)
  package func forEachPart(outside other: Self, _ body: (Self) -> Void) {
    let cut = intersection(other)
    guard !cut.isEmpty else { return isEmpty ? () : body(self) }
    func part(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) {
      let part = Self(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
      if !part.isEmpty { body(part) }
    }
    part(minX, minY, maxX, cut.minY)
    part(minX, cut.minY, cut.minX, cut.maxY)
    part(cut.maxX, cut.minY, maxX, cut.maxY)
    part(minX, cut.maxY, maxX, maxY)
  }

  /// Whether the other rectangle lies completely inside.
  @inlinable package func contains(_ other: Self) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  /// Whether the pixel in this column and row lies inside.
  @inlinable package func contains(x: Int, y: Int) -> Bool {
    x >= minX && x < maxX && y >= minY && y < maxY
  }

  /// Makes the rectangle of all pixels that a rectangle overlaps by more than `sliver` of a pixel. It is
  /// empty if the rectangle is empty or a coordinate is not a number.
  /// - Parameter sliver: the part of a pixel that is ignored, so that an edge that rounding moved just beyond
  ///   a pixel's boundary does not add a row.
  package init(covering rect: Rect<DisplaySpace>, sliver: Double) {
    guard !rect.isEmpty else {
      self = .empty
      return
    }
    self.init(
      minX: Self.floor(rect.minX + sliver), minY: Self.floor(rect.minY + sliver),
      maxX: -Self.floor(sliver - rect.maxX), maxY: -Self.floor(sliver - rect.maxY))
  }

  /// The largest coordinate: outside every display, inside the sums of pixman's coordinates.
  package static let farthest = 1_000_000.0

  /// Returns the coordinate rounded down, without the C library's call before SSE 4.1.
  @inline(__always)
  private static func floor(_ coordinate: Double) -> Int {
    let limited = max(-farthest, min(farthest, coordinate))
    let towardsZero = Int(limited)
    return Double(towardsZero) > limited ? towardsZero - 1 : towardsZero
  }
}
