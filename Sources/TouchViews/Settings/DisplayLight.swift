/// The light of a display, as stages of `idle` and requests leave it. The last word counts until the next
/// touch or the next stage. A touch brings back the brightness that was last requested, unless that was 0. A
/// stage never makes the panel brighter.
package struct DisplayLight: Hashable, Sendable {
  /// The brightness of a display in use, in per cent of the brightest; nil for the panel's own.
  package private(set) var inUse: Double?
  /// The brightness now, in per cent of the brightest; nil for the panel's own.
  package private(set) var level: Double?
  /// The highest brightness now, in per cent of the brightest; nil for none.
  package private(set) var limit: Double?
  package private(set) var isBlank = false

  package init() {}

  /// Whether a stage has made the panel darker, or a request dark.
  package var isDimmed: Bool { limit != nil || level == 0 }
  package var isDark: Bool { min(limit ?? 100, level ?? 100) == 0 }

  /// Notes a touch.
  package mutating func use() { (level, limit, isBlank) = (inUse, nil, false) }

  /// Reaches a stage. Its steps are performed elsewhere.
  package mutating func reach(_ stage: IdleStage.Effect) {
    switch stage {
    case .backlight(let percent): limit = percent
    case .blank: isBlank = true
    case .steps: break
    }
  }

  /// Requests a brightness, which shows a blank display unless it is 0.
  /// - Parameter percent: in per cent of the brightest; nil for the panel's own.
  package mutating func request(backlight percent: Double?) {
    guard percent != 0 else {
      (level, limit) = (0, nil)
      return
    }
    inUse = percent
    use()
  }

  /// Requests a blank display, or one that shows something.
  package mutating func request(blank: Bool) {
    isBlank = blank
    if !blank, isDark { use() }
  }
}
