/// Fingers that stay in place for a while. (`UILongPressGestureRecognizer`.)
///
/// It begins when they have been down long enough, changes when they move after that, and ends when one
/// lifts.
public final class LongPressGestureRecognizer: GestureRecognizer {
  /// The shortest press, in seconds. (`UILongPressGestureRecognizer.minimumPressDuration`.)
  public var minimumPressDuration = 0.5
  /// The number of fingers that press. (`UILongPressGestureRecognizer.numberOfTouchesRequired`.)
  public var numberOfTouchesRequired = 1
  /// The number of taps before the press.
  public var numberOfTapsRequired = 0
  /// The longest way of a finger before the gesture begins, in window units. After that it may go anywhere.
  public var allowableMovement = 10.0

  private var counter = TapSequence()
  /// The time at which the press is long enough, once all its fingers are down.
  private var due: Timestamp?

  public override var kind: String { "long_press" }
  public override var isContinuous: Bool { true }

  public override var deadline: Timestamp? {
    guard state == .possible, wanted == nil else { return nil }
    // Without taps before it, the fingers of the press may take any time to go down.
    return due ?? (numberOfTapsRequired > 0 || touches.isEmpty ? counter.deadline : nil)
  }

  private var limits: TapSequence.Limits {
    var limits = TapSequence.Limits()
    limits.fingers = numberOfTouchesRequired
    return limits
  }

  public override func deadlinePassed(with event: Event) { transition(to: due == nil ? .failed : .began) }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    // A further finger changes nothing after the beginning.
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
    // A finger that lifts before all are down is no part of the press.
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
