import TouchCore

/// The rubbed parts of a panel, in cells so small that all leave no spot above the limit.
package struct RubMap: Sendable {
  package let columns, rows: Int
  private let size: Size
  private var done: [Bool]
  private var left: Int
  /// The last report, with the length of the step to it; nil while no finger is down.
  private var last: (time: Timestamp, point: PanelPoint, step: Double)?

  /// The most cells on a side. A finger cannot tell more apart.
  private static let most = 512
  /// The longest time of one way between reports, in microseconds.
  private static let quick: Int64 = 50_000

  /// - Parameter diameter: the largest good spot without reports, in units of the panel.
  package init(diameter: Double, in geometry: PanelGeometry) {
    size = geometry.size
    // A circle without a whole cell is up to 2√2 wide. Cells of the judgement cost 0.5 mm.
    let side = max((diameter - 2 * DeadZones.cell(in: geometry)) / 8.squareRoot(), 1e-9)
    func count(_ length: Double) -> Int { max(1, Int(min(Double(Self.most), (length / side).rounded(.up)))) }
    columns = count(size.width)
    rows = count(size.height)
    done = Array(repeating: false, count: columns * rows)
    left = done.count
  }

  package var isDone: Bool { left == 0 }

  /// The part of the panel that is done, from 0 to 1.
  package var share: Double { 1 - Double(left) / Double(done.count) }

  /// Adds a report. The way since the last one counts if a finger could have moved so far.
  package mutating func rub(_ report: PanelTrace.Report) {
    guard report.point.isFinite else { return }
    var step = 0.0
    if let last {
      step = last.point.distance(to: report.point)
      let isContinuous =
        report.time.microseconds(since: last.time) <= Self.quick
        && (step <= 1.5 * last.step || step <= min(size.width / Double(columns), size.height / Double(rows)))
      if isContinuous { mark(from: last.point, to: report.point) }
    }
    mark(report.point)
    last = (report.time, report.point, step)
  }

  /// Ends a way, because the finger lifted or another one is down as well.
  package mutating func lift() { last = nil }

  private mutating func mark(from: PanelPoint, to: PanelPoint) {
    let parts = min(
      1000,
      Int(
        (2 * from.distance(to: to) / min(size.width / Double(columns), size.height / Double(rows))).rounded(
          .up)))
    for part in stride(from: 1, to: parts, by: 1) {
      let share = Double(part) / Double(parts)
      mark(PanelPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share))
    }
  }

  private mutating func mark(_ point: PanelPoint) {
    let column = Int(min(max(point.x / size.width, 0), 1 - 1e-9) * Double(columns))
    let row = Int(min(max(point.y / size.height, 0), 1 - 1e-9) * Double(rows))
    guard !done[row * columns + column] else { return }
    done[row * columns + column] = true
    left -= 1
  }

  /// Returns how much of a part is done, all from 0 to 1.
  package func share(of part: Rect<NormalizedSpace>) -> Double {
    let (fromColumn, toColumn) = Self.range(part.minX, part.maxX, columns)
    let (fromRow, toRow) = Self.range(part.minY, part.maxY, rows)
    var count = 0
    for row in fromRow..<toRow {
      for column in fromColumn..<toColumn where done[row * columns + column] { count += 1 }
    }
    return Double(count) / Double((toRow - fromRow) * (toColumn - fromColumn))
  }

  /// Returns the cells whose middle lies in a part; if none does, the nearest cell.
  private static func range(_ from: Double, _ to: Double, _ count: Int) -> (Int, Int) {
    let first = min(max(Int((from * Double(count)).rounded()), 0), count - 1)
    return (first, min(max(Int((to * Double(count)).rounded()), first + 1), count))
  }
}
