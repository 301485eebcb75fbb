import TouchCore

/// Whole pixels of the display: minimum edges in, maximum edges out.
package struct PixelRect: Hashable, Sendable {
  /// The first column that is in.
  package var minX: Int
  /// The first row that is in.
  package var minY: Int
  /// The first column on the right that is not in.
  package var maxX: Int
  /// The first row below that is not in.
  package var maxY: Int

  /// In display pixels, maximum edges out. With a maximum below its minimum it is empty.
  @inlinable package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// In display pixels.
  @inlinable package init(x: Int, y: Int, width: Int, height: Int) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  @inlinable package static var empty: Self { Self(minX: 0, minY: 0, maxX: 0, maxY: 0) }

  /// In pixels; 0, not negative, where the edges are the wrong way round. The height likewise.
  @inlinable package var width: Int { max(0, maxX - minX) }
  @inlinable package var height: Int { max(0, maxY - minY) }
  @inlinable package var isEmpty: Bool { minX >= maxX || minY >= maxY }

  /// What both cover. Where that is nothing, the edges may be the wrong way round.
  @inlinable package func intersection(_ other: Self) -> Self {
    Self(
      minX: max(minX, other.minX), minY: max(minY, other.minY),
      maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
  }

  /// The smallest rectangle that covers both; an empty one adds nothing.
  @inlinable package func union(_ other: Self) -> Self {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Self(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// Whether all of the other one lies in this one.
  @inlinable package func contains(_ other: Self) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  /// Whether the pixel in this column and row is in.
  @inlinable package func contains(x: Int, y: Int) -> Bool {
    x >= minX && x < maxX && y >= minY && y < maxY
  }

  /// Every pixel that a rectangle touches by more than `sliver` of a pixel; empty for a rectangle that is empty
  /// or has a coordinate that is not a number.
  ///
  /// - Parameter sliver: how much of a pixel does not count, so that an edge that rounding put a hair beyond
  ///   a pixel's border does not add a row.
  package init(covering rect: Rect<DisplaySpace>, sliver: Double) {
    guard !rect.isEmpty else {
      self = .empty
      return
    }
    self.init(
      minX: Self.pixel((rect.minX + sliver).rounded(.down)),
      minY: Self.pixel((rect.minY + sliver).rounded(.down)),
      maxX: Self.pixel((rect.maxX - sliver).rounded(.up)),
      maxY: Self.pixel((rect.maxY - sliver).rounded(.up)))
  }

  /// Far outside every display, and far inside what pixman's 32-bit coordinates can add up.
  package static let farthest = 1_000_000.0

  private static func pixel(_ coordinate: Double) -> Int {
    Int(max(-farthest, min(farthest, coordinate)))
  }
}
