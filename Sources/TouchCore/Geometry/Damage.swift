/// The window rectangles that must be drawn again.
///
/// Rectangles that touch are joined. Others stay apart, because a display that is written by the page pays
/// for every row between the first and the last one touched (kernel `fb_defio`).
public struct Damage: Sendable {
  /// The rectangles in window space. None is empty, and no two intersect.
  public private(set) var rects: [WindowRect] = []

  /// The largest number of rectangles. More cost more to keep apart than to join.
  @usableFromInline static let limit = 16

  /// Reserves storage for the maximum number of rectangles, so that frames do not allocate.
  public init() { rects.reserveCapacity(Self.limit + 1) }

  /// Whether nothing has to be drawn again.
  public var isEmpty: Bool { rects.isEmpty }

  /// Adds a rectangle; one that is empty or not finite adds nothing.
  public mutating func add(_ rect: WindowRect) {
    guard !rect.isEmpty, rect.origin.isFinite, rect.size.width.isFinite, rect.size.height.isFinite
    else { return }
    var joined = rect
    var index = 0
    while index < rects.count {
      if rects[index].intersects(joined) {
        joined = joined.union(rects[index])
        rects.swapAt(index, rects.count - 1)
        rects.removeLast()
        index = 0
      } else {
        index += 1
      }
    }
    rects.append(joined)
    if rects.count > Self.limit { joinCheapestPair() }
  }

  /// Adds every rectangle of another damage.
  public mutating func add(_ other: Damage) { for rect in other.rects { add(rect) } }

  /// Removes every rectangle and keeps the storage.
  public mutating func removeAll() { rects.clear() }

  /// Joins the two rectangles whose union wastes the least area.
  private mutating func joinCheapestPair() {
    var best = (first: 0, second: 1, waste: Double.infinity)
    for first in rects.indices {
      for second in rects.indices where second > first {
        let union = rects[first].union(rects[second])
        let waste = union.area - rects[first].area - rects[second].area
        if waste < best.waste { best = (first, second, waste) }
      }
    }
    let joined = rects[best.first].union(rects[best.second])
    rects.remove(at: best.second)
    rects.remove(at: best.first)
    add(joined)
  }
}
