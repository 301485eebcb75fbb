import TouchCore

/// The places without reports while a finger rubbed the whole panel.
package struct DeadZones: Sendable {
  /// The largest circle on the panel without a report, up to its edges, in units of the panel.
  package let center: PanelPoint
  package let radius: Double
  /// The least and the largest possible radius, in units of the panel: a panel feels a finger for part of a
  /// step beyond its reports, of which the radius takes half.
  package let bounds: (least: Double, most: Double)
  /// Columns and rows of the map.
  package let columns: Int
  package let rows: Int
  /// The distances from each cell's centre to the nearest report or edge, row by row, in units of the panel.
  package let distances: [Double]
  package let cell: Double

  /// The width of a cell in millimetres.
  private static let finest = 0.5
  /// The most cells of a map along a side. Cells of a large panel are wider.
  private static let mostCells = 1200.0

  /// The width of a cell, in units of the panel.
  package static func cell(in geometry: PanelGeometry) -> Double {
    max(geometry.length(finest), max(geometry.size.width, geometry.size.height) / mostCells)
  }

  /// Fails without reports. A path counts as reported between two reports if the step is no larger than those
  /// around it, since fast fingers have large ones; others may cross a dead zone.
  package init?(_ paths: [[PanelTrace.Report]], in geometry: PanelGeometry) {
    let size = geometry.size
    guard !paths.isEmpty, size.width > 0, size.height > 0 else { return nil }
    let cell = Self.cell(in: geometry)
    let columns = max(1, Int((size.width / cell).rounded(.up)))
    let rows = max(1, Int((size.height / cell).rounded(.up)))
    (self.cell, self.columns, self.rows) = (cell, columns, rows)
    var map = Array(repeating: false, count: columns * rows)
    func mark(_ point: PanelPoint) {
      guard point.isFinite else { return }
      let column = min(max(point.x / cell, 0), Double(columns - 1))
      let row = min(max(point.y / cell, 0), Double(rows - 1))
      map[Int(row) * columns + Int(column)] = true
    }
    func mark(from one: PanelPoint, to other: PanelPoint) {
      let parts = min(1000, Int(saturating: (one.distance(to: other) / cell).rounded(.up)))
      for part in stride(from: 1, to: parts, by: 1) {
        let share = Double(part) / Double(parts)
        mark(PanelPoint(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share))
      }
    }
    var ends: [End] = []
    for path in paths {
      let steps = zip(path, path.dropFirst()).map { $0.point.distance(to: $1.point) }
      for (index, report) in path.enumerated() {
        mark(report.point)
        guard index < steps.count else { continue }
        let next = path[index + 1].point
        if Self.isUsual(index, steps, cell) {
          mark(from: report.point, to: next)
        } else {
          // A larger step may have crossed a dead zone.
          let step = Self.longest(around: index, steps)
          ends += [End(step, at: report.point, towards: next), End(step, at: next, towards: report.point)]
        }
      }
      ends += Self.ends(of: path.map(\.point), steps)
    }
    func far(_ map: [Bool]) -> [Double] {
      Self.distances(map, columns: columns, rows: rows).enumerated().map { index, distance in
        let (x, y) = ((Double(index % columns) + 0.5) * cell, (Double(index / columns) + 0.5) * cell)
        return max(0, min(distance * cell, x, y, size.width - x, size.height - y))
      }
    }
    // A report's cell is at most half a cell off, little of a small panel's map.
    let coarse = cell - min(cell, geometry.length(Self.finest))
    let widest = max(0, (far(map).max() ?? 0) - coarse)
    for end in ends { mark(from: end.point, to: end.reached) }
    distances = far(map)
    var worst = 0
    for index in distances.indices where distances[index] > distances[worst] { worst = index }
    let (radius, center) = (
      max(0, distances[worst] - coarse),
      PanelPoint(x: (Double(worst % columns) + 0.5) * cell, y: (Double(worst / columns) + 0.5) * cell)
    )
    (self.radius, self.center) = (radius, center)
    let step = ends.filter { $0.point.distance(to: center) <= radius + 1.5 * $0.step }.map(\.step).max() ?? 0
    bounds = (max(0, radius - Self.spread * step), max(radius, min(widest, radius + Self.spread * step)))
  }

  private struct End {
    let point: PanelPoint
    let step: Double
    /// Half of a step farther.
    let reached: PanelPoint

    init(_ step: Double, at point: PanelPoint, towards other: PanelPoint) {
      (self.point, self.step) = (point, step)
      reached = DeadZones.point(step / 2, from: point, towards: other)
    }
  }

  /// The uncertainty of a radius as a part of a step. (Evenly distributed: 0.29, twice)
  private static let spread = 0.3

  private static func ends(of points: [PanelPoint], _ steps: [Double]) -> [End] {
    guard points.count > 2 else { return [] }
    func end(_ index: Int, _ before: Int, _ step: Double) -> End {
      let (point, other) = (points[index], points[before])
      return End(step, at: point, towards: PanelPoint(x: 2 * point.x - other.x, y: 2 * point.y - other.y))
    }
    let last = points.count - 1
    return [end(0, 1, steps.prefix(2).max() ?? 0), end(last, last - 1, steps.suffix(2).max() ?? 0)]
  }

  private static func point(_ distance: Double, from one: PanelPoint, towards other: PanelPoint) -> PanelPoint
  {
    let length = one.distance(to: other)
    guard length > 0 else { return one }
    let share = distance / length
    return PanelPoint(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share)
  }

  private static func longest(around index: Int, _ steps: [Double]) -> Double {
    let around = max(0, index - 2)...min(steps.count - 1, index + 2)
    return around.reduce(0) { $1 == index ? $0 : max($0, steps[$1]) }
  }

  /// Returns whether a step is at most one and a half times the longest of its neighbours.
  private static func isUsual(_ index: Int, _ steps: [Double], _ cell: Double) -> Bool {
    steps[index] <= max(1.5 * longest(around: index, steps), cell)
  }

  /// Returns each cell's distance to the nearest marked one, in cells, by columns first.
  private static func distances(_ map: [Bool], columns: Int, rows: Int) -> [Double] {
    let far = columns + rows
    var vertical = Array(repeating: far, count: columns * rows)
    for column in 0..<columns {
      var last = far
      for row in 0..<rows {
        last = map[row * columns + column] ? 0 : min(far, last + 1)
        vertical[row * columns + column] = last
      }
      last = far
      for row in stride(from: rows - 1, through: 0, by: -1) {
        last = map[row * columns + column] ? 0 : min(far, last + 1)
        vertical[row * columns + column] = min(vertical[row * columns + column], last)
      }
    }
    var distances = Array(repeating: 0.0, count: columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let here = vertical[row * columns + column]
        var best = here * here
        var aside = 1
        while aside * aside < best, aside < columns {
          for other in [column - aside, column + aside] where other >= 0 && other < columns {
            let distance = vertical[row * columns + other]
            best = min(best, aside * aside + distance * distance)
          }
          aside += 1
        }
        distances[row * columns + column] = Double(best).squareRoot()
      }
    }
    return distances
  }
}

package struct GridFigures: Sendable {
  package struct Cell: Equatable, Sendable {
    package var column, row: Int
    /// The cell's mark, or its middle.
    package var place: PanelPoint
  }

  package var missing: [Cell] = []
  /// The touch farthest from its mark, in units of the panel; nil without marks.
  package var worst: (distance: Double, mark: PanelPoint, touch: PanelPoint)?

  /// - Parameter touches: the first report of each contact, with the mark that it was meant for; nil for a
  ///   recording without marks.
  /// - Parameter asked: the marks; empty for a recording without marks, in which each cell of the profile's
  ///   grid has to respond.
  package init(
    _ touches: [(point: PanelPoint, mark: PanelPoint?)], asked: [PanelPoint], columns: Int, rows: Int,
    in geometry: PanelGeometry
  ) {
    let cells: [Cell]
    var answered: [PanelPoint]
    if asked.isEmpty {
      let (width, height) = (geometry.size.width / Double(columns), geometry.size.height / Double(rows))
      cells = (0..<rows).flatMap { row in
        (0..<columns).map { column in
          Cell(
            column: column, row: row,
            place: PanelPoint(x: (Double(column) + 0.5) * width, y: (Double(row) + 0.5) * height))
        }
      }
      answered = touches.filter(\.point.isFinite).map { touch in
        let column = min(columns - 1, max(0, Int(saturating: touch.point.x / width)))
        let row = min(rows - 1, max(0, Int(saturating: touch.point.y / height)))
        return cells[row * columns + column].place
      }
    } else {
      // The marks determine how fine the grid was, whatever the profile requires now.
      let (x, y) = (Set(asked.map(\.x)).sorted(), Set(asked.map(\.y)).sorted())
      cells = asked.map { mark in
        Cell(column: x.firstIndex(of: mark.x) ?? 0, row: y.firstIndex(of: mark.y) ?? 0, place: mark)
      }
      answered = []
    }
    for touch in touches where touch.point.isFinite {
      guard let mark = touch.mark else { continue }
      answered.append(mark)
      if touch.point.distance(to: mark) > worst?.distance ?? -1 {
        worst = (touch.point.distance(to: mark), mark, touch.point)
      }
    }
    missing = cells.filter { !answered.contains($0.place) }
  }
}

package struct EdgeFigures: Sendable {
  package enum Edge: String, CaseIterable, Sendable {
    case left, right, top, bottom

    /// Returns a point that is farther from the edge, in units of the panel.
    func moved(_ point: PanelPoint, by distance: Double) -> PanelPoint {
      switch self {
      case .left: PanelPoint(x: point.x + distance, y: point.y)
      case .right: PanelPoint(x: point.x - distance, y: point.y)
      case .top: PanelPoint(x: point.x, y: point.y + distance)
      case .bottom: PanelPoint(x: point.x, y: point.y - distance)
      }
    }
  }

  package var edge: Edge
  /// The distance in units of the panel; a report beyond the range is at the edge.
  package var distance: Double
  /// The way to the edge between two reports, in units of the panel, for which none may come.
  package var step: Double
  /// The report nearest to the edge.
  package var nearest: PanelPoint

  /// The strip that was certainly left out: the distance without that way.
  package var silent: Double { max(0, distance - step) }

  /// The microseconds in which a fingertip rolls before it lifts, and a drag is measured.
  private static let lift: Int64 = 60_000
  private static let drag: Int64 = 150_000

  /// Makes the figures of the contact that shows the narrowest silent strip. It fails without contacts.
  package init?(_ edge: Edge, _ paths: [[PanelTrace.Report]], in geometry: PanelGeometry) {
    let figures = paths.compactMap { Self(edge, $0, in: geometry) }
    guard let best = figures.min(by: { ($0.silent, $0.distance) < ($1.silent, $1.distance) }) else {
      return nil
    }
    self = best
  }

  private init?(_ edge: Edge, _ reports: [PanelTrace.Report], in geometry: PanelGeometry) {
    func distance(_ report: PanelTrace.Report) -> Double {
      Self.distance(of: report.point, from: edge, in: geometry)
    }
    guard let nearest = reports.min(by: { distance($0) < distance($1) }), let last = reports.last else {
      return nil
    }
    self.edge = edge
    self.nearest = nearest.point
    self.distance = max(0, distance(nearest))
    let times = zip(reports, reports.dropFirst()).map { $1.time.microseconds(since: $0.time) }.sorted()
    step = 0
    guard !times.isEmpty else { return }
    let usual = Double(times[times.count / 2])
    // Returns the way that one report covers. It is asked before the fingertip rolls, and at the end.
    func way(from first: PanelTrace.Report?, to end: PanelTrace.Report?) -> Double {
      guard let first, let end, end.time > first.time else { return 0 }
      return usual * (distance(first) - distance(end)) / Double(end.time.microseconds(since: first.time))
    }
    let rolls = reports.lastIndex { last.time.microseconds(since: $0.time) >= Self.lift }
    let start = reports.firstIndex { last.time.microseconds(since: $0.time) <= Self.lift + Self.drag }
    let atLast = reports[max(0, reports.count - 4)]
    step = max(
      0, way(from: start.map { reports[$0] }, to: rolls.map { reports[$0] }), way(from: atLast, to: last))
  }

  /// Returns the distance in units of the panel; negative beyond the edge.
  static func distance(of point: PanelPoint, from edge: Edge, in geometry: PanelGeometry) -> Double {
    switch edge {
    case .left: point.x
    case .right: geometry.size.width - point.x
    case .top: point.y
    case .bottom: geometry.size.height - point.y
    }
  }
}
