/// What two fingers do to each other, as pinch and rotation measure it.
///
/// It begins when a finger has gone far enough, and ends when both have lifted. A third finger does not count.
public class PairGestureRecognizer: GestureRecognizer {
  /// How far a finger has to go before it begins, in window units: towards the other one or away from it for a pinch,
  /// around it for a rotation. Fingers that are close together turn a lot when they shake.
  public final var minimumMovement = 8.0
  /// How fast the measure changes, a second: the scale, or the angle in radians. (`UIPinchGestureRecognizer.velocity`,
  /// `UIRotationGestureRecognizer.velocity`.)
  public private(set) final var velocity = 0.0

  private var velocityTracker = VelocityTracker()

  public final override var isContinuous: Bool { true }

  /// What the fingers come to by now.
  var measure: Double { 0 }

  /// Goes on from what is measured by now, with other fingers; nil with fewer than two.
  func start(_ pair: FingerPair?) {}

  /// Measures the pair that was started with, where it is now. Answers how far a finger went, in window units.
  func follow(_ pair: FingerPair) -> Double { 0 }

  public final override func touchesBegan(_ touches: [Touch], with event: Event) {
    while self.touches.count > 2, let extra = self.touches.last { ignore(extra) }
    start(FingerPair(self.touches))
    velocityTracker.note(x: measure, at: event.timestamp)
  }

  public final override func touchesMoved(_ touches: [Touch], with event: Event) {
    guard let pair = FingerPair(self.touches) else { return }
    let movement = follow(pair)
    velocityTracker.note(x: measure, at: event.timestamp)
    velocity = velocityTracker.velocity(at: event.timestamp).x
    if state != .possible {
      transition(to: .changed)
    } else if movement >= minimumMovement {
      transition(to: .began)
    }
  }

  public final override func touchesEnded(_ touches: [Touch], with event: Event) {
    velocity = velocityTracker.velocity(at: event.timestamp).x
    if self.touches.count == touches.count {
      transition(to: state != .possible || wanted == .began ? .ended : .failed)
    } else {
      start(FingerPair(self.touches, without: touches))
      letGoOfLifted(touches)
    }
  }

  public override func reset() {
    velocity = 0
    velocityTracker.removeAll()
    start(nil)
  }
}
