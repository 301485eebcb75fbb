/// Two fingers that go apart or together. (`UIPinchGestureRecognizer`.)
public final class PinchGestureRecognizer: PairGestureRecognizer {
  /// The distance between the fingers as a multiple of what it was at first. (`UIPinchGestureRecognizer.scale`.)
  public private(set) var scale = 1.0

  /// The pair when it came together, and the scale by then.
  private var first: FingerPair?
  private var base = 1.0

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
    base = scale
  }

  override func follow(_ pair: FingerPair) -> Double {
    guard let first else { return 0 }
    scale = base * pair.distance / first.distance
    return abs(pair.distance - first.distance)
  }

  public override func reset() {
    scale = 1
    super.reset()
  }
}
