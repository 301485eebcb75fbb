import TouchCore

/// What a swipe should not have. (ChromiumOS touch firmware tests: NoGapValidator, NoReversedMotionValidator,
/// HysteresisValidator.) Distance alone does not tell a fault from a finger that gets faster: a report is missing where a step
/// is too long *and* came late, and a position jumps where a step is too long for its time.
package struct SwipeFigures: Sendable {
  /// The worst step that came late or jumped, as a multiple of the steps around it, and where it is; 0 for none.
  package private(set) var gap: (ratio: Double, from: PanelPoint, to: PanelPoint)
  /// When the worst step ended, how long it took in milliseconds, and whether that was late; nil for none.
  package private(set) var worst: (time: Timestamp, milliseconds: Double, isLate: Bool)?
  /// The longest time that a late step took, in milliseconds, and the farthest jump of a position that came in time, in units of
  /// the panel; 0 for none.
  package private(set) var late = 0.0
  package private(set) var jump = 0.0
  /// The longest way back between two steps forward, in units of the panel, without a tenth at each end.
  package private(set) var reversed = 0.0
  /// The first step as a multiple of the longest of the next three, as far as it is no difference of a few millimetres.
  package private(set) var firstStep = 0.0

  private struct Step {
    var from: PanelPoint
    var to: PanelPoint
    var end: Timestamp
    /// In milliseconds.
    var time: Double
    var distance: Double
    var speed: Double { distance / time }
    /// Along the swipe; negative for one against it.
    var along: Double
  }

  /// A step that took so many times the usual time came late: at two, one report is missing.
  private static let late = 1.6
  /// How much longer a step may be than those around it without any fault, in millimetres: a fingertip rolls by that much.
  private static let slack = 2.0
  /// A finger does not turn round and back within this time, in milliseconds.
  private static let quickest = 50.0
  /// So many steps on each side say how fast the finger is.
  private static let around = 3
  /// By so many of its deviations a step does not differ by chance: one of 700 does. (Normal distribution.)
  private static let certainty = 3.0

  /// Nil for a contact that is not a swipe: too short, or not straight.
  ///
  /// - Parameter geometry: for what counts as long, and as a jump.
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
    guard steps.reduce(0, { $0 + $1.distance }) <= length * 1.25 else { return nil }
    gap = (0, first, first)
    findGap(steps, in: geometry)
    findReversal(steps)
    let next = steps[1...min(Self.around, steps.count - 1)].map(\.distance).max() ?? 0
    guard next > 0 else { return }
    let ratio = steps[0].distance / next
    firstStep = steps[0].distance - next > geometry.length(Self.slack) ? ratio : min(ratio, 1)
  }

  private mutating func findGap(_ steps: [Step], in geometry: PanelGeometry) {
    let usual = steps.map(\.time).sorted()[steps.count / 2]
    let least = geometry.length(1)
    // A device does not report a finger that stayed within one of its units, as one that trembles does here and there: a report is
    // lost for certain where the way without one is longer.
    let unseen = geometry.grain + Self.certainty * Self.spread(steps) * usual
    for index in 1..<(steps.count - 1) where steps[index].distance >= least {
      let step = steps[index]
      let before = steps[max(0, index - Self.around)..<index]
      let after = steps[(index + 1)...min(steps.count - 1, index + Self.around)]
      // A finger that gets faster or slower has its longer steps on one side.
      let distance = max(Self.middle(before.map(\.distance)), Self.middle(after.map(\.distance)), 1e-9)
      let speeds = [Self.middle(before.map(\.speed)), Self.middle(after.map(\.speed))]
      let isLate =
        step.time >= Self.late * usual
        && step.distance - step.speed * usual > unseen
        // After a rest a finger is as slow as a lost report is not.
        && step.speed >= min(speeds[0], speeds[1]) / 2
      let speed = max(speeds[0], speeds[1])
      let jump = min(step.distance - distance, step.distance - speed * step.time)
      guard isLate || jump > geometry.length(Self.slack) + geometry.grain else { continue }
      if isLate { late = max(late, step.time) } else { self.jump = max(self.jump, jump) }
      var ratio = step.distance / max(distance, geometry.length(0.1))
      // Where reports are lost in a row, the steps around are as long: the usual time tells how long they should be. A time stamp
      // that is late by itself has no longer step.
      let expected = max(speed * usual, geometry.length(0.1))
      if isLate { ratio = max(ratio, min(step.time / usual, step.distance / expected)) }
      if ratio > gap.ratio {
        gap = (ratio, step.from, step.to)
        worst = (step.end, step.time, isLate)
      }
    }
  }

  /// The standard deviation of a step's speed, from what each step differs by from the mean of its neighbours: a finger that gets
  /// faster has no part in it. In units of the panel a millisecond.
  private static func spread(_ steps: [Step]) -> Double {
    let differences = zip(steps, zip(steps.dropFirst(), steps.dropFirst(2))).map { before, pair in
      abs(pair.0.speed - (before.speed + pair.1.speed) / 2)
    }
    // The middle difference is 0.6745 of their deviation. A position that trembles is in two steps, with opposite signs: five of its
    // variances are in a difference, and two in a step.
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
