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

  /// A recogniser of fewer taps leaves one of more taps alone: after the first tap it cannot know.
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
    switch counter.ended(left: left, at: event.timestamp, limits: limits) {
    case .tapped: if counter.taps >= numberOfTapsRequired { transition(to: .ended) }
    case .failed: transition(to: .failed)
    case .undecided: break
    }
  }

  public override func reset() { counter = TapSequence() }
}
