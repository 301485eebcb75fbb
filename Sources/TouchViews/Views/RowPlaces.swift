import TouchCore

/// The places of a list's rows, headers and footers, in its content. (`UITableView.rect(forSection:)`,
/// `rectForRow(at:)`.)
///
/// ```
///     edge ───────────────────────
///          header    of the first section, if it has one
///     inset│ row 0        │inset
///          │ row 1        │
///          footer    of the first section, if it has one
///          header
///          │ row 2        │
///     edge ───────────────────────
/// ```
struct RowPlaces {
  var count = 0
  var rowHeight = ValueControl.fingerSize
  /// The rows below a header, in ascending order.
  var starts: [Int] = []
  var headerHeight = 0.0
  /// The rows above a footer, the last ones of their sections, in ascending order.
  var ends: [Int] = []
  var footerHeight = 0.0
  /// The space above the first row without a header, and below the last one.
  var edge = 0.0
  /// The space at the left and at the right of each row.
  var inset = 0.0

  var height: Double {
    count == 0 ? 0 : top(of: count - 1) + rowHeight + (ends.last == count - 1 ? footerHeight : 0) + edge
  }

  /// The space above everything. A header has its own.
  private var firstTop: Double { starts.first == 0 ? 0 : edge }

  private func headers(upTo row: Int) -> Int { starts.indices.partition { starts[$0] <= row } }

  private func footers(above row: Int) -> Double {
    Double(ends.indices.partition { ends[$0] < row }) * footerHeight
  }

  private func top(of row: Int) -> Double {
    firstTop + Double(row) * rowHeight + Double(headers(upTo: row)) * headerHeight + footers(above: row)
  }

  /// Returns the rectangle of a row.
  /// - Parameter width: that of the list.
  func rect(of row: Int, width: Double) -> LocalRect {
    LocalRect(x: inset, y: top(of: row), width: max(0, width - 2 * inset), height: rowHeight)
  }

  func headerRect(above row: Int, width: Double) -> LocalRect {
    var rect = rect(of: row, width: width)
    (rect.origin.y, rect.size.height) = (rect.minY - headerHeight, headerHeight)
    return rect
  }

  /// Returns the rectangle of the footer below a row that has one.
  func footerRect(below row: Int, width: Double) -> LocalRect {
    var rect = rect(of: row, width: width)
    (rect.origin.y, rect.size.height) = (rect.maxY, footerHeight)
    return rect
  }

  /// Returns the row below the header that stays at a place while its section passes there, and the header's
  /// place; nil for none. (`UITableView.Style.plain`.)
  func stickyHeader(at place: Double) -> (row: Int, top: Double)? {
    let passed = starts.indices.partition { top(of: starts[$0]) - headerHeight <= place }
    guard passed > 0 else { return nil }
    let next = passed < starts.count ? top(of: starts[passed]) - headerHeight : .infinity
    return (starts[passed - 1], min(place, next - headerHeight))
  }

  func section(of row: Int) -> Range<Int> {
    let next = headers(upTo: row)
    return (next > 0 ? starts[next - 1] : 0)..<(next < starts.count ? starts[next] : count)
  }

  /// Returns the rows between two places, in part or in the whole.
  func rows(from top: Double, to bottom: Double) -> Range<Int> {
    guard rowHeight > 0, top < bottom else { return 0..<0 }
    return row(at: top, .down)..<max(row(at: top, .down), row(at: bottom, .up))
  }

  private func row(at place: Double, _ rule: FloatingPointRoundingRule) -> Int {
    let passed = starts.indices.partition { top(of: starts[$0]) - headerHeight <= place }
    let (first, end) = (
      passed > 0 ? starts[passed - 1] : 0, passed < starts.count ? starts[passed] : count
    )
    let above = firstTop + Double(passed) * headerHeight + footers(above: first)
    let row = ((place - above) / rowHeight).rounded(rule)
    return min(max(Int(saturating: row), first), end)
  }
}
