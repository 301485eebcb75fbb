/// Counts taps of so many fingers, one after the other.
struct TapSequence {
  /// What counts as a tap, and as the next one.
  struct Limits {
    /// How many fingers tap at once.
    var fingers = 1
    /// The longest tap, in seconds.
    var duration = 0.75
    /// The longest wait between a lift and the next touch, in seconds.
    var interval = 0.35
    /// How far a finger may move, and one tap may be from the first, in window units.
    var movement = 45.0
  }

  /// What a change of the fingers made of the taps.
  enum Outcome {
    /// More is needed.
    case undecided
    /// One more tap is complete.
    case tapped
    /// These are no taps.
    case failed
  }

  private(set) var taps = 0
  /// When a tap has taken too long, or the next one is too late; nil before the first touch.
  private(set) var deadline: Timestamp?
  /// The most fingers that were down at once in this tap.
  private var fingers = 0
  private var first: WindowPoint?

  /// Fingers came.
  ///
  /// - Parameters:
  ///   - isFirst: whether none was down before.
  ///   - down: all that are down.
  mutating func began(_ down: [Touch], isFirst: Bool, at time: Timestamp, limits: Limits) -> Outcome {
    if isFirst {
      deadline = time.advanced(bySeconds: limits.duration)
      fingers = 0
    }
    fingers = max(fingers, down.count)
    let place = GestureRecognizer.middle(of: down)
    if taps > 0, let first, isFirst, place.distance(to: first) > limits.movement { return .failed }
    if taps == 0 { first = place }
    return fingers > limits.fingers ? .failed : .undecided
  }

  /// Fingers lifted.
  ///
  /// - Parameter left: how many are still down.
  mutating func ended(left: Int, at time: Timestamp, limits: Limits) -> Outcome {
    guard left == 0 else { return .undecided }
    guard fingers == limits.fingers else { return .failed }
    taps += 1
    deadline = time.advanced(bySeconds: limits.interval)
    return .tapped
  }

  /// Whether a finger went too far from where it came down.
  static func strayed(_ touches: [Touch], limit: Double) -> Bool {
    touches.contains { $0.location.distance(to: $0.beganSample.location) > limit }
  }
}
