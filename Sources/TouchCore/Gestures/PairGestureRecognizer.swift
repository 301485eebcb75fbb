/// Two fingers, by their distance and direction: the base of pinch and rotation.
///
/// It begins when a finger has gone far enough, and ends when both have lifted. A third finger does not
/// count.
public class PairGestureRecognizer: GestureRecognizer {
  /// The distance that a finger goes before the gesture begins, in window units: towards or away from the
  /// other one for a pinch, around it for a rotation. It is a distance because fingers that are close
  /// together turn a lot when they shake.
  public final var minimumMovement = 8.0
  /// The change of the measure in a second: of the scale, or of the angle in radians.
  /// (`UIPinchGestureRecognizer.velocity`, `UIRotationGestureRecognizer.velocity`.)
  public private(set) final var velocity = 0.0

  private var velocityTracker = VelocityTracker()

  public final override var isContinuous: Bool { true }

  /// The measured value: the scale, or the angle in radians.
  var measure: Double { 0 }

  /// Continues from the measured value with another pair; nil with fewer than two fingers.
  func start(_ pair: FingerPair?) {}

  /// Measures the pair at its present location. Returns the distance that a finger went, in window units.
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

/// Two fingers that go apart or together. (`UIPinchGestureRecognizer`.)
public final class PinchGestureRecognizer: PairGestureRecognizer {
  /// The distance between the fingers, as a multiple of their first distance. After a program sets it, it
  /// continues from there: set to 1 each time, it gives the steps in between.
  /// (`UIPinchGestureRecognizer.scale`.)
  public var scale: Double {
    get { measured }
    set {
      measured = newValue
      base = newValue
      if last != nil { first = last }
    }
  }
  private var measured = 1.0

  /// The pair when it came together or the scale was set, and the scale at that time.
  private var first: FingerPair?
  private var base = 1.0
  private var last: FingerPair?

  public override var kind: String { "pinch" }

  public override var values: GestureValues {
    var values = GestureValues()
    values.scale = scale
    values.scaleVelocity = velocity
    return values
  }

  override var measure: Double { scale }

  override func start(_ pair: FingerPair?) {
    first = pair
    last = pair
    base = measured
  }

  override func follow(_ pair: FingerPair) -> Double {
    guard let first else { return 0 }
    measured = base * pair.distance / first.distance
    last = pair
    return abs(pair.distance - first.distance)
  }

  public override func reset() {
    measured = 1
    super.reset()
  }
}

/// Two fingers that turn about each other. (`UIRotationGestureRecognizer`.)
public final class RotationGestureRecognizer: PairGestureRecognizer {
  /// The clockwise turn of the fingers on the screen, in radians; several turns add up. After a program sets
  /// it, it continues from there. (`UIRotationGestureRecognizer.rotation`.)
  public var rotation = 0.0

  private var last: FingerPair?

  public override var kind: String { "rotation" }

  public override var values: GestureValues {
    var values = GestureValues()
    values.angle = rotation
    values.angularVelocity = velocity
    return values
  }

  override var measure: Double { rotation }

  override func start(_ pair: FingerPair?) { last = pair }

  override func follow(_ pair: FingerPair) -> Double {
    guard let before = last else { return 0 }
    rotation += before.vector.angle(to: pair.vector)
    last = pair
    return abs(rotation) * pair.distance / 2
  }

  public override func reset() {
    rotation = 0
    super.reset()
  }
}

/// Two fingers and the line between them.
struct FingerPair {
  /// The way from the first finger to the second, in window units; never zero.
  var vector: WindowVector
  var distance: Double { vector.length }

  /// Makes a pair of the first two touches that stay, in the order in which they went down; nil of fewer.
  init?(_ touches: [Touch], without leaving: [Touch] = []) {
    var first: WindowPoint?
    for touch in touches where !leaving.contains(where: { $0 === touch }) {
      guard let start = first else {
        first = touch.location
        continue
      }
      vector = touch.location.vector(from: start)
      // Two contacts in one place have neither direction nor ratio. A unit apart they have both.
      if !(vector.length >= 1) { vector = WindowVector(x: 1, y: 0) }
      return
    }
    return nil
  }
}
