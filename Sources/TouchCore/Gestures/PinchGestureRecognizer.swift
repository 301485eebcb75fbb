/// Two fingers that go apart or together. (`UIPinchGestureRecognizer`.)
///
/// It begins when the distance between them has changed enough, and ends when both have lifted. A third finger
/// does not count.
public final class PinchGestureRecognizer: GestureRecognizer {
  /// How much nearer or farther the fingers have to be before it begins, in window units.
  public var minimumMovement = 8.0

  /// The distance between the fingers as a multiple of what it was at first. (`UIPinchGestureRecognizer.scale`.)
  public private(set) var scale = 1.0
  /// How fast the scale changes, a second. (`UIPinchGestureRecognizer.velocity`.)
  public private(set) var velocity = 0.0

  private var base = 1.0
  /// The pair when it came together, and the scale by then is `base`.
  private var start: FingerPair?
  private var speedometer = Speedometer()

  public override var kind: String { "pinch" }
  public override var isContinuous: Bool { true }

  public override var values: GestureValues {
    var values = GestureValues()
    values.scale = scale
    values.scaleVelocity = velocity
    return values
  }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    while self.touches.count > 2, let extra = self.touches.last { ignore(extra) }
    startAnew(without: [])
    speedometer.note(x: scale, at: event.timestamp)
  }

  public override func touchesMoved(_ touches: [Touch], with event: Event) {
    guard let start, let pair = FingerPair(self.touches) else { return }
    scale = base * pair.distance / start.distance
    speedometer.note(x: scale, at: event.timestamp)
    velocity = speedometer.velocity(at: event.timestamp).x
    if state != .possible {
      transition(to: .changed)
    } else if abs(pair.distance - start.distance) >= minimumMovement {
      transition(to: .began)
    }
  }

  public override func touchesEnded(_ touches: [Touch], with event: Event) {
    velocity = speedometer.velocity(at: event.timestamp).x
    if self.touches.count == touches.count {
      transition(to: state != .possible || wanted == .began ? .ended : .failed)
    } else {
      startAnew(without: touches)
    }
  }

  public override func reset() {
    scale = 1
    velocity = 0
    base = 1
    start = nil
    speedometer.removeAll()
  }

  private func startAnew(without leaving: [Touch]) {
    base = scale
    start = FingerPair(touches, without: leaving)
  }
}
