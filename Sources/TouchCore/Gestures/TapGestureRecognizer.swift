/// One or more taps with one or more fingers. (`UITapGestureRecognizer`.)
///
/// It is recognised when the last finger of the last tap lifts.
public final class TapGestureRecognizer: GestureRecognizer {
  /// (`UITapGestureRecognizer.numberOfTapsRequired`.)
  public var numberOfTapsRequired = 1
  /// How many fingers make each of the taps. (`UITapGestureRecognizer.numberOfTouchesRequired`.)
  public var numberOfTouchesRequired = 1 { didSet { limits.fingers = numberOfTouchesRequired } }
  /// The longest that a tap may take, in seconds. Apple does not document its own figure.
  public var maximumDuration: Double {
    get { limits.duration }
    set { limits.duration = newValue }
  }
  /// The longest wait between two taps, in seconds.
  public var maximumInterval: Double {
    get { limits.interval }
    set { limits.interval = newValue }
  }
  /// How far a finger may move, and how far apart two taps may be, in window units.
  public var allowableMovement: Double {
    get { limits.movement }
    set { limits.movement = newValue }
  }

  private var limits = TapSequence.Limits()
  private var counter = TapSequence()

  public override var kind: String { "tap" }

  /// The middle of the fingers of the first tap, where each of them lifted. (`UITapGestureRecognizer.h`)
  override var foundLocation: WindowPoint? { counter.firstPlace }

  /// A recogniser of fewer taps does not prevent one of more taps with as many fingers: those may still follow.
  public override func canPrevent(_ other: GestureRecognizer) -> Bool {
    guard let tap = other as? TapGestureRecognizer, tap.numberOfTouchesRequired == numberOfTouchesRequired
    else { return true }
    return tap.numberOfTapsRequired <= numberOfTapsRequired
  }

  public override var deadline: Timestamp? { wanted == nil ? counter.deadline : nil }

  public override func deadlinePassed(with event: Event) { transition(to: .failed) }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    let isFirst = self.touches.count == touches.count
    let outcome = counter.began(self.touches, isFirst: isFirst, at: event.timestamp, limits: limits)
    if outcome == .failed { transition(to: .failed) }
  }

  public override func touchesMoved(_ touches: [Touch], with event: Event) {
    if TapSequence.strayed(touches, limit: limits.movement) { transition(to: .failed) }
  }

  public override func touchesEnded(_ touches: [Touch], with event: Event) {
    // The lift may be somewhere else than the last move.
    if TapSequence.strayed(touches, limit: limits.movement) { return transition(to: .failed) }
    let left = self.touches.count - touches.count
    switch counter.ended(touches, left: left, at: event.timestamp, limits: limits) {
    case .tapped: if counter.taps >= numberOfTapsRequired { transition(to: .ended) }
    case .failed: transition(to: .failed)
    case .undecided: break
    }
  }

  public override func reset() { counter.reset() }
}

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

  /// The result of a change of the fingers.
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
  /// Where the fingers of the first tap came down, and where they lifted.
  private var starts: [WindowPoint] = []
  private var lifts: [WindowPoint] = []

  /// The middle of the first tap, when it is complete.
  var firstPlace: WindowPoint? { taps > 0 ? GestureRecognizer.middle(of: lifts) : nil }

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
    if taps == 0 {
      starts.removeAll(keepingCapacity: true)
      for touch in down { starts.append(touch.beganSample.location) }
    } else {
      // The fingers of a tap come down one by one: each is near one of the first tap, or near their middle.
      let middle = GestureRecognizer.middle(of: starts)
      let isNear = down.allSatisfy { touch in
        let place = touch.beganSample.location
        return place.distance(to: middle) <= limits.movement
          || starts.contains { $0.distance(to: place) <= limits.movement }
      }
      guard isNear else { return .failed }
    }
    return fingers > limits.fingers ? .failed : .undecided
  }

  /// Fingers lifted.
  ///
  /// - Parameter left: how many are still down.
  mutating func ended(_ lifted: [Touch], left: Int, at time: Timestamp, limits: Limits) -> Outcome {
    if taps == 0 { for touch in lifted { lifts.append(touch.location) } }
    guard left == 0 else { return .undecided }
    guard fingers == limits.fingers else { return .failed }
    taps += 1
    deadline = time.advanced(bySeconds: limits.interval)
    return .tapped
  }

  /// Forgets the taps, and keeps the memory of the arrays.
  mutating func reset() {
    (taps, fingers, deadline) = (0, 0, nil)
    starts.removeAll(keepingCapacity: true)
    lifts.removeAll(keepingCapacity: true)
  }

  /// Whether a finger went too far from where it came down.
  static func strayed(_ touches: [Touch], limit: Double) -> Bool {
    touches.contains { $0.location.distance(to: $0.beganSample.location) > limit }
  }
}
