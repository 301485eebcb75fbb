/// Fingers that stay in place for a while. (`UILongPressGestureRecognizer`.)
///
/// It begins when they have been down long enough, changes when they move after that, and ends when one lifts.
public final class LongPressGestureRecognizer: GestureRecognizer {
  /// How long the fingers must press, in seconds. (`UILongPressGestureRecognizer.minimumPressDuration`.)
  public var minimumPressDuration = 0.5
  /// How many fingers press. (`UILongPressGestureRecognizer.numberOfTouchesRequired`.)
  public var numberOfTouchesRequired = 1
  /// How many taps come before the press.
  public var numberOfTapsRequired = 0
  /// How far a finger may move before the gesture has begun, in window units. After that it may go anywhere.
  public var allowableMovement = 10.0

  private var counter = TapSequence()
  /// When the press has been long enough, once all fingers of it are down.
  private var due: Timestamp?

  public override var kind: String { "long_press" }
  public override var isContinuous: Bool { true }

  public override var deadline: Timestamp? {
    guard state == .possible, wanted == nil else { return nil }
    // Without taps before it, the press has all the time that its fingers take to come down.
    return due ?? (numberOfTapsRequired > 0 || touches.isEmpty ? counter.deadline : nil)
  }

  private var limits: TapSequence.Limits {
    var limits = TapSequence.Limits()
    limits.fingers = numberOfTouchesRequired
    return limits
  }

  public override func deadlinePassed(with event: Event) { transition(to: due == nil ? .failed : .began) }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    // Once it has begun, a further finger changes nothing.
    guard state == .possible else { return touches.forEach(ignore) }
    let isFirst = self.touches.count == touches.count
    let outcome = counter.began(self.touches, isFirst: isFirst, at: event.timestamp, limits: limits)
    guard outcome != .failed else { return transition(to: .failed) }
    if counter.taps >= numberOfTapsRequired && self.touches.count == numberOfTouchesRequired {
      due = event.timestamp.advanced(bySeconds: minimumPressDuration)
    }
  }

  public override func touchesMoved(_ touches: [Touch], with event: Event) {
    if state != .possible { return transition(to: .changed) }
    let limit = counter.taps < numberOfTapsRequired ? limits.movement : allowableMovement
    if wanted == nil && TapSequence.strayed(touches, limit: limit) { transition(to: .failed) }
  }

  public override func touchesEnded(_ touches: [Touch], with event: Event) {
    if state != .possible || wanted == .began { return transition(to: .ended) }
    guard due == nil else { return transition(to: .failed) }
    let left = self.touches.count - touches.count
    // Of the press itself, a finger that lifts before all are down is no part.
    if left > 0 && counter.taps >= numberOfTapsRequired { return letGoOfLifted(touches) }
    if case .failed = counter.ended(touches, left: left, at: event.timestamp, limits: limits) {
      transition(to: .failed)
    } else if left == 0 && counter.taps > numberOfTapsRequired {
      transition(to: .failed)
    }
  }

  public override func reset() {
    counter.reset()
    due = nil
  }
}
