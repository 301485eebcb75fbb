import TouchCore

/// What is to be done after so many seconds without a touch: an entry of `idle:`.
package struct IdleStage: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// How bright the panel is at most, in per cent of the brightest; 0 is dark.
    case backlight(Double)
    /// Does steps: those of the action list of this number.
    case steps(Int)
    /// Shows nothing.
    case blank
  }

  /// In seconds since the last touch; above 0.
  package var after: Double
  package var effect: Effect

  package init(after: Double, _ effect: Effect) {
    self.after = after
    self.effect = effect
  }
}

/// Which stages have come. It reads no clock: times are arguments.
package struct IdleClock {
  /// In the order in which they come.
  package let stages: [IdleStage]
  /// How many of them have come since the last use.
  package private(set) var reached = 0
  /// When the display was last used.
  package private(set) var lastUse: Timestamp

  /// - Parameters:
  ///   - stages: in any order; of two with the same time the first comes first.
  ///   - start: counts as a use.
  package init(_ stages: [IdleStage] = [], from start: Timestamp) {
    // The standard library's sort keeps no order among equals that is promised.
    self.stages = stages.enumerated()
      .sorted { ($0.element.after, $0.offset) < ($1.element.after, $1.offset) }.map(\.element)
    lastUse = start
  }

  /// When the next stage comes, if nothing is touched before; nil after the last one.
  package var deadline: Timestamp? {
    reached < stages.count ? lastUse.advanced(bySeconds: stages[reached].after) : nil
  }

  /// Lets time pass.
  ///
  /// - Returns: the stages that have come with it.
  package mutating func advance(to time: Timestamp) -> ArraySlice<IdleStage> {
    let first = reached
    while let deadline, deadline <= time { reached += 1 }
    return stages[first..<reached]
  }

  /// The display is used, or was at an earlier time: the stages begin again.
  package mutating func use(at time: Timestamp) {
    lastUse = time
    reached = 0
  }

  /// How bright the panel is at most now, in per cent; nil for as bright as it was.
  package var brightness: Double? {
    for case .backlight(let percent) in stages[..<reached].reversed().lazy.map(\.effect) { return percent }
    return nil
  }

  /// Whether nothing is shown now.
  package var isBlank: Bool { stages[..<reached].contains { $0.effect == .blank } }
}
