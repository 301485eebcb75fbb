import TouchCore

package struct RateFigures: Sendable {
  /// The mean rate in Hz.
  package var mean: Double
  /// The longest gap in milliseconds, with its ends.
  package var longest: (gap: Double, from: PanelPoint, to: PanelPoint)
  /// The part of the gaps that are longer than a frame of a 60 Hz display.
  package var slow: Double
  /// The 99th percentile of the gaps, in milliseconds; nil for fewer than 100 gaps.
  package var p99: Double?
  /// The number of gaps that are long enough for anybody to see.
  package var stalls: Int
  package var count: Int

  /// A frame of a 60 Hz display, in microseconds.
  private static let frame: Int64 = 16_670
  /// The gap in microseconds at which a following picture visibly stops: two frames of a 60 Hz display.
  private static let stall: Int64 = 33_340
  private static let fewest = 20

  /// Measures the gaps in which contacts moved. It fails if too little moved. A resting finger is not
  /// reported, since nothing changes. So a gap that was much slower than half of the contact's gaps is a
  /// rest.
  /// - Parameter geometry: the geometry that decides what movement is. A finger that
  ///   trembles, or moves less than 10 mm in all, is at rest.
  package init?(_ paths: [[PanelTrace.Report]], in geometry: PanelGeometry) {
    var total: Int64 = 0
    var slow = 0
    var gaps = 0
    var times: [Int64] = []
    var longest: (gap: Int64, from: PanelPoint, to: PanelPoint)?
    for path in paths {
      let steps = zip(path, path.dropFirst()).map { Step($0, $1) }
      guard steps.reduce(0, { $0 + $1.distance }) >= geometry.length(10) else { continue }
      func moves(_ step: Step) -> Bool { step.time > 0 && step.distance > Self.tremor(step.time, geometry) }
      let speeds = steps.filter(moves).map(\.speed).sorted()
      guard !speeds.isEmpty else { continue }
      let middle = speeds[speeds.count / 2]
      let usual = steps.map(\.time).sorted()[steps.count / 2]
      // A device does not report a finger that stays within one of its steps.
      let unseen = Double(usual) + geometry.grain / middle
      let isMoving = steps.map { step in
        moves(step) && step.speed >= middle / 4 && (2 * step.time <= 3 * usual || Double(step.time) > unseen)
      }
      for (index, step) in steps.enumerated() where isMoving[index] {
        // A finger that lands, stops or turns may have rested for a part of the time.
        let isAmidst =
          index > 0 && index + 1 < steps.count && isMoving[index - 1] && isMoving[index + 1]
          && step.speed >= min(steps[index - 1].speed, steps[index + 1].speed) / 2
        gaps += 1
        total += step.time
        if step.time > Self.frame { slow += 1 }
        if isAmidst { times.append(step.time) }
        if isAmidst && step.time > longest?.gap ?? 0 { longest = (step.time, step.from, step.to) }
      }
    }
    guard gaps >= Self.fewest, let longest else { return nil }
    mean = Double(gaps) * 1_000_000 / Double(total)
    self.longest = (Double(longest.gap) / 1000, longest.from, longest.to)
    self.slow = Double(slow) / Double(gaps)
    times.sort()
    p99 = times.map { Double($0) / 1000 }.percentile(99)
    // A slow panel does not stop between two reports.
    let stop = times.isEmpty ? Self.stall : max(Self.stall, 3 * times[times.count / 2] / 2)
    stalls = times.count { $0 > stop }
    count = gaps
  }

  /// Returns a device's best rate in Hz: the fastest twentieth of twenty gaps in a row, while something was
  /// down, not shortened by bursts; nil for too few.
  package static func fastest(_ paths: [[PanelTrace.Report]]) -> Double? {
    // Contacts that move at once are reported in one frame.
    let times = Set(paths.joined().map(\.time)).sorted()
    var spans: [Int64] = []
    var start = 0
    for index in times.indices.dropFirst() {
      if times[index].microseconds(since: times[index - 1]) >= Self.pause { start = index }
      guard index - start >= fewest else { continue }
      spans.append(times[index].microseconds(since: times[index - fewest]))
    }
    spans.sort()
    guard !spans.isEmpty, spans[spans.count / 20] > 0 else { return nil }
    return 1_000_000 * Double(fewest) / Double(spans[spans.count / 20])
  }

  /// The longest gap that counts, in microseconds. In a longer one nothing was down, or it rested.
  private static let pause: Int64 = 250_000

  /// Returns a finger's tremble within some microseconds, in units of the panel; its size does not matter.
  private static func tremor(_ time: Int64, _ geometry: PanelGeometry) -> Double {
    min(geometry.tremor, geometry.length(0.2)) * min(1, Double(time) / 8000)
  }

  private struct Step {
    let from, to: PanelPoint
    /// The time in microseconds.
    let time: Int64
    var distance: Double { from.distance(to: to) }
    var speed: Double { distance / Double(time) }

    init(_ before: PanelTrace.Report, _ after: PanelTrace.Report) {
      (from, to) = (before.point, after.point)
      time = after.time.microseconds(since: before.time)
    }
  }
}

package struct PointSpread: Sendable {
  /// The corners, counter-clockwise, without points on a side.
  private let hull: [PanelPoint]

  package init(_ points: [PanelPoint]) {
    var sorted: [PanelPoint] = []
    for point in points.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) where point != sorted.last {
      sorted.append(point)
    }
    guard sorted.count > 2 else {
      hull = sorted
      return
    }
    // This is Andrew's monotone chain.
    func half(_ points: some Sequence<PanelPoint>) -> [PanelPoint] {
      var chain: [PanelPoint] = []
      for point in points {
        while chain.count > 1, Self.turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
          chain.removeLast()
        }
        chain.append(point)
      }
      return Array(chain.dropLast())
    }
    hull = half(sorted) + half(sorted.reversed())
  }

  private static func turn(_ a: PanelPoint, _ b: PanelPoint, _ c: PanelPoint) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// The two points that are farthest apart; nil without points.
  package var farthest: (distance: Double, from: PanelPoint, to: PanelPoint)? {
    guard let first = hull.first else { return nil }
    var best = (distance: 0.0, from: first, to: first)
    for (index, one) in hull.enumerated() {
      for other in hull[(index + 1)...] where one.distance(to: other) > best.distance {
        best = (one.distance(to: other), one, other)
      }
    }
    return best
  }

  /// The smallest circle around all points; nil without points. (Welzl's algorithm, without recursion.)
  package var circle: (center: PanelPoint, radius: Double)? {
    guard let first = hull.first else { return nil }
    var circle = (center: first, radius: 0.0)
    func holds(_ point: PanelPoint) -> Bool {
      circle.center.distance(to: point) <= circle.radius * (1 + 1e-12) + 1e-12
    }
    for i in hull.indices where !holds(hull[i]) {
      circle = (hull[i], 0)
      for j in hull.indices.prefix(i) where !holds(hull[j]) {
        circle = Self.circle(hull[i], hull[j])
        for k in hull.indices.prefix(j) where !holds(hull[k]) {
          circle = Self.circle(hull[i], hull[j], hull[k])
        }
      }
    }
    return circle
  }

  private static func circle(_ a: PanelPoint, _ b: PanelPoint) -> (center: PanelPoint, radius: Double) {
    (PanelPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2), a.distance(to: b) / 2)
  }

  private static func circle(
    _ a: PanelPoint, _ b: PanelPoint, _ c: PanelPoint
  ) -> (center: PanelPoint, radius: Double) {
    let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y)
    let twice = 2 * (bx * cy - by * cx)
    // The corners of a hull do not lie on a line.
    guard twice != 0 else { return circle(a, b) }
    let (bb, cc) = (bx * bx + by * by, cx * cx + cy * cy)
    let center = PanelPoint(x: a.x + (cy * bb - by * cc) / twice, y: a.y + (bx * cc - cx * bb) / twice)
    return (center, center.distance(to: a))
  }
}

/// A straight line through a contact's reports, with their distances from it.
package struct LineFigures: Sendable {
  /// The largest distance in units of the panel, as all that follows.
  package var largest: Double
  package var rms: Double
  /// The largest difference between two residuals within 10 mm of the line.
  package var wave: Double
  package var worst: (point: PanelPoint, foot: PanelPoint)
  package var ends: (PanelPoint, PanelPoint)

  private static let cut = 0.1

  /// Fails for points too close together. The window is 10 mm in units of the panel.
  package init?(_ points: [PanelPoint], window: Double) {
    guard let first = points.first, let last = points.last else { return nil }
    let length = first.distance(to: last)
    guard length > window else { return nil }
    func along(_ point: PanelPoint) -> Double {
      ((point.x - first.x) * (last.x - first.x) + (point.y - first.y) * (last.y - first.y)) / length
    }
    let middle = points.filter {
      // A millionth of the length allows for rounding.
      (Self.cut - 1e-6...1 - Self.cut + 1e-6).contains(along($0) / length)
    }
    guard middle.count > 2 else { return nil }
    let fits = [Self.fit(middle, swapped: false), Self.fit(middle, swapped: true)].compactMap(\.self)
    guard let best = fits.min(by: { $0.squares < $1.squares }) else { return nil }
    let residuals = middle.map { best.residual($0) }
    var worst = 0
    for index in residuals.indices where abs(residuals[index]) > abs(residuals[worst]) { worst = index }
    largest = abs(residuals[worst])
    rms = (best.squares / Double(middle.count)).squareRoot()
    self.worst = (middle[worst], best.foot(middle[worst]))
    ends = (best.foot(middle[0]), best.foot(middle[middle.count - 1]))
    wave = Self.wave(middle.map { (along($0), best.residual($0)) }, window)
  }

  /// A line through `origin` along a unit vector.
  private struct Fit {
    var origin: PanelPoint
    var direction: Vector<PanelSpace>
    var squares = 0.0

    /// Returns the signed distance: to the left of the direction, or to its right.
    func residual(_ point: PanelPoint) -> Double {
      (point.x - origin.x) * direction.y - (point.y - origin.y) * direction.x
    }

    func foot(_ point: PanelPoint) -> PanelPoint {
      let along = (point.x - origin.x) * direction.x + (point.y - origin.y) * direction.y
      return PanelPoint(x: origin.x + along * direction.x, y: origin.y + along * direction.y)
    }
  }

  /// Returns the least-squares fit of y against x, or of x against y.
  private static func fit(_ points: [PanelPoint], swapped: Bool) -> Fit? {
    let count = Double(points.count)
    let origin = PanelPoint(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    var squares = 0.0
    var products = 0.0
    for point in points {
      let (x, y) = (point.x - origin.x, point.y - origin.y)
      squares += swapped ? y * y : x * x
      products += x * y
    }
    guard squares > 0 else { return nil }
    let slope = products / squares
    let length = (1 + slope * slope).squareRoot()
    var fit = Fit(
      origin: origin,
      direction: Vector(x: (swapped ? slope : 1) / length, y: (swapped ? 1 : slope) / length))
    fit.squares = points.reduce(0) { sum, point in
      let residual = fit.residual(point)
      return sum + residual * residual
    }
    return fit
  }

  private static func wave(_ residuals: [(along: Double, residual: Double)], _ window: Double) -> Double {
    let sorted = residuals.sorted { $0.along < $1.along }
    var wave = 0.0
    for (index, one) in sorted.enumerated() {
      for other in sorted[index...] {
        if other.along - one.along > window { break }
        wave = max(wave, abs(other.residual - one.residual))
      }
    }
    return wave
  }
}
