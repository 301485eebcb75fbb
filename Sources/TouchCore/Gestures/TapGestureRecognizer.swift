/// One or more taps with one or more fingers. (`UITapGestureRecognizer`.)
///
/// It is recognised when the last finger of the last tap lifts.
public final class TapGestureRecognizer: GestureRecognizer {
  /// The number of taps. (`UITapGestureRecognizer.numberOfTapsRequired`.)
  public var numberOfTapsRequired = 1
  /// The number of fingers in each tap. (`UITapGestureRecognizer.numberOfTouchesRequired`.)
  public var numberOfTouchesRequired = 1 { didSet { limits.fingers = numberOfTouchesRequired } }
  /// The longest duration of a tap, in seconds. Apple does not document its own figure.
  public var maximumDuration: Double {
    get { limits.duration }
    set { limits.duration = newValue }
  }
  /// The longest wait between two taps, in seconds.
  public var maximumInterval: Double {
    get { limits.interval }
    set { limits.interval = newValue }
  }
  /// The longest way of a finger, and the longest distance between two taps, in window units.
  public var allowableMovement: Double {
    get { limits.movement }
    set { limits.movement = newValue }
  }

  private var limits = TapSequence.Limits()
  private var counter = TapSequence()

  public override var kind: String { "tap" }

  /// The middle of the places where the fingers of the first tap lifted. (`UITapGestureRecognizer.h`)
  override var foundLocation: WindowPoint? { counter.firstPlace }

  /// Returns false for a recogniser of more taps with as many fingers: those taps may still follow.
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
    // The finger may lift away from its last move.
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

struct TapSequence {
  /// The limits of a tap, and of the wait for the next one.
  struct Limits {
    var fingers = 1
    /// The longest tap, in seconds.
    var duration = 0.75
    /// The longest wait between a lift and the next touch, in seconds.
    var interval = 0.35
    /// The longest way of a finger, and the longest distance from the first tap, in window units.
    var movement = 45.0
  }

  enum Outcome {
    /// More touches are needed.
    case undecided
    /// One more tap is complete.
    case tapped
    /// The touches are not taps.
    case failed
  }

  private(set) var taps = 0
  /// The time at which a tap has taken too long, or the next one is too late; nil before the first touch.
  private(set) var deadline: Timestamp?
  /// The most fingers that were down at once in this tap.
  private var fingers = 0
  /// The places where the fingers of the first tap went down.
  private var starts: [WindowPoint] = []
  private var lifts: [WindowPoint] = []

  var firstPlace: WindowPoint? { taps > 0 ? GestureRecognizer.middle(of: lifts) : nil }

  /// Counts fingers that went down, maybe the first ones.
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
      // The fingers of a tap go down one by one: each is near one of the first tap, or near their middle.
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

  /// Counts fingers that lifted; `left` are still down.
  mutating func ended(_ lifted: [Touch], left: Int, at time: Timestamp, limits: Limits) -> Outcome {
    if taps == 0 { for touch in lifted { lifts.append(touch.location) } }
    guard left == 0 else { return .undecided }
    guard fingers == limits.fingers else { return .failed }
    taps += 1
    deadline = time.advanced(bySeconds: limits.interval)
    return .tapped
  }

  /// Forgets the taps, and keeps the arrays' storage.
  mutating func reset() {
    (taps, fingers, deadline) = (0, 0, nil)
    starts.removeAll(keepingCapacity: true)
    lifts.removeAll(keepingCapacity: true)
  }

  /// Whether a finger went too far from its starting point.
  static func strayed(_ touches: [Touch], limit: Double) -> Bool {
    touches.contains { $0.location.distance(to: $0.beganSample.location) > limit }
  }
}
