import TouchCore

/// The places of a keyboard's keys. There are no gaps: each point in the rows belongs to a key.
package struct KeyArrangement {
  /// A key, and the part of the keyboard in which it is hit.
  package struct PlacedKey {
    package let key: KeyboardLayout.Key
    /// The part, in the keyboard's space.
    package let rect: LocalRect
  }

  /// The keys, row by row, from left to right.
  private(set) var keys: [PlacedKey] = []
  private let rowHeight: Double
  /// The area of the rows, in the keyboard's space.
  private let area: LocalRect

  /// - Parameter bounds: the keyboard's bounds. Half of the space between two keys stays free at their edges.
  init(_ rows: [[KeyboardLayout.Key]], in bounds: LocalRect) {
    rowHeight = bounds.size.height / Double(max(1, rows.count))
    let widest = rows.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 1
    var area = bounds.outset(by: -KeyboardView.spacing / 2)
    // A pad of digits is no wider than hands reach.
    let most = area.size.height / Double(max(1, rows.count)) * widest * 1.9
    if widest < 7, area.size.width > most {
      area = LocalRect(
        x: (bounds.midX - most / 2).rounded(), y: area.minY, width: most.rounded(), height: area.size.height)
    }
    self.area = area
    for (number, row) in rows.enumerated() {
      let top = (area.minY + area.size.height * Double(number) / Double(rows.count)).rounded()
      let bottom = (area.minY + area.size.height * Double(number + 1) / Double(rows.count)).rounded()
      let strip = LocalRect(x: area.minX, y: top, width: area.size.width, height: bottom - top)
      place(row, in: strip, of: widest)
    }
  }

  /// - Parameter widest: the width of the widest row, in widths of a letter.
  private mutating func place(_ row: [KeyboardLayout.Key], in area: LocalRect, of widest: Double) {
    let rest = widest - row.reduce(0) { $0 + $1.width }
    // The space bar takes the remaining room; without a space bar, the keys at the sides.
    let growing =
      row.filter { $0.role == .space && $0.isFlexible }.isEmpty
      ? row.filter(\.isFlexible) : row.filter { $0.role == .space }
    let growth = growing.isEmpty ? 0 : rest / Double(growing.count)
    var x = growing.isEmpty ? rest / 2 : 0
    for key in row {
      let width = key.width + (growing.contains(key) ? growth : 0)
      let left = (area.minX + area.size.width * x / widest).rounded()
      let right = (area.minX + area.size.width * (x + width) / widest).rounded()
      let rect = LocalRect(x: left, y: area.minY, width: right - left, height: area.size.height)
      keys.append(PlacedKey(key: key, rect: rect))
      x += width
    }
  }

  /// Returns the index in `keys` of the key under a point. It is the nearest key of the row at its height, so
  /// the space beside a short row belongs to the row's outermost keys. Returns nil farther from the rows than
  /// the height of a row, because a finger that has left the keyboard presses no key.
  func index(at point: LocalPoint) -> Int? {
    var (best, least): (Int?, (y: Double, x: Double)) = (nil, (.infinity, .infinity))
    for (index, placed) in keys.enumerated() where placed.key.role != .gap {
      let (rect, x, y) = (placed.rect, point.x, point.y)
      let away = (y: max(rect.minY - y, 0, y - rect.maxY), x: max(rect.minX - x, 0, x - rect.maxX))
      if away < least { (best, least) = (index, away) }
    }
    let x = max(area.minX - point.x, 0, point.x - area.maxX)
    return least.y * least.y + x * x <= rowHeight * rowHeight ? best : nil
  }

  var parts: [Int] { keys.indices.filter { keys[$0].key.role != .gap } }
}
