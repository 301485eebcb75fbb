import TouchCore

/// The faults of a swipe. (ChromiumOS touch firmware tests: NoGapValidator, NoReversedMotionValidator,
/// HysteresisValidator.) Distance alone does not tell a fault from a finger that gets faster. A report is
/// missing if a step is too long *and* came late. A position jumps if a step is too long for its time.
package struct SwipeFigures: Sendable {
  /// The worst late or jumped step as a multiple of those around it; 0 for none.
  package private(set) var gap: (ratio: Double, from: PanelPoint, to: PanelPoint)
  /// The end of the worst step, its duration in milliseconds, and whether that was late; nil for none.
  package private(set) var worst: (time: Timestamp, milliseconds: Double, isLate: Bool)?
  /// The longest late step in milliseconds, and the farthest jump in units of the panel; 0 for none.
  package private(set) var late = 0.0
  package private(set) var jump = 0.0
  /// The longest way back between two steps forward, in units of the panel, without a tenth at each end.
  package private(set) var reversed = 0.0
  /// The first step as a multiple of the next three's longest; at most 1 for few millimetres.
  package private(set) var firstStep = 0.0

  private struct Step {
    var from, to: PanelPoint
    var end: Timestamp
    /// The duration in milliseconds.
    var time: Double
    var distance: Double
    var speed: Double { distance / time }
    /// The way along the swipe; negative for a step against it.
    var along: Double
  }

  /// The multiple of the usual time at which a step is late. At two, one report is missing.
  private static let late = 1.6
  /// The millimetres that a step may exceed others by: a fingertip rolls by that much.
  private static let slack = 2.0
  /// The shortest time in which a finger turns round and back, in milliseconds.
  private static let quickest = 50.0
  /// The least time between two reports that tell the length of a way, in milliseconds.
  private static let apart = 8.0
  /// The number of steps on each side that determine the finger's speed.
  private static let around = 3
  /// The deviations by which one of 700 steps differs by chance. (Normal distribution)
  private static let certainty = 3.0

  /// Fails for a contact that is too short or not straight, by the geometry.
  package init?(_ reports: [PanelTrace.Report], in geometry: PanelGeometry) {
    guard reports.count >= 6, let first = reports.first?.point, let last = reports.last?.point else {
      return nil
    }
    let length = first.distance(to: last)
    guard length >= geometry.length(20) else { return nil }
    let steps = zip(reports, reports.dropFirst()).map { one, next in
      let (x, y) = (next.point.x - one.point.x, next.point.y - one.point.y)
      return Step(
        from: one.point, to: next.point, end: next.time,
        time: Double(max(1, next.time.microseconds(since: one.time))) / 1000,
        distance: one.point.distance(to: next.point),
        along: (x * (last.x - first.x) + y * (last.y - first.y)) / length)
    }
    guard Self.way(of: reports) <= length * 1.25 else { return nil }
    gap = (0, first, first)
    findGap(steps, in: geometry)
    findReversal(steps)
    let next = steps[1...min(Self.around, steps.count - 1)].map(\.distance).max() ?? 0
    guard next > 0 else { return }
    let ratio = steps[0].distance / next
    firstStep = steps[0].distance - next > geometry.length(Self.slack) ? ratio : min(ratio, 1)
  }

  /// Returns a way's length, by reports some milliseconds apart, since fingers tremble.
  private static func way(of reports: [PanelTrace.Report]) -> Double {
    var (way, last) = (0.0, reports[0])
    for report in reports where Double(report.time.microseconds(since: last.time)) >= 1000 * apart {
      way += report.point.distance(to: last.point)
      last = report
    }
    return way
  }

  private mutating func findGap(_ steps: [Step], in geometry: PanelGeometry) {
    let usual = steps.map(\.time).sorted()[steps.count / 2]
    let least = geometry.length(1)
    // A finger within a unit is not reported: a report is lost if the way without one is longer.
    let unseen = geometry.grain + Self.certainty * Self.spread(steps) * usual
    for index in 1..<(steps.count - 1) where steps[index].distance >= least {
      let step = steps[index]
      let before = steps[max(0, index - Self.around)..<index]
      let after = steps[(index + 1)...min(steps.count - 1, index + Self.around)]
      // A finger that gets faster or slower has its longer steps on one side.
      let distance = max(Self.middle(before.map(\.distance)), Self.middle(after.map(\.distance)), 1e-9)
      let speeds = [Self.middle(before.map(\.speed)), Self.middle(after.map(\.speed))]
      let isLate =
        step.time >= Self.late * usual && step.distance - step.speed * usual > unseen
        // After a rest a finger is slower than a lost report can make it.
        && step.speed >= min(speeds[0], speeds[1]) / 2
      let speed = max(speeds[0], speeds[1])
      let jump = min(step.distance - distance, step.distance - speed * step.time)
      guard isLate || jump > geometry.length(Self.slack) + geometry.grain else { continue }
      if isLate { late = max(late, step.time) } else { self.jump = max(self.jump, jump) }
      var ratio = step.distance / max(distance, geometry.length(0.1))
      // After reports lost in a row the steps around are long, too, and the usual time decides.
      let expected = max(speed * usual, geometry.length(0.1))
      if isLate { ratio = max(ratio, min(step.time / usual, step.distance / expected)) }
      if ratio > gap.ratio {
        gap = (ratio, step.from, step.to)
        worst = (step.end, step.time, isLate)
      }
    }
  }

  /// Returns the deviation of a step's speed, in units of the panel per millisecond, by differences from the
  /// neighbours' mean, whatever the acceleration.
  private static func spread(_ steps: [Step]) -> Double {
    let differences = zip(steps, zip(steps.dropFirst(), steps.dropFirst(2))).map { before, pair in
      abs(pair.0.speed - (before.speed + pair.1.speed) / 2)
    }
    // A median difference is 0.6745 deviations, of five variances; a step has two of them.
    return middle(differences) / 0.6745 * (2.0 / 5).squareRoot()
  }

  private mutating func findReversal(_ steps: [Step]) {
    let cut = (steps.count + 5) / 10
    let middle = Array(steps[cut..<(steps.count - cut)])
    let usual = Self.middle(middle.map(\.along))
    var (back, time) = (0.0, 0.0)
    var follows = false
    for step in middle {
      if step.along < 0 {
        back -= step.along
        time += step.time
      } else if step.along >= usual / 2 {
        if follows && time <= Self.quickest { reversed = max(reversed, back) }
        (back, time, follows) = (0, 0, true)
      } else if back > 0 {
        time += step.time
      }
    }
  }

  private static func middle(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
  }
}
