/// Two fingers that turn about each other. (`UIRotationGestureRecognizer`.)
///
/// It begins when they have turned enough, and ends when both have lifted. A third finger does not count.
public final class RotationGestureRecognizer: GestureRecognizer {
  /// How far along the circle the fingers have to go before it begins, in window units: fingers that are close
  /// together turn a lot when they shake.
  public var minimumMovement = 8.0

  /// How far the fingers turned, clockwise on the screen, in radians; several turns add up.
  /// (`UIRotationGestureRecognizer.rotation`.)
  public private(set) var rotation = 0.0
  /// In radians a second. (`UIRotationGestureRecognizer.velocity`.)
  public private(set) var velocity = 0.0

  /// The pair as it was last seen.
  private var last: FingerPair?
  private var speedometer = Speedometer()

  public override var kind: String { "rotation" }
  public override var isContinuous: Bool { true }

  public override var values: GestureValues {
    var values = GestureValues()
    values.angle = rotation
    values.angularVelocity = velocity
    return values
  }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    while self.touches.count > 2, let extra = self.touches.last { ignore(extra) }
    last = FingerPair(self.touches)
    speedometer.note(x: rotation, at: event.timestamp)
  }

  public override func touchesMoved(_ touches: [Touch], with event: Event) {
    guard let before = last, let pair = FingerPair(self.touches) else { return }
    rotation += before.way.angle(to: pair.way)
    last = pair
    speedometer.note(x: rotation, at: event.timestamp)
    velocity = speedometer.velocity(at: event.timestamp).x
    if state != .possible {
      transition(to: .changed)
    } else if abs(rotation) * pair.distance / 2 >= minimumMovement {
      transition(to: .began)
    }
  }

  public override func touchesEnded(_ touches: [Touch], with event: Event) {
    velocity = speedometer.velocity(at: event.timestamp).x
    if self.touches.count == touches.count {
      transition(to: state != .possible || wanted == .began ? .ended : .failed)
    } else {
      last = FingerPair(self.touches, without: touches)
    }
  }

  public override func reset() {
    rotation = 0
    velocity = 0
    last = nil
    speedometer.removeAll()
  }
}
