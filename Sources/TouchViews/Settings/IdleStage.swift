import TouchCore

/// An effect after a time without a touch: an entry of `idle:`.
package struct IdleStage: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// The highest brightness of the panel, in per cent of the brightest; 0 is dark.
    case backlight(Double)
    /// Performs steps: those of the action list of this number.
    case steps(Int)
    case blank
  }

  /// The time since the last touch, in seconds; above 0.
  package var after: Double
  package var effect: Effect

  package init(after: Double, _ effect: Effect) { (self.after, self.effect) = (after, effect) }
}

/// The times of the stages. The clock is not read: times are arguments.
package struct IdleClock {
  package let stages: [IdleStage]
  /// The number of stages reached since the last use.
  package private(set) var reached = 0
  package private(set) var lastUse: Timestamp

  /// - Parameter stages: the stages in any order. Of two with the same time, the first is reached first.
  /// - Parameter start: the beginning, which counts as a use.
  package init(_ stages: [IdleStage] = [], from start: Timestamp) {
    // The standard library does not promise that its sort keeps the order of equals.
    self.stages = stages.enumerated()
      .sorted { ($0.element.after, $0.offset) < ($1.element.after, $1.offset) }.map(\.element)
    lastUse = start
  }

  /// The time of the next stage if nothing is touched before; nil after the last one.
  package var deadline: Timestamp? {
    reached < stages.count ? lastUse.advanced(bySeconds: stages[reached].after) : nil
  }

  package mutating func advance(to time: Timestamp) -> ArraySlice<IdleStage> {
    let first = reached
    while let deadline, deadline <= time { reached += 1 }
    return stages[first..<reached]
  }

  /// Notes a use of the display, now or earlier. The stages begin again.
  package mutating func use(at time: Timestamp) {
    lastUse = time
    reached = 0
  }
}
